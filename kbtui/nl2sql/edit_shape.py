"""Edits of how a statement shows its rows: grouped, sorted, limited, listed, with further columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import nearest
from kbtui.nl2sql.draft import identity
from kbtui.nl2sql.edit_state import Edit, EditScene, base_table, is_ranked, rows_only
from kbtui.nl2sql.figures import is_numeric
from kbtui.nl2sql.groups import Group, groups
from kbtui.nl2sql.query import INNER, Agg, Col, Expr, Order, Query, Ref, aggregates, counts_rows
from kbtui.nl2sql.ranking import RANKING, ranking_of, sorting_of
from kbtui.nl2sql.rewriting import aggs_of, map_exprs

_LIST_CUES: Final = ("list", "wh", "all_columns", "exists", "only")
_NAME_LINKS: Final = ("exact", "stem", "typo", "abbreviation")
"""Links by the name of a table: tickets are no invoices, although both words may mean a bill."""


# Groups -----------------------------------------------------------------------------------------------------------


def group_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that group: ``by month``, ``per store instead``, 按地区分."""
    table = base_table(scene, edit.query)
    for group in groups(scene, edit.draft, (table,)):
        yield from _with_group(scene, Edit(edit.query, group.draft, edit.kinds), group)
    yield edit


def _with_group(scene: EditScene, edit: Edit, group: Group) -> Iterator[Edit]:
    query = edit.query
    figures = aggs_of(query)
    worth = 0.2 if group.explicit else -0.15
    if query.inner is not None:
        if query.inner.group:
            inner = _regrouped(replace(query.inner, select=(*query.inner.group, *aggs_of(query.inner))), group, ())
            outer = _renumbered(query, len(query.inner.group), len(group.keys))
            yield edit.to(replace(outer, inner=inner), "group", worth=worth)
        return
    if figures and query.group:
        also = scene.first_free(edit.draft, "also", "and")
        order = _order_after(query, group)
        yield edit.to(_regrouped(query, group, order), "group", worth=worth)
        if not set(group.keys) & set(query.group):
            shown = tuple(e for e in query.select if e not in _figure_exprs(query))
            combined = replace(
                query,
                select=(*shown, *group.shown, *_figure_exprs(query)),
                group=(*query.group, *group.keys),
                order=query.order,
            )
            also_edit = edit.using("operator", also)
            yield also_edit.to(
                combined, "group", worth=worth + (0.15 if scene.first_free(edit.draft, "also") is not None else -0.2)
            )
        return
    if figures:
        yield edit.to(_regrouped(query, group, _order_after(query, group)), "group", worth=worth)
        return
    if query.limit is not None and query.order:
        per = replace(query, select=tuple(dict.fromkeys((*group.shown, *query.select))), per=group.keys)
        yield edit.to(per, "group", worth=worth)
    row_count = Agg("count", Col(Ref(base_table(scene, query), "*")))
    counted = replace(rows_only(query), select=(*group.shown, row_count), group=group.keys)
    order = (Order(group.keys[0]),) if group.buckets else ()
    penalty = (0.1 if query.limit else 0.0) + (0.0 if group.explicit else 0.4)
    yield edit.to(replace(counted, order=order), "group", worth=worth - penalty)


def _figure_exprs(query: Query) -> tuple[Expr, ...]:
    """The expressions of SELECT with aggregates."""
    return tuple(expr for expr in query.select if aggregates(expr))


def _regrouped(query: Query, group: Group, order: tuple[Order, ...]) -> Query:
    limit = query.limit if order and is_ranked(query) else None
    return replace(
        query, select=(*group.shown, *_figure_exprs(query)), group=group.keys, order=order, limit=limit, per=()
    )


def _order_after(query: Query, group: Group) -> tuple[Order, ...]:
    """The order after regrouping: periods in their order, other groups by the figure if they were ranked before."""
    if group.buckets and query.limit is None:
        return (Order(group.keys[0]),)
    return query.order if query.group and is_ranked(query) else ()


def _renumbered(query: Query, old_count: int, new_count: int) -> Query:
    """The outer query over groups with another number of keys, which come before the figure."""

    def moved(expr: Expr) -> Expr:
        if isinstance(expr, Col) and expr.ref == Ref(INNER, f"c{old_count}"):
            return Col(Ref(INNER, f"c{new_count}"))
        return expr

    return map_exprs(query, moved)


# Order and limit --------------------------------------------------------------------------------------------------


