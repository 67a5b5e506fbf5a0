"""Asks the terminal for its background and for sixel pictures, while the screen is being imported.

The query for the background (OSC 11) is followed by one that every terminal answers (DA1), so that there is no wait for
a terminal without the first; its answer tells of sixels. Keys that were typed meanwhile are kept for the screen.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

if TYPE_CHECKING:
    from kbtui.settings.load import LoadedSettings
    from kbtui.settings.model import Settings

LIGHT_THEME: Final = "kbtui-paper"
"""The theme for a light terminal while no theme is set."""

_COLOR_QUERY = b"\x1b]11;?\x1b\\"
_QUERY = b"\x1b[c"
_COLOR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)")
_DEVICE_ATTRIBUTES = re.compile(rb"\x1b\[\?([0-9;]*)c")
_TIMEOUT_S = 0.2
"""Time limit for the answers; only a connection on which every key is slow takes longer."""
_MIN_LIGHT_LUMINANCE = 0.5
_LIGHT_INDEXES = ("7", "15")
_SIXEL = b"4"
"""The device attribute of a terminal that shows sixels."""


class Background:
    """The background of the terminal, and the theme for it.

    Attributes:
        light: Whether it is light; None where the terminal did not answer.
        sixel: Whether the terminal said that it shows sixel pictures.
        typed: Keys that were typed meanwhile.
    """

    def __init__(self, loaded: LoadedSettings) -> None:
        self._loaded = loaded
        self.light: bool | None = None
        self.sixel = False
        self.typed = ""

    @property
    def is_needed(self) -> bool:
        """Whether the background matters: no theme is set."""
        return self._loaded.origins["ui.theme"].kind == "default"

    @property
    def asks_for_pictures(self) -> bool:
        """Whether it matters that the terminal shows pictures, and the packages that draw them are installed."""
        return (
            self._loaded.settings.ui.pictures == "auto"
            and find_spec("resvg_py") is not None
            and find_spec("PIL") is not None
        )

    @property
    def theme(self) -> str:
        """The theme that suits the terminal while no theme is set; empty for the default one."""
        return LIGHT_THEME if self.light else ""

    @property
    def settings(self) -> Settings:
        """The settings, with a theme that suits the terminal."""
        settings = self._loaded.settings
        if not (self.light and self.is_needed):
            return settings
        return replace(settings, ui=replace(settings.ui, theme=LIGHT_THEME))


@contextlib.contextmanager
def query_terminal(loaded: LoadedSettings, environ: Mapping[str, str] = os.environ) -> Iterator[Background]:
    """Query the terminal, unless neither answer matters; the answers are available when the block ends."""
    background = Background(loaded)
    index = environ.get("COLORFGBG", "").rpartition(";")[2]
    is_color_asked = background.is_needed and not index.isdecimal()
    terminal = environ.get("TERM", "")
    # A multiplexer shows pictures only in some of the terminals around it.
    is_pictures_asked = background.asks_for_pictures and not terminal.startswith(("tmux", "screen"))
    if not is_color_asked:
        background.light = index in _LIGHT_INDEXES
    # The Linux console would print the query.
    if not (is_color_asked or is_pictures_asked) or terminal.startswith("linux"):
        background.light = index in _LIGHT_INDEXES
        yield background
        return
    fd, attributes, started = sys.__stdin__.fileno() if sys.__stdin__ else 0, None, time.monotonic()
    with contextlib.suppress(OSError, termios.error):
        attributes = termios.tcgetattr(fd)
        _disable_echo(fd)
        os.write(fd, (_COLOR_QUERY if is_color_asked else b"") + _QUERY)
    try:
        yield background
    finally:
        if attributes is not None:
            with contextlib.suppress(OSError, termios.error):
                _parse_answers(background, _read(fd, started + _TIMEOUT_S))
                termios.tcsetattr(fd, termios.TCSANOW, attributes)


def _disable_echo(fd: int) -> None:
    """Switch off echo and line editing, so that each byte is read at once and unchanged."""
    mode = termios.tcgetattr(fd)
    mode[0] &= ~termios.ICRNL
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(fd, termios.TCSANOW, mode)


def _read(fd: int, until: float) -> bytes:
    """The input up to the last answer or the time ``until``; what has arrived already is always read."""
    data = b""
    while not _DEVICE_ATTRIBUTES.search(data):
        ready, _, _ = select.select([fd], [], [], max(0.0, until - time.monotonic()))
        if not ready or not (more := os.read(fd, 4096)):
            break
        data += more
    return data


def _parse_answers(background: Background, data: bytes) -> None:
    if match := _COLOR.search(data):
        red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in match.groups())
        background.light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > _MIN_LIGHT_LUMINANCE
    if match := _DEVICE_ATTRIBUTES.search(data):
        background.sixel = _SIXEL in match[1].split(b";")
    background.typed = _DEVICE_ATTRIBUTES.sub(b"", _COLOR.sub(b"", data)).decode("utf-8", "replace")
