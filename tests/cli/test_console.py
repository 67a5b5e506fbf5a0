"""Where styling is on, and how data is written."""

from __future__ import annotations

import io
import json
import sys

import pytest
from rich.progress import Progress

from kbtui.cli import console
from kbtui.cli.failures import ReaderClosed


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def styled(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr(sys, "stdout", stream)
    console.out().print("[b]x[/b]", style="bold red")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("term", "no_color", "expected"),
    [("xterm-256color", "", True), ("xterm-256color", "1", False), ("dumb", "", False), ("", "", False)],
)
def test_only_a_terminal_that_wants_it_is_styled(
    term: str, no_color: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("NO_COLOR", no_color)
    assert ("\x1b[" in styled(monkeypatch, Terminal())) is expected


def test_a_pipe_is_never_styled_and_never_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    assert styled(monkeypatch, stream) == "[b]x[/b]\n"
    console.out().print("y " * 300)
    assert stream.getvalue().count("\n") == 2


def test_json_is_utf_8_even_for_names_that_are_no_text(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    console.print_json({"path": "中/a\udcff.md"})
    line = capfdbinary.readouterr().out
    assert line.decode("utf-8").startswith('{"path": "中/a\\udcff')
    assert json.loads(line)["path"] == "中/a\udcff.md"


def test_a_reader_that_goes_away_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    with pytest.raises(ReaderClosed):
        console.out().print("x")


@pytest.mark.parametrize("variable", ["FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "CLICOLOR_FORCE"])
def test_plain_text_was_asked_for_whatever_else_is_set(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv(variable, "1")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with console.err().status("working"):
        console.err().print("x", style="bold")
    console.err().print(Progress())
    assert "\x1b" not in stream.getvalue()
    assert "x\n" in stream.getvalue()


def test_lines_are_written_without_what_a_terminal_would_obey(capsys: pytest.CaptureFixture[str]) -> None:
    console.print_line("a\x9b31m\n\tb\u202e")
    console.warn("c\x1b[2J\nd")
    written = capsys.readouterr()
    assert (written.out, written.err) == ("a\n\tb\n", "kbtui: warning: c d\n")
