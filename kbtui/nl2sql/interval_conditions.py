"""Periods over rows that are no single day: stretches from a start to an end, years and quarters in columns of their
own, dates of what happened last, due dates of what has not happened yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import ColumnInfo, TableInfo
from kbtui.nl2sql.comparisons import value_cond
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.query import AnyOf, Col, Cond, Ref
from kbtui.question.model import Period

_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2200
_PARTS: Final = {"quarter": 4, "month": 12}
"""Grains that a column beside one of years may count, and how many there are in a year."""
_QUARTERS: Final = ("q{}", "{}", "第{}季度", "{}季度", "q{}季度")
_MONTHS: Final = ("{}", "{:02}", "{}月", "{:02}月", "m{}")
_ZH_DIGITS: Final = "零一二三四"
_STILL_LATE: Final = -0.05
"""Worth of what is late and not done yet, beside what was done late."""

Conds = tuple[Cond | AnyOf, ...]


def holds_years(info: ColumnInfo) -> bool:
    """Whether a column of whole numbers holds years."""
    low, high = info.low, info.high
    if info.kind == "date" or not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return False
    named = "year" in info.words or "year" in info.concepts
    return named and low >= _FIRST_YEAR and high <= _LAST_YEAR


def in_years(table: TableInfo, years: Ref, periods: Sequence[Period]) -> Conds | None:
    """Periods by a column of years, and one of quarters or months beside it; None where they cannot say them."""
    values: list[int] = []
    for period in periods:
        if period.grain != "year" or period.first is None or period.last is None:
            return _stretch_of_years(table, years, period) if len(periods) == 1 else None
        values.extend(range(period.first.year, period.last.year + 1))
    return (value_cond(years, tuple(dict.fromkeys(values))),)


def _stretch_of_years(table: TableInfo, years: Ref, period: Period) -> Conds | None:
    """A period that is no year: several, all from a year on or up to one, or a part of a year."""
    first, last = period.first, period.last
    if (first is not None and (first.month, first.day) != (1, 1)) or (
        last is not None and (last.month, last.day) != (12, 31)
    ):
        return _part_of_year(table, years, period)
    if first is not None and last is not None:
        return (Cond(Col(years), "between", (first.year, last.year)),)
    if first is not None:
        return (Cond(Col(years), ">=", first.year),)
    return (Cond(Col(years), "<=", last.year),) if last is not None else None


def _part_of_year(table: TableInfo, years: Ref, period: Period) -> Conds | None:
    most = _PARTS.get(period.grain)
    if most is None or period.first is None:
        return None
    number = period.first.month if most == 12 else (period.first.month + 2) // 3
    said = {form.format(number) for form in (_MONTHS if most == 12 else _QUARTERS)}
    said |= {f"{period.first:%b}".lower(), f"{period.first:%B}".lower()} if most == 12 else set()
    said |= {form.format(_ZH_DIGITS[number]) for form in _QUARTERS} if most == 4 else set()
    for column in table.columns:
        if period.grain in column.words or period.grain in column.concepts:
            meant = [value for value, _ in column.values if str(value).strip().lower() in said]
            if meant and column.kind != "date" and column.distinct <= most:
                return Cond(Col(years), "=", period.first.year), Cond(Col(column.ref), "=", meant[0])
    return None


def overlapping(table: TableInfo, period: Period, start: Ref) -> Conds | None:
    """Rows from a start to an end that were going on in a period: who is away today, contracts that ran in 2025."""
    columns = {column.ref: column for column in table.columns if column.kind == "date"}
    ends = [column for column in columns.values() if "end" in column.concepts and column.ref != start]
    begun = columns.get(start)
    if begun is None or "start" not in begun.concepts or not ends or period.first is None or period.last is None:
        return None
    end = ends[0]
    after: Cond | AnyOf = Cond(Col(end.ref), ">=", period.first)
    if end.nulls > 0:
        after = AnyOf((Cond(Col(end.ref), ">=", period.first), Cond(Col(end.ref), "null")))
    return Cond(Col(start), "<=", period.last), after


def still_late(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``overdue``: beside what was done after its date what is past its date and not done at all."""
    yield draft
    for cond in draft.where:
        if not isinstance(cond, Cond) or cond.op != ">" or not isinstance(cond.right, Col):
            continue
        done, due = cond.left, cond.right
        if not isinstance(done, Col) or not _are_dates(scene, done.ref, due.ref):
            continue
        rest = tuple(other for other in draft.where if other is not cond)
        past: Conds = (Cond(due, "<", scene.lattice.question.today), Cond(done, "null"))
        yield replace(draft, where=(*rest, *past)).trait("still_late", 1.0, worth=_STILL_LATE)
        return


def _are_dates(scene: Scene, done: Ref, due: Ref) -> bool:
    infos = [scene.info(ref) for ref in (done, due)]
    return all(info is not None and isinstance(info.high, date) for info in infos) and bool(infos[0] and infos[0].nulls)
