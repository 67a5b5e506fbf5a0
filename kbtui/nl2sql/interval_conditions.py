"""Period conditions beyond single dates: intervals from a start to an end, columns of years, due dates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import ColumnInfo, TableInfo
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.query import AnyOf, Col, Cond, Ref, equals, opposite_of
from kbtui.nl2sql.states import ENDED
from kbtui.question.model import Period

_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2200
_PARTS_OF_YEAR: Final = {"quarter": 4, "month": 12}
"""Grains of a column beside one of years, with their number in a year."""
_QUARTERS: Final = ("q{}", "{}", "第{}季度", "{}季度", "q{}季度")
_MONTHS: Final = ("{}", "{:02}", "{}月", "{:02}月", "m{}")
_ZH_DIGITS: Final = "零一二三四"
_OVERDUE: Final = -0.05
"""Worth of what is past its due date and not done, relative to what was done late."""

Conds = tuple[Cond | AnyOf, ...]


def holds_years(info: ColumnInfo) -> bool:
    """Whether a column of numbers holds years."""
    low, high = info.low, info.high
    if info.kind == "date" or not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return False
    is_year_column = "year" in info.words or "year" in info.concepts
    return is_year_column and low >= _FIRST_YEAR and high <= _LAST_YEAR


def year_conds(table: TableInfo, years: Ref, periods: Sequence[Period]) -> Conds | None:
    """Conditions for periods on a column of years and one of quarters or months; None if these cannot express them."""
    values: list[int] = []
    for period in periods:
        if period.grain != "year" or period.first is None or period.last is None:
            return _year_range(table, years, period) if len(periods) == 1 else None
        values.extend(range(period.first.year, period.last.year + 1))
    return (equals(years, tuple(dict.fromkeys(values))),)


def _year_range(table: TableInfo, years: Ref, period: Period) -> Conds | None:
    """Conditions for a period that is not one year: several years, an open range of years, or a part of a year."""
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
    parts = _PARTS_OF_YEAR.get(period.grain)
    if parts is None or period.first is None:
        return None
    number = period.first.month if parts == 12 else (period.first.month + 2) // 3
    forms = {form.format(number) for form in (_MONTHS if parts == 12 else _QUARTERS)}
    forms |= {f"{period.first:%b}".lower(), f"{period.first:%B}".lower()} if parts == 12 else set()
    forms |= {form.format(_ZH_DIGITS[number]) for form in _QUARTERS} if parts == 4 else set()
    for column in table.columns:
        if period.grain in column.words or period.grain in column.concepts:
            matches = [value for value, _ in column.values if str(value).strip().lower() in forms]
            if matches and column.kind != "date" and column.distinct <= parts:
                return Cond(Col(years), "=", period.first.year), Cond(Col(column.ref), "=", matches[0])
    return None


def overdue_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Drafts of ``overdue``: as it is (done after the due date), and past the due date and not done."""
    if (table := next(filter(None, (_table_past_due(scene, cond) for cond in draft.where)), "")) != "":
        yield replace(draft, where=(*draft.where, *_not_ended(scene, draft.where, table)))
        return
    yield draft
    for cond in draft.where:
        if not isinstance(cond, Cond) or cond.op != ">" or not isinstance(cond.right, Col):
            continue
        done, due = cond.left, cond.right
        if not isinstance(done, Col) or not _are_dates(scene, done.ref, due.ref):
            continue
        other_conds = tuple(other for other in draft.where if other is not cond)
        overdue: Conds = (Cond(due, "<", scene.lattice.question.today), Cond(done, "null"))
        yield replace(draft, where=(*other_conds, *overdue)).trait("still_late", 1.0, worth=_OVERDUE)
        return


def _table_past_due(scene: Scene, cond: Cond | AnyOf) -> str:
    """The table without dates of what was done whose state ``overdue`` is the condition; else empty."""
    if not isinstance(cond, Cond) or cond.op != "<" or not isinstance(cond.left, Col):
        return ""
    table = cond.left.ref.table
    is_state = any(state.concept == "overdue" and state.cond == cond for state in scene.table(table).states)
    return table if is_state else ""


def _not_ended(scene: Scene, conds: Conds, table: str) -> Conds:
    """The condition that rows of a table have not ended, unless there is a condition on the column of their state."""
    given = {cond.left for cond in conds if isinstance(cond, Cond)}
    values: dict[Col, list[object]] = {}
    for state in scene.table(table).states:
        cond = state.cond
        if state.concept in ENDED and state.holds and cond.op in ("=", "in") and isinstance(cond.left, Col):
            values.setdefault(cond.left, []).extend(cond.right if isinstance(cond.right, tuple) else (cond.right,))
    ended = ((column, tuple(dict.fromkeys(ends))) for column, ends in values.items() if column not in given)
    found = next((equals(column.ref, ends) for column, ends in ended), None)
    negated = opposite_of(found) if found is not None else None
    return (negated,) if negated is not None else ()


def _are_dates(scene: Scene, done: Ref, due: Ref) -> bool:
    infos = [scene.info(ref) for ref in (done, due)]
    return all(info is not None and isinstance(info.high, date) for info in infos) and bool(infos[0] and infos[0].nulls)
