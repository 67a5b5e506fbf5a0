"""Edits of the figure a statement shows: another function, another measure, one more of them; shares and changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import period_cond, previous_period
from kbtui.nl2sql.cover import nearest
from kbtui.nl2sql.edit_periods import Days, dated_column, days_of, is_dated, moved_days
from kbtui.nl2sql.edit_state import Edit, EditScene, base_table, is_ranked, plain, tables_of
from kbtui.nl2sql.figures import FUNCTIONS, natural, numeric
from kbtui.nl2sql.query import (
    INNER,
    Agg,
    AnyOf,
    Arith,
    Col,
    Cond,
    Expr,
    Function,
    Over,
    Part,
    Query,
    Ref,
    counts_rows,
    percent,
)
from kbtui.nl2sql.rewriting import aggs_of, map_conds, map_exprs
from kbtui.nl2sql.shape import literals_of

_MOST_DEFAULTS: Final = 3


def figures(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Another figure than the one before, or one beside it; and the edit as it is: the words may mean another thing."""
    yield from _functions(scene, edit)
    yield from _measures(scene, edit)
    yield from _things(scene, edit)
    yield from _counts(scene, edit)
    yield edit


def _functions(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``and the average?``, ``the average price``."""
    cue = scene.first_free(edit.draft, *FUNCTIONS)
    operator = scene.operator(cue)
    if operator is None or cue is None:
        return
    fn = FUNCTIONS[operator.op]
    level = float(operator.args.get("level", 0.5))
    used = edit.using("operator", cue)
    columns = [i for i in edit.draft.free(scene.columns) if numeric(scene.column(i))]
    column = nearest(scene.cover, cue, columns, most=4)
    if column is not None:
        ref = scene[column].ref
        assert ref is not None
        yield from _exchanged(scene, used.using("measure", column), Agg(fn, Col(ref), level=level), worth=0.3)
        return
    known = [agg for agg in aggs_of(edit.query) if not counts_rows(agg) and not agg.distinct]
    if known:
        agg = replace(known[-1], fn=fn, level=level)
        yield from _exchanged(scene, used, agg, worth=0.3)
        return
    for rank, ref in enumerate(_default_measures(scene, edit)):
        grown = used.trait("default_measure", -0.1 - 0.1 * rank)
        yield from _exchanged(scene, grown, Agg(fn, Col(ref), level=level), worth=0.0)


def _default_measures(scene: EditScene, edit: Edit) -> list[Ref]:
    """Columns that a function without one may be about: shown ones first, then those of the table."""
    shown = [e.ref for e in (*edit.query.select, *(o.expr for o in edit.query.order)) if isinstance(e, Col)]
    own = [ref for ref in shown if ref.table != INNER and numeric(scene.info(ref))]
    return list(dict.fromkeys((*own, *scene.measures((base_table(scene, edit.query),)))))[:_MOST_DEFAULTS]


def _measures(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``what about profit``: a column in place of the one before, by the same function where that fits."""
    if scene.first_free(edit.draft, *FUNCTIONS) is not None:
        return
    before = aggs_of(edit.query)
    for index in edit.draft.free(scene.columns):
        info = scene.column(index)
        if info is None or scene[index].order:
            continue
        used = edit.using("measure", index).using("operator", scene.first_free(edit.draft, "how_much"))
        per = nearest(scene.cover, index, edit.draft.free(scene.cues("per")), most=0)
        if per is not None and not (edit.query.group and is_ranked(edit.query)):
            continue
        used = used.using("operator", per)
        if numeric(info) and (before or scene.first_free(edit.draft, "how_much") is not None):
            kept = next((agg.fn for agg in before if not counts_rows(agg) and not agg.distinct), None)
            fits = kept is not None and kept not in ("sum", "count")
            fn: Function = kept if kept is not None and fits else natural(info)
            yield from _exchanged(scene, used, Agg(fn, Col(info.ref)), worth=0.15)
        elif before and before[-1].distinct:
            yield from _exchanged(scene, used, Agg("count", Col(info.ref), distinct=True), worth=0.1)
        elif not before and not edit.query.group and edit.query.distinct:
            query = replace(edit.query, select=(Col(info.ref),))
            yield used.to(query, "columns", worth=0.05)


def _things(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``what about products?`` after a number or a list of other things."""
    before = aggs_of(edit.query)
    for index in edit.draft.free(scene.tables):
        ref = scene[index].ref
        assert ref is not None
        used = edit.using("subject", index).using("operator", scene.first_free(edit.draft, "count"))
        if ref.table in tables_of(edit.query) and not before:
            continue
        if any(counts_rows(agg) for agg in before) or scene.first_free(edit.draft, "count") is not None:
            yield from _exchanged(scene, used, Agg("count", Col(Ref(ref.table, "*"))), worth=0.1)
        elif not before and not edit.query.group and edit.query.inner is None:
            kept = tuple(cond for cond in edit.query.where if _reaches(scene, cond, ref.table))
            listed = Query(select=scene.list_columns(scene.table(ref.table)), where=kept, tables=(ref.table,))
            yield used.to(listed, "rows", worth=-0.05 * (len(edit.query.where) - len(kept)))


def _reaches(scene: EditScene, cond: Cond | AnyOf, table: str) -> bool:
    """Whether a condition may hold for rows of another table: they join."""
    conds = cond.conds if isinstance(cond, AnyOf) else (cond,)
    near = {table, *scene.children(table), *scene.parents(table)}
    refs = Query(select=(), where=conds).used_tables()
    return all(name in near for name in refs)


def _counts(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``how many are there?``"""
    cue = scene.first_free(edit.draft, "count")
    if cue is None:
        return
    query = edit.query
    used = edit.using("operator", cue, scene.first_free(edit.draft, "truth", "exists"))
    table = base_table(scene, query)
    rows = Agg("count", Col(Ref(table, "*")))
    if query.group:
        yield from _exchanged(scene, used, rows, worth=0.1)
        groups = replace(query, order=(), limit=None) if query.limit is None else query
        inner = replace(groups, select=groups.group if not groups.order else (*groups.group, *groups.select))
        whole = Query(select=(Agg("count", Col(Ref(INNER, "*"))),), inner=inner)
        yield used.to(whole, "figure", worth=0.12 if query.having else 0.0)
    elif aggs_of(query):
        yield from _exchanged(scene, used, rows, worth=0.2)
    elif query.distinct and len(query.select) == 1:
        yield used.to(_counted(query, Agg("count", query.select[0], distinct=True)), "figure", worth=0.3)
    else:
        yield used.to(_counted(query, rows), "figure", worth=0.3)


def _counted(query: Query, figure: Agg) -> Query:
    return replace(query, select=(figure,), order=(), limit=None, distinct=False, per=())


def _exchanged(scene: EditScene, edit: Edit, new: Agg, worth: float) -> Iterator[Edit]:
    """The figure in place of the one before; beside it where the follow-up asks for more; of the rows of a list."""
    query = edit.query
    before = aggs_of(query)
    if query.inner is not None and before and _reads_inner(before[-1]):
        if _reads_inner(new):
            yield edit.to(map_exprs(query, lambda e: new if e == before[-1] else e), "figure", worth=worth)
            return
        inner_before = aggs_of(query.inner)
        if inner_before:
            inner = map_exprs(query.inner, lambda e: new if e == inner_before[-1] else e)
            yield edit.to(replace(query, inner=inner), "figure", worth=worth)
        return
    if not before:
        shown = replace(plain(query), select=(new,))
        yield edit.to(shown, "figure", worth=worth)
        return
    also = scene.first_free(edit.draft, "also")
    if also is not None and new not in before:
        more = replace(query, select=(*query.select, new))
        yield edit.using("operator", also).to(more, "figure", worth=worth + 0.1)
    old = before[-1]
    figure = replace(new, where=old.where)
    changed = map_exprs(query, lambda e: replace(figure, where=e.where) if isinstance(e, Agg) and _same(e, old) else e)
    if len(before) > 1 and not any(agg.where for agg in before):
        shown_figures = [e for e in query.select if isinstance(e, Agg)]
        rest = set(shown_figures) - {old}
        changed = replace(changed, select=tuple(e for e in changed.select if e not in rest))
    if new.fn not in ("sum", "count"):
        changed = _without_shares(changed)
    if changed != query:
        yield edit.to(_of_its_table(changed), "figure", worth=worth)


def _reads_inner(agg: Agg) -> bool:
    return isinstance(agg.arg, Col) and agg.arg.ref.table == INNER


def _same(one: Agg, other: Agg) -> bool:
    """The same figure, of whatever rows."""
    return replace(one, where=()) == replace(other, where=())


def _of_its_table(query: Query) -> Query:
    """Without the tables that only the figure before needed."""
    named = {ref.table for ref in query.refs()}
    return replace(query, tables=tuple(name for name in query.tables if name in named))


# Windows ----------------------------------------------------------------------------------------------------------


def windows(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``as a share``, ``compared to last year``, ``cumulative``."""
    yield from _share(scene, edit)
    yield from _growth(scene, edit)
    yield from _running(scene, edit)
    yield from _beside(scene, edit)
    yield edit


def _without_shares(query: Query) -> Query:
    """Averages and the like have no shares: the figure alone, ranked by itself where the share was."""
    kept = tuple(item for item in query.select if not _is_share(item))
    figure = next((item for item in reversed(kept) if isinstance(item, Agg)), None)
    if figure is None or len(kept) == len(query.select):
        return query
    order = tuple(replace(item, expr=figure) if _is_share(item.expr) else item for item in query.order)
    return replace(query, select=kept, order=order)


def _is_share(item: Expr) -> bool:
    over = item.left if isinstance(item, Arith) else item
    return isinstance(over, Over) and over.kind == "share"


def _last_figure(query: Query) -> Agg | None:
    return next((e for e in reversed(query.select) if isinstance(e, Agg)), None)


def _share(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    cue, figure = scene.first_free(edit.draft, "share"), _last_figure(edit.query)
    if cue is None or figure is None:
        return
    query, used = edit.query, edit.using("operator", cue, *scene.cues("how_much", "wh"))
    if query.group:
        yield used.to(replace(query, select=(*query.select, percent(Over("share", figure)))), "window", worth=0.3)
        return
    conds = tuple(cond for cond in query.where if isinstance(cond, Cond))
    if not conds or len(conds) != len(query.where):
        return
    timed = tuple(cond for cond in conds if is_dated(scene, cond))
    inside = tuple(cond for cond in conds if cond not in timed) or conds
    outside = () if inside == conds else timed
    ratio = percent(Arith("/", replace(figure, where=inside), figure))
    yield used.to(replace(query, select=(ratio,), where=outside), "window", worth=0.3)


def _growth(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """From the period before: of one figure, of each group, or from group to group of a series."""
    cue, figure = scene.first_free(edit.draft, "growth"), _last_figure(edit.query)
    operator = scene.operator(cue)
    if operator is None or figure is None:
        return
    query, used = edit.query, edit.using("operator", cue)
    kind = operator.args.get("kind", "change")
    if query.group and isinstance(query.group[0], Part) and query.inner is None:
        window = percent(Over(kind, figure))
        yield used.to(replace(query, select=(*query.select, window)), "window", worth=0.3)
        return
    timed = [cond for cond in query.where if isinstance(cond, Cond) and is_dated(scene, cond)]
    span = days_of(timed)
    if span is None:
        return
    before = moved_days(span, {"unit": "year", "by": -1}) if kind == "change_year" else previous_period(*span, kind)
    yield used.to(_side_by_side(query, figure, timed, [before, span]), "window", worth=0.3)


def _side_by_side(query: Query, figure: Agg, timed: list[Cond], spans: Sequence[Days]) -> Query:
    """The figure of two periods and the change from the first to the second, a column each."""
    column = dated_column(timed[-1])
    earlier, later = (replace(figure, where=(*figure.where, period_cond(column, *span))) for span in spans)
    change = percent(Arith("/", Arith("-", later, earlier), earlier))
    shown: tuple[Expr, ...] = tuple(e for e in query.select if e != figure)
    where = tuple(cond for cond in query.where if cond not in timed)
    order = tuple(item for item in query.order if item.expr != figure)
    return replace(query, select=(*shown, earlier, later, change), where=where, order=order)


def _running(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    cue, figure = scene.first_free(edit.draft, "running"), _last_figure(edit.query)
    if cue is None or figure is None or not edit.query.group:
        return
    query = replace(edit.query, select=(*edit.query.select, Over("running", figure)))
    yield edit.using("operator", cue).to(query, "window", worth=0.3)


def _beside(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """``compared with Bergen``, ``vs 2024``: a value or a period beside the one before."""
    cue, figure = scene.first_free(edit.draft, "versus"), _last_figure(edit.query)
    if cue is None or figure is None:
        return
    used = edit.using("operator", cue)
    periods = [p for i in edit.draft.periods if (p := scene[i].period) is not None]
    timed = [cond for cond in edit.query.where if isinstance(cond, Cond) and is_dated(scene, cond)]
    span = days_of(timed)
    if periods and span is not None and periods[0].first is not None and periods[0].last is not None:
        spans = sorted([span, (periods[0].first, periods[0].last)])
        grown = used.using("filter", *edit.draft.periods)
        grown = replace(grown, draft=replace(grown.draft, periods=()))
        yield grown.to(_side_by_side(edit.query, figure, timed, spans), "window", worth=0.45)
    for cond in edit.draft.where:
        if not isinstance(cond, Cond) or cond.op not in ("=", "in") or edit.query.group:
            continue
        old = next((o for o in edit.query.where if isinstance(o, Cond) and o.left == cond.left), None)
        if old is None or old.op not in ("=", "in"):
            continue
        values = tuple(dict.fromkeys((*literals_of(old), *literals_of(cond))))
        both = Cond(cond.left, "in", values)
        query = map_conds(edit.query, lambda c, old=old, both=both: both if c == old else c)  # type: ignore[misc]
        query = replace(query, select=(cond.left, *query.select), group=(cond.left,))
        rest = tuple(other for other in used.draft.where if other != cond)
        yield replace(used, draft=replace(used.draft, where=rest)).to(query, "window", worth=0.4)
