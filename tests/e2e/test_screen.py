"""The program as a new user meets it: first start, cancelling, odd terminals, a folder that was never indexed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from kbtui.knowledge.base import _CHECK_AGAIN_AFTER_S
from tests.support.terminal import Terminal, kbtui


def test_a_folder_never_indexed_is_indexed_first_and_a_question_asked_meanwhile_is_answered(new_kb: Path) -> None:
    with Terminal(kbtui(str(new_kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("值班什么时候交接？")
        terminal.keys("Enter")
        terminal.wait("值班每周三上午十点交接")


def test_escape_cancels_a_running_question_at_once_and_says_so(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("Documents  5 files")
        # The prompt and three suggestions, which are asked in the background and would index the new files.
        terminal.wait(lambda screen: screen.count("›") >= 4)
        # The question brings the index up to date first, which takes seconds for so many new files.
        for number in range(400):
            (kb / f"note{number}.md").write_text(
                f"# Note {number}\n\nSome words about deploys, number {number}.\n" * 20
            )
        # A folder is not compared with its index again so soon after the last time, here the start.
        time.sleep(_CHECK_AGAIN_AFTER_S)
        terminal.type("How do deploys work?")
        terminal.keys("Enter")
        terminal.wait(lambda screen: "Intent    working" in screen)
        terminal.keys("Escape")
        screen = terminal.wait("⊘ Cancelled.")
        assert "working" not in screen
        assert "✓" not in screen
        terminal.keys("C-q")
        terminal.wait("[exit 0]")
    (session,) = Path(os.environ["XDG_DATA_HOME"]).glob("kbtui/sessions/*.jsonl")
    assert json.loads(session.read_text(encoding="utf-8").split("\n")[-2])["error"] == "Cancelled"


def test_ctrl_q_leaves_and_the_shell_is_as_before(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.keys("C-q")
        terminal.wait("[exit 0]")


def test_a_tiny_terminal_is_told_what_is_needed_and_recovers_when_it_grows(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), cols=20, rows=10) as terminal:
        terminal.wait("small")
        terminal.resize(120, 36)
        terminal.wait("ask about handbook")


def test_a_dumb_terminal_gets_the_conversation_as_plain_lines(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), env={"TEST_TERM": "dumb"}) as terminal:
        terminal.wait("Type a question, or /help")
        terminal.type("值班什么时候交接？")
        terminal.keys("Enter")
        terminal.wait(lambda screen: "[1] 中文/值班.md:3" in screen)
        terminal.type("/quit")
        terminal.keys("Enter")
        terminal.wait("[exit 0]")


def test_text_with_escape_sequences_and_markup_is_shown_as_text(kb: Path) -> None:
    hostile = (
        "# Hostile [bold red]page[/]\n\n"
        "The wombat password is \x1b[31mred\x1b[0m \x1b]0;owned\x07 [link=x]y[/link] ]]\n"
    )
    (kb / "hostile.md").write_text(hostile)
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("what is the wombat password?")
        terminal.keys("Enter")
        screen = terminal.wait(lambda screen: "The wombat password is red" in screen and "done ·" in screen)
        assert "[link=x]y[/link]" in screen
        terminal.keys("1")
        terminal.wait(lambda screen: "[1] hostile.md" in screen)


@pytest.mark.parametrize("command", ["open", "ask"])
def test_a_folder_that_does_not_exist_is_told_with_a_hint(tmp_path: Path, command: str) -> None:
    missing = str(tmp_path / "nothing here")
    argv = kbtui(missing) if command == "open" else kbtui("ask", "--kb", missing, "hello there, what is this?")
    with Terminal(argv, cols=240) as terminal:
        screen = terminal.wait("[exit 2]")
        assert f"There is no folder {missing}" in screen
        assert "hint:" in screen
        assert "Traceback" not in screen


def test_a_session_asked_on_the_screen_can_be_replayed_on_it(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("What replaces ADR-2?")
        terminal.keys("Enter")
        terminal.wait(lambda screen: "0007-migrations.md" in screen and "done ·" in screen)
        terminal.keys("C-q")
        terminal.wait("[exit 0]")
    with Terminal(kbtui("replay", "last", "--speed", "max")) as terminal:
        terminal.wait(lambda screen: "What replaces ADR-2?" in screen and "1 cited" in screen)
