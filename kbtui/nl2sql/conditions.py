"""Row conditions of a draft: from values, states, comparisons, missing values and days of the week.

Words with several readings give several drafts: a compared number may belong to rows or to groups, a negation may
invert a condition or ask for rows without related ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.case_folding import case_folded
from kbtui.nl2sql.comparisons import compared_drafts
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.date_formats import has_time
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.interval_conditions import holds_years, overdue_drafts, year_conds
from kbtui.nl2sql.link_values import negative_values
from kbtui.nl2sql.query import INNER, Agg, AnyOf, Col, Cond, Expr, Part, Query, Ref, equals, opposite_of, refs_of
from kbtui.nl2sql.spans import without_negation
from kbtui.text.calendar import add_months
from kbtui.text.inflection import root

_NEGATING: Final = ("not", "never", "other")
_MAX_GAP: Final = 3
"""Tokens between a negation and the mention that it negates, at most."""
_NAMING: Final = ("name", "category", "code", "reference", "text")
_NOT_NULL: Final = -0.2
"""Worth of leaving out rows without a value in a mentioned column."""
_FEW_FILLED: Final = 0.3
"""Share of empty values from which a column says what only some rows have: the medals among results."""
_MIN_ROWS: Final = 10
"""Rows of which such a share tells anything."""
_MOSTLY_NULL: Final = 0.1
_CURRENT: Final = -0.05
"""Worth of leaving out what has ended if the question says “now”."""


def drafts(scene: Scene) -> Iterator[Draft]:
    """The drafts of a cover, one for each way to read its conditions."""
    draft = Draft(prior=scene.cover.score, periods=tuple(scene.cover.indexes("period")))
    variants = [*_with_current(scene, _with_values(scene, draft))]
    variants = [changed for variant in variants for changed in overdue_drafts(scene, variant)]
    variants = [changed for variant in variants for changed in _negated_columns(scene, variant)]
    variants = [changed for variant in variants for changed in _non_null_columns(scene, variant)]
    variants = [replace(v, where=(*scene.directions, *v.where)) for v in (_with_days(scene, v) for v in variants)]
    for variant in variants:
        for compared in compared_drafts(scene, variant):
            yield compared
            yield from _with_alternatives(scene, compared)


def _with_alternatives(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """The last two conditions as alternatives, if the question has an ``or``."""
    cue = scene.first_free(draft, "or")
    conds = [cond for cond in draft.where[-2:] if isinstance(cond, Cond)]
    if cue is not None and len(conds) == 2:
        merged = replace(draft, where=(*draft.where[:-2], AnyOf((conds[0], conds[1]))))
        yield merged.using("operator", cue, worth=0.2)


def _with_values(scene: Scene, draft: Draft) -> Draft:
    """The draft with conditions for values and states; several values of one column are alternatives."""
    by_ref: dict[tuple[Ref, bool], list[int]] = {}
    for index in scene.cover.indexes("value"):
        ref = scene[index].ref
        assert ref is not None
        negation = None if _is_step_of(scene, index) else _negation(scene, index)
        by_ref.setdefault((ref, negation is not None), []).append(index)
        draft = draft.using("operator", negation)
    for (ref, negated), indexes in by_ref.items():
        values = tuple(dict.fromkeys(value for index in indexes for value in scene[index].values))
        cond = equals(ref, values)
        draft = draft.filtered(inverse(cond) if negated else cond).using("filter", *indexes)
    states = list(scene.cover.indexes("state"))
    if len(states) > 1 and len({state.left for i in states if (state := scene[i].cond) is not None}) == 1:
        # Opposite states cancel out as conditions; `groups` compares them.
        return draft.trait("opposed_states")
    for index in states:
        condition = scene[index].cond
        assert condition is not None
        negation = _negation(scene, index)
        operator = scene.operator(negation)
        if operator is not None and operator.op == "never" and condition.op == "null":
            continue  # “Never lent out” is not the negation of “returned”.
        draft = draft.filtered(_negated_state(scene, condition) if negation is not None else condition)
        draft = draft.using("filter", index).using("operator", negation)
    return draft


def _is_step_of(scene: Scene, index: int) -> bool:
    """Whether a value is a step of what the words say: nobody who 处理 a ticket is not all that is not 处理中."""
    words = scene.lattice.question.words(scene[index].span)
    return all(value in (f"{words}中", f"正在{words}", f"待{words}", f"已{words}") for value in scene[index].values)


def _negated_state(scene: Scene, cond: Cond) -> Cond:
    """The negation of a state; for a column with values that mean no, the rows with those."""
    info = scene.info(cond.left.ref) if isinstance(cond.left, Col) else None
    no_values = [] if info is None or cond.op != "=" else negative_values(info)
    return inverse(cond) if info is None or not no_values else equals(info.ref, tuple(no_values))


def inverse(cond: Cond) -> Cond:
    """The condition that holds for the rows that do not meet this one; a range is left as it is."""
    return opposite_of(cond) or cond


def _negation(scene: Scene, index: int) -> int | None:
    """The negating operator directly before a mention, or directly after it if nothing else follows that."""
    for cue in scene.cues(*_NEGATING):
        if cue < index:
            first = _first_of_name(scene, cue, index)
            applies = gap(scene.cover, cue, first) <= _MAX_GAP and not _has_mention_between(scene, cue, first)
        else:
            applies = gap(scene.cover, cue, index) == 0 and not _precedes_condition(scene, cue)
        if applies:
            return cue
    return None


def _first_of_name(scene: Scene, start: int, index: int) -> int:
    """The first mention after ``start`` of those that only name the value's column: ``not based in Delft``."""
    ref = scene[index].ref
    while ref is not None and index - 1 > start and scene[index - 1].ref == ref:
        index -= 1
    return index


