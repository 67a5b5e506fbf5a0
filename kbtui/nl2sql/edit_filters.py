"""Edits of what rows a statement is about: conditions replaced, added, dropped, turned round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import inverse
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.edit_periods import is_dated, periods
from kbtui.nl2sql.edit_state import Edit, EditScene, base_table
from kbtui.nl2sql.number_literals import literal
from kbtui.nl2sql.query import AnyOf, Col, Cond, Expr, Query, Ref, refs_of
from kbtui.nl2sql.rewriting import aggs_of, all_conds, exchanged, map_conds, with_cond, with_cond_inside
from kbtui.nl2sql.shape import literals_of

_COMPARING: Final = (">", ">=", "<", "<=", "between", "=", "!=")


def conditions(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """The conditions that the follow-up names take their places in the tree."""
    edits = [replace(edit, draft=replace(edit.draft, where=()))]
    for cond in edit.draft.where:
        edits = [grown for each in edits for grown in _placed(scene, each, cond)]
    for each in edits:
        for moved in periods(scene, each):
            yield from _figures_compared(scene, moved)


def _placed(scene: EditScene, edit: Edit, cond: Cond | AnyOf) -> Iterator[Edit]:
    """In place of the conditions on the same column, or beside the others."""
    if isinstance(cond, AnyOf):
        yield edit.to(with_cond(edit.query, cond), "filter")
        return
    known = [old for old in all_conds(edit.query) if old.left == cond.left and old != cond]
    also = scene.first_free(edit.draft, "also")
    if not known:
        yield edit.to(with_cond(edit.query, cond), "filter", worth=0.0)
        if (inside := _with_inside(edit.query, cond)) is not None:
            yield edit.to(inside, "filter", worth=-0.05)
        return
    joined = _joined(known[-1], cond) if also is not None else None
    if joined is not None:
        yield edit.using("operator", also).to(exchanged(edit.query, known, joined), "filter", worth=0.25)
    negated = cond.op in ("!=", "not in")
    same = negated and known[-1].op in ("=", "in")
    yield edit.to(exchanged(edit.query, known, cond), "filter", worth=0.0 if negated and not same else 0.2)
    if negated:
        yield edit.to(with_cond(edit.query, cond), "filter", worth=0.1)


def _joined(old: Cond, new: Cond) -> Cond | None:
    """One condition for the values of both."""
    if old.op not in ("=", "in") or new.op not in ("=", "in"):
        return None
    values = tuple(dict.fromkeys((*literals_of(old), *literals_of(new))))
    return Cond(new.left, "in", values)


def _with_inside(query: Query, cond: Cond) -> Query | None:
    """With one more condition inside the nested statement that reads its table; None without such a one."""
    tables = {ref.table for ref in refs_of(cond.left)}
    return with_cond_inside(query, lambda inner: cond if tables <= set(inner.used_tables()) else None)


# Numbers ----------------------------------------------------------------------------------------------------------


def _figures_compared(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``above 20?``: the number in place of the one before, or a condition on the figure that is shown."""
    cue = scene.first_free(edit.draft, "compare")
    numbers = edit.draft.free(scene.cover.indexes("number"))
    if not numbers or (cue is None and not _may_be_compared(scene, edit)):
        yield edit
        return
    number = numbers[0] if cue is None else nearest(scene.cover, cue, numbers, most=3)
    if number is None:
        yield edit
        return
    known = [cond for cond in all_conds(edit.query) if _compares(scene, cond)]
    operator = scene.operator(cue)
    if known:
        old = known[-1]
        ref = next(iter(refs_of(old.left)), Ref("", ""))
        op = old.op if operator is None else operator.args.get("op", ">")
        new = _number_cond(scene, op, old.left, ref, number, numbers)
        if new is not None:
            used = edit.using("operator", cue).using("filter", number, *(numbers if op == "between" else ()))
            yield used.to(exchanged(edit.query, [old], new), "filter", worth=0.25 if cue is not None else 0.1)
    elif operator is not None:
        yield from _newly_compared(scene, edit, cue, number, numbers)
    yield edit


def _may_be_compared(scene: EditScene, edit: Edit) -> bool:
    """A bare number, which nothing else of the follow-up is about."""
    return scene.first_free(edit.draft, "top", "most", "order", "list") is None and not edit.kinds


def _newly_compared(scene: EditScene, edit: Edit, cue: int | None, number: int, numbers: list[int]) -> Iterator[Edit]:
    operator = scene.operator(cue)
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
            yield used.to(with_cond(edit.query, new), "filter", worth=-0.05)


def _number_cond(scene: EditScene, op: Any, left: Expr, ref: Ref, number: int, numbers: list[int]) -> Cond | None:
    if op != "between":
        return Cond(left, op, literal(scene, number, ref))
    if len(numbers) < 2:
        return None
    return Cond(left, "between", tuple(sorted(literal(scene, i, ref) for i in numbers[:2])))


def _compares(scene: EditScene, cond: Cond) -> bool:
    numbers = [value for value in literals_of(cond) if isinstance(value, int | float) and not isinstance(value, bool)]
    return cond.op in _COMPARING and bool(numbers) and not is_dated(scene, cond)


# Dropping and turning round ---------------------------------------------------------------------------------------


def dropped(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``for all regions``, ``overall``: conditions, groups or a limit given up."""
    cue = scene.first_free(edit.draft, "all")
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
    cue = scene.first_free(edit.draft, "never", "not")
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
        yield used.to(with_cond(edit.query, cond), "filter", worth=0.25)
    yield edit


def turned_round(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``and those who didn't``, ``the others``: the last condition the other way round."""
    cue = scene.first_free(edit.draft, "rest", "never", "not", "other")
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
