"""The list of commands: light, complete, forgiving."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from kbtui.cli.main import COMMANDS, cli
from tests.cli.conftest import Invoke, Program

HEAVY = ("textual", "langgraph", "langchain_core", "lancedb", "torch", "onnxruntime", "pydantic", "rich", "asyncio")

ROOT = Path(__file__).parents[2]


def loaded_by(*args: str) -> set[str]:
    script = (
        "import json, sys\n"
        f"sys.argv = ['kbtui', *{list(args)!r}]\n"
        "from kbtui.__main__ import main\n"
        "import kbtui.__main__ as program\n"
        "program.leave = sys.exit\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "print('\\n' + json.dumps(sorted(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, env=os.environ, check=True
    )
    return set(json.loads(done.stdout.strip().rpartition("\n")[2]))


@pytest.mark.parametrize("args", [("--help",), ("--version",), (".", "--help")])
def test_help_loads_nothing_heavy(args: tuple[str, ...]) -> None:
    assert loaded_by(*args).isdisjoint(HEAVY)


def test_a_question_over_data_loads_what_reads_and_asks_data_alone(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("date,region,amount\n2026-01-04,North,30.5\n2026-01-15,South,99\n")
    asked = ("--kb", str(tmp_path), "--data", str(tmp_path / "sales.csv"), "--no-session", "amount by region")
    # The engine of data runs in a process of its own; events are written without pydantic's adapters.
    elsewhere = {
        "duckdb",
        "pydantic.type_adapter",
        "kbtui.data.files",
        "kbtui.knowledge.base",
        "kbtui.tools.web_search",
    }
    loaded = loaded_by("ask", *asked)
    assert loaded.isdisjoint({*HEAVY, *elsewhere, "httpx", "pydantic_settings", "lxml"} - {"pydantic", "rich"})


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_loads_no_engine_and_no_screen(name: str) -> None:
    assert loaded_by(name, "--help").isdisjoint({"textual", "langgraph", "lancedb", "torch", "onnxruntime"})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_listed_command_is_there_under_its_name(name: str, invoke: Invoke) -> None:
    command = COMMANDS[name].load()
    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help
    assert COMMANDS[name].help in invoke("--help").stdout


def test_a_folder_opens_the_screen_which_needs_a_terminal(program: Program, tmp_path: Path) -> None:
    for args in ((), (str(tmp_path),), ("--model", "offline", str(tmp_path)), (".", "--data", "x.db")):
        done = program(*args)
        assert done.returncode == 2, args
        assert done.stdout == ""
        assert "terminal" in done.stderr
        assert "hint: " in done.stderr
        assert "kbtui ask" in done.stderr


def test_a_folder_named_like_a_command_is_given_with_a_dot(program: Program, tmp_path: Path) -> None:
    (tmp_path / "ask").mkdir()
    assert "The question is empty" in program("ask").stderr
    assert "needs a terminal" in program("./ask").stderr


@pytest.mark.parametrize(
    ("args", "near"),
    [
        (("serch", "x"), "kbtui search"),
        (("serch",), "kbtui search"),
        (("config", "shwo"), "show"),
        (("ask", "--jsn", "x"), "--json"),
        ((".", "ask", "x"), "The command comes first"),
    ],
)
def test_a_typo_names_what_was_meant(args: tuple[str, ...], near: str, program: Program) -> None:
    done = program(*args)
    assert done.returncode == 2
    message, hint = done.stderr.rstrip("\n").split("\n")
    assert message.startswith("kbtui: ")
    assert hint.startswith("hint: ")
    assert near in hint


def test_no_such_folder_names_the_nearest(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "handbook").mkdir()
    done = invoke("index", str(tmp_path / "handbok"))
    assert done.exit_code == 2
    assert "There is no folder" in done.stderr
    assert "handbook" in done.stderr


def test_a_file_in_place_of_a_folder_is_refused(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "a.md").touch()
    done = invoke("index", str(tmp_path / "a.md"))
    assert done.exit_code == 2
    assert "is not a folder" in done.stderr


def test_a_folder_that_may_not_be_read_is_refused_as_such(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Permissions do not stop root, so the system's answer is made.
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    done = invoke("index", str(tmp_path))
    assert done.exit_code == 2
    assert done.stderr == f"kbtui: The folder {tmp_path} may not be read.\nhint: Check its permissions.\n"


@pytest.mark.parametrize(("path", "said"), [("", "is empty"), ("x" * 5000, "cannot be opened: File name too long")])
def test_a_path_that_can_be_none_is_refused_in_one_line(path: str, said: str, invoke: Invoke) -> None:
    done = invoke("index", path)
    assert done.exit_code == 2
    message, hint = done.stderr.removesuffix("\n").split("\n")
    assert said in message
    assert len(message) < 300
    assert hint.startswith("hint: ")


def test_data_and_model_before_a_command_that_has_no_use_for_them_are_refused(invoke: Invoke) -> None:
    done = invoke("--data", "x.db", "config", "path")
    assert done.exit_code == 2
    assert "mean nothing to kbtui config" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_back_into_kbtui(shell: str, invoke: Invoke) -> None:
    done = invoke("completions", shell)
    assert done.exit_code == 0
    assert f"_KBTUI_COMPLETE={shell}_complete" in done.stdout


def test_completion_offers_commands_folders_and_options(program: Program) -> None:
    def complete(words: str, index: str) -> list[str]:
        return program(_KBTUI_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=index).stdout.split("\n")

    assert {"plain,ask", "plain,index", "dir,"} <= set(complete("kbtui ", "1"))
    assert "plain,--json" in complete("kbtui ask --j", "2")
    assert "dir," in complete("kbtui ask --kb ", "3")
    assert "plain,hybrid_search" in complete("kbtui search --tool h", "3")
    assert "plain,--model" in complete("kbtui . --m", "2")


def test_every_command_of_the_contract_takes_the_contracts_options() -> None:
    wanted = {
        "ask": {"--kb", "--data", "--model", "--json", "--timeout", "--no-session", "--no-color"},
        "index": {"--rebuild", "--watch", "--json"},
        "search": {"--kb", "--tool", "--keywords", "-k", "--json", "--explain"},
        "replay": {"--speed", "--plain", "--json"},
        "serve": {"--data", "--model", "--host", "--port", "--token"},
        "doctor": {"--json"},
        "events": {"--schema"},
    }
    for name, options in wanted.items():
        taken = {opt for param in COMMANDS[name].load().params for opt in param.opts}
        assert options <= taken, name
    for name, commands in {
        "sessions": {"list", "show", "export", "stats", "delete", "compare"},
        "sources": {"list", "add", "remove", "test"},
        "config": {"show", "path", "init", "key"},
    }.items():
        group = COMMANDS[name].load()
        assert isinstance(group, click.Group)
        assert set(group.commands) == commands
    assert {"--data", "--model"} <= {opt for param in cli.params for opt in param.opts}


def test_the_docs_name_every_command_and_option() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    for name, entry in COMMANDS.items():
        command = entry.load()
        parts = command.commands.values() if isinstance(command, click.Group) else (command,)
        assert f"kbtui {name}" in text
        for part in parts:
            assert part is command or f"{name} {part.name}" in text, part.name
            for param in part.params:
                if isinstance(param, click.Option) and not param.hidden and param.name not in ("no_color", None):
                    assert any(f"`{opt}" in text for opt in param.opts), (name, param.opts)
