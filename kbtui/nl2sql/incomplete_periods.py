"""Finds periods of a statement that the data do not cover: the year so far, a month whose first days are missing."""

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
_MIN_MISSING_ROWS: Final = 5.0
"""Expected number of rows in a gap from which the data count as missing there."""


def cut_periods(query: Query, catalogue: Catalogue, language: Language, today: date) -> tuple[CutPeriod, ...]:
    """The periods of a statement that the data do not cover completely, at most two.

    For a grouped statement these are the first and the last group, for others the requested days.
    """
    words = Words(catalogue, int(language == "zh"))
    periods_found: dict[CutPeriod, None] = {}
    for part in nested(query):
        for ref, periods in _requested_periods(part, catalogue).items():
            info = catalogue.column(ref)
            if info is None:
                continue
            data_range = _data_range(info, catalogue.tables[ref.table].rows, today)
            for first, last in periods:
                cut = _cut(first, last, *data_range)
                if cut is not None:
                    day, ends = cut
                    periods_found[CutPeriod(says=words.period(first, last), day=day, ends=ends)] = None
    return tuple(periods_found)[:2]


def _requested_periods(query: Query, catalogue: Catalogue) -> dict[Ref, list[tuple[date, date]]]:
    """The periods of figures, by date column."""
    if not query.group and not any(map(aggregates, query.select)):
        return {}
    conditioned: dict[Ref, list[tuple[date, date]]] = {}
    for cond in _all_conditions(query):
        if isinstance(cond.left, Col) and cond.op == "between" and isinstance(cond.right, tuple):
            first, last = map(_day, cond.right)
            conditioned.setdefault(cond.left.ref, []).append((first, last))
    grouped: dict[Ref, list[tuple[date, date]]] = {}
    for part in (item for item in query.group if isinstance(item, Part) and item.unit in _UNITS):
        if not isinstance(part.arg, Col) or (info := catalogue.column(part.arg.ref)) is None:
            continue
        low, high = days_of(info)
        if low is None or high is None:
            continue
        requested = conditioned.pop(info.ref, [])
        if requested:
            low, high = max(low, min(first for first, _ in requested)), min(high, max(last for _, last in requested))
        ends = [bucket(part.unit, low), bucket(part.unit, high)]
        if low <= high:
            grouped[info.ref] = [end for end in dict.fromkeys(ends) if _is_requested(end, requested)]
    return {**conditioned, **grouped}


def _is_requested(period: tuple[date, date], requested: list[tuple[date, date]]) -> bool:
    """Whether the question asks for a whole period; a period that the question itself cuts needs no note."""
    return not requested or any(first <= period[0] and period[1] <= last for first, last in requested)


def _all_conditions(query: Query) -> Iterator[Cond]:
    yield from query.conditions()
    for item in query.select:
        for agg in aggregates_in(item):
            yield from agg.where


def _data_range(info: ColumnInfo, rows: int, today: date) -> tuple[date | None, date | None, float]:
    """The first and the last day of the data, None if unknown, and the mean number of rows per day."""
    first, last = days_of(info)
    if first is None or last is None:
        return None, None, 0.0
    last = min(last, today)
    return first, last, rows * (1 - info.nulls) / max(1, (last - first).days + 1)


def _cut(
    first: date, last: date, data_start: date | None, data_end: date | None, rate: float
) -> tuple[date, bool] | None:
    """The day on which the data end or begin inside a period, and whether they end there; None if they cover it."""
    if data_start is None or data_end is None:
        return None
    if first <= data_end < last and rate * (last - data_end).days >= _MIN_MISSING_ROWS:
        return data_end, True
    if first < data_start <= last and rate * (data_start - first).days >= _MIN_MISSING_ROWS:
        return data_start, False
    return None


def bucket(unit: str, day: date) -> tuple[date, date]:
    """The first and the last day of the year, quarter, month or week of a day."""
    if unit == "week":
        first = day - timedelta(days=day.weekday())
        return first, first + timedelta(days=6)
    months = {"year": 12, "quarter": 3}.get(unit, 1)
    begin = (day.month - 1) // months * months + 1
    end = begin + months - 1
    return date(day.year, begin, 1), date(day.year, end, monthrange(day.year, end)[1])


def days_of(info: ColumnInfo) -> tuple[date, date] | tuple[None, None]:
    """The first and the last day of a date column; (None, None) if unknown."""
    low, high = info.low, info.high
    return (_day(low), _day(high)) if isinstance(low, date) and isinstance(high, date) else (None, None)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
