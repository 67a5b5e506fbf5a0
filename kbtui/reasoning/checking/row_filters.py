"""What a statement itself says of its rows: the time that it takes in, days of the week, how many values it picks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from kbtui.reasoning.checking.row_sentences import Sentence
from kbtui.reasoning.checking.rows import RE, Period, Rows, periods_in

_LITERAL: Final = re.compile(r"(?P<excluded><\s*)?'(\d{4}-\d\d-\d\d)[^']*'")
_LIST: Final = re.compile(r"(?i)\bin\s*\(([^()]{1,400})\)")
YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def stated_places(sentence: Sentence, results: Sequence[Rows]) -> set[int]:
    """The offsets of the times and days of a sentence that statements, or names of columns, bound its rows by."""
    periods = sentence.periods
    spans = [(start, end) for start, end, period in periods if any(_is_bound(period, one) for one in results)]
    for (start, before, first), (after, end, last) in pairwise(periods):
        if RE.until.fullmatch(sentence.text[before:after]) and any(_is_range(first, last, one) for one in results):
            spans.append((start, end))
    if any(RE.weekday_function.search(one.behind) for one in results):
        spans += [match.span() for match in RE.weekdays.finditer(sentence.text)]
    for start, end, period in periods:
        if RE.nothing.search(sentence.text, *sentence.segment_at(start)):
            spans += [(start, end) for one in results if one.periods and not _has(period, one)]
    return {place for start, end in spans for place in range(start, end)}


def stated_counts(rows: Rows) -> Iterator[float]:
    """How many values a statement picks, years it is about, and months a column is named after."""
    yield from (float(len(match[1].split(","))) for match in _LIST.finditer(rows.behind))
    yield float(len(set(YEAR.findall(f"{rows.heads} {rows.behind}"))))
    for name in rows.heads.title().split(" | "):
        months = [min(period[1]) for _, _, period in periods_in(name) if period[1]]
        yield from (float(b - a + 1) for a, b in pairwise(months) if b > a)


def _days(rows: Rows) -> Iterator[date]:
    """The days of a statement; of an excluded one the day before it."""
    for match in _LITERAL.finditer(rows.behind):
        try:
            day = date.fromisoformat(match[2])
        except ValueError:
            continue
        yield day - timedelta(days=1) if match["excluded"] else day


def _is_bound(period: Period, rows: Rows) -> bool:
    """Whether a statement names a day."""
    year, months, number = period
    return number is not None and any(
        day.day == number and (not months or day.month in months) and year in (None, day.year) for day in _days(rows)
    )


def _is_range(first: Period, last: Period, rows: Rows) -> bool:
    """Whether a statement, or the name of a column, is about the months from one to another."""
    begin, end = _month(first), _month(last)
    days = list(_days(rows))
    starts, ends = {day.month for day in days if day.day == 1}, {day.month for day in days if _is_last(day)}
    if begin in starts and end in ends:
        return True
    named = ([_month(period) for _, _, period in periods_in(name)] for name in rows.heads.title().split(" | "))
    return None not in (begin, end) and any({begin, end} <= set(months) for months in named)


def _month(period: Period) -> int | None:
    return min(period[1]) if period[1] and len(period[1]) == 1 else None


def _is_last(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def _has(period: Period, rows: Rows) -> bool:
    """Whether a row is of a month of a period."""
    months = period[1] or frozenset()
    return any(there is not None and months & (there[1] or months) for own in rows.periods.values() for there in own)
