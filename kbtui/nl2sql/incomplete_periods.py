"""Periods of a statement that its data do not fill: the year so far, a month whose first days are missing."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from kbtui.domain.analysis import CutPeriod
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.query import Col, Cond, Part, Query, Ref, aggregates, aggregates_in
from kbtui.nl2sql.shape import nested
from kbtui.nl2sql.words import Words
from kbtui.text.language import Language

_UNITS: Final = ("year", "quarter", "month", "week")
_MOST_MISSED: Final = 5.0
"""Rows that a period without any would have had on average, from which the data are taken to stop there."""


def cut_periods(query: Query, catalogue: Catalogue, language: Language, today: date) -> tuple[CutPeriod, ...]:
    """The periods that a statement counts and that the data do not fill, each once, at most two.

    Of a grouped statement those are the first and the last group, of any other the days that it asks for.
    """
    words = Words(catalogue, int(language == "zh"))
    found: dict[CutPeriod, None] = {}
    for part in nested(query):
        for ref, periods in _asked(part, catalogue).items():
            info = catalogue.column(ref)
            if info is None:
                continue
            edges = _edges(info, catalogue.tables[ref.table].rows, today)
            for first, last in periods:
                cut = _cut(first, last, *edges)
                if cut is not None:
                    day, ends = cut
                    found[CutPeriod(says=words.period(first, last), day=day, ends=ends)] = None
    return tuple(found)[:2]


def _asked(query: Query, catalogue: Catalogue) -> dict[Ref, list[tuple[date, date]]]:
    """By date column, the periods that figures are of."""
    if not query.group and not any(map(aggregates, query.select)):
        return {}
    stretches: dict[Ref, list[tuple[date, date]]] = {}
    for cond in _dated(query):
        if isinstance(cond.left, Col) and cond.op == "between" and isinstance(cond.right, tuple):
            first, last = map(_day, cond.right)
            stretches.setdefault(cond.left.ref, []).append((first, last))
    buckets: dict[Ref, list[tuple[date, date]]] = {}
    for part in (item for item in query.group if isinstance(item, Part) and item.unit in _UNITS):
        if not isinstance(part.arg, Col) or (info := catalogue.column(part.arg.ref)) is None:
            continue
        low, high = days_of(info)
        if low is None or high is None:
            continue
        asked = stretches.pop(info.ref, [])
        if asked:
            low, high = max(low, min(first for first, _ in asked)), min(high, max(last for _, last in asked))
        ends = [bucket(part.unit, low), bucket(part.unit, high)]
        if low <= high:
            buckets[info.ref] = [end for end in dict.fromkeys(ends) if _is_within(end, asked)]
    return {**stretches, **buckets}


def _is_within(period: tuple[date, date], asked: list[tuple[date, date]]) -> bool:
    """Whether all of a period is asked for; one that is cut by the question needs no note."""
    return not asked or any(first <= period[0] and period[1] <= last for first, last in asked)


def _dated(query: Query) -> Iterator[Cond]:
    yield from query.conditions()
    for item in query.select:
        for agg in aggregates_in(item):
            yield from agg.where


def _edges(info: ColumnInfo, rows: int, today: date) -> tuple[date | None, date | None, float]:
    """The first and the last day of the data as far as they are known, and the rows of a day on average."""
    first, last = days_of(info)
    if first is None or last is None:
        return None, None, 0.0
    last = min(last, today)
    return first, last, rows * (1 - info.nulls) / max(1, (last - first).days + 1)


def _cut(first: date, last: date, begins: date | None, ends: date | None, rate: float) -> tuple[date, bool] | None:
    """Where the data end, or begin, inside of a period, and whether they end there."""
    if begins is None or ends is None:
        return None
    if first <= ends < last and rate * (last - ends).days >= _MOST_MISSED:
        return ends, True
    if first < begins <= last and rate * (begins - first).days >= _MOST_MISSED:
        return begins, False
    return None


def bucket(unit: str, day: date) -> tuple[date, date]:
    """The first and the last day of the year, quarter, month or week that a day is in."""
    if unit == "week":
        first = day - timedelta(days=day.weekday())
        return first, first + timedelta(days=6)
    months = {"year": 12, "quarter": 3}.get(unit, 1)
    begin = (day.month - 1) // months * months + 1
    end = begin + months - 1
    return date(day.year, begin, 1), date(day.year, end, monthrange(day.year, end)[1])


def days_of(info: ColumnInfo) -> tuple[date, date] | tuple[None, None]:
    """The first and the last day of a date column; None where they are not known."""
    low, high = info.low, info.high
    return (_day(low), _day(high)) if isinstance(low, date) and isinstance(high, date) else (None, None)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
