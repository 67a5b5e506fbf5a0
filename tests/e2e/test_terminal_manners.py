"""What a terminal is owed: its title back, a shell on ctrl+z, no colours where none are wanted."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pexpect

from tests.support.terminal import PATIENCE_S, Terminal, kbtui


def shell() -> list[str]:
    return ["bash", "--norc", "--noprofile", "-i"]


def test_the_title_names_folder_and_question_and_comes_back_when_kbtui_ends(kb: Path) -> None:
    with Terminal(shell()) as terminal:
        terminal.wait("bash-")
        before = terminal.title()
        terminal.type(shlex.join(kbtui(str(kb))))
        terminal.keys("Enter")
        terminal.wait("Documents  5 files")
        assert terminal.title() == "kbtui · handbook"
        terminal.type("How do I roll back a deploy?")
        terminal.keys("Enter")
        terminal.wait("done ·")
        assert terminal.title() == "kbtui · handbook — How do I roll back a deploy?"
        terminal.keys("C-q")
        terminal.wait("bash-")
        terminal.settled()
        assert terminal.title() == before


def test_ctrl_z_leads_to_the_shell_and_fg_back_to_what_was_typed(kb: Path) -> None:
    with Terminal(shell()) as terminal:
        terminal.wait("bash-")
        terminal.type(shlex.join(kbtui(str(kb))))
        terminal.keys("Enter")
        terminal.wait("Documents  5 files")
        terminal.type("half a question")
        terminal.wait("half a question")
        terminal.keys("C-z")
        terminal.wait("Stopped")
        terminal.type("echo still $((40 + 2))")
        terminal.keys("Enter")
        terminal.wait("still 42")
        terminal.type("fg")
        terminal.keys("Enter")
        terminal.wait(lambda screen: "half a question" in screen and "ask" in screen and "still 42" not in screen)
        terminal.type(" more")
        terminal.wait("half a question more")
        terminal.keys("C-q")
        terminal.wait("still 42")


def test_without_a_shell_ctrl_z_says_so_and_nothing_hangs(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("Documents  5 files")
        terminal.keys("C-z")
        terminal.wait("no shell below kbtui")
        terminal.keys("C-q")
        terminal.wait("[exit 0]")


def test_with_sixteen_colours_the_selected_row_is_told_by_an_attribute(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), env={"TEST_TERM": "xterm", "COLORTERM": ""}) as terminal:
        terminal.wait("Documents  5 files")
        terminal.type("/exp")
        terminal.wait("/export")
        terminal.settled()
        (row,) = [row for row in terminal.styled().split("\n") if "/export" in row]
        assert "\x1b[1;4m" in row
        assert "38;" not in terminal.styled()


def test_indexing_that_took_long_is_told_while_the_terminal_has_no_focus(new_kb: Path) -> None:
    program, *arguments = kbtui(str(new_kb))
    child = pexpect.spawn(
        program,
        arguments,
        env={**os.environ, "TERM": "xterm-256color", "TERM_PROGRAM": "ghostty", "KBTUI_UI__NOTIFY_AFTER_S": "0.001"},
        encoding="utf-8",
        dimensions=(36, 120),
        timeout=PATIENCE_S,
    )
    child.expect_exact("\x1b[?1004h")
    child.send("\x1b[O")
    child.expect_exact("\x1b]9;4;")
    child.expect_exact("\x1b]777;notify;kbtui;handbook is indexed\x1b\\")
    child.sendcontrol("q")
    child.expect(pexpect.EOF)
    assert "\x1b[23;2t" in child.before
