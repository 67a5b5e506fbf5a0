"""Edits of the period of a statement: replaced, shifted or added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import any_period, period_cond, with_periods
from kbtui.nl2sql.edit_state import Edit, EditScene
from kbtui.nl2sql.query import Col, Cond, Expr, Part, Query
from kbtui.nl2sql.rewriting import all_conds, map_conds, with_cond, with_replaced_conds
from kbtui.nl2sql.shape import literals_of
from kbtui.question.model import Period
from kbtui.text.calendar import add_months

Days = tuple[date, date]
Ends = tuple[date | None, date | None]

_CALENDAR: Final = ("year", "quarter", "month", "week", "day", "month_of_year")
_PREFIX: Final = re.compile(r"((?:19|20)\d\d)(?:[-/](\d{1,2}))?[-/]?%?")


def is_dated(scene: EditScene, cond: Cond) -> bool:
    """Whether a condition compares a date column, or a calendar part of one, with literals."""
    if isinstance(cond.right, Query | Col) or cond.op in ("null", "not null"):
        return False
    left = cond.left
    if isinstance(left, Part):
        return left.unit in _CALENDAR
    info = scene.info(left.ref) if isinstance(left, Col) else None
    return info is not None and (info.kind == "date" or info.encoding == "date")


def days_of(conds: Sequence[Cond]) -> Days | None:
    """The days that dated conditions allow together; None if an end is open or there are several intervals."""
    first: list[date] = []
    last: list[date] = []
    for cond in conds:
        days = _days(cond)
        if days is None:
            return None
        first += [days[0]] if days[0] is not None else []
        last += [days[1]] if days[1] is not None else []
    return (max(first), min(last)) if first and last and max(first) <= min(last) else None


def _days(cond: Cond) -> Ends | None:
    match cond:
        case Cond(op="between", right=(date() as first, date() as last)):
            return first, last
        case Cond(left=Part(unit="year"), op="=", right=int() as year):
            return _month(year, None)
        case Cond(op="=", right=date() as day):
            return day, day
        case Cond(op=">=", right=date() as day):
            return day, None
        case Cond(op=">", right=date() as day):
            return day + timedelta(days=1), None
        case Cond(op="<=", right=date() as day):
            return None, day
        case Cond(op="<", right=date() as day):
            return None, day - timedelta(days=1)
        case Cond(op="like", right=str() as text) if (prefix := _PREFIX.fullmatch(text)) is not None:
            return _month(int(prefix[1]), int(prefix[2]) if prefix[2] else None)
    return None


def _month(year: int, month: int | None) -> Days:
    """The first and last day of a month, or of a year if the month is None."""
    start = date(year, month or 1, 1)
    return start, add_months(start, 12 if month is None else 1) - timedelta(days=1)


def dated_column(cond: Cond) -> Expr:
    """The date column that a condition is about."""
    return cond.left.arg if isinstance(cond.left, Part) else cond.left


def period_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that replace or shift the period of the statement, or add one on the most likely date column."""
    dated_conds = [cond for cond in all_conds(edit.query) if is_dated(scene, cond)]
    if (shift := scene.first_free(edit.draft, "shift")) is not None and (days := days_of(dated_conds)) is not None:
        cue = scene[shift].cue
        assert cue is not None
        shifted_days = moved_days(days, cue.args)
        new = period_cond(dated_column(dated_conds[-1]), *shifted_days)
        yield edit.using("filter", shift).to(with_replaced_conds(edit.query, dated_conds, new), "period", worth=0.3)
    elif not edit.draft.periods:
        yield edit
    elif dated_conds:
        yield from _replacements(scene, edit, dated_conds)
    else:
        yield from _additions(scene, edit)


def _with_periods_used(scene: EditScene, edit: Edit) -> tuple[Edit, list[Period]]:
    """The edit with its periods used, and these periods."""
    read_periods = [period for i in edit.draft.periods if (period := scene[i].period) is not None]
    cleared = replace(edit, draft=replace(edit.draft, periods=()))
    return cleared.using("filter", *edit.draft.periods), read_periods


def _replacements(scene: EditScene, edit: Edit, dated_conds: list[Cond]) -> Iterator[Edit]:
    cleared, read_periods = _with_periods_used(scene, edit)
    column = dated_column(dated_conds[-1])
    for rank, spans in enumerate(_intervals(read_periods, dated_conds)):
        new = any_period(column, spans)
        if isinstance(new, Cond):
            query = with_replaced_conds(edit.query, dated_conds, new)
        else:
            query = with_cond(map_conds(edit.query, lambda cond: None if cond in dated_conds else cond), new)
        yield cleared.to(query, "period", worth=0.2 - 0.1 * rank)


def _additions(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    cleared, read_periods = _with_periods_used(scene, edit)
    spans = _spans(read_periods)
    target = edit.query.inner if edit.query.inner is not None else edit.query
    period_keys = [key.arg for key in target.group if isinstance(key, Part)]
    if period_keys:
        yield cleared.to(with_cond(edit.query, any_period(period_keys[0], spans)), "period", worth=0.1)
        return
    for draft, query in with_periods(scene, edit.draft, target):
        query_with_inner = query if target is edit.query else replace(edit.query, inner=query)
        yield Edit(edit.query, replace(draft, periods=()), edit.kinds).to(query_with_inner, "period")


def _spans(periods: Sequence[Period]) -> list[Ends]:
    return [(period.first, period.last) for period in periods]


def _intervals(periods: Sequence[Period], dated_conds: Sequence[Cond]) -> Iterator[list[Ends]]:
    """Intervals that a period may mean, most likely first: ``in march`` after a question about 2025 is March 2025."""
    spans = _spans(periods)
    years = {value.year for value in _dates(dated_conds)}
    if len(periods) == 1 and len(years) == 1 and _leaves_year_open(periods[0]):
        first, last = spans[0]
        year = years.pop()
        if first is not None and last is not None and first.year != year:
            yield [(_in_year(first, year), _in_year(last, year + last.year - first.year))]
    yield spans


def _dates(dated_conds: Sequence[Cond]) -> Iterator[date]:
    for cond in dated_conds:
        yield from (value for value in literals_of(cond) if isinstance(value, date))
        if (days := _days(cond)) is not None:
            yield from (day for day in days if day is not None)


def _leaves_year_open(period: Period) -> bool:
    """Whether a month, quarter or day is named without its year, and not relative to today."""
    return period.leaves_year_open and period.grain in ("month", "quarter", "day")


def _in_year(day: date, year: int) -> date:
    return add_months(day, (year - day.year) * 12)


def moved_days(days: Days, args: Mapping[str, Any]) -> Days:
    """Days moved ``by`` so many of a ``unit``, or by their own length if it is empty; whole months stay whole."""
    (first, last), unit, by = days, str(args.get("unit", "")), int(args["by"])
    after = last + timedelta(days=1)
    is_whole_months = first.day == 1 and after.day == 1
    if unit in ("week", "day") or (not unit and not is_whole_months):
        step = timedelta(days={"week": 7, "day": 1}.get(unit, (after - first).days)) * by
        return first + step, last + step
    length_in_months = (last.year - first.year) * 12 + last.month - first.month + 1
    months = {"year": 12, "quarter": 3, "month": 1}.get(unit, length_in_months) * by
    end = add_months(after, months) - timedelta(days=1) if is_whole_months else add_months(last, months)
    return add_months(first, months), end
