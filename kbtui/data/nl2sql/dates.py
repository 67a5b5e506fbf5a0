# ruff: noqa: E501 (patterns read best on one line)
"""Spans of time in a question, in both languages, as the first and last day they cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from kbtui.text.calendar import BeyondCalendar, Span, day_of, month_back, months_span
from kbtui.text.numbers import value_of

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip
_NAMED: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))


def written(span: Span) -> str:
    """A span as the readers of questions take it: ``@first..last``."""
    return f" @{span[0].isoformat()}..{span[1].isoformat()} "


def whole(text: str) -> int:
    """The number that a pattern found, in digits or words.

    Raises:
        BeyondCalendar: It is none, or none that days can be counted with.
    """
    value = value_of(text)
    if value is None or value.denominator != 1:
        raise BeyondCalendar
    return int(value)


def _month(year: int, month: int) -> str:
    return written(months_span(year, month, year, month))


def _quarter(year: int, number: int) -> str:
    return written(months_span(year, number * 3 - 2, year, number * 3))


def _year(year: int) -> str:
    return written(months_span(year, 1, year, 12))


def with_spans(question: str, today: Callable[[], date]) -> str:
    """The question with every named month, quarter and relative time written as ``@first..last``.

    Raises:
        BeyondCalendar: A time in it is before the year 1 or after the year 9999.
    """

    def quarter_back(quarters: int) -> str:
        now = today()
        index = now.year * 4 + (now.month - 1) // 3 - quarters
        return _quarter(index // 4, index % 4 + 1)

    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (rf"\b(?:in |during )?({_NAMED})\.?,? (?:of )?(\d{{4}})\b", lambda m: _month(int(m[2]), _MONTHS[m[1].lower()])),
        (r"\b(?:in |during )?(?:q([1-4])|the (first|second|third|fourth) quarter)(?: of)? (\d{4})\b", lambda m: _quarter(int(m[3]), whole(m[1] or m[2]))),
        (r"(\d{4})年第?([一二三四1-4])季度", lambda m: _quarter(int(m[1]), whole(m[2]))),
        (r"(\d{4})年(1[0-2]|0?[1-9])月(?:份)?(?!\d|[日号]|[0-3])", lambda m: _month(int(m[1]), int(m[2]))),
        (r"(\d{4})年(1[0-2]|0?[1-9])月([0-3]?\d)[日号]", lambda m: f" '{day_of(int(m[1]), int(m[2]), int(m[3])).isoformat()}' "),
        (r"(\d{4})年", lambda m: _year(int(m[1]))),
        (r"\b(?:in |during )?last month\b|上个?月", lambda _: written(month_back(today(), 1))),
        (r"\b(?:in |during )?this month\b|这个?月|本月", lambda _: written(month_back(today(), 0))),
        (r"\b(?:in |during )?last quarter\b|上个?季度", lambda _: quarter_back(1)),
        (r"\b(?:in |during )?this quarter\b|本季度|这个?季度", lambda _: quarter_back(0)),
        (r"\b(?:in |during )?last year\b|去年", lambda _: _year(today().year - 1)),
        (r"\b(?:in |during )?this year\b|今年", lambda _: _year(today().year)),
    )  # fmt: skip
    for pattern, write in rules:
        question = re.sub(pattern, write, question, flags=re.IGNORECASE)
    return question
