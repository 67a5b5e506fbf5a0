"""Edits of the figures that a statement shows: another function, another measure, a further figure, shares, changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.conditions import period_cond, previous_period
from kbtui.nl2sql.cover import nearest
from kbtui.nl2sql.edit_periods import Days, dated_column, days_of, is_dated, moved_days
from kbtui.nl2sql.edit_state import Edit, EditScene, base_table, is_ranked, rows_only, tables_of
from kbtui.nl2sql.figures import FUNCTIONS, default_function, is_numeric
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
    cond_tables,
    counts_rows,
    percent,
)
from kbtui.nl2sql.rewriting import aggs_of, map_exprs

_MAX_DEFAULTS: Final = 3


def figure_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits that replace the figure or add one; last the edit unchanged, for readings of the words by later stages."""
    yield from _functions(scene, edit)
    yield from _measures(scene, edit)
    yield from _tables(scene, edit)
    yield from _counts(scene, edit)
    yield edit


def _functions(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits for a named function: ``and the average?``, ``the average price``."""
    cue = scene.first_free(edit.draft, *FUNCTIONS)
    operator = scene.operator(cue)
    if operator is None or cue is None:
        return
    fn = FUNCTIONS[operator.op]
    level = float(operator.args.get("level", 0.5))
    used = edit.using("operator", cue)
    columns = [i for i in edit.draft.free(scene.columns) if is_numeric(scene.column(i))]
    column = nearest(scene.cover, cue, columns, most=4)
    if column is not None:
        ref = scene[column].ref
        assert ref is not None
        yield from _with_figure(scene, used.using("measure", column), Agg(fn, Col(ref), level=level), worth=0.3)
        return
    measures = [agg for agg in aggs_of(edit.query) if not counts_rows(agg) and not agg.distinct]
    if measures:
        agg = replace(measures[-1], fn=fn, level=level)
        yield from _with_figure(scene, used, agg, worth=0.3)
        return
    for rank, ref in enumerate(_default_measures(scene, edit)):
        new_edit = used.trait("default_measure", -0.1 - 0.1 * rank)
        yield from _with_figure(scene, new_edit, Agg(fn, Col(ref), level=level), worth=0.0)


def _default_measures(scene: EditScene, edit: Edit) -> list[Ref]:
    """Columns that a function without a column may apply to: shown ones first, then measures of the table."""
    columns = [e.ref for e in (*edit.query.select, *(o.expr for o in edit.query.order)) if isinstance(e, Col)]
    shown = [ref for ref in columns if ref.table != INNER and is_numeric(scene.info(ref))]
    return list(dict.fromkeys((*shown, *scene.measures((base_table(scene, edit.query),)))))[:_MAX_DEFAULTS]


def _measures(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits for a named measure, with the function of the last figure if it fits: ``what about profit``."""
    if scene.first_free(edit.draft, *FUNCTIONS) is not None:
        return
    figures = aggs_of(edit.query)
    for index in edit.draft.free(scene.columns):
        info = scene.column(index)
        if info is None or scene[index].order:
            continue
        new_edit = edit.using("measure", index).using("operator", scene.first_free(edit.draft, "how_much"))
        per = nearest(scene.cover, index, edit.draft.free(scene.cues("per")), most=0)
        if per is not None and not (edit.query.group and is_ranked(edit.query)):
            continue
        new_edit = new_edit.using("operator", per)
        if is_numeric(info) and (figures or scene.first_free(edit.draft, "how_much") is not None):
            function = next((agg.fn for agg in figures if not counts_rows(agg) and not agg.distinct), None)
            is_usable = function is not None and function not in ("sum", "count")
            fn: Function = function if function is not None and is_usable else default_function(info)
            yield from _with_figure(scene, new_edit, Agg(fn, Col(info.ref)), worth=0.15)
        elif figures and figures[-1].distinct:
            yield from _with_figure(scene, new_edit, Agg("count", Col(info.ref), distinct=True), worth=0.1)
        elif not figures and not edit.query.group and edit.query.distinct:
            query = replace(edit.query, select=(Col(info.ref),))
            yield new_edit.to(query, "columns", worth=0.05)


def _tables(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits for another table after a number or a list: ``what about products?``."""
    figures = aggs_of(edit.query)
    for index in edit.draft.free(scene.tables):
        ref = scene[index].ref
        assert ref is not None
        new_edit = edit.using("subject", index).using("operator", scene.first_free(edit.draft, "count"))
        if ref.table in tables_of(edit.query) and not figures:
            continue
        if any(counts_rows(agg) for agg in figures) or scene.first_free(edit.draft, "count") is not None:
            yield from _with_figure(scene, new_edit, Agg("count", Col(Ref(ref.table, "*"))), worth=0.1)
        elif not figures and not edit.query.group and edit.query.inner is None:
            conds = tuple(cond for cond in edit.query.where if _applies_to(scene, cond, ref.table))
            list_query = Query(select=scene.list_columns(scene.table(ref.table)), where=conds, tables=(ref.table,))
            yield new_edit.to(list_query, "rows", worth=-0.05 * (len(edit.query.where) - len(conds)))


def _applies_to(scene: EditScene, cond: Cond | AnyOf, table: str) -> bool:
    """Whether a condition can apply to rows of another table: its tables are that table or related to it."""
    return cond_tables(cond) - {INNER} <= {table, *scene.children(table), *scene.parents(table)}


def _counts(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits for a count: ``how many are there?``."""
    cue = scene.first_free(edit.draft, "count")
    if cue is None:
        return
    query = edit.query
    new_edit = edit.using("operator", cue, scene.first_free(edit.draft, "truth", "exists"))
    table = base_table(scene, query)
    rows = Agg("count", Col(Ref(table, "*")))
    if query.group:
        yield from _with_figure(scene, new_edit, rows, worth=0.1)
        groups = replace(query, order=(), limit=None) if query.limit is None else query
        inner = replace(groups, select=groups.group if not groups.order else (*groups.group, *groups.select))
        group_count = Query(select=(Agg("count", Col(Ref(INNER, "*"))),), inner=inner)
        yield new_edit.to(group_count, "figure", worth=0.12 if query.having else 0.0)
    elif aggs_of(query):
        yield from _with_figure(scene, new_edit, rows, worth=0.2)
    elif query.distinct and len(query.select) == 1:
        yield new_edit.to(_count_query(query, Agg("count", query.select[0], distinct=True)), "figure", worth=0.3)
    else:
        yield new_edit.to(_count_query(query, rows), "figure", worth=0.3)


def _count_query(query: Query, count: Agg) -> Query:
    return replace(query, select=(count,), order=(), limit=None, distinct=False, per=())


def _with_figure(scene: EditScene, edit: Edit, new: Agg, worth: float) -> Iterator[Edit]:
    """The figure in place of the last one; beside it for “also”; over the rows of a list if there was none."""
    query = edit.query
    figures = aggs_of(query)
    if query.inner is not None and figures and _reads_inner(figures[-1]):
        if _reads_inner(new):
            yield edit.to(map_exprs(query, lambda e: new if e == figures[-1] else e), "figure", worth=worth)
            return
        inner_before = aggs_of(query.inner)
        if inner_before:
            inner = map_exprs(query.inner, lambda e: new if e == inner_before[-1] else e)
            yield edit.to(replace(query, inner=inner), "figure", worth=worth)
        return
    if not figures:
        aggregated = replace(rows_only(query), select=(new,))
        yield edit.to(aggregated, "figure", worth=worth)
        return
    also_cue = scene.first_free(edit.draft, "also")
    if also_cue is not None and new not in figures:
        extended = replace(query, select=(*query.select, new))
        yield edit.using("operator", also_cue).to(extended, "figure", worth=worth + 0.1)
    old = figures[-1]
    figure = replace(new, where=old.where)
    changed = map_exprs(
        query, lambda e: replace(figure, where=e.where) if isinstance(e, Agg) and _are_same_figure(e, old) else e
    )
    if len(figures) > 1 and not any(agg.where for agg in figures):
        shown_figures = [e for e in query.select if isinstance(e, Agg)]
        dropped_figures = set(shown_figures) - {old}
        changed = replace(changed, select=tuple(e for e in changed.select if e not in dropped_figures))
    if changed != query:
        yield edit.to(_without_unused_tables(changed), "figure", worth=worth)


def _reads_inner(agg: Agg) -> bool:
    return isinstance(agg.arg, Col) and agg.arg.ref.table == INNER


def _are_same_figure(first: Agg, second: Agg) -> bool:
    """Whether two aggregates are equal apart from their conditions."""
    return replace(first, where=()) == replace(second, where=())


def _without_unused_tables(query: Query) -> Query:
    """The query without the tables that only the replaced figure needed."""
    tables = {ref.table for ref in query.refs()}
    return replace(query, tables=tuple(name for name in query.tables if name in tables))


# Windows ----------------------------------------------------------------------------------------------------------


def window_edits(scene: EditScene, edit: Edit) -> Iterator[Edit]:
    """Edits for windows: ``as a share``, ``compared to last year``."""
    yield from _share(scene, edit)
    yield from _growth(scene, edit)
    yield edit


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
    """Change from the period before: of a figure, of each group, or between the groups of a series."""
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
    earlier_days = (
        moved_days(span, {"unit": "year", "by": -1}) if kind == "change_year" else previous_period(*span, kind)
    )
    yield used.to(_side_by_side(query, figure, timed, [earlier_days, span]), "window", worth=0.3)


def _side_by_side(query: Query, figure: Agg, timed: list[Cond], spans: Sequence[Days]) -> Query:
    """The figure in two periods and the change from the first to the second, in a column each."""
    column = dated_column(timed[-1])
    earlier, later = (replace(figure, where=(*figure.where, period_cond(column, *span))) for span in spans)
    change = percent(Arith("/", Arith("-", later, earlier), earlier))
    shown: tuple[Expr, ...] = tuple(e for e in query.select if e != figure)
    where = tuple(cond for cond in query.where if cond not in timed)
    order = tuple(item for item in query.order if item.expr != figure)
    return replace(query, select=(*shown, earlier, later, change), where=where, order=order)
