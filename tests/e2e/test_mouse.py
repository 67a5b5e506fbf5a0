"""By mouse alone: what is clicked, turned and dragged in a real terminal does what its key does."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.conftest import needs
from tests.e2e.test_editors import CITED, QUESTION, answered
from tests.support.terminal import Terminal, kbtui


def ask(terminal: Terminal) -> None:
    terminal.wait("ask about handbook")
    terminal.type(QUESTION)
    terminal.keys("Enter")
    # The answer to another question may stand there too.
    terminal.wait(lambda screen: answered(screen) and "error rate" in screen)
    terminal.settled()


def citation(terminal: Terminal) -> tuple[int, int]:
    """The cell of the first mark in the text of the answer, which stands right of the stages."""
    for row, line in enumerate(terminal.rows()):
        if (mark := re.search(r"[.:] \[1\]", line)) is not None and "▃" not in line:
            return mark.end() - 2, row
    raise AssertionError(f"nothing is cited:\n{terminal.screen()}")


def below(terminal: Terminal, text: str) -> tuple[int, int]:
    """The cell below the first letter of a text."""
    column, row = terminal.find(text)
    return column, row + 1


@needs("vim")
def test_a_suggestion_a_citation_and_the_quote_under_it_are_clicked_up_to_the_editor(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), env={"EDITOR": "vim -u NONE -N"}) as terminal:
        terminal.wait("› What is here?")
        terminal.wait("ask about handbook")
        terminal.settled()
        terminal.click(*terminal.find("What is here?"))
        terminal.wait("done ·")
        terminal.settled()
        terminal.click(*terminal.find("ask about handbook"))
        ask(terminal)
        terminal.click(*citation(terminal))
        terminal.wait(lambda screen: CITED in screen and "rests on" in screen)
        terminal.settled()
        # The cited line, and below it what the answer rests on, each by one click.
        column, row = terminal.find("▌")
        line = int(terminal.rows()[row][:column].split()[-1])
        for place in ((column + 4, row), below(terminal, "rests on")):
            terminal.click(*place)
            terminal.wait('rollback.md" ')
            terminal.type(":echo 'at line' line('.')")
            terminal.keys("Enter")
            terminal.wait(f"at line {line}")
            terminal.type(":q")
            terminal.keys("Enter")
            terminal.wait("rests on")
            terminal.settled()


def test_a_stage_is_opened_by_a_click_and_its_passages_lead_to_their_lines(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        ask(terminal)
        terminal.click(*terminal.find("Intent"))
        terminal.wait("because")
        terminal.click(*terminal.find("Intent"))
        terminal.wait(lambda screen: "because" not in screen)
        terminal.click(*terminal.find("▃▃"))
        terminal.wait(lambda screen: bool(re.search(r"lines? \d+", screen)) and "rests on" in screen)


def test_the_border_of_the_proof_is_dragged(kb: Path) -> None:
    with Terminal(kbtui(str(kb))) as terminal:
        ask(terminal)
        terminal.click(*citation(terminal))
        terminal.wait("rests on")
        terminal.settled()
        column, row = terminal.find("╮")
        terminal.drag((column, row + 3), (column + 15, row + 3))
        terminal.wait(lambda screen: screen.split("\n")[row].find("╮") in range(column + 13, column + 18))


def test_the_wheel_turns_the_pages_of_a_long_conversation(kb: Path) -> None:
    with Terminal(kbtui(str(kb)), cols=100, rows=16) as terminal:
        ask(terminal)
        ask(terminal)
        terminal.wait(lambda screen: "question 2 of 2" in screen and "done ·" in screen)
        before = terminal.settled()
        terminal.wheel(70, 6, -3)
        above = terminal.wait(lambda screen: screen != before)
        terminal.wheel(70, 6, 30)
        terminal.wait(lambda screen: screen != above)
