"""Edits of what rows a statement is about: conditions replaced, added, dropped, turned round; periods moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

from kbtui.nl2sql.conditions import bound, inverse, literal, period_cond
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.edit_state import Edit, EditScene, base_table
from kbtui.nl2sql.query import AnyOf, Col, Cond, Expr, Part, Query, Ref, refs_of
from kbtui.nl2sql.rewriting import aggs_of, all_conds, map_conds
from kbtui.question.model import Period

_VALUED: Final = ("=", "!=", "in", "not in", "like", "not like")
_COMPARING: Final = (">", ">=", "<", "<=", "between", "=", "!=")


def conditions(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """The conditions that the follow-up names take their places in the tree."""
    edits = [replace(edit, draft=replace(edit.draft, where=()))]
    for cond in edit.draft.where:
        edits = [grown for each in edits for grown in _placed(scene, each, cond)]
    for each in edits:
        for moved in _periods(scene, each):
            yield from _figures_compared(scene, moved)


def _placed(scene: EditScene, edit: Edit, cond: Cond | AnyOf) -> Iterator[Edit]:
    """In place of the conditions on the same column, or beside the others."""
    if isinstance(cond, AnyOf):
        yield edit.to(_with(edit.query, cond), "filter")
        return
    known = [old for old in all_conds(edit.query) if old.left == cond.left and old != cond]
    also = scene.free_cue(edit, "also")
    if not known:
        yield edit.to(_with(edit.query, cond), "filter", worth=0.0)
        if (inside := _with_inside(edit.query, cond)) is not None:
            yield edit.to(inside, "filter", worth=-0.05)
        return
    joined = _joined(known[-1], cond) if also is not None else None
    if joined is not None:
        yield edit.using("operator", also).to(_exchanged(edit.query, known, joined), "filter", worth=0.25)
    negated = cond.op in ("!=", "not in")
    same = negated and known[-1].op in ("=", "in")
    yield edit.to(_exchanged(edit.query, known, cond), "filter", worth=0.0 if negated and not same else 0.2)
    if negated:
        yield edit.to(_with(edit.query, cond), "filter", worth=0.1)


def _joined(old: Cond, new: Cond) -> Cond | None:
    """One condition for the values of both."""
    if old.op not in ("=", "in") or new.op not in ("=", "in"):
        return None
    values = tuple(dict.fromkeys((*_values(old), *_values(new))))
    return Cond(new.left, "in", values)


def _values(cond: Cond) -> tuple[Any, ...]:
    return cond.right if isinstance(cond.right, tuple) else (cond.right,)


def _exchanged(query: Query, old: list[Cond], new: Cond) -> Query:
    """The new condition in place of the first of the old ones; the others are gone."""
    first = old[-1]
    return map_conds(query, lambda cond: new if cond == first else None if cond in old else cond)


def _with(query: Query, cond: Cond | AnyOf) -> Query:
    """With one more condition on the rows that its figures are made of."""
    if query.inner is not None:
        return replace(query, inner=_with(query.inner, cond))
    other = None if query.other is None else _with(query.other, cond)
    return replace(query, where=(*query.where, cond), other=other)


def _with_inside(query: Query, cond: Cond) -> Query | None:
    """With one more condition inside the nested statement that reads its table; None without such a one."""
    tables = {ref.table for ref in refs_of(cond.left)}
    done: list[Cond] = []

    def grown(old: Cond) -> Cond:
        if isinstance(old.right, Query) and tables <= set(old.right.used_tables()):
            done.append(old)
            return replace(old, right=replace(old.right, where=(*old.right.where, cond)))
        return old

    changed = map_conds(query, grown)
    return changed if done else None


# Periods ----------------------------------------------------------------------------------------------------------


def is_dated(scene: EditScene, cond: Cond) -> bool:
    """Whether it says when: a date column, or a part of one, compared with literals."""
    if isinstance(cond.right, Query | Col):
        return False
    left = cond.left
    if isinstance(left, Part):
        return left.unit in ("year", "quarter", "month", "week", "day", "month_of_year")
    info = scene.info(left.ref) if isinstance(left, Col) else None
    return info is not None and (info.kind == "date" or info.encoding == "date") and cond.op not in ("null", "not null")


def _periods(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """The period of the follow-up in place of the one before, or as a condition on the likeliest date column."""
    known = [cond for cond in all_conds(edit.query) if is_dated(scene, cond)]
    if (shift := scene.free_cue(edit, "shift")) is not None and known:
        moved = _shifted(known, scene[shift].cue.args)  # type: ignore[union-attr]
        if moved is not None:
            yield edit.using("filter", shift).to(_exchanged(edit.query, known, moved), "period", worth=0.3)
            return
    if not edit.draft.periods:
        yield edit
        return
    free = edit.draft.periods
    cleared = replace(edit, draft=replace(edit.draft, periods=())).using("filter", *free)
    periods = [period for i in free if (period := scene[i].period) is not None]
    if known:
        column = _dated_column(known[-1])
        for rank, spans in enumerate(_anchored(periods, known)):
            conds = tuple(period_cond(column, *span) for span in spans)
            new: Cond | AnyOf = conds[0] if len(conds) == 1 else AnyOf(conds)
            if len(conds) == 1:
                query = _exchanged(edit.query, known, conds[0])
            else:
                query = _with(map_conds(edit.query, lambda cond: None if cond in known else cond), new)
            yield cleared.to(query, "period", worth=0.2 - 0.1 * rank)
        return
    if (inside := _period_inside(scene, edit.query, periods)) is not None:
        yield cleared.to(inside, "period", worth=0.1)
    target = edit.query.inner if edit.query.inner is not None else edit.query
    grouped = [key.arg for key in target.group if isinstance(key, Part)]
    if grouped:
        conds = tuple(period_cond(grouped[0], *span) for span in _spans(periods))
        yield cleared.to(_with(edit.query, conds[0] if len(conds) == 1 else AnyOf(conds)), "period", worth=0.1)
        return
    for draft, query in bound(scene, edit.draft, target):
        whole = query if target is edit.query else replace(edit.query, inner=query)
        yield Edit(edit.query, replace(draft, periods=()), edit.kinds).to(whole, "period")


def _period_inside(scene: EditScene, query: Query, periods: list[Period]) -> Query | None:
    """With the period as a condition on what somebody did or never did: inside the nested statement."""
    done: list[Cond] = []

    def grown(old: Cond) -> Cond:
        if not isinstance(old.right, Query):
            return old
        ref = next(scene.dates(old.right.used_tables()), None)
        if ref is None:
            return old
        done.append(old)
        conds = tuple(period_cond(Col(ref), *span) for span in _spans(periods))
        new: Cond | AnyOf = conds[0] if len(conds) == 1 else AnyOf(conds)
        return replace(old, right=replace(old.right, where=(*old.right.where, new)))

    changed = map_conds(query, grown)
    return changed if done else None


def _spans(periods: list[Period]) -> list[tuple[date | None, date | None]]:
    return [(period.first, period.last) for period in periods]


def _anchored(periods: list[Period], known: list[Cond]) -> Iterator[list[tuple[date | None, date | None]]]:
    """The days meant, likeliest first: ``in march`` after a question about 2025 is March of that year."""
    spans = _spans(periods)
    years = _years(known)
    if len(periods) == 1 and len(years) == 1 and _leaves_year_open(periods[0]):
        first, last = spans[0]
        year = years.pop()
        if first is not None and last is not None and first.year != year:
            moved = first.replace(year=year), _same_day(last, year + last.year - first.year)
            yield [moved]
    yield spans


def _leaves_year_open(period: Period) -> bool:
    """A month or a quarter by name: no year is written, and nothing counts it from today."""
    from kbtui.question.follow_words import is_relative

    digits = any(len(run) == 4 for run in _runs_of_digits(period.words))
    return period.grain in ("month", "quarter", "day") and not digits and not is_relative(period.words)


def _runs_of_digits(text: str) -> list[str]:
    return "".join(char if char.isdigit() else " " for char in text).split()


def _years(known: list[Cond]) -> set[int]:
    """Years that the conditions before lie in."""
    years: set[int] = set()
    for cond in known:
        for value in _values(cond):
            if isinstance(value, date):
                years.add(value.year)
            elif isinstance(cond.left, Part) and cond.left.unit == "year" and isinstance(value, int | float):
                years.add(int(value))
    return years


def _dated_column(cond: Cond) -> Expr:
    return cond.left.arg if isinstance(cond.left, Part) else cond.left


def _shifted(known: list[Cond], args: Any) -> Cond | None:
    """The days of the conditions before, moved by years, quarters, months or their own length."""
    ends = [value for cond in known for value in _values(cond) if isinstance(value, date)]
    years = _years(known)
    if len(ends) < 2 and not (len(years) == 1 and not ends):
        return None
    first, last = (min(ends), max(ends)) if ends else (date(min(years), 1, 1), date(min(years), 12, 31))
    return period_cond(_dated_column(known[-1]), *moved_period(first, last, args.get("unit", ""), int(args["by"])))


def moved_period(first: date, last: date, unit: str, by: int) -> tuple[date, date]:
    """A period moved by so many units; without a unit by its own length. Whole months stay whole."""
    from kbtui.text.calendar import add_months

    whole = first.day == 1 and (last + timedelta(days=1)).day == 1
    if unit in ("week", "day") or (not unit and not whole):
        step = timedelta(days={"week": 7, "day": 1}.get(unit, (last - first).days + 1)) * by
        return first + step, last + step
    months = {"year": 12, "quarter": 3, "month": 1}.get(unit)
    if months is None:
        months = (last.year - first.year) * 12 + last.month - first.month + 1
    start, end = add_months(first, months * by), add_months(last, months * by)
    return (start, add_months(last + timedelta(days=1), months * by) - timedelta(days=1)) if whole else (start, end)


def _same_day(day: date, year: int) -> date:
    from kbtui.text.calendar import add_months

    return add_months(day, (year - day.year) * 12)


# Numbers ----------------------------------------------------------------------------------------------------------


def _figures_compared(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``above 20?``: the number in place of the one before, or a condition on the figure that is shown."""
    cue = scene.free_cue(edit, "compare")
    numbers = edit.draft.free(scene.cover.indexes("number"))
    if not numbers or (cue is None and not _may_be_compared(scene, edit)):
        yield edit
        return
    number = numbers[0] if cue is None else nearest(scene.cover, cue, numbers, most=3)
    if number is None:
        yield edit
        return
    known = [cond for cond in all_conds(edit.query) if _compares(scene, cond)]
    operator = None if cue is None else scene[cue].cue
    if known:
        old = known[-1]
        ref = next(iter(refs_of(old.left)), Ref("", ""))
        op = old.op if operator is None else operator.args.get("op", ">")
        new = _number_cond(scene, op, old.left, ref, number, numbers)
        if new is not None:
            used = edit.using("operator", cue).using("filter", number, *(numbers if op == "between" else ()))
            yield used.to(_exchanged(edit.query, [old], new), "filter", worth=0.25 if cue is not None else 0.1)
    elif operator is not None:
        yield from _newly_compared(scene, edit, cue, number, numbers)
    yield edit


