"""Conditions that compare with all rows: older than the average; orders of the client who has the most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import FUNCTIONS, natural, numeric
from kbtui.nl2sql.query import INNER, Agg, Col, Cond, Expr, Order, Over, Query, Ref

_MOST_DEFAULTS: Final = 3
"""Figures of rows at most that an average may be of where nothing names one."""
_REACH: Final = 3
"""Tokens at most between a superlative and the thing that it ranks, or what it ranks it by."""


def above_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """The draft narrowed to rows whose figure is above, or below, that of all rows."""
    cue = scene.first_free(draft, "above_average")
    operator = scene.operator(cue)
    if operator is None:
        return
    named = [i for i in draft.free(scene.columns) if numeric(scene.column(i))]
    refs: dict[Ref, int | None] = {ref: i for i in named if (ref := scene[i].ref) is not None}
    if not refs:
        columns = [column for name in scene.spoken for column in scene.table(name).columns if numeric(column)]
        refs = dict.fromkeys([column.ref for column in columns][:_MOST_DEFAULTS])
    for rank, (ref, index) in enumerate(refs.items()):
        cond = Cond(Col(ref), operator.args.get("op", ">"), Query(select=(Agg("avg", Col(ref)),)))
        grown = (
            draft.filtered(cond)
            .using("operator", cue, *_restated(scene, draft))
            .using("filter", index, worth=(0.25 if index is not None else 0.0) - 0.1 * rank)
        )
        yield grown.trait("above_average")
        yield from _above_own(scene, grown, ref, cond)


def _restated(scene: Scene, draft: Draft) -> list[int]:
    """Operators that are part of the comparison with an average: *above* their department's *average*, 比平均*高*."""
    numbers = any(scene.cover.indexes("number"))
    return draft.free(scene.cues("avg") if numbers else scene.cues("avg", "compare"))


def _above_own(scene: Scene, draft: Draft, ref: Ref, cond: Cond) -> Iterator[Draft]:
    """Above the average of the rows that agree with it in something: ``above the average for their class``."""
    table, cue = scene.table(ref.table), scene.cue("above_average")
    if table.key is None or cue is None:
        return
    for index in draft.free((*scene.columns, *scene.tables)):
        target = scene[index].ref
        assert target is not None
        pair = scene.referring(ref.table, target.table) if target.column == "*" else None
        info = scene.info(target if pair is None else pair[0])
        if info is None or info.ref.table != ref.table or info.kind not in ("category", "reference", "flag"):
            continue
        beside = Over("mean", Agg("avg", Col(ref)))
        inner = Query(select=(Col(table.key), Col(ref), beside), per=(Col(info.ref),), tables=(ref.table,))
        figure, mean = (Col(Ref(INNER, f"c{at}")) for at in (1, 2))
        above = Query(select=(Col(Ref(INNER, "c0")),), where=(Cond(figure, cond.op, mean),), inner=inner)
        near = 0.05 if cue < index and gap(scene.cover, cue, index) <= _REACH else -0.15
        own = replace(draft, where=(*draft.where[:-1], Cond(Col(table.key), "in", above)))
        yield own.using("filter", index, worth=near).trait("own_average")


def first_drafts(scene: Scene, draft: Draft) -> Iterator[Draft]:
    """The draft narrowed to rows of the thing that ranks first, where words are left that ask for more than it."""
    for cue in draft.free(scene.cues("most", "common")):
        operator = scene[cue].cue
        assert operator is not None
        desc = operator.args.get("direction", "desc") == "desc"
        for index in _near(scene, draft, cue):
            for key, link, figure, by in _rankings(scene, draft, cue, index):
                rest = (*scene.columns, *scene.tables, *scene.cues("most", "common", *FUNCTIONS))
                if not set(draft.free(rest)) - {cue, index, by}:
                    continue
                known = Cond(Col(link), "not null")
                first = Query(
                    select=(Col(link),), where=(known,), group=(Col(link),), order=(Order(figure, desc),), limit=1
                )
                grown = draft.filtered(Cond(Col(key), "in", first)).using("operator", cue).using("filter", index, by)
                yield grown.trait("first_of_all", 1.0, worth=-0.1 if by is not None else -0.3)


def _near(scene: Scene, draft: Draft, cue: int) -> list[int]:
    mentions = draft.free((*scene.tables, *scene.columns))
    return [i for i in mentions if gap(scene.cover, cue, i) <= _REACH and not scene[i].order]


def _rankings(scene: Scene, draft: Draft, cue: int, index: int) -> Iterator[tuple[Ref, Ref, Expr, int | None]]:
    """What a thing may be ranked by: its key, the column of the ranked rows that refers to it, the figure, its word."""
    ref = scene[index].ref
    assert ref is not None
    entity = _entity(scene, ref)
    for other in _near(scene, draft, cue):
        target = scene[other].ref
        if other == index or target is None:
            continue
        pair = _reference(scene, target.table, entity)
        info = scene.info(target)
        if pair is None:
            continue
        if info is None:
            yield pair[1], pair[0], Agg("count", Col(Ref(target.table, "*"))), other
        elif numeric(info):
            yield pair[1], pair[0], Agg(natural(info), Col(target)), other
    spoken = [name for name in scene.children(entity) if name in scene.spoken]
    pair = scene.referring(spoken[0], entity) if spoken else None
    if pair is not None and cue < index:
        yield pair[1], pair[0], Agg("count", Col(Ref(pair[0].table, "*"))), None


def _reference(scene: Scene, table: str, entity: str) -> tuple[Ref, Ref] | None:
    """How rows of a table refer to the thing: by themselves, or the rows that they are parts of do."""
    pairs = (scene.referring(name, entity) for name in (table, *scene.parents(table)) if name != entity)
    return next((pair for pair in pairs if pair is not None), None)


def _entity(scene: Scene, ref: Ref) -> str:
    """The table whose rows a mention stands for: of a reference the one it refers to."""
    parents = (edge.right.table for edge in scene.catalogue.edges if edge.left == ref)
    return next(parents, ref.table)
