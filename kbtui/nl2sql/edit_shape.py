"""Edits of how a statement shows its rows: grouped, sorted, the first few, listed, with further columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import nearest
from kbtui.nl2sql.draft import identity
from kbtui.nl2sql.edit_state import Edit, EditScene, base_table, is_ranked, plain
from kbtui.nl2sql.figures import numeric
from kbtui.nl2sql.groups import Group, groups
from kbtui.nl2sql.query import INNER, Agg, Col, Expr, Order, Query, Ref, aggregates, counts_rows
from kbtui.nl2sql.ranking import RANKING, ranking_of, sorting_of
from kbtui.nl2sql.rewriting import aggs_of, map_exprs

_LISTING: Final = ("list", "wh", "all_columns", "exists", "only")


# Groups -----------------------------------------------------------------------------------------------------------


def grouped(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``by month``, ``per store instead``, 按地区分."""
    table = base_table(scene, edit.query)
    for group in groups(scene, edit.draft, (table,)):
        yield from _with_group(scene, Edit(edit.query, group.draft, edit.kinds), group)
    yield edit


def _with_group(scene: EditScene, edit: Edit, group: Group) -> Iterator[Edit]:
    query = edit.query
    figures = aggs_of(query)
    worth = 0.2 if group.asked else -0.15
    if query.inner is not None:
        if query.inner.group:
            inner = _regrouped(replace(query.inner, select=(*query.inner.group, *aggs_of(query.inner))), group, ())
            outer = _renumbered(query, len(query.inner.group), len(group.keys))
            yield edit.to(replace(outer, inner=inner), "group", worth=worth)
        return
    if figures and query.group:
        also = scene.first_free(edit.draft, "also", "and")
        kept = _order_after(query, group)
        yield edit.to(_regrouped(query, group, kept), "group", worth=worth)
        if not set(group.keys) & set(query.group):
            shown = tuple(e for e in query.select if e not in _figure_exprs(query))
            both = replace(
                query,
                select=(*shown, *group.shown, *_figure_exprs(query)),
                group=(*query.group, *group.keys),
                order=query.order,
            )
            further = edit.using("operator", also)
            yield further.to(
                both, "group", worth=worth + (0.15 if scene.first_free(edit.draft, "also") is not None else -0.2)
            )
        return
    if figures:
        yield edit.to(_regrouped(query, group, _order_after(query, group)), "group", worth=worth)
        return
    if query.limit is not None and query.order:
        per = replace(query, select=tuple(dict.fromkeys((*group.shown, *query.select))), per=group.keys)
        yield edit.to(per, "group", worth=worth)
    rows = Agg("count", Col(Ref(base_table(scene, query), "*")))
    counted = replace(plain(query), select=(*group.shown, rows), group=group.keys)
    order = (Order(group.keys[0]),) if group.buckets else ()
    unlikely = (0.1 if query.limit else 0.0) + (0.0 if group.asked else 0.4)
    yield edit.to(replace(counted, order=order), "group", worth=worth - unlikely)


def _figure_exprs(query: Query) -> tuple[Expr, ...]:
    """What it shows beside the names of its groups."""
    return tuple(expr for expr in query.select if aggregates(expr))


def _regrouped(query: Query, group: Group, order: tuple[Order, ...]) -> Query:
    limit = query.limit if order and is_ranked(query) else None
    return replace(
        query, select=(*group.shown, *_figure_exprs(query)), group=group.keys, order=order, limit=limit, per=()
    )


def _order_after(query: Query, group: Group) -> tuple[Order, ...]:
    """Periods in their order, other groups as they were ranked before."""
    if group.buckets and query.limit is None:
        return (Order(group.keys[0]),)
    return query.order if query.group and is_ranked(query) else ()


def _renumbered(query: Query, before: int, after: int) -> Query:
    """The outer statement over groups of another number of keys, which stand before the figure."""

    def moved(expr: Expr) -> Expr:
        if isinstance(expr, Col) and expr.ref == Ref(INNER, f"c{before}"):
            return Col(Ref(INNER, f"c{after}"))
        return expr

    return map_exprs(query, moved)


# Order and limit --------------------------------------------------------------------------------------------------


