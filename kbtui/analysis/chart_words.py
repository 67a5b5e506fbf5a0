"""Which chart a question names, in English or Chinese: by its own name, or by what it is for (a trend, a share)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kbtui import build_cache
from kbtui.domain.analysis import ChartKind
from kbtui.text.language import simplified
from kbtui.text.word_lists import filled, toml_in

CHART_NAMES: Final[Mapping[str, str]] = {
    "bar": "bar chart",
    "line": "line chart",
    "pie": "pie chart",
    "scatter": "scatter plot",
    "histogram": "histogram",
    "stacked_bar": "stacked bar chart",
    "grouped_bar": "grouped bar chart",
}
"""What kinds of charts are called."""

_PICTURE = r"(?:charts?|graphs?|plots?|diagrams?)"
_AS = r"(?:as|in|with|using|by)\s+(?:a\s+|an\s+)?(?:\w+\s+)?"

_ANY_PICTURE = build_cache.pattern(
    rf"\b{_PICTURE}\b|\bvisuali[sz]\w*|\bdraw\b|\bchart\b|\bplot(?:ted|ting)?\b|图表|可视化|画(?:个|出|一|成|图)|绘制|作图"
    r"|(?:用|以|做|成)\w{0,6}图",
    re.I,
)
_REFUSED = build_cache.pattern(
    r"(?:\bnot|\bno|\bnever|\bwithout|\binstead of|\brather than|\bdon't (?:use|draw|want|make)|\bfrom)\s+"
    r"(?:an?\s+|the\s+)?$"
    r"|(?:不要|不用|别用|别画|不是|不画|而非|代替)(?:用|画|一个|个|一张|张)?$",
    re.I,
)


def _rows(table: dict[ChartKind, str]) -> tuple[tuple[ChartKind, re.Pattern[str]], ...]:
    blanks = {"PICTURE": _PICTURE, "AS": _AS}
    return tuple((kind, build_cache.pattern(filled(pattern, blanks), re.I)) for kind, pattern in table.items())


_TABLES: Final = toml_in(__package__, "chart_words.toml")
_CHARTS: Final = _rows(_TABLES["names"])
_AIMS: Final = _rows(_TABLES["purposes"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
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
    return Named(kind=kind, aim=_first(text, _AIMS), any=kind is not None or _ANY_PICTURE.search(text) is not None)


def _first(text: str, rows: tuple[tuple[ChartKind, re.Pattern[str]], ...]) -> ChartKind | None:
    """The kind whose words come first and are not refused; of two at the same place, the one declared first."""
    found: list[tuple[int, int, ChartKind]] = []
    for order, (kind, pattern) in enumerate(rows):
        for match in pattern.finditer(text):
            if not _REFUSED.search(text[: match.start()]):
                found.append((order if kind in ("stacked_bar", "grouped_bar") else 9, match.start(), kind))
                break
    return min(found)[2] if found else None