def _precedes_condition(scene: Scene, cue: int) -> bool:
    """Whether a value or state follows an operator that it can negate: chess *but not* yoga."""
    if scene.lattice.question.language == "zh":
        return False
    following = range(cue + 1, len(scene.cover.mentions))
    return any(scene[i].kind in ("value", "state") and gap(scene.cover, cue, i) <= _MAX_GAP for i in following)


def _has_mention_between(scene: Scene, first: int, second: int) -> bool:
    low, high = sorted((first, second))
    return any(scene[i].kind in ("value", "state", "column") for i in range(low + 1, high))


def _negated_columns(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Rows without a value: ``no email``, ``mark missing``; the unchanged draft leaves the words to later stages."""
    cues = draft.free(scene.cues("null", "not", "never"))
    new_draft = draft
    for cue in cues:
        columns = [i for i in draft.free(scene.columns) if not scene[i].order]
        operator = scene[cue].cue
        assert operator is not None
        column = nearest(scene.cover, cue, columns, most=4)
        info = None if column is None else scene.column(column)
        if info is None or info.kind == "key" or (info.nulls == 0 and operator.op != "null"):
            if operator.op == "null":
                yield from _with_empty_columns(scene, draft, cue)
            continue
        empty = operator.args.get("is", True)
        new_draft = new_draft.filtered(Cond(Col(info.ref), "null" if empty else "not null"))
        new_draft = new_draft.using("filter", column).using("operator", cue)
    if new_draft is not draft:
        yield new_draft
        if all(scene[cue].cue.op == "null" for cue in cues):  # type: ignore[union-attr]
            return
    yield draft


def _non_null_columns(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Rows with a value in a mentioned column that is often empty: ``alarms per device``, ``who takes the bus``."""
    yield draft
    for index in draft.free(scene.columns):
        info = scene.column(index)
        if info is not None and info.nulls > 0 and info.kind in _NAMING and not scene[index].order:
            new_draft = draft.filtered(Cond(Col(info.ref), "not null"))
            is_sparse = info.nulls >= _FEW_FILLED and scene.table(info.ref.table).rows >= _MIN_ROWS
            worth = _MOSTLY_NULL if is_sparse else _NOT_NULL
            yield new_draft.trait("given_column", 1.0, worth=worth)
            return


def _with_current(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Rows in the active state, for questions with “now”: ``how many people work here now``."""
    yield draft
    if not any(cue.op == "now" for cue in scene.lattice.question.cues):
        return
    for name in scene.usual_tables()[:3]:
        for state in scene.table(name).states:
            if state.concept == "active" and state.holds and state.cond not in draft.where:
                yield draft.filtered(state.cond).trait("current_rows", 1.0, worth=_CURRENT)
                return


def _with_empty_columns(scene: Scene, draft: Draft, cue: int) -> Iterator[Draft]:
    """Rows with an empty cell in a column that is not named: ``unassigned``, ``missing a value``."""
    operator = scene[cue].cue
    assert operator is not None
    empty = operator.args.get("is", True)
    tables = map(scene.table, scene.mentioned_tables)
    columns = [column for table in tables for column in table.columns if column.nulls > 0 and column.kind != "key"]
    stem = root(without_negation(scene.lattice.question.words(operator.span).lower()))
    # What is unassigned lacks an assignee, if there is such a column.
    columns.sort(key=lambda column: not (stem and any(word.startswith(stem) for word in column.words)))
    for column in columns[:3]:
        new_draft = draft.filtered(Cond(Col(column.ref), "null" if empty else "not null")).using("operator", cue)
        yield new_draft.trait("default_empty", 1.0, worth=-0.25)


def _with_days(scene: Scene, draft: Draft) -> Draft:
    """The draft with weekends, working days, weekdays and hours as conditions; several weekdays are alternatives."""
    dates = list(scene.dates(tables_with_dates(scene)))
    if not dates:
        return draft
    ref = dates[0]
    timed = next((date for date in dates if (info := scene.info(date)) is not None and has_time(info)), None)
    weekdays: dict[bool, list[int]] = {}
    for index in draft.free(scene.cues("weekend", "workday", "weekday", "daytime")):
        cue = scene[index].cue
        assert cue is not None
        if cue.op == "daytime" and timed is None:
            continue  # Days without a time of day have no nights: the words stay unread.
        negation = _negation(scene, index)
        draft = draft.using("filter", index).using("operator", negation)
        if cue.op == "weekday":
            weekdays.setdefault(negation is not None, []).extend(cue.args["days"])
            continue
        cond = _day_cond(cue.op, dict(cue.args), Col(timed or ref))
        draft = draft.filtered(inverse(cond) if negation is not None else cond)
    for negated, days in weekdays.items():
        cond = _day_cond("weekday", {"days": tuple(dict.fromkeys(days))}, Col(ref))
        draft = draft.filtered(inverse(cond) if negated else cond)
    return draft


def _day_cond(op: str, args: dict[str, Any], column: Expr) -> Cond:
    if op == "daytime":
        first, end = args["hours"]
        hour = Part("hour", column)
        if first > end:
            return Cond(hour, "in", (*range(first, 24), *range(end)))
        return Cond(hour, "between", (first, end - 1))
    days = {"weekend": (5, 6), "workday": (0, 1, 2, 3, 4)}.get(op) or tuple(args["days"])
    part = Part("weekday", column)
    return Cond(part, "=", days[0]) if len(days) == 1 else Cond(part, "in", days)


def tables_with_dates(scene: Scene) -> list[str]:
    """Tables with dates that a period may apply to: mentioned ones, else related ones, else all."""
    tables = scene.usual_tables()
    with_dates = [name for name in tables if scene.table(name).dates]
    if with_dates:
        return with_dates
    related = [child for name in tables for child in scene.children(name) if scene.table(child).dates]
    related += [parent for name in tables for parent in scene.parents(name) if scene.table(parent).dates]
    return related or [table.name for table in scene.catalogue.tables.values() if table.dates and not table.role_of]


def period_cond(expr: Expr, first: date | None, last: date | None) -> Cond:
    """The condition that a day lies in a period, both ends included; a missing end is open."""
    if first is not None and last is not None:
        return Cond(expr, "between", (first, last))
    return Cond(expr, ">=", first) if first is not None else Cond(expr, "<=", last)


def with_periods(scene: Scene, draft: Draft, query: Query) -> Iterator[tuple[Draft, Query]]:
    """The statement with its periods as conditions on a date column, for the most likely columns."""
    query = case_folded(query, scene.catalogue)
    if not draft.periods:
        yield draft, query
        return
    periods = [period for i in draft.periods if (period := scene[i].period) is not None]
    for rank, (ref, mention) in enumerate(_date_columns(scene, draft, query)):
        new_draft = draft.using("filter", mention, *draft.periods, worth=-0.12 * rank)
        if rank:
            new_draft = new_draft.trait("other_date", float(rank))
        column = scene.info(ref)
        if column is not None and holds_years(column):
            conds = year_conds(scene.table(ref.table), ref, periods)
            if conds is not None:
                yield new_draft, query.narrowed(conds)
            continue
        days = any_period(Col(ref), ((period.first, period.last) for period in periods))
        yield new_draft, query.narrowed((days,))


def any_period(column: Expr, periods: Iterable[tuple[date | None, date | None]]) -> Cond | AnyOf:
    """The condition that a day lies in one of several periods, given by their first and last days."""
    conds = tuple(period_cond(column, *period) for period in periods)
    return conds[0] if len(conds) == 1 else AnyOf(conds)


def _year_columns(scene: Scene, tables: Iterable[str]) -> Iterator[Ref]:
    return (column.ref for name in tables for column in scene.table(name).columns if holds_years(column))


def _is_birth(scene: Scene, ref: Ref) -> bool:
    column = scene.info(ref)
    return column is not None and "birth" in column.concepts


def _date_columns(scene: Scene, draft: Draft, query: Query) -> list[tuple[Ref, int | None]]:
    """Date columns that a period may apply to, with the positions of free mentions: mentioned ones first, then those of
    the tables in use.

    A column that is shown counts as mentioned, one that is only sorted by (oldest) does not; columns whose dates all
    lie before or all after the period come last.
    """
    ranked: dict[Ref, int | None] = {}
    columns = [(i, info) for i in scene.columns if (info := scene.column(i)) is not None]
    dated = [(i, info.ref) for i, info in columns if info.kind == "date" or holds_years(info)]
    free = set(draft.free([i for i, _ in dated]))
    dated = [(i, ref) for i, ref in dated if i in free or not scene[i].order]
    for index, ref in sorted(
        dated, key=lambda pair: (pair[0] not in free, gap(scene.cover, pair[0], draft.periods[0]))
    ):
        ranked.setdefault(ref, index if index in free else None)
    # “Who quit this year”: the condition is an event, and its date is meant.
    event_dates = frozenset(_event_dates(scene, draft))
    ranked |= {ref: ranked.get(ref) for ref in event_dates}
    tables = _tables_of(query)
    for ref in scene.dates(tables):
        ranked.setdefault(ref, None)
    ranked |= {ref: ranked.get(ref) for ref in _year_columns(scene, tables)}
    births = {ref for ref in ranked if ranked[ref] is None and _is_birth(scene, ref)}
    if births.issuperset(ranked):
        # Nothing but births: the medals of athletes in 2024 are those of games in that year.
        related = [t for name in tables for t in (*scene.children(name), *scene.parents(name))]
        related += [parent for name in related for parent in scene.parents(name)] if births else []
        related = [name for name in dict.fromkeys(related or scene.catalogue.tables) if name not in tables]
        others = dict.fromkeys((*scene.dates(related), *(_year_columns(scene, related) if births else ())))
        first: dict[Ref, int | None] = {ref: None for ref in others if not _is_birth(scene, ref)}
        ranked = first | ranked
    days = [day for i in draft.periods if (period := scene[i].period) for day in (period.first, period.last) if day]
    return sorted(ranked.items(), key=lambda pair: pair[0] not in event_dates and _is_beyond(scene, pair[0], days))[:3]


def _is_beyond(scene: Scene, ref: Ref, days: Sequence[date]) -> bool:
    info = scene.info(ref)
    return info is not None and info.kind == "date" and bool(days) and info.is_beyond(days)


def _event_dates(scene: Scene, draft: Draft) -> Iterator[Ref]:
    """Dates that a condition requires to be given, or that are equivalent to a status: closed, and when."""
    for cond in draft.where:
        if not isinstance(cond, Cond) or not isinstance(cond.left, Col):
            continue
        states = scene.table(cond.left.ref.table).states
        concepts = {state.concept for state in states if state.holds and state.cond == cond}
        equivalent = [state.cond for state in states if state.holds and state.concept in concepts]
        for condition in (cond, *equivalent):
            info = (
                scene.info(condition.left.ref)
                if condition.op == "not null" and isinstance(condition.left, Col)
                else None
            )
            if info is not None and info.kind == "date":
                yield info.ref


def _tables_of(query: Query) -> list[str]:
    """Tables of a statement, those of its figures first: periods apply to the rows that are counted."""
    core = query.core
    figures = [ref.table for expr in core.select if isinstance(expr, Agg) for ref in refs_of(expr)]
    return [table for table in dict.fromkeys((*figures, *core.used_tables())) if table != INNER]


def previous_period(first: date, last: date, kind: str) -> tuple[date, date]:
    """The period before: of the same length, or the same days a year earlier for ``change_year``."""
    months = (last.year - first.year) * 12 + last.month - first.month + 1
    if kind == "change_year":
        return add_months(first, -12), add_months(last, -12)
    if first.day == 1 and (last + timedelta(days=1)).day == 1:
        return add_months(first, -months), first - timedelta(days=1)
    return first - (last - first) - timedelta(days=1), first - timedelta(days=1)