def ranked(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``top 3``, ``ascending``, ``the worst ones``, ``the cheapest``."""
    yield from _by_adjective(scene, edit)
    yield from _by_superlative(scene, edit)
    yield from _sorted(scene, edit)
    yield from _limited(scene, edit)
    yield from _reversed(scene, edit)
    yield edit


def _order_key(scene: EditScene, query: Query) -> Expr | None:
    """What rows are ranked by where the follow-up does not say: as before, else the figure shown."""
    if query.order and is_ranked(query):
        return query.order[0].expr
    figures = _figure_exprs(query)
    if figures:
        return figures[-1]
    shown = [e for e in query.select if isinstance(e, Col) and e.ref.table != INNER]
    numbers = [e for e in shown if numeric(scene.info(e.ref))]
    if numbers:
        return numbers[0]
    measure = next(scene.measures((base_table(scene, query),)), None)
    return query.order[0].expr if query.order else None if measure is None else Col(measure)


def _rows_ranked(query: Query, key: Expr, *, desc: bool, limit: int | None) -> Query:
    select = query.select if key in query.select or query.group else (*query.select, key)
    return replace(query, select=select, order=(Order(key, desc),), limit=limit)


def _by_adjective(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``the cheapest``, ``oldest first``."""
    for index in edit.draft.free(scene.columns):
        mention = scene[index]
        if not mention.order or mention.comparative or mention.ref is None or edit.query.group:
            continue
        used = edit.using("order", index)
        number = nearest(scene.cover, index, used.draft.free(scene.cover.indexes("number")), most=2)
        value = None if number is None else scene[number].number
        limit = 1 if value is None else max(1, int(value.value))
        if scene.first_free(used.draft, "order") is not None:
            used, limit = used.using("operator", scene.first_free(used.draft, "order")), 0
        base = _as_rows(scene, edit.query)
        query = _rows_ranked(base, Col(mention.ref), desc=mention.order == "desc", limit=limit or None)
        yield used.using("limit", number).to(query, "order", worth=0.3)


def _as_rows(scene: EditScene, query: Query) -> Query:
    """A list of the rows behind a figure; a list as it is."""
    if not aggs_of(query):
        return query
    table = base_table(scene, query)
    return replace(plain(query), select=scene.list_columns(scene.table(table)), tables=(table,))


def _by_superlative(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    draft = edit.draft
    ranking = ranking_of(scene, draft)
    if ranking is None:
        return
    taken, desc, number = ranking
    query, used = edit.query, Edit(edit.query, taken, edit.kinds)
    cue = scene.first_free(edit.draft, *RANKING)
    operator = scene.operator(cue)
    counted = operator is not None and operator.op == "top"
    figures = aggs_of(query)
    if figures and not query.group and query.inner is None:
        fn: Agg = replace(figures[-1], fn="max" if desc else "min", distinct=False)
        if not counts_rows(figures[-1]):
            yield used.to(map_exprs(query, lambda e: fn if e == figures[-1] else e), "figure", worth=0.15)
        return
    limit = number if counted or number not in (None, 1) else query.limit or (None if _plural(scene, edit) else 1)
    for key, role in _ranking_keys(scene, used):
        direction = desc
        if counted and desc and query.limit is not None and query.order:
            direction = query.order[0].desc
        yield role.to(_rows_ranked(query, key, desc=direction, limit=limit), "limit", worth=0.2)


def _plural(scene: EditScene, edit: Edit) -> bool:
    """``the worst ones``."""
    refer = scene.first_free(edit.draft, "refer")
    return refer is not None and scene.lattice.question.words(scene[refer].span).endswith("ones")


def _ranking_keys(scene: EditScene, edit: Edit) -> Iterator[tuple[Expr, Edit]]:
    """A column that is named, else what the statement shows."""
    if not edit.query.group:
        for index in edit.draft.free(scene.columns):
            ref = scene[index].ref
            if ref is not None and not scene[index].order and numeric(scene.info(ref)):
                yield Col(ref), edit.using("order", index)
    key = _order_key(scene, edit.query)
    if key is not None:
        yield key, edit


def _sorted(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``ascending``, ``sort by price``, 按价格从高到低."""
    draft, direction = sorting_of(scene, edit.draft)
    if direction is None:
        return
    used = Edit(edit.query, draft, edit.kinds)
    used = used.using("operator", scene.first_free(used.draft, "per"))
    for index in used.draft.free(scene.columns):
        ref = scene[index].ref
        assert ref is not None
        keys = identity(scene, ref)[1]
        if edit.query.group and keys[0] not in edit.query.select:
            keys = tuple(a for a in aggs_of(edit.query) if isinstance(a.arg, Col) and a.arg.ref == ref)
        if keys:
            query = _rows_ranked(edit.query, keys[0], desc=direction, limit=edit.query.limit)
            yield used.using("order", index).to(query, "order", worth=0.3)
    key = _order_key(scene, edit.query)
    if edit.query.order and not is_ranked(edit.query) and edit.query.limit is None:
        series = replace(edit.query, order=(Order(edit.query.order[0].expr, direction),))
        yield used.to(series, "order", worth=0.1)
    if key is not None:
        query = _rows_ranked(edit.query, key, desc=direction, limit=edit.query.limit)
        yield used.to(query, "order", worth=0.2)


def _limited(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``only 5``, ``and 10?`` after a question for the first ones; ``show 20``."""
    if scene.first_free(edit.draft, *RANKING, "compare") is not None:
        return
    if edit.query.group and not edit.query.limit:
        return
    for index in edit.draft.free(scene.cover.indexes("number"))[:1]:
        number = scene[index].number
        assert number is not None
        if number.value.denominator != 1 or not 0 < number.value <= 1000 or number.kind == "percent":
            continue
        if edit.query.limit is not None:
            yield edit.using("limit", index).to(replace(edit.query, limit=int(number.value)), "limit", worth=0.2)
        elif not aggs_of(edit.query) and (cue := scene.first_free(edit.draft, "list", "only")) is not None:
            query = replace(edit.query, limit=int(number.value))
            yield edit.using("limit", index).using("operator", cue).to(query, "limit", worth=0.1)


def _reversed(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``the other way round``."""
    cue = scene.first_free(edit.draft, "reverse")
    if cue is None or not edit.query.order:
        return
    order = tuple(replace(item, desc=not item.desc) for item in edit.query.order)
    yield edit.using("operator", cue).to(replace(edit.query, order=order), "order", worth=0.3)


# Rows and columns -------------------------------------------------------------------------------------------------


def listed(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``show them``, ``who are they``, ``with their price``: the rows behind a figure, more columns of a list."""
    yield from _rows_behind(scene, edit)
    yield from _more_columns(scene, edit)
    yield edit


def _asks_for_rows(scene: EditScene, edit: Edit) -> bool:
    return scene.first_free(edit.draft, "list", "wh", "all_columns") is not None


def _rows_behind(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    query = edit.query
    figures = aggs_of(query)
    if not _asks_for_rows(scene, edit) or edit.kinds:
        return
    cues = edit.draft.free(scene.cues(*_LISTING))
    used = edit.using("operator", *cues)
    refers = 0.15 if scene.first_free(edit.draft, "refer") is not None else 0.0
    star = scene.first_free(edit.draft, "all_columns") is not None
    if query.inner is not None and figures:
        yield used.to(_groups_behind(scene, query.inner), "rows", worth=0.2 + refers)
        return
    if not figures:
        if star:
            table = base_table(scene, query)
            whole = replace(query, select=(Col(Ref(table, "*")),), distinct=False)
            yield used.to(whole, "columns", worth=0.2)
        return
    # "Show them" and nothing else; groups that were chosen are no longer all rows.
    bare = scene.first_free(edit.draft, "list") is not None and not (scene.columns or scene.tables)
    if query.group and (query.having or query.limit is not None or not bare):
        return
    inside = tuple(dict.fromkeys(cond for agg in figures for cond in agg.where))
    counted = figures[-1]
    table = base_table(scene, query)
    base = replace(plain(query), where=(*query.where, *inside))
    if counted.distinct and isinstance(counted.arg, Col) and not counts_rows(counted):
        shown = identity(scene, counted.arg.ref)[1]
        yield used.to(replace(base, select=shown, distinct=True), "rows", worth=0.25 + refers)
        return
    named = [i for i in used.draft.free(scene.columns) if not scene[i].order]
    exprs = tuple(dict.fromkeys(e for i in named if (ref := scene[i].ref) is not None for e in identity(scene, ref)[1]))
    if exprs:
        yield used.using("shown", *named).to(replace(base, select=exprs, tables=(table,)), "rows", worth=0.25 + refers)
    every = (Col(Ref(table, "*")),) if star else scene.list_columns(scene.table(table))
    yield used.to(replace(base, select=every, tables=(table,)), "rows", worth=0.2 + refers)


def _groups_behind(scene: EditScene, inner: Query) -> Query:
    """The groups that were counted, by their names, each with its figure."""
    shown: dict[Expr, None] = {}
    for key in inner.group or inner.select:
        if isinstance(key, Col) and key.ref.table in scene.catalogue.tables:
            shown |= dict.fromkeys(identity(scene, key.ref)[1])
        else:
            shown[key] = None
    figures = dict.fromkeys(a for c in inner.having for a in _having_figures(c)) | dict.fromkeys(aggs_of(inner))
    return replace(inner, select=(*shown, *figures))


def _having_figures(cond: object) -> tuple[Agg, ...]:
    left = getattr(cond, "left", None)
    return (left,) if isinstance(left, Agg) else ()


def _more_columns(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``with their price``, ``show the city``: beside the columns of a list, or alone."""
    query = edit.query
    if aggs_of(query) or query.group or query.inner is not None:
        return
    cues = edit.draft.free(scene.cues("also", *_LISTING))
    columns = [i for i in edit.draft.free(scene.columns) if not scene[i].order]
    refs = [ref for i in columns if (ref := scene[i].ref) is not None]
    if not refs:
        return
    used = edit.using("shown", *columns).using("operator", *cues)
    more = tuple(dict.fromkeys((*query.select, *(Col(ref) for ref in refs))))
    asked = 0.25 if cues or scene.first_free(edit.draft, "refer") is not None else -0.05
    if more == query.select:
        names = scene.naming_columns(scene.table(base_table(scene, query)))
        more = tuple(dict.fromkeys(Col(ref) for ref in (*names, *refs)))
    yield used.to(replace(query, select=more), "columns", worth=asked)
