"""Comparisons with other things: rows above what another row, group or role has, groups beside a column of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.comparisons import value_cond
from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import numeric
from kbtui.nl2sql.groups import Group
from kbtui.nl2sql.query import Agg, AnyOf, Col, Cond, Expr, Operator, Query, Ref

_REACH: Final = 3
"""Tokens between a comparing operator and what it compares with."""
_TO_VALUE: Final = 5
"""Those before a value: taller than *the tallest one in* Kent."""
_NAMED: Final = 0.2
_UNNAMED: Final = -0.4
"""Worth of a column that nothing names."""
_MOST_UNNAMED: Final = 2


def other_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """``taller than the tallest in Kent``, ``paid more than their manager``: rows beside those of something else."""
    for index, op, left in _operators(scene, draft):
        for behind in _behind(scene, index):
            for ref, named in _lefts(scene, draft, index, left, behind):
                yield from _than(scene, draft, (index, op, behind), ref, named)


def other_groups(scene: Scene, group: Group, figure: Expr, table: str) -> Iterator[tuple[Draft, Cond, Col | None]]:
    """Groups whose figure is above that of another group, or above a column of their own.

    Returns:
        The draft, the condition of the groups, and a column that they have to be grouped by for it.
    """
    draft = group.draft
    for index, op, _ in _operators(scene, draft):
        for behind in _behind(scene, index):
            mention, ref = scene[behind], scene[behind].ref
            assert ref is not None
            taken = draft.using("operator", index)
            if mention.kind == "value" and Col(ref) in group.shown:
                cond = value_cond(ref, mention.values)
                whole = Query(select=(figure,), where=(cond,), tables=(table,))
                yield _without(taken, cond).trait("than_other"), Cond(figure, op, whole), None
            elif behind in draft.free((behind,)) and numeric(scene.column(behind)) and _is_own(scene, group, ref):
                grown = taken.using("having", behind, worth=_NAMED).trait("than_column")
                yield grown, Cond(figure, op, Col(ref)), Col(ref)


def _operators(scene: Scene, draft: Draft) -> Iterator[tuple[int, Operator, int | None]]:
    """Comparing operators without a number, and comparatives of a column, with the column of these."""
    numbers = [number.span.first for number in scene.lattice.question.numbers]
    for index in draft.free((*scene.cues("compare"), *scene.columns)):
        cue, mention = scene[index].cue, scene[index]
        if any(0 <= number - mention.span.last <= 1 for number in numbers):
            continue
        if cue is not None:
            op: Operator = cue.args.get("op", ">")
            if op not in ("between", "="):
                yield index, op, None
        elif mention.comparative:
            yield index, ">" if mention.order == "desc" else "<", index


def _behind(scene: Scene, index: int) -> list[int]:
    """What stands behind an operator: a value, or a column or table that is a role or holds numbers."""
    mentions = [i for i in (*scene.columns, *scene.tables) if not scene[i].order]
    near = [i for i in mentions if i > index and gap(scene.cover, index, i) <= _REACH]
    values = [i for i in scene.cover.indexes("value") if i > index and gap(scene.cover, index, i) <= _TO_VALUE]
    figures = {number.span.first for number in scene.lattice.question.numbers}
    values = [i for i in values if scene[i].span.first not in figures]
    return [*values[:1], *near]


def _lefts(scene: Scene, draft: Draft, index: int, left: int | None, behind: int) -> Iterator[tuple[Ref, int | None]]:
    """Columns that are compared: that of the comparative, the last ones in front; those of the table by default."""
    ref = scene[behind].ref
    assert ref is not None
    if left is not None:
        own = scene[left].ref
        assert own is not None
        yield own, left
        return
    before = [i for i in draft.free(scene.columns) if i < index and numeric(scene.column(i))]
    for i in before[-1:]:
        own = scene[i].ref
        assert own is not None
        yield own, i
    if not before:
        table = scene.table(scene.catalogue.without_role(ref.table))
        for column in [column for column in table.columns if numeric(column)][:_MOST_UNNAMED]:
            yield column.ref, None


def _than(scene: Scene, draft: Draft, said: tuple[int, Operator, int], left: Ref, named: int | None) -> Iterator[Draft]:
    index, op, behind = said
    mention, ref = scene[behind], scene[behind].ref
    assert ref is not None
    worth = _NAMED if named is not None else _UNNAMED
    taken = draft.using("operator", index).using("filter", named, worth=worth).trait("than_other")
    if mention.kind == "value":
        if scene.table(ref.table).role_of:
            return
        cond = value_cond(ref, mention.values)
        # Taller than one of several is taller than all of them.
        most = Agg("max" if op in (">", ">=") else "min", Col(left))
        whole = Query(select=(most,), where=(cond,))
        rest = _without(taken.using("operator", *_extremes(scene, index, behind)), cond)
        if rest.where != draft.where:
            yield rest.filtered(Cond(Col(left), op, whole))
        return
    role = _role(scene, ref, left.table)
    if role is not None and behind in draft.free((behind,)):
        yield taken.using("filter", behind).filtered(Cond(Col(left), op, Col(Ref(role, left.column))))


def _extremes(scene: Scene, first: int, last: int) -> list[int]:
    """Superlatives between an operator and a value: taller than *the tallest* in Kent."""
    return [i for i in (*scene.cues("most", "max", "min"), *scene.columns) if first < i < last]


def _role(scene: Scene, ref: Ref, table: str) -> str | None:
    """The role of a table that a mention stands for: its manager, the film that it is a sequel of."""
    for edge in scene.catalogue.edges:
        role = edge.right.table
        if scene.table(role).role_of == table == edge.left.table and ref in (Ref(role, "*"), edge.left):
            return role
    return None


def _is_own(scene: Scene, group: Group, ref: Ref) -> bool:
    """Whether a column is of the rows that are the groups."""
    table = scene.table(ref.table)
    things = (table.key, *table.naming)
    return any(isinstance(key, Col) and key.ref in things for key in group.keys)


def _without(draft: Draft, cond: Cond | AnyOf) -> Draft:
    return replace(draft, where=tuple(item for item in draft.where if item != cond))