def _may_be_compared(scene: EditScene, edit: Edit) -> bool:
    """A bare number, which nothing else of the follow-up is about."""
    return scene.free_cue(edit, "top", "most", "order", "list") is None and not edit.kinds


def _newly_compared(scene: EditScene, edit: Edit, cue: int | None, number: int, numbers: list[int]) -> Iterator[Edit]:
    operator = None if cue is None else scene[cue].cue
    op = ">" if operator is None else operator.args.get("op", ">")
    used = edit.using("operator", cue).using("having", number, *(numbers if op == "between" else ()))
    aggs = aggs_of(edit.query)
    if edit.query.group and aggs:
        new = _number_cond(scene, op, aggs[-1], Ref("", ""), number, numbers)
        if new is not None:
            yield used.to(replace(edit.query, having=(*edit.query.having, new)), "filter", worth=0.1)
        return
    shown = [e.ref for e in edit.query.select if isinstance(e, Col)]
    shown += [agg.arg.ref for agg in aggs if isinstance(agg.arg, Col)]
    for ref in [ref for ref in shown if (info := scene.info(ref)) is not None and info.kind in ("measure", "rate")][:2]:
        new = _number_cond(scene, op, Col(ref), ref, number, numbers)
        if new is not None:
            yield used.to(_with(edit.query, new), "filter", worth=-0.05)


