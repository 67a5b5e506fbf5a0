"""What an answer cites, held against the files as they are now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.messages import Spot

_QUOTE_CELLS = 300
_MOST_FILES = 16
"""Of one answer that are read to see whether it is stale."""


class _Text(Protocol):
    @property
    def text(self) -> str: ...


def now_at(spot: Spot, lines: Sequence[str]) -> tuple[int, int, str]:
    """Where the quoted lines stand in the file as it is now, and what to say when that is elsewhere or nowhere."""
    start, end, quote = spot.start_line, spot.end_line, spot.quote.split("\n")
    # What evidence carries is a preview, shortened; only citations quote whole lines.
    if not (spot.n and spot.quote) or list(lines[start - 1 : end]) == quote:
        return start, end, ""
    found = _places(quote, lines)
    if len(found) == 1:
        return (
            found[0] + 1,
            found[0] + len(quote),
            _("The file has changed: what is quoted stood at line {line}.", line=start),
        )
    return start, end, _("The file has changed since. Quoted was: {quote}", quote=one_line(spot.quote, _QUOTE_CELLS))


def changed_files(spots: Sequence[Spot], read: Callable[[str], _Text]) -> tuple[str, ...]:
    """The names of files that no longer hold the lines that are quoted from them, wherever in the file; blocks.

    Lines that had changed before the answer was written are no news, and neither is a file that cannot be judged.
    """
    cited: dict[str, list[Spot]] = {}
    for spot in spots:
        if spot.path and spot.n and spot.quote and not spot.stale and not spot.sql:
            cited.setdefault(spot.path, []).append(spot)
    changed: list[str] = []
    for path, quoted in list(cited.items())[:_MOST_FILES]:
        try:
            lines = read(path).text.split("\n")
        except KbtuiError:
            lines = []
        if not all(_places(spot.quote.split("\n"), lines) for spot in quoted):
            changed.append(path.rpartition("/")[2])
    return tuple(changed)


def _places(quote: Sequence[str], lines: Sequence[str]) -> list[int]:
    return [at for at in range(len(lines) - len(quote) + 1) if list(lines[at : at + len(quote)]) == list(quote)]
