"""Reads which chart a question asks for, in English or Chinese: by its name, or by its purpose (a trend, a share)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from kbtui.domain.analysis import ChartKind
from kbtui.text.language import simplified
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import filled, toml_in

_TABLES: Final = toml_in(__package__, "chart_requests.toml")
_RE: Final = Patterns(__package__, "chart_requests.toml")

CHART_NAMES: Final[Mapping[str, str]] = _TABLES["called"]
"""Names of kinds of charts."""


def _kind_patterns(table: dict[ChartKind, str]) -> tuple[tuple[ChartKind, re.Pattern[str]], ...]:
    blanks = {name.upper(): pattern for name, pattern in _TABLES["parts"].items()}
    return tuple((kind, re.compile(filled(pattern, blanks), re.I)) for kind, pattern in table.items())


_KIND_PATTERNS: Final = _kind_patterns(_TABLES["names"])
_PURPOSE_PATTERNS: Final = _kind_patterns(_TABLES["purposes"])


class ChartRequest(Struct, frozen=True, kw_only=True):
    """The chart that a question asks for.

    Attributes:
        kind: The kind that is named; None if none is.
        suitable_kind: The kind that suits the purpose of the question; None if it has none.
        wants_chart: Some kind of chart is asked for.
    """

    kind: ChartKind | None = None
    suitable_kind: ChartKind | None = None
    wants_chart: bool = False


def read_chart_request(question: str) -> ChartRequest:
    """The chart request of ``question``. A kind that it rejects (``not a pie chart``) does not count."""
    text = simplified(question)
    kind = _first_kind(text, _KIND_PATTERNS)
    return ChartRequest(
        kind=kind,
        suitable_kind=_first_kind(text, _PURPOSE_PATTERNS),
        wants_chart=kind is not None or _RE.any_picture.search(text) is not None,
    )


def _first_kind(text: str, rows: tuple[tuple[ChartKind, re.Pattern[str]], ...]) -> ChartKind | None:
    """The kind whose words come first and are not rejected; of two at the same place, the one declared first."""
    matches: list[tuple[int, int, ChartKind]] = []
    for order, (kind, pattern) in enumerate(rows):
        for match in pattern.finditer(text):
            if not _RE.refused.search(text[: match.start()]):
                matches.append((order if kind in ("stacked_bar", "grouped_bar") else 9, match.start(), kind))
                break
    return min(matches)[2] if matches else None
