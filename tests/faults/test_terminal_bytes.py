"""No byte that steers a terminal leaves kbtui: not from documents, names, settings or arguments, and none of its own
where plain text was asked for."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import unicodedata
from pathlib import Path

import pexpect
import pytest

from kbtui.settings import paths
from tests.cli.conftest import Invoke

ROOT = Path(__file__).parents[2]

HOSTILE = "".join(
    map(
        chr,
        [
            *range(0x7F, 0xA0),
            *(0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F),
            *range(0x2028, 0x202F),
            *range(0x2060, 0x2070),
            *(0xFEFF, 0xFFF9, 0xFFFB, 0x1D173, 0xE0001, 0xE0041, 0xE0100),
        ],
    )
)
"""C1 controls, marks and overrides of direction, line separators, and characters that show nothing."""

NAME = "ro\x9b31mllback\u202e.md"
QUESTION = "When do we roll\x9b31m back\u202e?"


def steering(text: str) -> list[str]:
    """What of a text a terminal would obey, or show in another order than it stands."""
    return sorted(
        {
            hex(ord(character))
            for character in text
            if character not in "\n\t"
            and (unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or character >= "\U000e0100")
        }
    )


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder whose names and lines attack terminals, and settings that do so too."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / NAME).write_text(
        f"# Rollback\n\nRoll back when the error{HOSTILE} rate stays above two percent.\n", encoding="utf-8"
    )
    file = paths.config_file()
    file.parent.mkdir(parents=True)
    file.write_text(
        'data_sources = ["a=/nowhere/\\u009b\\u202ex.db"]\n'
        '[editor]\ncommand = "vi\\u009b\\u202e"\n[ui]\ntheme = "x\\u009b\\u202e"\n'
    )
    return folder


def test_no_command_passes_on_what_steers_a_terminal(
    hostile: Path,
    tmp_path: Path,
    invoke: Invoke,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    kb = ("--kb", str(hostile))
    data = tmp_path / "cities\x9b\u202e.csv"
    data.write_text(f"city,sales\nOs{HOSTILE}lo,3\nBergen,4\n", encoding="utf-8")
    commands = [
        ("index", str(hostile), "--json"),
        ("index", str(hostile), "--rebuild"),
        ("ask", *kb, QUESTION, "--json"),
        ("ask", *kb, QUESTION),
        ("ask", *kb, "--data", str(data), "total sales by city", "--json"),
        ("ask", *kb, "--data", str(data), "total sales by city"),
        ("search", *kb, "--json", "--explain", "rollback error rate"),
        ("search", *kb, "--explain", "rollback error rate"),
        ("search", *kb, "--tool", "grep_search", "--json", "error"),
        ("search", *kb, "--tool", "local_file_qa", "--json", "rollback"),
        ("replay", "last", "--json"),
        ("replay", "last", "--plain"),
        ("sessions", "list"),
        ("sessions", "list", "--json"),
        ("sessions", "show", "last"),
        ("sessions", "stats", "--json"),
        *(("sessions", "export", "last", "--format", format_) for format_ in ("md", "html", "jsonl")),
        ("sessions", "export", "last", "-o", str(tmp_path / "x\x9b\u202e.md")),
        ("sources", "list"),
        ("sources", "list", "--json"),
        ("sources", "test"),
        ("sources", "test", "--json"),
        ("config", "show"),
        ("config", "show", "--json"),
        ("config", "path"),
        ("doctor", *kb),
        ("doctor", *kb, "--json"),
        ("events", "--schema"),
        ("ask", "--kb", "/nowhere\x9b\u202e", "x"),
        ("ask", "--data", "nowhere\x9b\u202e.csv", "x"),
        ("replay", "nowhere\x9b\u202e"),
        ("no-command\x9b\u202e",),
        ("ask", "--option\x9b\u202e"),
        ("search", "--tool", "\x9b\u202e", "x"),
        ("sources", "add", "/x\x9b\u202e.csv"),
        ("sources", "remove", "x\x9b\u202e"),
        ("sessions", "delete", "-y", "x\x9b\u202e"),
        ("config", "key", "set", "x\x9b\u202e"),
    ]
    found = {}
    for args in commands:
        done = invoke(*args)
        assert done.exception is None or isinstance(done.exception, SystemExit), (args, done.exception)
        if bad := steering(done.stdout) + steering(done.stderr):
            found[args[:4]] = bad
        if "--json" in args:
            for line in done.stdout.splitlines():
                json.loads(line)
    assert found == {}
    for kept in (*paths.sessions_dir().glob("*.jsonl"), paths.audit_file()):
        assert steering(kept.read_text(encoding="utf-8")) == [], "what `cat` shows"


def test_json_says_what_the_document_says(hostile: Path, invoke: Invoke) -> None:
    done = invoke("search", "--kb", str(hostile), "--json", "--tool", "grep_search", "error")
    hit = json.loads(done.stdout.splitlines()[0])
    assert hit["path"] == NAME
    assert HOSTILE in hit["text"]


def spawn(*args: str, **env: str) -> bytes:
    """All that a command writes to a terminal."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "kbtui", *args],
        cwd=str(ROOT),
        env={**os.environ, "TERM": "xterm-256color", **env},
        dimensions=(24, 100),
        timeout=120,
    )
    written: bytes = child.read()
    child.close()
    assert child.exitstatus == 0, written
    return written


@pytest.mark.parametrize(
    ("args", "env", "told"),
    [
        (("index", "KB", "--rebuild", "--no-color"), {}, b"embedding"),
        (("ask", "--kb", "KB", "When do we roll back?"), {"NO_COLOR": "1"}, b"hybrid_search"),
        (("search", "--kb", "KB", "rollback"), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, b"rollback.md"),
        (("doctor", "--kb", "KB"), {"NO_COLOR": "1"}, b"embedding"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_terminal_that_asked_for_plain_text_gets_no_escape_sequence(
    indexed_kb: Path, args: tuple[str, ...], env: dict[str, str], told: bytes
) -> None:
    written = spawn(*(str(indexed_kb) if arg == "KB" else arg for arg in args), **env)
    assert b"\x1b" not in written
    assert not re.search(rb"\r(?!\r?\n)", written), "no line is written over"
    assert told in written, "what is done is told all the same"


def test_a_terminal_that_asked_for_nothing_has_a_line_that_changes(kb: Path) -> None:
    assert b"\x1b[?25l" in spawn("search", "--kb", str(kb), "rollback")


def test_commands_write_to_the_streams_through_one_module() -> None:
    """`kbtui.cli.console` cleans what it writes; `failures` ends a program in which not even that can be imported."""
    direct = set()
    for file in sorted((ROOT / "kbtui" / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "print",
                "click.echo",
                "click.secho",
                "sys.stdout.write",
                "sys.stderr.write",
            ):
                direct.add(file.name)
    assert direct == {"console.py", "failures.py"}
