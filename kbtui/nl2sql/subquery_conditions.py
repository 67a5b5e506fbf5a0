"""Conditions with subqueries over all rows: older than the average; orders of the client who has the most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import is_numeric
from kbtui.nl2sql.joins import joins_of
from kbtui.nl2sql.query import Agg, Col, Cond, Expr, Operator, Order, Query, Ref, equals

_MAX_DEFAULTS: Final = 3
"""Figures that an average may be of if none is named, at most."""
_ADJECTIVE_AND_NOUN: Final = 2
"""Tokens of a mention that names a thing beside the adjective: ``largest state``."""
_REACH: Final = 3
"""Tokens between a superlative and what it ranks, or what it ranks by, at most."""


def above_average_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Drafts with the condition that a figure of the row is above or below the average."""
    cue = scene.first_free(draft, "above_average")
    operator = scene.operator(cue)
    if operator is None:
        return
    mentioned = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i))]
    position_by_ref: dict[Ref, int | None] = {ref: i for i in mentioned if (ref := scene[i].ref) is not None}
    if not position_by_ref:
        columns = [c for name in scene.mentioned_tables for c in scene.table(name).columns if is_numeric(c)]
        position_by_ref = dict.fromkeys([column.ref for column in columns][:_MAX_DEFAULTS])
    for rank, (ref, index) in enumerate(position_by_ref.items()):
        cond = Cond(Col(ref), operator.args.get("op", ">"), Query(select=(Agg("avg", Col(ref)),)))
        new_draft = (
            draft.filtered(cond)
            .using("operator", cue, *_average_cues(scene, draft))
            .using("filter", index, worth=(0.25 if index is not None else 0.0) - 0.1 * rank)
        )
        yield new_draft.trait("above_average")


def _average_cues(scene: Scene, draft: Draft) -> list[int]:
    """Operators that belong to the comparison with an average: *above* their department's *average*, 比平均*高*."""
    numbers = any(scene.cover.indexes("number"))
    return draft.free(scene.cues("avg") if numbers else scene.cues("avg", "compare"))


def above_named_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Drafts with the condition that a figure is above or below that of a named row: longer than the Nile."""
    numbers = {number.span.first for number in scene.lattice.question.numbers}
    for cue, column, op in _row_comparisons(scene, draft):
        last = max(cue, column) if scene[column].comparative else cue
        following = (i for i in scene.cover.indexes("value") if i > last and gap(scene.cover, last, i) <= _REACH)
        other = next((i for i in following if scene[i].span.first not in numbers), None)
        ref, left = None if other is None else scene[other].ref, scene[column].ref
        if other is None or ref is None or left is None or ref.table != left.table:
            continue
        named = equals(ref, scene[other].values)
        if ref not in scene.table(ref.table).naming or named not in draft.where:
            continue
        info = scene.info(left)
        is_row = joins_of(scene.catalogue).is_unique(ref) and info is not None and not info.encoding
        figure: Expr = Col(left) if is_row else Agg("max" if op in (">", ">=") else "min", Col(left))
        condition = Cond(Col(left), op, Query(select=(figure,), where=(named,)))
        outside = tuple(item for item in draft.where if item != named)
        new_draft = replace(draft, where=(*outside, condition)).using("operator", cue).using("filter", column)
        yield new_draft.trait("than_other", 1.0, worth=0.2)


def _row_comparisons(scene: Scene, draft: Draft) -> Iterator[tuple[int, int, Operator]]:
    """Comparing operators with a numeric column near them, and comparatives, which are their column themselves."""
    columns = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i))]
    for index in columns:
        if scene[index].comparative:
            yield index, index, ">" if scene[index].order == "desc" else "<"
    for cue in draft.free(scene.cues("compare")):
        operator = scene[cue].cue
        op: Operator = ">" if operator is None else operator.args.get("op", ">")
        column = nearest(scene.cover, cue, [i for i in columns if not scene[i].comparative], most=_REACH, behind=0.0)
        if column is not None and op in (">", "<", ">=", "<="):
            yield cue, column, op


def top_row_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """Drafts for rows that refer to the row with the highest figure: rivers *in the largest state*.

    The figure is a column of the row itself.
    """
    if any(operator.args.get("every") for cue in scene.cues("per") if (operator := scene[cue].cue) is not None):
        return  # The oldest ship of each line is no single ship.
    for cues, figure, desc in _row_figures(scene, draft):
        ref = scene[figure].ref
        assert ref is not None
        table = scene.table(ref.table)
        if table.key is None or not _mentions_rest(scene, draft, ref.table, (*cues, figure)):
            continue
        things = [i for i in draft.free(scene.tables) if scene[i].ref == Ref(ref.table, "*") and i != figure]
        thing = nearest(scene.cover, figure, things, most=_REACH, behind=0.0)
        if thing is None and scene[figure].span.last - scene[figure].span.first < _ADJECTIVE_AND_NOUN:
            continue
        top = Query(select=(Col(table.key),), order=(Order(Col(ref), desc),), limit=1)
        for reference in _references(scene, table.key):
            new_draft = draft.filtered(Cond(Col(reference), "in", top))
            new_draft = new_draft.using("operator", *cues).using("filter", figure, thing)
            yield new_draft.trait("first_of_all", 1.0, worth=0.2)


def _row_figures(scene: Scene, draft: Draft) -> Iterator[tuple[list[int], int, bool]]:
    """Superlatives of a column: the positions of their operators, the position of the column, and the direction."""
    columns = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i))]
    for index in columns:
        if scene[index].order and not scene[index].comparative:
            yield [], index, scene[index].order == "desc"
    for cue in draft.free(scene.cues("most")):
        operator = scene[cue].cue
        assert operator is not None
        named = nearest(scene.cover, cue, [i for i in columns if not scene[i].order], most=1)
        if named is not None:
            yield [cue], named, operator.args.get("direction", "desc") == "desc"


def _mentions_rest(scene: Scene, draft: Draft, table: str, used: Sequence[int]) -> bool:
    """Whether other mentions are left to ask for something else than the first row of the table."""
    mentions = [i for i in draft.free((*scene.columns, *scene.tables)) if i not in used]
    refs = [ref for i in mentions if (ref := scene[i].ref) is not None]
    return any(ref.table != table for ref in refs)


def _references(scene: Scene, key: Ref) -> list[Ref]:
    """The columns of mentioned tables that refer to a key; the key itself if there are none."""
    entity = scene.catalogue.without_role(key.table)
    roles = {name for name in scene.mentioned_tables if scene.table(name).role_of}
    mentioned = {
        *scene.mentioned_tables,
        *(left.table for left, right in scene.catalogue.edges if right.table in roles),
    }
    references = [
        edge.left
        for edge in scene.catalogue.edges
        if edge.left.table in mentioned
        and edge.right.column == key.column
        and scene.catalogue.without_role(edge.right.table) == entity
        and edge.left.table != key.table
    ]
    return list(dict.fromkeys(references)) or [key]
