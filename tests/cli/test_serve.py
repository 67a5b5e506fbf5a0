"""What `kbtui serve` refuses to begin with, and what it runs for a visitor."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from kbtui.cli import serve
from tests.cli.conftest import Program


def test_a_host_that_others_reach_needs_a_token(program: Program, tmp_path: Path) -> None:
    done = program("serve", str(tmp_path), "--host", "0.0.0.0")
    assert done.returncode == 2
    assert "Other machines reach 0.0.0.0" in done.stderr
    assert "hint: Give --token of 16 characters" in done.stderr
    assert done.stdout == ""


def test_a_short_token_is_refused_wherever_it_comes_from(program: Program, tmp_path: Path) -> None:
    for token, typed in (("secret", ""), ("-", "secret\n"), ("-", "")):
        done = program("serve", str(tmp_path), "--token", token, stdin=typed)
        assert done.returncode == 2
        assert "Give 16 or more" in done.stderr


def test_a_port_that_is_taken_is_said_with_a_way_on(program: Program, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = program("serve", str(tmp_path), "--port", str(other.getsockname()[1]))
    assert done.returncode == 1
    assert "Nothing can listen on 127.0.0.1" in done.stderr
    assert "hint: --port 0 takes a free port." in done.stderr


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, invoke: Any, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    monkeypatch.delitem(sys.modules, "kbtui.cli.serving.server", raising=False)
    done = invoke("serve", str(tmp_path), standalone_mode=False)
    assert done.exception.message == "kbtui serve needs the package textual_serve."
    assert "kbtui[serve]" in done.exception.hint


def test_a_visitor_gets_the_same_folder_data_and_model(
    monkeypatch: pytest.MonkeyPatch, invoke: Any, tmp_path: Path
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(serve, "_serve", lambda argv, *_, **__: ran.append(argv) or 0)
    (tmp_path / "-x").mkdir()
    (tmp_path / "orders.csv").write_text("a,b\n1,2\n")
    data = str(tmp_path / "orders.csv")
    done = invoke("--data", data, "serve", str(tmp_path / "-x"), "--model", "offline", "--debug", standalone_mode=False)
    assert done.exception is None
    assert ran[0][3:] == [
        *("kbtui", "serve", "--visitor", "--data", data, "--model", "offline", "--debug", "--", str(tmp_path / "-x"))
    ]
