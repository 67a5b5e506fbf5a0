"""One figure in several periods: beside one another, with its difference and its change, ranked by the change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import period_cond, previous
from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import Figure
from kbtui.nl2sql.groups import Group, groups
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Order, Part, Query, Ref, Unit, percent
from kbtui.nl2sql.ranking import Made, growth_of, ranking_of

Days = tuple[date, date]

_GRAINS: Final[dict[str, Unit]] = {"year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day"}
_REACH: Final = 3
"""Tokens between a comparing operator and its number."""
_SHORT: Final = ("month", "quarter", "week")
_LONG_PERIOD: Final = -0.5
"""Worth of years beside each other where the growth from month to month is asked for."""
_NO_PERIOD: Final = -0.15
"""Worth of the current period where a question about growth names none."""


def growth(scene: Scene, figure: Figure) -> Iterator[Made]:
    """A period beside the one before it, or beside the same one of the year before; the current one by default."""
    draft, expr = figure.draft, figure.exprs[0]
    cues, args = growth_of(scene, draft)
    if not cues or not isinstance(expr, Agg):
        return
    periods = [scene[i].period for i in draft.periods]
    ends = [(p.first, p.last) for p in periods if p is not None and p.first is not None and p.last is not None]
    if args.get("kind") == "change_year":
        # "This year and the same time last year, january to october": the part counts.
        ends = [days for days in ends if not any(_within(other, days) for other in ends)]
    ref = _dated(scene, draft, figure.table)
    if ref is None or (periods and not ends):
        return
    today = scene.lattice.question.today
    worth, unit = 0.25, str(args.get("unit", args.get("beside", "year")))
    if args.get("each") and not ends:
        return  # Growth by month is that of every month.
    if not ends:
        ends, worth = [_current(today, unit)], worth + _NO_PERIOD
    elif unit in _SHORT and all(period.grain == "year" for period in periods if period is not None):
        worth += _LONG_PERIOD
    pairs = list(compared_days(ends, args.get("kind", "change"), today))
    for before, now, likely in pairs:
        grown = draft.using("operator", *cues, *scene.cues("versus")).using("filter", *draft.periods)
        grown = replace(grown, periods=(), prior=grown.prior + worth + likely)
        yield from _compared(scene, grown, changes(expr, ref, before, now), figure.table, args)


def _current(today: date, unit: str) -> Days:
    from kbtui.question.stretches import calendar_unit

    return calendar_unit(today, unit, 0)


def _compared(
    scene: Scene, draft: Draft, select: tuple[Expr, ...], table: str, args: Mapping[str, Any]
) -> Iterator[Made]:
    """Figures of two periods and their change; of groups also those that changed most."""
    falling = args.get("direction") == "asc"
    for grown, query, group in _beside(scene, draft, select, table):
        yield grown, query
        if group is None:
            continue
        ranking = ranking_of(scene, grown)
        if ranking is not None:
            ranked, desc, limit = ranking
            for rank, change in enumerate(reversed(select[2:])):
                order = (Order(change, desc != falling),)
                yield replace(ranked, prior=ranked.prior - 0.05 * rank), replace(query, order=order, limit=limit)


def _dated(scene: Scene, draft: Draft, table: str) -> Ref | None:
    """The date that periods are of: one that is named (``closed in june``), else the usual one of the table, else one
    of a table beside it (the date of the bill that a line is of)."""
    named = (info.ref for i in draft.free(scene.columns) if (info := scene.column(i)) and info.kind == "date")
    near = (table, *scene.parents(table), *scene.children(table))
    return next((ref for ref in named if ref.table == table), next(scene.dates(near), None))


def _beside(
    scene: Scene, draft: Draft, select: tuple[Expr, ...], table: str
) -> Iterator[tuple[Draft, Query, Group | None]]:
    """Figures side by side, of all rows or for each group."""
    yield draft, Query(select=select, tables=(table,)), None
    for group in groups(scene, draft, (table,)):
        if not group.buckets:
            query = Query(select=(*group.shown, *select), group=group.keys, tables=(table,))
            yield group.draft, query, group


def side_by_side(scene: Scene, figure: Figure) -> Iterator[Made]:
    """Periods or kinds of days beside each other, a column each or a row each."""
    draft, expr = figure.draft, figure.exprs[0]
    if not isinstance(expr, Agg):
        return
    if len(draft.periods) > 1:
        yield from _periods_beside(scene, figure, expr)
    if {"weekend", "workday"} <= {m.cue.op for m in scene.cover.mentions if m.cue is not None}:
        conds = [cond for cond in draft.where if isinstance(cond, Cond) and isinstance(cond.left, Part)]
        rest = tuple(cond for cond in draft.where if cond not in conds)
        select = tuple(replace(expr, where=(cond,)) for cond in conds)
        grown = replace(draft, where=rest).using("operator", scene.cue("versus"), worth=0.3)
        for shown, query, _ in _beside(scene, grown, select, figure.table):
            yield shown, query


def unmeasured(scene: Scene, draft: Draft) -> list[int]:
    """Comparing operators that no number stands beside: *more* orders in june *than* in may."""
    numbers = draft.free(scene.cover.indexes("number"))
    cues = draft.free(scene.cues("compare"))
    return [i for i in cues if not any(gap(scene.cover, i, number) <= _REACH for number in numbers)]


def differences(scene: Scene) -> list[int]:
    """Operators that ask how much one figure is above another."""
    return [i for i in scene.cues("versus") if (cue := scene[i].cue) is not None and "wants" in cue.args]


def _periods_beside(scene: Scene, figure: Figure, expr: Agg) -> Iterator[Made]:
    draft = figure.draft
    ref = _dated(scene, draft, figure.table)
    if ref is None:
        return
    periods = [period for i in draft.periods if (period := scene[i].period) is not None]
    conds = tuple(period_cond(Col(ref), period.first, period.last) for period in periods)
    asked = [*scene.cues("versus", "growth"), *unmeasured(scene, draft)]
    worth = 0.35 if asked else 0.05
    grown = replace(draft.using("operator", *asked, worth=worth).using("filter", *draft.periods), periods=())
    select: tuple[Expr, ...] = tuple(replace(expr, where=(cond,)) for cond in conds)
    for shown, query, _ in _beside(scene, grown, select, figure.table):
        yield shown, query
    ends = [(p.first, p.last) for p in periods if p.first is not None and p.last is not None]
    if len(ends) == len(periods) == 2 and asked:
        wanted = 0.1 if differences(scene) else -0.05
        for before, now, less in compared_days(ends, "change", scene.lattice.question.today):
            compared = changes(expr, ref, before, now)[:3]
            for shown, query, _ in _beside(
                scene, replace(grown, prior=grown.prior + less + wanted), compared, figure.table
            ):
                yield shown, query
    grains = {period.grain for period in periods}
    if len(grains) == 1 and (unit := _GRAINS.get(grains.pop())) is not None:
        key = Part(unit, Col(ref))
        beside = Query(select=(key, expr), where=(AnyOf(conds),), group=(key,), order=(Order(key),))
        yield grown, replace(beside, tables=(figure.table,))


def compared_days(ends: Sequence[Days], kind: str, today: date) -> Iterator[tuple[Days, Days, float]]:
    """The earlier and the later period, each pair with its worth.

    A later period that has not ended is compared with the whole earlier one, and with as much of it as has passed; a
    part of a year and another year with the same part of that.

    Args:
        ends: First and last days of the periods that are named; of one alone the one before it is compared.
        kind: ``change_year`` for the same period of the year before.
    """
    now = max(ends)
    before = min(ends) if len(ends) > 1 else previous(*now, kind)
    yield before, now, 0.0
    if now[0] <= today < now[1] or (now[1] == today and before[1] - before[0] > now[1] - now[0]):
        passed = min(now[1], today) - now[0]
        until = _same_day(before[0], now[0], min(now[1], today)) or before[0] + passed
        if until < before[1]:
            yield (before[0], until), now, 0.05 if kind == "change_year" else -0.1
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
    """Today in the earlier year, where both periods begin on one day of their years."""
    from kbtui.text.calendar import add_months

    is_year = (before.month, before.day) == (now.month, now.day)
    return add_months(today, 12 * (before.year - now.year)) if is_year else None


def changes(expr: Agg, ref: Ref, before: Days, now: Days) -> tuple[Expr, ...]:
    """The figure of both periods, its difference and its change in percent, a column each."""
    earlier, later = (figure_in(expr, ref, days) for days in (before, now))
    difference = Arith("-", later, earlier)
    return earlier, later, difference, percent(Arith("/", difference, earlier))


def figure_in(expr: Agg, ref: Ref, days: Days) -> Agg:
    """The figure of the rows of a period."""
    return replace(expr, where=(*expr.where, period_cond(Col(ref), *days)))
