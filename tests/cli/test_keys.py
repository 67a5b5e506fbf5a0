"""``kbtui keys``: the table of commands, with the user's own keys in it."""

from __future__ import annotations

import json

import pytest

from kbtui.settings import paths
from kbtui.ui.commands import COMMANDS
from tests.cli.conftest import Invoke


def configure(text: str) -> None:
    file = paths.config_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_every_command_is_listed_with_its_keys(invoke: Invoke) -> None:
    rows = [json.loads(line) for line in invoke("keys", "--json").stdout.splitlines()]
    assert [row["command"] for row in rows] == [command.name for command in COMMANDS]
    assert all(row["keys"] == row["default"] for row in rows)
    table = invoke("keys").stdout
    assert all(command.name in table and command.title in table for command in COMMANDS)


def test_the_users_own_keys_stand_in_the_table_with_what_they_replace(invoke: Invoke) -> None:
    configure('[keys]\ncopy = "C, ctrl+b"\n')
    (row,) = [row for row in map(json.loads, invoke("keys", "--json").stdout.splitlines()) if row["command"] == "copy"]
    assert (row["keys"], row["default"]) == (["C", "ctrl+b"], ["y"])
    assert "Copy the answer (yours, instead of y)" in invoke("keys").stdout


def test_a_line_that_cannot_be_used_is_a_warning_and_no_failure(invoke: Invoke) -> None:
    configure('[keys]\ncopi = "Y"\n')
    done = invoke("keys")
    assert done.exit_code == 0
    assert "keys.copi: there is no such command. Did you mean copy?" in done.stderr


def test_a_value_that_is_no_text_is_an_error_that_names_the_setting(invoke: Invoke) -> None:
    configure("[keys]\ncopy = 3\n")
    done = invoke("keys")
    assert done.exit_code == 2
    assert "keys = " in done.stderr
    assert "a table of texts" in done.stderr


def test_the_environment_may_hold_keys_too(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBTUI_KEYS", '{"copy": "C"}')
    assert '"command": "copy", "keys": ["C"]' in invoke("keys", "--json").stdout
