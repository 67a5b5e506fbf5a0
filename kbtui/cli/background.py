"""Whether the terminal is light or dark, asked of it while the screen is being imported.

The question (OSC 11) is followed by one that every terminal answers (DA1), so that one which does not know the first is
not waited for. What was typed meanwhile is kept for the screen.
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
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

if TYPE_CHECKING:
    from kbtui.settings.load import LoadedSettings
    from kbtui.settings.model import Settings

LIGHT_THEME: Final = "kbtui-paper"
"""Worn on a light terminal while no theme is set."""

_ASK = b"\x1b]11;?\x1b\\\x1b[c"
_COLOR = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)")
_LAST = re.compile(rb"\x1b\[\?[0-9;]*c")
_PATIENCE_S = 0.2
"""From the question to the last answer; longer than that takes only a connection on which every key is slow."""
_LIGHT = 0.5
_LIGHT_INDEXES = ("7", "15")


class Background:
    """What the terminal answered.

    Attributes:
        light: None where it did not say.
        typed: Keys that came meanwhile.
    """

    def __init__(self, loaded: LoadedSettings) -> None:
        self._loaded = loaded
        self.light: bool | None = None
        self.typed = ""

    @property
    def is_wanted(self) -> bool:
        """False where a theme is set, whatever the terminal looks like."""
        return self._loaded.origins["ui.theme"].kind == "default"

    @property
    def theme(self) -> str:
        """What fits the terminal while no theme is set; empty for the usual one."""
        return LIGHT_THEME if self.light else ""

    @property
    def settings(self) -> Settings:
        """The settings with a theme that fits the terminal."""
        settings = self._loaded.settings
        if not (self.light and self.is_wanted):
            return settings
        return replace(settings, ui=replace(settings.ui, theme=LIGHT_THEME))


@contextlib.contextmanager
def asked(loaded: LoadedSettings, environ: Mapping[str, str] = os.environ) -> Iterator[Background]:
    """Ask now, unless a theme is set; what was answered is known when the block ends."""
    background = Background(loaded)
    index = environ.get("COLORFGBG", "").rpartition(";")[2]
    # The Linux console prints the question.
    if not background.is_wanted or index.isdecimal() or environ.get("TERM", "").startswith("linux"):
        background.light = index in _LIGHT_INDEXES
        yield background
        return
    fd, before, since = sys.__stdin__.fileno() if sys.__stdin__ else 0, None, time.monotonic()
    with contextlib.suppress(OSError, termios.error):
        before = termios.tcgetattr(fd)
        _be_quiet(fd)
        os.write(fd, _ASK)
    try:
        yield background
    finally:
        if before is not None:
            with contextlib.suppress(OSError, termios.error):
                _take(background, _read(fd, since + _PATIENCE_S))
                termios.tcsetattr(fd, termios.TCSANOW, before)


def _be_quiet(fd: int) -> None:
    """Echo nothing, and have each key at once and as it is."""
    mode = termios.tcgetattr(fd)
    mode[0] &= ~termios.ICRNL
    mode[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(fd, termios.TCSANOW, mode)


def _read(fd: int, until: float) -> bytes:
    """What comes until the last answer or the moment ``until``; what is there already is always read."""
    data = b""
    while not _LAST.search(data):
        ready, _, _ = select.select([fd], [], [], max(0.0, until - time.monotonic()))
        if not ready or not (more := os.read(fd, 4096)):
            break
        data += more
    return data


def _take(background: Background, data: bytes) -> None:
    if found := _COLOR.search(data):
        red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
        background.light = 0.2126 * red + 0.7152 * green + 0.0722 * blue > _LIGHT
    background.typed = _LAST.sub(b"", _COLOR.sub(b"", data)).decode("utf-8", "replace")