def order_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that sort or limit: ``top 3``, ``ascending``, ``the worst ones``, ``the cheapest``."""
    yield from _adjective_edits(scene, edit)
    yield from _superlative_edits(scene, edit)
    yield from _sort_edits(scene, edit)
    yield from _limit_edits(scene, edit)
    yield from _reversal_edits(scene, edit)
    yield edit


def _order_key(scene: EditScene, query: Query) -> Expr | None:
    """The default sort key: the previous one, else the last figure, else a number column; None if there is none."""
    if query.order and is_ranked(query):
        return query.order[0].expr
    figures = _figure_exprs(query)
    if figures:
        return figures[-1]
    shown = [e for e in query.select if isinstance(e, Col) and e.ref.table != INNER]
    numbers = [e for e in shown if is_numeric(scene.info(e.ref))]
    if numbers:
        return numbers[0]
    measure = next(scene.measures((base_table(scene, query),)), None)
    return query.order[0].expr if query.order else None if measure is None else Col(measure)


def _ranked_query(query: Query, key: Expr, *, desc: bool, limit: int | None) -> Query:
    select = query.select if key in query.select or query.group else (*query.select, key)
    return replace(query, select=select, order=(Order(key, desc),), limit=limit)


def _adjective_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits for adjectives of a column: ``the cheapest``, ``oldest first``."""
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
        base = _row_query(scene, edit.query)
        query = _ranked_query(base, Col(mention.ref), desc=mention.order == "desc", limit=limit or None)
        yield used.using("limit", number).to(query, "order", worth=0.3)


def _row_query(scene: EditScene, query: Query) -> Query:
    """The rows behind a figure as a list; a list is returned unchanged."""
    if not aggs_of(query):
        return query
    table = base_table(scene, query)
    return replace(rows_only(query), select=scene.list_columns(scene.table(table)), tables=(table,))


def _superlative_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    draft = edit.draft
    ranking = ranking_of(scene, draft)
    if ranking is None:
        return
    ranked_draft, desc, number = ranking
    query, used = edit.query, Edit(edit.query, ranked_draft, edit.kinds)
    cue = scene.first_free(edit.draft, *RANKING)
    operator = scene.operator(cue)
    has_top_cue = operator is not None and operator.op == "top"
    figures = aggs_of(query)
    if figures and not query.group and query.inner is None:
        fn: Agg = replace(figures[-1], fn="max" if desc else "min", distinct=False)
        if not counts_rows(figures[-1]):
            yield used.to(map_exprs(query, lambda e: fn if e == figures[-1] else e), "figure", worth=0.15)
        return
    limit = (
        number
        if has_top_cue or number not in (None, 1)
        else query.limit or (None if _refers_to_several(scene, edit) else 1)
    )
    for key, keyed_edit in _ranking_keys(scene, used):
        direction = desc
        if has_top_cue and desc and query.limit is not None and query.order:
            direction = query.order[0].desc
        yield keyed_edit.to(_ranked_query(query, key, desc=direction, limit=limit), "limit", worth=0.2)


def _refers_to_several(scene: EditScene, edit: Edit) -> bool:
    """Whether the follow-up refers to several: ``the worst ones``."""
    refer = scene.first_free(edit.draft, "refer", "partitive")
    return refer is not None and scene.lattice.question.words(scene[refer].span).endswith("ones")


def _ranking_keys(scene: EditScene, edit: Edit) -> Iterator[tuple[Expr, Edit]]:
    """Sort keys with the edits that use their mentions: mentioned columns, else what the statement shows."""
    if not edit.query.group:
        for index in edit.draft.free(scene.columns):
            ref = scene[index].ref
            if ref is not None and not scene[index].order and is_numeric(scene.info(ref)):
                yield Col(ref), edit.using("order", index)
    key = _order_key(scene, edit.query)
    if key is not None:
        yield key, edit


def _sort_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that sort: ``ascending``, ``sort by price``, 按价格从高到低."""
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
            query = _ranked_query(edit.query, keys[0], desc=direction, limit=edit.query.limit)
            yield used.using("order", index).to(query, "order", worth=0.3)
    key = _order_key(scene, edit.query)
    if edit.query.order and not is_ranked(edit.query) and edit.query.limit is None:
        series = replace(edit.query, order=(Order(edit.query.order[0].expr, direction),))
        yield used.to(series, "order", worth=0.1)
    if key is not None:
        query = _ranked_query(edit.query, key, desc=direction, limit=edit.query.limit)
        yield used.to(query, "order", worth=0.2)


def _limit_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits of the limit: ``only 5``, ``and 10?`` after a ranking, ``show 20``."""
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


