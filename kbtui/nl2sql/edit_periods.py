"""Edits of when: the period of a follow-up in the place of the one before, moved from it, or added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import period_cond, with_periods
from kbtui.nl2sql.edit_state import Edit, EditScene
from kbtui.nl2sql.query import AnyOf, Col, Cond, Expr, Part, Query
from kbtui.nl2sql.rewriting import all_conds, exchanged, map_conds, with_cond, with_cond_inside
from kbtui.nl2sql.shape import literals_of
from kbtui.question.model import Period
from kbtui.text.calendar import add_months

Days = tuple[date, date]
Ends = tuple[date | None, date | None]

_CALENDAR: Final = ("year", "quarter", "month", "week", "day", "month_of_year")
_PREFIX: Final = re.compile(r"((?:19|20)\d\d)(?:[-/](\d{1,2}))?[-/]?%?")


def is_dated(scene: EditScene, cond: Cond) -> bool:
    """Whether it says when: a date column, or a part of one, compared with literals."""
    if isinstance(cond.right, Query | Col) or cond.op in ("null", "not null"):
        return False
    left = cond.left
    if isinstance(left, Part):
        return left.unit in _CALENDAR
    info = scene.info(left.ref) if isinstance(left, Col) else None
    return info is not None and (info.kind == "date" or info.encoding == "date")


def days_of(conds: Sequence[Cond]) -> Days | None:
    """The days that dated conditions leave together; None where one end is open, or several stretches are meant."""
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
    """A month, or a whole year."""
    first = date(year, month or 1, 1)
    return first, add_months(first, 12 if month is None else 1) - timedelta(days=1)


def dated_column(cond: Cond) -> Expr:
    """The date itself that a condition is about."""
    return cond.left.arg if isinstance(cond.left, Part) else cond.left


def periods(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """The period of the follow-up where the one before was, or as a condition on the likeliest date column."""
    known = [cond for cond in all_conds(edit.query) if is_dated(scene, cond)]
    if (shift := scene.first_free(edit.draft, "shift")) is not None and (days := days_of(known)) is not None:
        cue = scene[shift].cue
        assert cue is not None
        moved = moved_days(days, cue.args)
        new = period_cond(dated_column(known[-1]), *moved)
        yield edit.using("filter", shift).to(exchanged(edit.query, known, new), "period", worth=0.3)
    elif not edit.draft.periods:
        yield edit
    elif known:
        yield from _replaced(scene, edit, known)
    else:
        yield from _added(scene, edit)


def _read(scene: EditScene, edit: Edit) -> tuple[Edit, list[Period]]:
    """The edit that has used its periods, and those."""
    found = [period for i in edit.draft.periods if (period := scene[i].period) is not None]
    cleared = replace(edit, draft=replace(edit.draft, periods=()))
    return cleared.using("filter", *edit.draft.periods), found


def _replaced(scene: EditScene, edit: Edit, known: list[Cond]) -> Iterator[Edit]:
    cleared, found = _read(scene, edit)
    column = dated_column(known[-1])
    for rank, spans in enumerate(_anchored(found, known)):
        new = _any_of(column, spans)
        if isinstance(new, Cond):
            query = exchanged(edit.query, known, new)
        else:
            query = with_cond(map_conds(edit.query, lambda cond: None if cond in known else cond), new)
        yield cleared.to(query, "period", worth=0.2 - 0.1 * rank)


def _any_of(column: Expr, spans: Sequence[Ends]) -> Cond | AnyOf:
    conds = tuple(period_cond(column, *span) for span in spans)
    return conds[0] if len(conds) == 1 else AnyOf(conds)


def _added(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    cleared, found = _read(scene, edit)
    spans = _spans(found)
    if (inside := _inside(scene, edit.query, spans)) is not None:
        yield cleared.to(inside, "period", worth=0.1)
    target = edit.query.inner if edit.query.inner is not None else edit.query
    grouped = [key.arg for key in target.group if isinstance(key, Part)]
    if grouped:
        yield cleared.to(with_cond(edit.query, _any_of(grouped[0], spans)), "period", worth=0.1)
        return
    for draft, query in with_periods(scene, edit.draft, target):
        whole = query if target is edit.query else replace(edit.query, inner=query)
        yield Edit(edit.query, replace(draft, periods=()), edit.kinds).to(whole, "period")


def _inside(scene: EditScene, query: Query, spans: Sequence[Ends]) -> Query | None:
    """With the period as a condition on what somebody did or never did: inside the nested statement."""

    def dated(inner: Query) -> Cond | AnyOf | None:
        ref = next(scene.dates(inner.used_tables()), None)
        return None if ref is None else _any_of(Col(ref), spans)

    return with_cond_inside(query, dated)


def _spans(found: Sequence[Period]) -> list[Ends]:
    return [(period.first, period.last) for period in found]


def _anchored(found: Sequence[Period], known: Sequence[Cond]) -> Iterator[list[Ends]]:
    """The days meant, likeliest first: ``in march`` after a question about 2025 is March of that year."""
    spans = _spans(found)
    years = {value.year for value in _dates(known)}
    if len(found) == 1 and len(years) == 1 and _leaves_year_open(found[0]):
        first, last = spans[0]
        year = years.pop()
        if first is not None and last is not None and first.year != year:
            yield [(_in_year(first, year), _in_year(last, year + last.year - first.year))]
    yield spans


def _dates(known: Sequence[Cond]) -> Iterator[date]:
    for cond in known:
        yield from (value for value in literals_of(cond) if isinstance(value, date))
        if (days := _days(cond)) is not None:
            yield from (day for day in days if day is not None)


def _leaves_year_open(period: Period) -> bool:
    """A month or a quarter by name: no year is written, and nothing counts it from today."""
    return period.leaves_year_open and period.grain in ("month", "quarter", "day")


def _in_year(day: date, year: int) -> date:
    return add_months(day, (year - day.year) * 12)


def moved_days(days: Days, args: Mapping[str, Any]) -> Days:
    """A period moved ``by`` so many of a ``unit``, or of its own length. Whole months stay whole."""
    (first, last), unit, by = days, str(args.get("unit", "")), int(args["by"])
    after = last + timedelta(days=1)
    whole = first.day == 1 and after.day == 1
    if unit in ("week", "day") or (not unit and not whole):
        step = timedelta(days={"week": 7, "day": 1}.get(unit, (after - first).days)) * by
        return first + step, last + step
    own = (last.year - first.year) * 12 + last.month - first.month + 1
    months = {"year": 12, "quarter": 3, "month": 1}.get(unit, own) * by
    end = add_months(after, months) - timedelta(days=1) if whole else add_months(last, months)
    return add_months(first, months), end
