"""From a question to the cited line in a real editor and back, in a real terminal.

With vim and nano; Debian 12 has no package of helix, whose command line `tests/editors` holds.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.e2e.conftest import needs
from tests.e2e.test_browser import database
from tests.support.terminal import Terminal, kbtui

QUESTION = "When should I roll back a deploy?"
CITED = "runbooks/rollback.md"


def answered(screen: str) -> bool:
    return "done ·" in screen and "[1]" in screen


def open_and_ask(terminal: Terminal) -> int:
    """Ask, wait for the cited answer, press its number; the line the preview marks first."""
    terminal.wait("ask about handbook")
    terminal.type(QUESTION)
    terminal.keys("Enter")
    terminal.wait(answered)
    terminal.keys("1")
    screen = terminal.wait(lambda screen: bool(re.search(r"lines? \d+(-\d+)? of 11", screen)) and "j/k" in screen)
    return int(re.search(r"lines? (\d+)(-\d+)? of 11", screen)[1])  # type: ignore[index]


@needs("vim")
def test_vim_opens_at_the_cited_line_and_the_screen_is_whole_afterwards(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), env={"EDITOR": "vim -u NONE -N"}) as terminal:
        line = open_and_ask(terminal)
        before = terminal.settled()
        terminal.keys("e")
        terminal.wait('rollback.md" ')
        terminal.type(":echo 'at line' line('.')")
        terminal.keys("Enter")
        terminal.wait(f"at line {line}")
        terminal.type(":q")
        terminal.keys("Enter")
        terminal.wait(lambda screen: screen == before)


@needs("nano")
def test_nano_opens_at_the_cited_line(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), env={"EDITOR": "nano"}) as terminal:
        line = open_and_ask(terminal)
        terminal.keys("e")
        terminal.wait("^X Exit")  # its own name gives way to a long path
        terminal.keys("C-c")
        terminal.wait(lambda screen: bool(re.search(rf"line +{line}/", screen)))
        terminal.keys("C-x")
        terminal.wait(CITED)


@needs("vim")
def test_a_question_is_written_in_vim_and_asked(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), env={"EDITOR": "vim -u NONE -N"}) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("When should I")
        terminal.keys("C-g")
        terminal.wait(lambda screen: ".md" in screen and "~" in screen)
        terminal.type("A roll back a deploy?")
        terminal.keys("Escape")
        terminal.type(":wq")
        terminal.keys("Enter")
        terminal.wait(f"› {QUESTION}")
        terminal.keys("Enter")
        terminal.wait(answered)


@needs("nano")
def test_the_statement_behind_a_number_is_read_in_nano(kb: Path, tmp_path: Path) -> None:
    source = database(tmp_path / "shop.sqlite")
    with Terminal(kbtui("--data", str(source), str(kb)), env={"EDITOR": "nano"}) as terminal:
        terminal.wait("5 rows · 3 columns")
        terminal.type("total revenue by region")
        terminal.keys("Enter")
        terminal.wait(answered)
        terminal.keys("1")
        terminal.wait(lambda screen: "SELECT" in screen)
        terminal.keys("e")
        terminal.wait(lambda screen: "^X Exit" in screen and "GROUP BY" in screen)
        terminal.keys("C-x")
        terminal.wait("rests on")


@needs("vim")
def test_a_sentence_of_an_earlier_sitting_is_found_and_its_file_opened(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type(QUESTION)
        terminal.keys("Enter")
        terminal.wait(answered)
        terminal.keys("C-q")
        terminal.wait("[exit 0]")
    with Terminal(kbtui(str(kb)), env={"EDITOR": "vim -u NONE -N"}) as terminal:
        terminal.wait("Documents  5 files")
        terminal.keys("C-o")
        terminal.wait("Sessions")
        terminal.wait(QUESTION)
        terminal.keys("Enter")
        terminal.wait(answered)
        terminal.keys("C-f")
        terminal.type("error rate")
        terminal.keys("Enter")
        terminal.keys("1")
        terminal.wait("rests on")
        terminal.settled()
        terminal.keys("e")
        terminal.wait('rollback.md" ')
        terminal.type(":q")
        terminal.keys("Enter")
        terminal.wait("rests on")


def fake_editor(folder: Path, name: str) -> Path:
    """A graphical editor that writes down how it was called."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "argv.json"
    script = folder / name
    script.write_text(
        "#!/usr/bin/env python3\nimport json, sys\n" + f"open({str(log)!r}, 'w').write(json.dumps(sys.argv[1:]))\n"
    )
    script.chmod(0o755)
    return log


def test_a_graphical_editor_is_started_beside_the_screen(kb: Path, tmp_path: Path) -> None:
    log = fake_editor(tmp_path / "bin", "code")
    with Terminal(kbtui(str(kb)), env={"EDITOR": str(tmp_path / "bin" / "code")}) as terminal:
        line = open_and_ask(terminal)
        terminal.keys("e")
        terminal.wait(lambda _: log.exists() and log.read_text() != "")
        assert json.loads(log.read_text())[-1] == f"{kb / CITED}:{line}"
        assert f"line {line} of 11" in terminal.screen()


def test_a_click_on_a_citation_in_the_answer_opens_its_preview(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        terminal.wait("ask about handbook")
        terminal.type(QUESTION)
        terminal.keys("Enter")
        terminal.wait(lambda screen: answered(screen) and "[1]" in screen)
        col, row = terminal.find("[1]")
        terminal.click(col + 1, row)
        terminal.wait(lambda screen: f"[1] {CITED}" in screen)


def test_without_any_editor_the_screen_says_what_to_set(kb: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with Terminal(kbtui(str(kb)), env={"PATH": str(empty)}) as terminal:
        open_and_ask(terminal)
        terminal.keys("e")
        terminal.wait(lambda screen: "EDITOR" in screen and "Traceback" not in screen)


@pytest.mark.parametrize(("cols", "rows"), [(80, 24), (60, 20)])
def test_narrow_terminals_show_the_answer_and_reach_the_source(kb: Path, cols: int, rows: int) -> None:
    with Terminal(kbtui(str(kb)), cols=cols, rows=rows) as terminal:
        terminal.wait("ask about handbook")
        terminal.type(QUESTION)
        terminal.keys("Enter")
        terminal.wait(lambda screen: "Roll back when the error rate" in screen and "done ·" in screen)
        terminal.keys("1")
        terminal.wait(lambda screen: f"[1] {CITED}" in screen)
        terminal.keys("Escape")
        terminal.wait(lambda screen: f"[1] {CITED}" not in screen)