def _reversal_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """The order reversed: ``the other way round``."""
    cue = scene.first_free(edit.draft, "reverse")
    if cue is None or not edit.query.order:
        return
    order = tuple(replace(item, desc=not item.desc) for item in edit.query.order)
    yield edit.using("operator", cue).to(replace(edit.query, order=order), "order", worth=0.3)


# Rows and columns -------------------------------------------------------------------------------------------------


def list_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that list rows behind a figure (``show them``, ``who are they``) or add columns (``with their price``)."""
    yield from _row_edits(scene, edit)
    yield from _column_edits(scene, edit)
    yield edit


def _asks_for_rows(scene: EditScene, edit: Edit) -> bool:
    return scene.first_free(edit.draft, "list", "wh", "all_columns") is not None


def _row_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    query = edit.query
    figures = aggs_of(query)
    if not _asks_for_rows(scene, edit) or edit.kinds:
        return
    cues = edit.draft.free(scene.cues(*_LIST_CUES))
    used = edit.using("operator", *cues)
    refer_worth = 0.15 if scene.first_free(edit.draft, "refer", "partitive") is not None else 0.0
    wants_all_columns = scene.first_free(edit.draft, "all_columns") is not None
    if query.inner is not None and figures:
        yield used.to(_group_query(scene, query.inner), "rows", worth=0.2 + refer_worth)
        return
    if not figures:
        if wants_all_columns:
            table = base_table(scene, query)
            all_columns = replace(query, select=(Col(Ref(table, "*")),), distinct=False)
            yield used.to(all_columns, "columns", worth=0.2)
        return
    # “Show them” or “show the invoices”; if groups were filtered or limited, the rows are no longer all rows.
    rows = Ref(base_table(scene, query), "*")
    others = [i for i in scene.tables if scene[i].ref != rows or scene[i].how not in _NAME_LINKS]
    is_bare = scene.first_free(edit.draft, "list") is not None and not (scene.columns or others)
    if query.group and (query.having or query.limit is not None or not is_bare):
        return
    figure_conds = tuple(dict.fromkeys(cond for agg in figures for cond in agg.where))
    last_figure = figures[-1]
    table = base_table(scene, query)
    base = replace(rows_only(query), where=(*query.where, *figure_conds))
    if last_figure.distinct and isinstance(last_figure.arg, Col) and not counts_rows(last_figure):
        shown = identity(scene, last_figure.arg.ref)[1]
        yield used.to(replace(base, select=shown, distinct=True), "rows", worth=0.25 + refer_worth)
        return
    mentioned = [i for i in used.draft.free(scene.columns) if not scene[i].order]
    refs = [ref for i in mentioned if (ref := scene[i].ref) is not None]
    exprs = tuple(dict.fromkeys(expr for ref in refs for expr in identity(scene, ref)[1]))
    if exprs:
        yield used.using("shown", *mentioned).to(
            replace(base, select=exprs, tables=(table,)), "rows", worth=0.25 + refer_worth
        )
    all_exprs = (Col(Ref(table, "*")),) if wants_all_columns else scene.list_columns(scene.table(table))
    yield used.to(replace(base, select=all_exprs, tables=(table,)), "rows", worth=0.2 + refer_worth)


def _group_query(scene: EditScene, inner: Query) -> Query:
    """The groups that were counted, shown by name, each with its figure."""
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


def _column_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Columns added to a list, or shown alone: ``with their price``, ``show the city``."""
    query = edit.query
    if aggs_of(query) or query.group or query.inner is not None:
        return
    cues = edit.draft.free(scene.cues("also", *_LIST_CUES))
    columns = [i for i in edit.draft.free(scene.columns) if not scene[i].order]
    refs = [ref for i in columns if (ref := scene[i].ref) is not None]
    if not refs:
        return
    used = edit.using("shown", *columns).using("operator", *cues)
    select = tuple(dict.fromkeys((*query.select, *(Col(ref) for ref in refs))))
    worth = 0.25 if cues or scene.first_free(edit.draft, "refer", "partitive") is not None else -0.05
    if select == query.select:
        names = scene.naming_columns(scene.table(base_table(scene, query)))
        select = tuple(dict.fromkeys(Col(ref) for ref in (*names, *refs)))
    yield used.to(replace(query, select=select), "columns", worth=worth)
