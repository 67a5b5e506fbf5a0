"""Which chart a question names, in English or Chinese: by its own name, or by what it is for (a trend, a share)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from kbtui.domain.analysis import ChartKind
from kbtui.text.language import simplified
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import filled, toml_in

_TABLES: Final = toml_in(__package__, "chart_words.toml")
_RE: Final = Patterns(__package__, "chart_words.toml")

CHART_NAMES: Final[Mapping[str, str]] = _TABLES["called"]
"""What kinds of charts are called."""


def _rows(table: dict[ChartKind, str]) -> tuple[tuple[ChartKind, re.Pattern[str]], ...]:
    blanks = {name.upper(): pattern for name, pattern in _TABLES["parts"].items()}
    return tuple((kind, re.compile(filled(pattern, blanks), re.I)) for kind, pattern in table.items())


_CHARTS: Final = _rows(_TABLES["names"])
_AIMS: Final = _rows(_TABLES["purposes"])


class Named(Struct, frozen=True, kw_only=True):
    """What a question says of charts.

    Attributes:
        kind: The chart that is named, or None.
        aim: The chart that serves what is asked for, or None.
        any: A picture of some kind is wanted.
    """

    kind: ChartKind | None = None
    aim: ChartKind | None = None
    any: bool = False


def named(question: str) -> Named:
    """What ``question`` says of charts. A chart that it does not want (``not a pie chart``) is not named."""
    text = simplified(question)
    kind = _first(text, _CHARTS)
    return Named(kind=kind, aim=_first(text, _AIMS), any=kind is not None or _RE.any_picture.search(text) is not None)


def _first(text: str, rows: tuple[tuple[ChartKind, re.Pattern[str]], ...]) -> ChartKind | None:
    """The kind whose words come first and are not refused; of two at the same place, the one declared first."""
    found: list[tuple[int, int, ChartKind]] = []
    for order, (kind, pattern) in enumerate(rows):
        for match in pattern.finditer(text):
            if not _RE.refused.search(text[: match.start()]):
                found.append((order if kind in ("stacked_bar", "grouped_bar") else 9, match.start(), kind))
                break
    return min(found)[2] if found else None
