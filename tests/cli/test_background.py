"""Whether the terminal is light, asked of a terminal that the test plays."""

from __future__ import annotations

import io
import os
import select
import sys
import termios
import threading
from collections.abc import Callable, Iterator

import pytest

from kbtui.cli import background
from kbtui.settings import paths
from kbtui.settings.load import load_settings
from kbtui.ui.theming import shipped_dir

DA1 = b"\x1b[?65;1;9c"
ASKS_COLOR = b"\x1b]11;?\x1b\\\x1b[c"


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of the terminal that is standard input."""
    outer, inner = os.openpty()
    monkeypatch.setattr(sys, "__stdin__", io.FileIO(inner, "r", closefd=False))
    monkeypatch.setattr(background, "_TIMEOUT_S", 30.0)
    monkeypatch.delenv("COLORFGBG", raising=False)
    yield outer
    os.close(outer)
    os.close(inner)


def answering(outer: int, answer: bytes, question: bytes = ASKS_COLOR) -> Callable[[], None]:
    """A terminal that reads the question and answers; what it returns waits for that, and compares the question."""
    asked: list[bytes] = []

    def play() -> None:
        asked.append(os.read(outer, 100))
        os.write(outer, answer)

    thread = threading.Thread(target=play)
    thread.start()

    def join() -> None:
        thread.join()
        assert asked == [question]

    return join


@pytest.mark.parametrize(
    ("answer", "theme"),
    [
        (b"\x1b]11;rgb:ffff/ffff/dddd\x1b\\" + DA1, background.LIGHT_THEME),
        (b"\x1b]11;rgb:fd/f6/e3\x07" + DA1, background.LIGHT_THEME),
        (b"\x1b]11;rgba:ffff/ffff/ffff/ffff\x1b\\" + DA1, background.LIGHT_THEME),
        (b"\x1b]11;rgb:1414/1515/1f1f\x1b\\" + DA1, "kbtui-dusk"),
        (DA1, "kbtui-dusk"),
    ],
)
def test_a_light_terminal_gets_the_light_theme(outside: int, answer: bytes, theme: str) -> None:
    join = answering(outside, answer)
    before = termios.tcgetattr(sys.__stdin__)  # type: ignore[arg-type]
    with background.query_terminal(load_settings(None), {"TERM": "xterm"}) as found:
        join()
    assert found.settings.ui.theme == theme
    assert found.typed == ""
    assert termios.tcgetattr(sys.__stdin__) == before  # type: ignore[arg-type]


def test_what_was_typed_meanwhile_is_kept(outside: int) -> None:
    join = answering(outside, b"wh\x1b]11;rgb:ffff/ffff/ffff\x1b\\y?" + DA1)
    with background.query_terminal(load_settings(None), {"TERM": "xterm"}) as found:
        join()
    assert (found.typed, found.light) == ("why?", True)


def test_a_terminal_that_answers_nothing_is_not_waited_for_long(outside: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_TIMEOUT_S", 0.0)
    with background.query_terminal(load_settings(None), {"TERM": "xterm"}) as found:
        os.write(outside, b"how")
    assert (found.light, found.typed) == (None, "how")


@pytest.mark.parametrize(
    ("answer", "sixel"), [(b"\x1b[?62;4;22c", True), (b"\x1b[?4c", True), (b"\x1b[?64;14;42c", False)]
)
def test_a_terminal_says_whether_it_shows_sixels(outside: int, answer: bytes, sixel: bool) -> None:
    join = answering(outside, answer)
    with background.query_terminal(load_settings(None), {"TERM": "xterm"}) as found:
        join()
    assert (found.sixel, found.typed) == (sixel, "")


def test_where_a_theme_is_set_only_pictures_are_asked_for(outside: int) -> None:
    write_settings('theme = "kbtui-dusk"')
    join = answering(outside, b"\x1b[?62;4c", question=b"\x1b[c")
    with background.query_terminal(load_settings(None), {"TERM": "xterm"}) as found:
        join()
    assert (found.sixel, found.theme, found.settings.ui.theme) == (True, "", "kbtui-dusk")


@pytest.mark.parametrize(
    ("lines", "term"),
    [('theme = "kbtui-dusk"', "tmux-256color"), ('theme = "kbtui-dusk"\npictures = "cells"', "xterm"), ("", "linux")],
)
def test_nothing_is_asked_where_no_answer_would_matter(outside: int, lines: str, term: str) -> None:
    write_settings(lines)
    with background.query_terminal(load_settings(None), {"TERM": term}) as found:
        pass
    assert not found.sixel
    assert not select.select([outside], [], [], 0)[0]


def write_settings(lines: str) -> None:
    paths.config_file().parent.mkdir(parents=True, exist_ok=True)
    paths.config_file().write_text(f"[ui]\n{lines}\n")


def test_the_background_is_not_asked_for_where_a_theme_is_set(outside: int) -> None:
    write_settings('theme = "kbtui-dusk"\npictures = "cells"')
    with background.query_terminal(load_settings(None), {"TERM": "xterm", "COLORFGBG": "0;15"}) as found:
        pass
    assert found.settings.ui.theme == "kbtui-dusk"


@pytest.mark.parametrize(("value", "theme"), [("0;15", background.LIGHT_THEME), ("15;default;0", "kbtui-dusk")])
def test_a_terminal_that_says_it_in_a_variable_is_not_asked(value: str, theme: str) -> None:
    write_settings('pictures = "cells"')
    with background.query_terminal(load_settings(None), {"TERM": "xterm", "COLORFGBG": value}) as found:
        pass
    assert found.settings.ui.theme == theme


def test_the_light_theme_is_one_that_is_shipped() -> None:
    assert (shipped_dir() / f"{background.LIGHT_THEME}.toml").is_file()


def test_an_error_of_the_block_is_not_swallowed(outside: int) -> None:
    join = answering(outside, DA1)

    def fail() -> None:
        join()
        raise OSError("mine")

    with pytest.raises(OSError, match="mine"), background.query_terminal(load_settings(None), {"TERM": "xterm"}):
        fail()
