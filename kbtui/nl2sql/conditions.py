"""Conditions of a draft: from values, states, comparisons, empty columns and days of the week.

What can be read in several ways gives several drafts: a number compared may be a figure of rows or of groups, a
negation may turn a condition round or ask for what has no row at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.case_folding import case_folded
from kbtui.nl2sql.comparisons import compared_drafts, value_cond
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.interval_conditions import holds_years, in_years, overlapping, still_late
from kbtui.nl2sql.link_values import denials
from kbtui.nl2sql.query import INNER, Agg, AnyOf, Col, Cond, Expr, Operator, Part, Query, Ref, refs_of
from kbtui.text.calendar import add_months

_NEGATING: Final = ("not", "never", "other")
_REACH: Final = 3
"""Tokens between a negation and what it negates."""
_INVERSE: Final[dict[Operator, Operator]] = {
    "=": "!=", "!=": "=", ">": "<=", "<=": ">", "<": ">=", ">=": "<", "like": "not like", "not like": "like",
    "in": "not in", "not in": "in", "null": "not null", "not null": "null", "between": "between",
}  # fmt: skip
_NAMING: Final = ("name", "category", "code", "reference", "text")
_GIVEN: Final = -0.2
"""Worth of leaving out the rows without a value of a column that is spoken of."""
_CURRENT: Final = -0.05
"""Worth of leaving out what has ended, where the question speaks of now."""


def drafts(scene: Scene) -> Iterator[Draft]:
    """The conditions of a cover, in every way they can be read."""
    draft = Draft(prior=scene.cover.score, periods=tuple(scene.cover.indexes("period")))
    variants = [*_current(scene, _values(scene, draft))]
    variants = [grown for each in variants for grown in still_late(scene, each)]
    variants = [grown for each in variants for grown in _negated_columns(scene, each)]
    variants = [grown for each in variants for grown in _given_columns(scene, each)]
    variants = [_days(scene, each) for each in variants]
    for each in variants:
        for compared in compared_drafts(scene, each):
            yield compared
            yield from _either(scene, compared)


def _either(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """The last two conditions as alternatives, where an ``or`` stands in the question."""
    cue = scene.first_free(draft, "or")
    conds = [cond for cond in draft.where[-2:] if isinstance(cond, Cond)]
    if cue is not None and len(conds) == 2:
        merged = replace(draft, where=(*draft.where[:-2], AnyOf((conds[0], conds[1]))))
        yield merged.using("operator", cue, worth=0.2)


def _values(scene: Scene, draft: Draft) -> Draft:
    """Values and states; several values of one column are alternatives."""
    by_ref: dict[tuple[Ref, bool], list[int]] = {}
    for index in scene.cover.indexes("value"):
        ref = scene[index].ref
        assert ref is not None
        negation = _negation(scene, index)
        by_ref.setdefault((ref, negation is not None), []).append(index)
        draft = draft.using("operator", negation)
    for (ref, negated), indexes in by_ref.items():
        values = tuple(dict.fromkeys(value for index in indexes for value in scene[index].values))
        cond = value_cond(ref, values)
        draft = draft.filtered(inverse(cond) if negated else cond).using("filter", *indexes)
    states = list(scene.cover.indexes("state"))
    if len(states) > 1 and len({state.left for i in states if (state := scene[i].cond) is not None}) == 1:
        # Paid and unpaid at once are no condition: `groups` sets them side by side.
        return draft.trait("opposed_states")
    for index in states:
        condition = scene[index].cond
        assert condition is not None
        negation = _negation(scene, index)
        operator = scene.operator(negation)
        if operator is not None and operator.op == "never" and condition.op == "null":
            continue  # What was never lent out is not what came back.
        draft = draft.filtered(_turned(scene, condition) if negation is not None else condition)
        draft = draft.using("filter", index).using("operator", negation)
    return draft


def _turned(scene: Scene, cond: Cond) -> Cond:
    """The rows that are not in a state: of a column that says no besides further answers, those that say so."""
    info = scene.info(cond.left.ref) if isinstance(cond.left, Col) else None
    said_no = [] if info is None or cond.op != "=" else denials(info)
    return inverse(cond) if info is None or not said_no else value_cond(info.ref, tuple(said_no))


def inverse(cond: Cond) -> Cond:
    """The rows that the condition leaves out."""
    return replace(cond, op=_INVERSE[cond.op])


def _negation(scene: Scene, index: int) -> int | None:
    """The negating operator right before a mention, or right behind it where that stands before nothing else."""
    for cue in scene.cues(*_NEGATING):
        if cue < index:
            first = _with_name(scene, cue, index)
            is_its = gap(scene.cover, cue, first) <= _REACH and not _between(scene, cue, first)
        else:
            is_its = gap(scene.cover, cue, index) == 0 and not _stands_before(scene, cue)
        if is_its:
            return cue
    return None


def _with_name(scene: Scene, start: int, index: int) -> int:
    """The first mention behind ``start`` from which on words only name a value's column: ``not based in Delft``."""
    ref = scene[index].ref
    while ref is not None and index - 1 > start and scene[index - 1].ref == ref:
        index -= 1
    return index


