"""The characters that terminals send for a key, and the key they are."""

from __future__ import annotations

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key

import kbtui.ui.lifetime
from kbtui.ui.commands import COMMANDS

assert kbtui.ui.lifetime


@pytest.mark.parametrize("sent", ["\n", "\x1b\r", "\x1b[13;2u", "\x1b[13;3u", "\x1b[27;2;13~", "\x1b[27;3;13~"])
def test_enter_with_a_modifier_is_a_new_line_however_the_terminal_spells_it(sent: str) -> None:
    (event,) = list(XTermParser().feed(sent))
    assert isinstance(event, Key)
    (command,) = [command for command in COMMANDS if command.name == "new_line"]
    assert event.key in command.keys or event.key.endswith("\r")


def test_enter_alone_is_enter() -> None:
    (event,) = list(XTermParser().feed("\r"))
    assert isinstance(event, Key)
    assert event.key == "enter"
