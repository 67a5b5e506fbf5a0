"""Two folders on one screen: named in its head, asked together, opened in the editor where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.support.terminal import Terminal, kbtui


def test_an_answer_from_one_of_two_folders_opens_its_file(kb: Path, tmp_path: Path) -> None:
    notes, opened = tmp_path / "notes", tmp_path / "opened"
    notes.mkdir()
    (notes / "day.md").write_text("# Day\n\nThe printer on floor two jams on Mondays.\n", encoding="utf-8")
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\necho "$@" > {opened}\n')
    editor.chmod(0o755)
    with Terminal(
        kbtui("--kb", str(kb), "--kb", str(notes)), env={"EDITOR": f"terminal:{editor} {{path}} {{line}}"}
    ) as terminal:
        terminal.wait("ask about handbook + notes")
        terminal.wait("notes/")
        terminal.type("When does the printer jam?")
        terminal.keys("Enter")
        terminal.wait("jams on Mondays. [1]")
        terminal.keys("Escape")
        terminal.wait("enter editor")
        terminal.keys("e")
        terminal.wait(lambda _screen: opened.exists() and opened.read_text().endswith("\n"))
        terminal.keys("C-q")
        terminal.wait("[exit 0]")
    assert opened.read_text() == f"{notes / 'day.md'} 3\n"
    (session,) = Path(os.environ["XDG_DATA_HOME"]).glob("kbtui/sessions/*.jsonl")
    events = [json.loads(line) for line in session.read_text(encoding="utf-8").splitlines()]
    cited = [event["citations"][0]["path"] for event in events if event["kind"] == "answer_completed"]
    assert cited == ["notes/day.md"]
