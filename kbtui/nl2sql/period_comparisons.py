"""A figure compared between periods: side by side, with difference and percentage change, ranked by the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import period_cond, previous_period
from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import Figure
from kbtui.nl2sql.groups import Group, groups
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Order, Part, Query, Ref, Unit, percent
from kbtui.nl2sql.ranking import DraftQuery, growth_of, ranking_of

Days = tuple[date, date]

_GRAINS: Final[dict[str, Unit]] = {"year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day"}
_REACH: Final = 3
"""Tokens between a comparing operator and its number, at most."""
_SHORT_GRAINS: Final = ("month", "quarter", "week")
_LONG_PERIOD: Final = -0.5
"""Worth of comparing years if the question asks for growth from month to month."""
_NO_PERIOD: Final = -0.15
"""Worth of the current period if a question about growth names none."""


def growth(scene: Scene, figure: Figure) -> Iterator[DraftQuery]:
    """The figure of a period, by default the current one, and of the period before it or a year earlier."""
    draft, expr = figure.draft, figure.exprs[0]
    cues, args = growth_of(scene, draft)
    if not cues or not isinstance(expr, Agg):
        return
    periods = [scene[i].period for i in draft.periods]
    ends = [(p.first, p.last) for p in periods if p is not None and p.first is not None and p.last is not None]
    if args.get("kind") == "change_year":
        # “This year and the same time last year, january to october”: only the shorter period counts.
        ends = [days for days in ends if not any(_within(other, days) for other in ends)]
    ref = _date_column(scene, draft, figure.table)
    if ref is None or (periods and not ends):
        return
    today = scene.lattice.question.today
    worth, unit = 0.25, str(args.get("unit", args.get("beside", "year")))
    if args.get("each") and not ends:
        return  # Growth by month compares all months, see `figure_statements`.
    if not ends:
        ends, worth = [_current(today, unit)], worth + _NO_PERIOD
    elif unit in _SHORT_GRAINS and all(period.grain == "year" for period in periods if period is not None):
        worth += _LONG_PERIOD
    pairs = list(compared_days(ends, args.get("kind", "change"), today))
    for before, now, pair_worth in pairs:
        new_draft = draft.using("operator", *cues, *scene.cues("versus")).using("filter", *draft.periods)
        new_draft = replace(new_draft, periods=(), prior=new_draft.prior + worth + pair_worth)
        yield from _change_statements(scene, new_draft, changes(expr, ref, before, now), figure.table, args)


def _current(today: date, unit: str) -> Days:
    from kbtui.question.date_expressions import calendar_unit

    return calendar_unit(today, unit, 0)


def _change_statements(
    scene: Scene, draft: Draft, select: tuple[Expr, ...], table: str, args: Mapping[str, Any]
) -> Iterator[DraftQuery]:
    """Figures of two periods and their change; for groups also ranked by the change."""
    is_decline = args.get("direction") == "asc"
    for new_draft, query, group in _with_groups(scene, draft, select, table):
        yield new_draft, query
        if group is None:
            continue
        ranking = ranking_of(scene, new_draft)
        if ranking is not None:
            ranked_draft, desc, limit = ranking
            for rank, change in enumerate(reversed(select[2:])):
                order = (Order(change, desc != is_decline),)
                yield (
                    replace(ranked_draft, prior=ranked_draft.prior - 0.05 * rank),
                    replace(query, order=order, limit=limit),
                )


def _date_column(scene: Scene, draft: Draft, table: str) -> Ref | None:
    """The date column that periods apply to: a mentioned one (``closed in june``), else the usual one of the table,
    else one of a related table (the date of the invoice of a line).
    """
    mentioned = (info.ref for i in draft.free(scene.columns) if (info := scene.column(i)) and info.kind == "date")
    related = (table, *scene.parents(table), *scene.children(table))
    return next((ref for ref in mentioned if ref.table == table), next(scene.dates(related), None))


def _with_groups(
    scene: Scene, draft: Draft, select: tuple[Expr, ...], table: str
) -> Iterator[tuple[Draft, Query, Group | None]]:
    """Figures side by side, for all rows and for each group; the group is None for all rows."""
    yield draft, Query(select=select, tables=(table,)), None
    for group in groups(scene, draft, (table,)):
        if not group.buckets:
            query = Query(select=(*group.shown, *select), group=group.keys, tables=(table,))
            yield group.draft, query, group


def side_by_side(scene: Scene, figure: Figure) -> Iterator[DraftQuery]:
    """Periods or kinds of days side by side: a column for each, or a row for each."""
    draft, expr = figure.draft, figure.exprs[0]
    if not isinstance(expr, Agg):
        return
    if len(draft.periods) > 1:
        yield from _period_statements(scene, figure, expr)
    if {"weekend", "workday"} <= {m.cue.op for m in scene.cover.mentions if m.cue is not None}:
        conds = [cond for cond in draft.where if isinstance(cond, Cond) and isinstance(cond.left, Part)]
        other_conds = tuple(cond for cond in draft.where if cond not in conds)
        select = tuple(replace(expr, where=(cond,)) for cond in conds)
        new_draft = replace(draft, where=other_conds).using("operator", scene.cue("versus"), worth=0.3)
        for group_draft, query, _ in _with_groups(scene, new_draft, select, figure.table):
            yield group_draft, query


def comparisons_without_number(scene: Scene, draft: Draft) -> list[int]:
    """Comparing operators without a number near them: *more* orders in june *than* in may."""
    numbers = draft.free(scene.cover.indexes("number"))
    cues = draft.free(scene.cues("compare"))
    return [i for i in cues if not any(gap(scene.cover, i, number) <= _REACH for number in numbers)]


def difference_operators(scene: Scene) -> list[int]:
    """Operators that ask for the difference of two figures."""
    return [i for i in scene.cues("versus") if (cue := scene[i].cue) is not None and "wants" in cue.args]


def _period_statements(scene: Scene, figure: Figure, expr: Agg) -> Iterator[DraftQuery]:
    draft = figure.draft
    ref = _date_column(scene, draft, figure.table)
    if ref is None:
        return
    periods = [period for i in draft.periods if (period := scene[i].period) is not None]
    conds = tuple(period_cond(Col(ref), period.first, period.last) for period in periods)
    operators = [*scene.cues("versus", "growth"), *comparisons_without_number(scene, draft)]
    worth = 0.35 if operators else 0.05
    new_draft = replace(draft.using("operator", *operators, worth=worth).using("filter", *draft.periods), periods=())
    select: tuple[Expr, ...] = tuple(replace(expr, where=(cond,)) for cond in conds)
    for group_draft, query, _ in _with_groups(scene, new_draft, select, figure.table):
        yield group_draft, query
    ends = [(p.first, p.last) for p in periods if p.first is not None and p.last is not None]
    if len(ends) == len(periods) == 2 and operators:
        difference_worth = 0.1 if difference_operators(scene) else -0.05
        for before, now, pair_worth in compared_days(ends, "change", scene.lattice.question.today):
            compared = changes(expr, ref, before, now)[:3]
            for group_draft, query, _ in _with_groups(
                scene, replace(new_draft, prior=new_draft.prior + pair_worth + difference_worth), compared, figure.table
            ):
                yield group_draft, query
    grains = {period.grain for period in periods}
    if len(grains) == 1 and (unit := _GRAINS.get(grains.pop())) is not None:
        key = Part(unit, Col(ref))
        by_period = Query(select=(key, expr), where=(AnyOf(conds),), group=(key,), order=(Order(key),))
        yield new_draft, replace(by_period, tables=(figure.table,))


def compared_days(ends: Sequence[Days], kind: str, today: date) -> Iterator[tuple[Days, Days, float]]:
    """Pairs of an earlier and a later period, each with its worth.

    A later period that has not ended is compared with the whole earlier one and with the same part of it; a part of a
    year is compared with another year and with the same part of it.

    Args:
        ends: First and last days of the periods; a single one is compared with the period before it.
        kind: ``change_year`` for the same period a year earlier.
    """
    now = max(ends)
    before = min(ends) if len(ends) > 1 else previous_period(*now, kind)
    yield before, now, 0.0
    if now[0] <= today < now[1] or (now[1] == today and before[1] - before[0] > now[1] - now[0]):
        elapsed = min(now[1], today) - now[0]
        cut_end = _same_day(before[0], now[0], min(now[1], today)) or before[0] + elapsed
        if cut_end < before[1]:
            yield (before[0], cut_end), now, 0.05 if kind == "change_year" else -0.1
    elif _is_year(before) and now[0].year == now[1].year > before[0].year and not _is_year(now):
        years = now[0].year - before[0].year
        yield _years_before(now, years), now, 0.05 if kind == "change_year" else -0.1


def _within(inner: Days, outer: Days) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _is_year(days: Days) -> bool:
    first, last = days
    return (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year


def _years_before(days: Days, years: int) -> Days:
    from kbtui.text.calendar import add_months

    return add_months(days[0], -12 * years), add_months(days[1], -12 * years)


def _same_day(before: date, now: date, today: date) -> date | None:
    """The day of the earlier year that corresponds to today, if both periods begin on the same day of the year."""
    from kbtui.text.calendar import add_months

    is_year = (before.month, before.day) == (now.month, now.day)
    return add_months(today, 12 * (before.year - now.year)) if is_year else None


def changes(expr: Agg, ref: Ref, before: Days, now: Days) -> tuple[Expr, ...]:
    """Expressions of a figure in two periods, its difference and its percentage change, in this order."""
    earlier, later = (figure_in(expr, ref, days) for days in (before, now))
    difference = Arith("-", later, earlier)
    return earlier, later, difference, percent(Arith("/", difference, earlier))


def figure_in(expr: Agg, ref: Ref, days: Days) -> Agg:
    """The figure restricted to rows of a period."""
    return replace(expr, where=(*expr.where, period_cond(Col(ref), *days)))