def _stands_before(scene: Scene, cue: int) -> bool:
    """Whether an operator has something behind it that it can be about: chess *but not* yoga."""
    if scene.lattice.question.language == "zh":
        return False
    behind = range(cue + 1, len(scene.cover.mentions))
    return any(scene[i].kind in ("value", "state") and gap(scene.cover, cue, i) <= _REACH for i in behind)


def _between(scene: Scene, first: int, second: int) -> bool:
    low, high = sorted((first, second))
    return any(scene[i].kind in ("value", "state", "column") for i in range(low + 1, high))


def _negated_columns(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``no email``, ``mark missing``: rows without a value; the other reading leaves the words to what follows."""
    cues = draft.free(scene.cues("null", "not", "never"))
    grown = draft
    for cue in cues:
        columns = [i for i in draft.free(scene.columns) if not scene[i].order]
        operator = scene[cue].cue
        assert operator is not None
        column = nearest(scene.cover, cue, columns, most=4)
        info = None if column is None else scene.column(column)
        if info is None or (info.nulls == 0 and operator.op != "null"):
            if operator.op == "null":
                yield from _any_empty(scene, draft, cue)
            continue
        empty = operator.args.get("is", True)
        grown = grown.filtered(Cond(Col(info.ref), "null" if empty else "not null"))
        grown = grown.using("filter", column).using("operator", cue)
    if grown is not draft:
        yield grown
        if all(scene[cue].cue.op == "null" for cue in cues):  # type: ignore[union-attr]
            return
    yield draft


def _given_columns(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``alarms per device``, ``who takes the bus``: a column that few rows fill stands for the rows that do."""
    yield draft
    for index in draft.free(scene.columns):
        info = scene.column(index)
        if info is not None and info.nulls > 0 and info.kind in _NAMING and not scene[index].order:
            given = draft.filtered(Cond(Col(info.ref), "not null"))
            yield given.trait("given_column", 1.0, worth=_GIVEN)
            return


def _current(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``how many people work here now``: of things that come and go, those that are still there."""
    yield draft
    if not any(cue.op == "now" for cue in scene.lattice.question.cues):
        return
    for name in scene.usual_tables()[:3]:
        for state in scene.table(name).states:
            if state.concept == "active" and state.holds and state.cond not in draft.where:
                yield draft.filtered(state.cond).trait("current_rows", 1.0, worth=_CURRENT)
                return


def _any_empty(scene: Scene, draft: Draft, cue: int) -> Iterator[Draft]:
    """``unassigned``, ``missing a value``: columns with empty cells that nothing names."""
    operator = scene[cue].cue
    assert operator is not None
    empty = operator.args.get("is", True)
    columns = [column for name in scene.spoken for column in scene.table(name).columns if column.nulls > 0]
    for column in columns[:3]:
        grown = draft.filtered(Cond(Col(column.ref), "null" if empty else "not null")).using("operator", cue)
        yield grown.trait("default_empty", 1.0, worth=-0.25)


def _days(scene: Scene, draft: Draft) -> Draft:
    """Weekends, working days, named weekdays and hours of the day; weekdays that are named together are either."""
    ref = next(scene.dates(dated_tables(scene)), None)
    if ref is None:
        return draft
    named: dict[bool, list[int]] = {}
    for index in draft.free(scene.cues("weekend", "workday", "weekday", "daytime")):
        cue = scene[index].cue
        assert cue is not None
        negation = _negation(scene, index)
        draft = draft.using("filter", index).using("operator", negation)
        if cue.op == "weekday":
            named.setdefault(negation is not None, []).extend(cue.args["days"])
            continue
        cond = _day_cond(cue.op, dict(cue.args), Col(ref))
        draft = draft.filtered(inverse(cond) if negation is not None else cond)
    for negated, days in named.items():
        cond = _day_cond("weekday", {"days": tuple(dict.fromkeys(days))}, Col(ref))
        draft = draft.filtered(inverse(cond) if negated else cond)
    return draft


def _day_cond(op: str, args: dict[str, Any], column: Expr) -> Cond:
    if op == "daytime":
        low, high = args["hours"]
        return Cond(Part("hour", column), "between", (low, high))
    days = {"weekend": (5, 6), "workday": (0, 1, 2, 3, 4)}.get(op) or tuple(args["days"])
    part = Part("weekday", column)
    return Cond(part, "=", days[0]) if len(days) == 1 else Cond(part, "in", days)


def dated_tables(scene: Scene) -> list[str]:
    """Tables with dates that a period may be about: spoken of, else those that refer to them, else any."""
    spoken = scene.usual_tables()
    dated = [name for name in spoken if scene.table(name).dates]
    if dated:
        return dated
    near = [child for name in spoken for child in scene.children(name) if scene.table(child).dates]
    near += [parent for name in spoken for parent in scene.parents(name) if scene.table(parent).dates]
    return near or [table.name for table in scene.catalogue.tables.values() if table.dates and not table.role_of]


def period_cond(expr: Expr, first: date | None, last: date | None) -> Cond:
    """The condition that a day lies within a period, both ends included."""
    if first is not None and last is not None:
        return Cond(expr, "between", (first, last))
    return Cond(expr, ">=", first) if first is not None else Cond(expr, "<=", last)


def bound(scene: Scene, draft: Draft, query: Query) -> Iterator[tuple[Draft, Query]]:
    """The statement with its periods as conditions on a date column, in the likeliest ways."""
    query = case_folded(query, scene.catalogue)
    if not draft.periods:
        yield draft, query
        return
    periods = [period for i in draft.periods if (period := scene[i].period) is not None]
    for rank, (ref, mention) in enumerate(_date_columns(scene, draft, query)):
        grown = draft.using("filter", mention, *draft.periods, worth=-0.12 * rank)
        if rank:
            grown = grown.trait("other_date", float(rank))
        info = scene.info(ref)
        if info is not None and holds_years(info):
            conds = in_years(scene.table(ref.table), ref, periods)
            if conds is not None:
                yield grown, query.narrowed(conds)
            continue
        yield grown, query.narrowed((spans(scene, draft.periods, Col(ref)),))
        conds = overlapping(scene.table(ref.table), periods[0], ref) if len(periods) == 1 else None
        if conds is not None:
            yield grown.trait("overlapping", 1.0, worth=-0.05), query.narrowed(conds)


def spans(scene: Scene, periods: tuple[int, ...], column: Expr) -> Cond | AnyOf:
    """One condition for all periods: any of them."""
    conds = []
    for index in periods:
        period = scene[index].period
        assert period is not None
        conds.append(period_cond(column, period.first, period.last))
    return conds[0] if len(conds) == 1 else AnyOf(tuple(conds))


def _date_columns(scene: Scene, draft: Draft, query: Query) -> list[tuple[Ref, int | None]]:
    """Date columns a period may be about: one beside it first, then those of the tables in use.

    A column that is shown is spoken of as well, one that is only ranked by (oldest) is not; one whose dates all lie
    before the period, or after it, is the last choice.
    """
    ranked: dict[Ref, int | None] = {}
    columns = [(i, info) for i in scene.columns if (info := scene.column(i)) is not None]
    dated = [(i, info.ref) for i, info in columns if info.kind == "date" or holds_years(info)]
    free = set(draft.free([i for i, _ in dated]))
    dated = [(i, ref) for i, ref in dated if i in free or not scene[i].order]
    for index, ref in sorted(
        dated, key=lambda each: (each[0] not in free, gap(scene.cover, each[0], draft.periods[0]))
    ):
        ranked.setdefault(ref, index if index in free else None)
    # Who quit this year: something that happened, and when.
    happened = frozenset(_happened(scene, draft))
    ranked |= {ref: ranked.get(ref) for ref in happened}
    used = _tables_of(query)
    for ref in scene.dates(used):
        ranked.setdefault(ref, None)
    for column in (column for name in used for column in scene.table(name).columns if holds_years(column)):
        ranked.setdefault(column.ref, None)
    if not ranked:
        near = [t for name in used for t in (*scene.children(name), *scene.parents(name))]
        ranked |= dict.fromkeys(scene.dates(near or list(scene.catalogue.tables)))
    days = [day for i in draft.periods if (each := scene[i].period) for day in (each.first, each.last) if day]
    return sorted(ranked.items(), key=lambda pair: pair[0] not in happened and _is_beyond(scene, pair[0], days))[:3]


def _is_beyond(scene: Scene, ref: Ref, days: Sequence[date]) -> bool:
    info = scene.info(ref)
    return info is not None and info.kind == "date" and bool(days) and info.is_beyond(days)


def _happened(scene: Scene, draft: Draft) -> Iterator[Ref]:
    """Dates of which a condition says that they are filled in, or that tell the same as a status: closed, and when."""
    for cond in draft.where:
        if not isinstance(cond, Cond) or not isinstance(cond.left, Col):
            continue
        states = scene.table(cond.left.ref.table).states
        named = {state.concept for state in states if state.holds and state.cond == cond}
        same = [state.cond for state in states if state.holds and state.concept in named]
        for told in (cond, *same):
            info = scene.info(told.left.ref) if told.op == "not null" and isinstance(told.left, Col) else None
            if info is not None and info.kind == "date":
                yield info.ref


def _tables_of(query: Query) -> list[str]:
    """Tables of a statement, those of its figures first: rows are counted by when they happened."""
    core = query.core
    figures = [ref.table for expr in core.select if isinstance(expr, Agg) for ref in _refs(expr)]
    return list(dict.fromkeys((*figures, *core.used_tables())))


def _refs(expr: Expr) -> Iterator[Ref]:
    return (ref for ref in refs_of(expr) if ref.table != INNER)


def previous(first: date, last: date, kind: str) -> tuple[date, date]:
    """The period before: of the same length, or the same days a year earlier."""
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    if kind == "change_year":
        return add_months(first, -12), add_months(last, -12)
    if first.day == 1 and (last + timedelta(days=1)).day == 1:
        return add_months(first, -months), first - timedelta(days=1)
    return first - (last - first) - timedelta(days=1), first - timedelta(days=1)