def _number_cond(scene: EditScene, op: Any, left: Expr, ref: Ref, number: int, numbers: list[int]) -> Cond | None:
    if op != "between":
        return Cond(left, op, literal(scene, number, ref))
    if len(numbers) < 2:
        return None
    return Cond(left, "between", tuple(sorted(literal(scene, i, ref) for i in numbers[:2])))


def _compares(scene: EditScene, cond: Cond) -> bool:
    numbers = [value for value in _values(cond) if isinstance(value, int | float) and not isinstance(value, bool)]
    return cond.op in _COMPARING and bool(numbers) and not is_dated(scene, cond)


# Dropping and turning round ---------------------------------------------------------------------------------------


def dropped(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``for all regions``, ``overall``: conditions, groups or a limit given up."""
    cue = scene.free_cue(edit, "all")
    if cue is None:
        yield edit
        return
    named = [i for i in edit.draft.free((*scene.columns, *scene.tables)) if gap(scene.cover, cue, i) <= 1]
    for index in named[:2]:
        ref = scene[index].ref
        assert ref is not None
        query = map_conds(edit.query, lambda cond, ref=ref: None if _is_of(cond, ref) else cond)  # type: ignore[misc]
        if query != edit.query:
            yield edit.using("operator", cue).using("filter", index).to(query, "drop", worth=0.3)
        table = edit.query.used_tables()
        if ref.column == "*" and ref.table in table and edit.query.where:
            bare = replace(edit.query, where=())
            yield edit.using("operator", cue).using("subject", index).to(bare, "drop", worth=0.2)
    operator = scene[cue].cue
    what = operator.args.get("what", "") if operator is not None else ""
    used = edit.using("operator", cue)
    if what == "time":
        query = map_conds(edit.query, lambda cond: None if is_dated(scene, cond) else cond)
        if query != edit.query:
            yield used.to(query, "drop", worth=0.3)
        return
    if edit.query.limit is not None and edit.query.order:
        yield used.to(replace(edit.query, limit=None), "limit", worth=0.05)
    if edit.query.where:
        yield used.to(replace(edit.query, where=()), "drop", worth=0.1)
        timed = tuple(c for c in edit.query.where if isinstance(c, Cond) and is_dated(scene, c))
        if timed and len(timed) < len(edit.query.where):
            yield used.to(replace(edit.query, where=timed), "drop", worth=0.12)
    if edit.query.group and (aggs := aggs_of(edit.query)):
        whole = replace(edit.query, select=aggs, group=(), order=(), limit=None, having=(), per=())
        yield used.to(whole, "group", worth=0.2 if not edit.query.where else 0.08)
    yield edit


def _is_of(cond: Cond, ref: Ref) -> bool:
    refs = tuple(refs_of(cond.left))
    return any(own == ref or (ref.column == "*" and own.table == ref.table) for own in refs)


def absent(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``and those who never ordered``: rows of a list that no row of another table refers to."""
    cue = scene.free_cue(edit, "never", "not")
    if cue is None or aggs_of(edit.query) or edit.query.group:
        yield edit
        return
    table = base_table(scene, edit.query)
    for index in edit.draft.free(scene.tables):
        ref = scene[index].ref
        pair = None if ref is None else scene.referring(ref.table, table)
        if ref is None or pair is None:
            continue
        inner = Query(select=(Col(pair[0]),), tables=(ref.table,))
        cond = Cond(Col(pair[1]), "not in", inner)
        used = edit.using("operator", *scene.cues("never", "not")).using("filter", index)
        yield used.to(_with(edit.query, cond), "filter", worth=0.25)
    yield edit


def turned_round(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``and those who didn't``, ``the others``: the last condition the other way round."""
    cue = scene.free_cue(edit, "rest", "never", "not", "other")
    if cue is None or edit.kinds:
        yield edit
        return
    known = [cond for cond in all_conds(edit.query) if not is_dated(scene, cond) and cond.op != "between"]
    outer = [cond for cond in known if cond in edit.query.where] or known
    extra = scene.cues("rest", "never", "not", "other")
    for rank, old in enumerate(reversed(outer)):
        query = map_conds(edit.query, lambda cond, old=old: inverse(cond) if cond == old else cond)  # type: ignore[misc]
        yield edit.using("operator", *extra).to(query, "negate", worth=0.25 - 0.1 * rank)
    yield edit
