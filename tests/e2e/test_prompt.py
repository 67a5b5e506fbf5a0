"""Typing in a real terminal: what it sends for a paste and for a new line."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.support.terminal import Terminal, kbtui


def test_a_paste_and_new_lines_are_asked_as_one_question_of_several_lines(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.paste("When should I roll back\n  a deploy?")
        terminal.wait(lambda screen: "› When should I roll back" in screen and "    a deploy?" in screen)
        terminal.keys("C-j")
        terminal.type("谁来决定")
        terminal.keys("M-Enter")
        terminal.type("and who says so?\\")
        terminal.keys("Enter")
        terminal.type("Thanks")
        terminal.wait(lambda screen: "  谁来决定" in screen and "  and who says so?" in screen and "  Thanks" in screen)
        terminal.keys("Enter")
        terminal.wait("done ·")
        terminal.keys("C-q")
        terminal.wait("[exit 0]")
    (session,) = Path(os.environ["XDG_DATA_HOME"]).glob("kbtui/sessions/*.jsonl")
    asked = json.loads(session.read_text(encoding="utf-8").split("\n")[0])["query"]
    assert asked == "When should I roll back\n  a deploy?\n谁来决定\nand who says so?\nThanks"


def test_ctrl_g_edits_the_question_in_the_editor_of_the_terminal(kb: Path, tmp_path: Path) -> None:
    editor = tmp_path / "append"
    editor.write_text('#!/bin/sh\nprintf "and who decides?\\n" >> "$1"\n')
    editor.chmod(0o755)
    with Terminal(kbtui(str(kb)), env={"EDITOR": f"terminal:{editor} {{path}}"}) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("When should I roll back a deploy?")
        terminal.keys("C-g")
        terminal.wait(lambda screen: "› When should I roll back" in screen and "  and who decides?" in screen)


def test_a_condition_on_documents_is_completed_and_limits_the_question(kb: Path) -> None:
    for number, status in enumerate(("open", "open", "closed"), 1):
        fields = f"---\nid: DESK-{number}\nstatus: {status}\n---\n"
        text = f"# Pager {number}\n\nPager {number} rings in room {number}00.\n"
        (kb / f"desk-{number}.md").write_text(fields + text, encoding="utf-8")
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("When should I roll back a deploy?")
        terminal.keys("Enter")
        terminal.wait("done ·")
        terminal.type("In which room does the pager ring? @clos")
        terminal.wait("status:closed")
        terminal.keys("Tab")
        terminal.wait("› In which room does the pager ring? @status:closed")
        terminal.keys("Enter")
        terminal.wait("room 300")
        terminal.keys("C-q")
        terminal.wait("[exit 0]")
    (session,) = Path(os.environ["XDG_DATA_HOME"]).glob("kbtui/sessions/*.jsonl")
    events = [json.loads(line) for line in session.read_text(encoding="utf-8").splitlines()]
    last = [event for event in events if event["kind"] == "answer_completed"][-1]
    assert {citation["path"] for citation in last["citations"]} == {"desk-3.md"}
