"""Commands in a real terminal: styled where it can be, readable where it cannot, and interrupted by ctrl-c."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parents[2]


def spawn(*args: str, term: str = "xterm-256color", **env: str) -> pexpect.spawn:
    return pexpect.spawn(
        sys.executable,
        ["-m", "kbtui", *args],
        cwd=str(ROOT),
        env={**os.environ, "TERM": term, **env},
        encoding="utf-8",
        dimensions=(24, 100),
        timeout=60,
    )


def ended(child: pexpect.spawn) -> tuple[int, str]:
    text = child.read()
    child.close()
    return child.exitstatus, text


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_cannot_show_a_screen_is_told_what_to_use(term: str) -> None:
    code, text = ended(spawn(".", term=term))
    assert code == 2
    assert "cannot show a screen" in text
    assert "kbtui ask" in text
    assert "\x1b" not in text


def test_a_table_is_styled_on_a_terminal_and_plain_when_colour_is_off() -> None:
    variable = {"KB_AGENT_MAX_ITERATIONS": "2"}
    assert "\x1b[" in ended(spawn("config", "show", **variable))[1]
    assert "\x1b" not in ended(spawn("config", "show", "--no-color", **variable))[1]
    assert "\x1b" not in ended(spawn("config", "show", NO_COLOR="1", **variable))[1]
    assert "\x1b" not in ended(spawn("config", "show", term="dumb", **variable))[1]


def test_ctrl_c_while_a_question_is_read_exits_130() -> None:
    child = spawn("ask", "-")
    child.expect("Type the question")
    child.sendintr()
    code, text = ended(child)
    assert code == 130
    assert "cancelled" in text
    assert "Traceback" not in text
