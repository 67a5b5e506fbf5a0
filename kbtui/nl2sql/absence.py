"""Things by what other rows say of them: those without any, those with any, those with one and with the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kbtui.nl2sql.draft import Draft, Scene, identity
from kbtui.nl2sql.heads import Made
from kbtui.nl2sql.query import Agg, AnyOf, Col, Cond, Expr, Query, Ref


def absence_statements(scene: Scene, draft: Draft) -> Iterator[Made]:
    """Rows of a table that no row of another refers to, listed or counted; and things in both of two sets."""
    cue = scene.first_free(draft, "never", "not")
    if cue is not None:
        for entity, own, named in _entities(scene, draft):
            for child, key, reference in _links(scene, entity, own):
                taken = _taken(scene, named, child, entity).using("operator", cue, worth=0.2)
                yield from _shown(scene, taken, entity, _membership(draft, key, reference, child, negated=True))
    both = scene.first_free(draft, "both", "and")
    if both is not None:
        yield from _in_both(scene, draft, both)


def _entities(scene: Scene, draft: Draft) -> Iterator[tuple[str, Ref | None, Draft]]:
    """Things that may be asked for: a table, or a column whose values are the things."""
    for rank, index in enumerate(draft.free((*scene.tables, *scene.columns))):
        ref = scene[index].ref
        if ref is None:
            continue
        info = scene.info(ref)
        if info is not None and info.kind not in ("name", "reference", "key", "category", "text", "code"):
            continue
        table = ref.table
        if info is not None and info.kind == "reference":
            table = next((edge.right.table for edge in scene.catalogue.edges if edge.left == ref), table)
        own = None if info is None or table != ref.table else ref
        yield table, own, draft.using("subject", index, worth=-0.05 * rank)
    for name in scene.spoken:
        for parent in scene.parents(name):
            if parent not in scene.spoken:
                yield parent, None, draft.trait("default_subject", 1.0, worth=-0.2)


def _links(scene: Scene, entity: str, own: Ref | None) -> Iterator[tuple[str, Ref, Ref]]:
    """Tables that refer to the entity, those that words are about first, with its key and their reference.

    A table without children is its own: the things that occur in it, less those that occur in its filtered rows.
    """
    spoken = set(scene.spoken)
    children = sorted(scene.children(entity), key=lambda name: name not in spoken)
    for child in children[:4]:
        pair = scene.referring(child, entity)
        if pair is not None:
            yield child, pair[1], pair[0]
    table = scene.table(entity)
    grain = (table.grain,) if table.grain is not None else ()
    for ref in (own,) if own is not None else (*table.naming, *grain):
        yield entity, ref, ref


def _taken(scene: Scene, draft: Draft, child: str, entity: str) -> Draft:
    """The words for the other table are read by the condition on it."""
    if child == entity:
        return draft
    used = [
        i for i in draft.free((*scene.tables, *scene.columns)) if (r := scene[i].ref) is not None and r.table == child
    ]
    grown = draft.using("filter", *used)
    return grown if used else grown.trait("unspoken_link", 1.0, worth=-0.15)


def _membership(draft: Draft, key: Ref, reference: Ref, child: str, *, negated: bool) -> Cond:
    inner = Query(select=(Col(reference),), where=draft.where, tables=(child,))
    return Cond(Col(key), "not in" if negated else "in", inner)


def _shown(scene: Scene, draft: Draft, entity: str, cond: Cond) -> Iterator[Made]:
    """The things as a list or as a number; conditions and periods went inside."""
    empty = replace(draft, where=())
    table = scene.table(entity)
    listed = empty.using("operator", *empty.free(scene.cues("list", "wh", "exists", "only")))
    own = isinstance(cond.right, Query) and cond.right.used_tables() == (entity,)
    cond_inside = _with_periods(scene, draft, cond)
    asked = [i for i in empty.free(scene.columns) if (ref := scene[i].ref) is not None and ref.table == entity]
    columns = [expr for i in asked if (ref := scene[i].ref) is not None for expr in identity(scene, ref)[1]]
    names: dict[Expr, None] = dict.fromkeys((cond.left,) if own else (Col(ref) for ref in scene.named(table)))
    settled = replace(listed, periods=()).using("filter", *draft.periods).using("shown", *asked)
    yield (
        settled,
        Query(select=tuple(names | dict.fromkeys(columns)), where=(cond_inside,), tables=(entity,), distinct=own),
    )
    count = scene.first_free(empty, "count")
    if count is not None:
        figure = Agg("count", cond.left, distinct=True) if own else Agg("count", Col(Ref(entity, "*")))
        counted = replace(empty, periods=()).using("filter", *draft.periods).using("operator", count, worth=0.1)
        yield counted, Query(select=(figure,), where=(cond_inside,), tables=(entity,))


def _with_periods(scene: Scene, draft: Draft, cond: Cond) -> Cond:
    from kbtui.nl2sql.conditions import spans

    inner = cond.right
    if not draft.periods or not isinstance(inner, Query):
        return cond
    date = next(scene.dates(inner.used_tables()), None)
    if date is None:
        return cond
    return replace(cond, right=replace(inner, where=(*inner.where, spans(scene, draft.periods, Col(date)))))


def _in_both(scene: Scene, draft: Draft, cue: int) -> Iterator[Made]:
    """Members of two sets at once: ``in chess and in robotics``."""
    for position, item in enumerate(draft.where):
        if not isinstance(item, Cond) or item.op != "in" or not isinstance(item.right, tuple) or len(item.right) != 2:
            continue
        rest = (*draft.where[:position], *draft.where[position + 1 :])
        for entity, own, named in _entities(scene, draft):
            for child, key, reference in _links(scene, entity, own):
                conds = tuple(_member(item, value, rest, key, reference, child) for value in item.right)
                taken = replace(_taken(scene, named, child, entity).using("operator", cue, worth=0.2), where=())
                yield from _both_shown(scene, taken, entity, conds)


def _member(item: Cond, value: object, rest: tuple[Cond | AnyOf, ...], key: Ref, reference: Ref, child: str) -> Cond:
    inner = Query(select=(Col(reference),), where=(Cond(item.left, "=", value), *rest), tables=(child,))  # type: ignore[arg-type]
    return Cond(Col(key), "in", inner)


def _both_shown(scene: Scene, draft: Draft, entity: str, conds: tuple[Cond, ...]) -> Iterator[Made]:
    table = scene.table(entity)
    listed = draft.using("operator", *draft.free(scene.cues("list", "wh")))
    key = conds[0].left
    own = isinstance(key, Col) and isinstance(conds[0].right, Query) and conds[0].right.used_tables() == (entity,)
    names: tuple[Expr, ...] = (key,) if own else tuple(Col(ref) for ref in scene.named(table))
    yield listed, Query(select=names, where=conds, tables=(entity,), distinct=own)
    count = scene.first_free(draft, "count", "truth", "exists")
    if count is not None:
        operator = scene[count].cue
        truth = operator is not None and operator.op != "count"
        figure = Agg("count", Col(Ref(entity, "*")))
        yield (
            draft.using("operator", count, worth=0.1),
            Query(select=(figure,), where=conds, tables=(entity,), truth=truth),
        )
