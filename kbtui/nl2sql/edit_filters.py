"""Edits of the rows that a statement is about: conditions replaced, added, removed, negated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import inverse
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.edit_periods import is_dated, period_edits
from kbtui.nl2sql.edit_state import Edit, EditScene
from kbtui.nl2sql.number_literals import literal
from kbtui.nl2sql.query import AnyOf, Col, Cond, Expr, Ref, refs_of
from kbtui.nl2sql.rewriting import aggs_of, all_conds, map_conds, with_cond, with_replaced_conds
from kbtui.nl2sql.shape import literals_of

_COMPARISONS: Final = (">", ">=", "<", "<=", "between", "=", "!=")


def condition_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that put the conditions, periods and compared numbers of the follow-up into the statement."""
    edits = [replace(edit, draft=replace(edit.draft, where=()))]
    for cond in edit.draft.where:
        edits = [changed for previous in edits for changed in _condition_edits(scene, previous, cond)]
    for changed in edits:
        for dated in period_edits(scene, changed):
            yield from _number_edits(scene, dated)


def _condition_edits(scene: EditScene, edit: Edit, cond: Cond | AnyOf) -> Iterator[Edit]:
    """Edits that put a condition in place of those on the same column, or beside the others."""
    if isinstance(cond, AnyOf):
        yield edit.to(with_cond(edit.query, cond), "filter")
        return
    replaced = [old for old in all_conds(edit.query) if old.left == cond.left and old != cond]
    also = scene.first_free(edit.draft, "also")
    if not replaced:
        yield edit.to(with_cond(edit.query, cond), "filter", worth=0.0)
        return
    joined = _merged_values(replaced[-1], cond) if also is not None else None
    if joined is not None:
        yield edit.using("operator", also).to(with_replaced_conds(edit.query, replaced, joined), "filter", worth=0.25)
    negated = cond.op in ("!=", "not in")
    replaces_positive = negated and replaced[-1].op in ("=", "in")
    yield edit.to(
        with_replaced_conds(edit.query, replaced, cond),
        "filter",
        worth=0.0 if negated and not replaces_positive else 0.2,
    )
    if negated:
        yield edit.to(with_cond(edit.query, cond), "filter", worth=0.1)


def _merged_values(old: Cond, new: Cond) -> Cond | None:
    """One condition for the values of both; None if they are no equalities."""
    if old.op not in ("=", "in") or new.op not in ("=", "in"):
        return None
    values = tuple(dict.fromkeys((*literals_of(old), *literals_of(new))))
    return Cond(new.left, "in", values)


# Numbers ----------------------------------------------------------------------------------------------------------


def _number_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """A compared number in place of the previous one, or as a condition on the figure shown: ``above 20?``."""
    cue = scene.first_free(edit.draft, "compare")
    numbers = edit.draft.free(scene.cover.indexes("number"))
    if not numbers or (cue is None and not _may_be_comparison(scene, edit)):
        yield edit
        return
    number = numbers[0] if cue is None else nearest(scene.cover, cue, numbers, most=3)
    if number is None:
        yield edit
        return
    comparisons = [cond for cond in all_conds(edit.query) if _is_number_comparison(scene, cond)]
    operator = scene.operator(cue)
    if comparisons:
        old = comparisons[-1]
        ref = next(iter(refs_of(old.left)), Ref("", ""))
        op = old.op if operator is None else operator.args.get("op", ">")
        new = _number_cond(scene, op, old.left, ref, number, numbers)
        if new is not None:
            used = edit.using("operator", cue).using("filter", number, *(numbers if op == "between" else ()))
            yield used.to(with_replaced_conds(edit.query, [old], new), "filter", worth=0.25 if cue is not None else 0.1)
    elif operator is not None:
        yield from _new_comparisons(scene, edit, cue, number, numbers)
    yield edit


def _may_be_comparison(scene: EditScene, edit: Edit) -> bool:
    """Whether a number without a comparing cue may be a comparison: no other cue of the follow-up takes it."""
    return scene.first_free(edit.draft, "top", "most", "order", "list") is None and not edit.kinds


def _new_comparisons(scene: EditScene, edit: Edit, cue: int | None, number: int, numbers: list[int]) -> Iterator[Edit]:
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


def _is_number_comparison(scene: EditScene, cond: Cond) -> bool:
    numbers = [value for value in literals_of(cond) if isinstance(value, int | float) and not isinstance(value, bool)]
    return cond.op in _COMPARISONS and bool(numbers) and not is_dated(scene, cond)


# Removing and negating --------------------------------------------------------------------------------------------


def removal_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Conditions, groups or a limit removed: ``for all regions``, ``overall``."""
    cue = scene.first_free(edit.draft, "all")
    if cue is None:
        yield edit
        return
    mentions = [i for i in edit.draft.free((*scene.columns, *scene.tables)) if gap(scene.cover, cue, i) <= 1]
    for index in mentions[:2]:
        ref = scene[index].ref
        assert ref is not None
        query = map_conds(edit.query, lambda cond, ref=ref: None if _is_on(cond, ref) else cond)  # type: ignore[misc]
        if query != edit.query:
            yield edit.using("operator", cue).using("filter", index).to(query, "drop", worth=0.3)
        table = edit.query.used_tables()
        if ref.column == "*" and ref.table in table and edit.query.where:
            unfiltered = replace(edit.query, where=())
            yield edit.using("operator", cue).using("subject", index).to(unfiltered, "drop", worth=0.2)
    operator = scene[cue].cue
    scope = operator.args.get("what", "") if operator is not None else ""
    new_edit = edit.using("operator", cue)
    if scope == "time":
        query = map_conds(edit.query, lambda cond: None if is_dated(scene, cond) else cond)
        if query != edit.query:
            yield new_edit.to(query, "drop", worth=0.3)
        return
    if edit.query.limit is not None and edit.query.order:
        yield new_edit.to(replace(edit.query, limit=None), "limit", worth=0.05)
    if edit.query.where:
        yield new_edit.to(replace(edit.query, where=()), "drop", worth=0.1)
        date_conds = tuple(c for c in edit.query.where if isinstance(c, Cond) and is_dated(scene, c))
        if date_conds and len(date_conds) < len(edit.query.where):
            yield new_edit.to(replace(edit.query, where=date_conds), "drop", worth=0.12)
    if edit.query.group and (aggs := aggs_of(edit.query)):
        ungrouped = replace(edit.query, select=aggs, group=(), order=(), limit=None, having=(), per=())
        yield new_edit.to(ungrouped, "group", worth=0.2 if not edit.query.where else 0.08)
    yield edit


def _is_on(cond: Cond, ref: Ref) -> bool:
    refs = tuple(refs_of(cond.left))
    return any(column == ref or (ref.column == "*" and column.table == ref.table) for column in refs)


def negation_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """The last condition negated: ``and those who didn't``, ``the others``."""
    cue = scene.first_free(edit.draft, "rest", "never", "not", "other")
    if cue is None or edit.kinds:
        yield edit
        return
    candidates = [cond for cond in all_conds(edit.query) if not is_dated(scene, cond) and cond.op != "between"]
    outer = [cond for cond in candidates if cond in edit.query.where] or candidates
    cues = scene.cues("rest", "never", "not", "other")
    for rank, old in enumerate(reversed(outer)):
        query = map_conds(edit.query, lambda cond, old=old: inverse(cond) if cond == old else cond)  # type: ignore[misc]
        yield edit.using("operator", *cues).to(query, "negate", worth=0.25 - 0.1 * rank)
    yield edit
