# ruff: noqa: E501 (patterns read best on one line)
"""Spans of time in a question, in both languages, as the first and last day they cover."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sep sept", "october oct", "november nov", "december dec"), 1
    )
    for name in names.split()
}  # fmt: skip
_NAMED: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))


def _span(first: date, after: date) -> str:
    return f" @{first.isoformat()}..{(after - timedelta(days=1)).isoformat()} "


def _month(year: int, month: int) -> str:
    return _span(date(year, month, 1), date(year + month // 12, month % 12 + 1, 1))


def _quarter(year: int, number: int) -> str:
    month = number * 3
    return _span(date(year, month - 2, 1), date(year + month // 12, month % 12 + 1, 1))


def _year(year: int) -> str:
    return _span(date(year, 1, 1), date(year + 1, 1, 1))


def with_spans(question: str, today: Callable[[], date]) -> str:
    """The question with every named month, quarter and relative time written as ``@first..last``."""

    def back(months: int) -> str:
        now = today()
        index = now.year * 12 + now.month - 1 - months
        return _month(index // 12, index % 12 + 1)

    def quarter_back(quarters: int) -> str:
        now = today()
        index = now.year * 4 + (now.month - 1) // 3 - quarters
        return _quarter(index // 4, index % 4 + 1)

    def hans(text: str) -> int:
        return {"一": 1, "二": 2, "三": 3, "四": 4}.get(text) or int(text)

    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (rf"\b(?:in |during )?({_NAMED})\.?,? (?:of )?(\d{{4}})\b", lambda m: _month(int(m[2]), _MONTHS[m[1].lower()])),
        (r"\b(?:in |during )?(?:q([1-4])|the (first|second|third|fourth) quarter)(?: of)? (\d{4})\b",
         lambda m: _quarter(int(m[3]), int(m[1]) if m[1] else ("first", "second", "third", "fourth").index(m[2].lower()) + 1)),
        (r"(\d{4})年第?([一二三四1-4])季度", lambda m: _quarter(int(m[1]), hans(m[2]))),
        (r"(\d{4})年(1[0-2]|0?[1-9])月(?:份)?(?!\d|[日号]|[0-3])", lambda m: _month(int(m[1]), int(m[2]))),
        (r"(\d{4})年(1[0-2]|0?[1-9])月([0-3]?\d)[日号]", lambda m: f" '{int(m[1]):04d}-{int(m[2]):02d}-{int(m[3]):02d}' "),
        (r"(\d{4})年", lambda m: _year(int(m[1]))),
        (r"\b(?:in |during )?last month\b|上个?月", lambda _: back(1)),
        (r"\b(?:in |during )?this month\b|这个?月|本月", lambda _: back(0)),
        (r"\b(?:in |during )?last quarter\b|上个?季度", lambda _: quarter_back(1)),
        (r"\b(?:in |during )?this quarter\b|本季度|这个?季度", lambda _: quarter_back(0)),
        (r"\b(?:in |during )?last year\b|去年", lambda _: _year(today().year - 1)),
        (r"\b(?:in |during )?this year\b|今年", lambda _: _year(today().year)),
    )  # fmt: skip
    for pattern, write in rules:
        question = re.sub(pattern, write, question, flags=re.IGNORECASE)
    return question
