"""Groups compared with another group: ``clients with more orders than Ana Ruiz``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.groups import Group
from kbtui.nl2sql.query import Col, Cond, Expr, Operator, Query, equals

_REACH: Final = 5
"""Tokens between a comparing operator and the name of the other group, at most."""


def compared_groups(scene: Scene, group: Group, figure: Expr, table: str) -> Iterator[tuple[Draft, Cond]]:
    """Groups whose figure is above or below that of a group that the question names, with the condition of HAVING."""
    numbers = {number.span.first for number in scene.lattice.question.numbers}
    for index in group.draft.free(scene.cues("compare")):
        operator = scene[index].cue
        op: Operator = ">" if operator is None else operator.args.get("op", ">")
        if op in ("between", "=") or not numbers.isdisjoint((scene[index].span.last, scene[index].span.last + 1)):
            continue
        following = (i for i in scene.cover.indexes("value") if i > index and gap(scene.cover, index, i) <= _REACH)
        other = next((i for i in following if scene[i].span.first not in numbers), None)
        ref = None if other is None else scene[other].ref
        if other is not None and ref is not None and Col(ref) in group.shown:
            cond = equals(ref, scene[other].values)
            draft = group.draft.using("operator", index).trait("than_other")
            draft = replace(draft, where=tuple(item for item in draft.where if item != cond))
            yield draft, Cond(figure, op, Query(select=(figure,), where=(cond,), tables=(table,)))
