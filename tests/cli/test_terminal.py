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
def test_a_terminal_that_cannot_show_a_screen_gets_plain_lines(term: str) -> None:
    child = spawn(".", term=term)
    child.expect("/help")
    child.sendline("/quit")
    code, text = ended(child)
    assert code == 0
    assert "\x1b" not in str(child.before) + text


def test_a_light_terminal_is_asked_and_gets_the_light_theme() -> None:
    child = spawn("tests", COLORTERM="truecolor", COLORFGBG="")
    child.expect_exact("\x1b]11;?")
    child.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c")
    child.expect_exact("48;2;253;251;246")
    child.sendcontrol("q")
    assert ended(child)[0] == 0


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
