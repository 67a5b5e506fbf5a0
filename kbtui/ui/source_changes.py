"""Compares the quotes of an answer with the current content of the cited files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.messages import Spot

_QUOTE_CELLS = 300
_MAX_FILES = 16
"""Files of an answer that are read to detect changes, at most."""


class _Text(Protocol):
    @property
    def text(self) -> str: ...


def current_place(spot: Spot, lines: Sequence[str]) -> tuple[int, int, str]:
    """The first and last line (from 1) of the quote in the current file, and a message if it has moved or is gone."""
    start, end, quote = spot.start_line, spot.end_line, spot.quote.split("\n")
    # Only citations quote whole lines; evidence has a shortened preview.
    if not (spot.n and spot.quote) or list(lines[start - 1 : end]) == quote:
        return start, end, ""
    starts = _occurrences(quote, lines)
    if len(starts) == 1:
        return (
            starts[0] + 1,
            starts[0] + len(quote),
            _("The file has changed: what is quoted stood at line {line}.", line=start),
        )
    return start, end, _("The file has changed since. Quoted was: {quote}", quote=one_line(spot.quote, _QUOTE_CELLS))


def changed_files(spots: Sequence[Spot], read: Callable[[str], _Text]) -> tuple[str, ...]:
    """The names of files that no longer contain the lines quoted from them, at any position; blocks.

    Sources that had already changed before the answer was written are skipped.
    """
    cited: dict[str, list[Spot]] = {}
    for spot in spots:
        if spot.path and spot.n and spot.quote and not spot.stale and not spot.sql:
            cited.setdefault(spot.path, []).append(spot)
    changed: list[str] = []
    for path, file_spots in list(cited.items())[:_MAX_FILES]:
        try:
            lines = read(path).text.split("\n")
        except KbtuiError:
            lines = []
        if not all(_occurrences(spot.quote.split("\n"), lines) for spot in file_spots):
            changed.append(path.rpartition("/")[2])
    return tuple(changed)


def _occurrences(quote: Sequence[str], lines: Sequence[str]) -> list[int]:
    return [
        index for index in range(len(lines) - len(quote) + 1) if list(lines[index : index + len(quote)]) == list(quote)
    ]
