"""Rows that share something with a named one: who worked with Ana Ruiz, everybody in the same department as her."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.query import Col, Cond, Query, Ref, equals, opposite_of

_REACH: Final = 6
"""Tokens between the operator and the name, at most."""
_NEXT: Final = 1
"""Tokens between “the same” and what is the same, at most."""
_WORTH: Final = 0.3
_WITH_ITSELF: Final = -0.1
"""Worth of including the named row, which shares everything with itself."""


def shared_relation_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Drafts for rows that share a value, or a row that both are linked to, with the row of a named value."""
    cue = scene.first_free(draft, "shares")
    operator = scene.operator(cue)
    if cue is None or operator is None:
        return
    for index in scene.cover.indexes("value"):
        ref = scene[index].ref
        if ref is None or gap(scene.cover, cue, index) > _REACH:
            continue
        named = equals(ref, scene[index].values)
        if named not in draft.where:
            continue
        outside = tuple(item for item in draft.where if item != named)
        shared = _same_values if operator.args.get("by") == "value" else _linked_rows
        for rank, (condition, used) in enumerate(shared(scene, draft, cue, named, ref)):
            start = draft.using("operator", cue, worth=_WORTH - 0.1 * rank).using("filter", used)
            others = opposite_of(named)
            if others is not None:
                yield replace(start, where=(*outside, condition, others))
            if others is None or shared is _same_values:
                yield replace(start, where=(*outside, condition), prior=start.prior + _WITH_ITSELF)


def _same_values(scene: Scene, draft: Draft, cue: int, named: Cond, ref: Ref) -> Iterator[tuple[Cond, int | None]]:
    """Conditions that a column has a value that it has in the named row: in *the same department* as Ana."""
    following = [
        i for i in draft.free((*scene.columns, *scene.tables)) if i > cue and gap(scene.cover, cue, i) <= _NEXT
    ]
    for index in following:
        target = scene[index].ref
        assert target is not None
        pair = scene.referring(ref.table, target.table) if target.column == "*" else None
        column = pair[0] if pair is not None else target
        if column.table == ref.table and column.column != "*":
            yield Cond(Col(column), "in", Query(select=(Col(column),), where=(named,))), index
        elif column.column == "*":
            yield from ((cond, index) for linked, cond in _links(scene, named, ref) if linked == column.table)


def _linked_rows(scene: Scene, _: Draft, __: int, named: Cond, ref: Ref) -> Iterator[tuple[Cond, int | None]]:
    """Conditions that a row is linked to something that the named row is linked to as well: who *worked with* Ana."""
    yield from ((cond, None) for _table, cond in _links(scene, named, ref))


def _links(scene: Scene, named: Cond, ref: Ref) -> Iterator[tuple[str, Cond]]:
    """The tables that a junction links rows to, each with the condition that one is shared with the named row."""
    for child in scene.children(ref.table):
        pair = scene.referring(child, ref.table)
        if pair is None:
            continue
        linked = {left: right.table for left, right in scene.catalogue.leaving(child)}
        for other, table in linked.items():
            if table != ref.table and other != pair[0]:
                shared = Query(select=(Col(other),), where=(named,), tables=(child,))
                rows = Query(select=(Col(pair[0]),), where=(Cond(Col(other), "in", shared),))
                yield table, Cond(Col(pair[1]), "in", rows)
