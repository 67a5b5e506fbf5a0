"""Figures that a question may ask for: counts of rows, aggregates of measures, durations, formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import MIN_DISTINCT_NAMES, Draft, Scene
from kbtui.nl2sql.interval_conditions import holds_years
from kbtui.nl2sql.joins import joins_of
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.link_people import repeats_people
from kbtui.nl2sql.number_literals import date_pairs, in_days
from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Expr, Function, Ref, refs_of
from kbtui.nl2sql.row_facts import names_rows

FUNCTIONS: Final[dict[str, Function]] = {
    "sum": "sum", "avg": "avg", "median": "median", "stddev": "stddev", "percentile": "percentile",
    "min": "min", "max": "max",
}  # fmt: skip
_MAIN_AMOUNT: Final = 0.4
_OTHER_AMOUNT: Final = 0.15
_NUMERIC: Final = ("measure", "rate")
_MAX_DEFAULTS: Final = 4
_MAX_PAIRED: Final = 2
"""Tables whose rows are counted beside another figure, at most."""
_MAX_REFERENCES: Final = 3
_MAX_TABLES: Final = 6
"""Tables, and references from mentioned ones, that an unnamed figure may be of, at most."""
_BUSY: Final = 1.0
"""Worth of counting the largest table if it is open what occurs often."""
_REPEATED: Final = -0.2
"""Worth of counting rows for a column with repeated values."""
_FIGURE_OPERATORS: Final = ("most", "top", "growth", "share", "versus")
"""Operators that apply to a figure which may be left out: the best product is the one with the most revenue."""
_TIMES: Final = ("hour", "minute", "day", "second", "month", "year", "ms")
_ZH_PER_DAY: Final = {"小时": 24.0, "钟头": 24.0, "分钟": 1440.0, "秒": 86400.0}


class Figure(Struct, frozen=True):
    """A figure, and the draft that has used its mentions.

    Attributes:
        exprs: The expressions; usually one aggregate, two if the question asks for two.
        table: The table whose rows it is about.
        counts: Whether it counts rows or distinct values.
    """

    exprs: tuple[Expr, ...]
    draft: Draft
    table: str
    counts: bool = False


def figures(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """All figures that the unused mentions may mean."""
    yield from (_with_formula_columns(scene, figure) for figure in _explicit(scene, draft))
    yield from _counts(scene, draft)
    yield from _paired_counts(scene, draft)
    yield from (_with_formula_columns(scene, figure) for figure in _bare_measures(scene, draft))
    yield from _durations(scene, draft)
    yield from _spreads(scene, draft)
    yield from _default_measures(scene, draft)


def _with_formula_columns(scene: Scene, figure: Figure) -> Figure:
    """The figure, using mentions of columns in its formula: slowest to reply, by days to the reply."""
    infos = [scene.info(ref) for expr in figure.exprs for ref in refs_of(expr)]
    formula_refs = {ref for c in infos if c is not None and c.formula is not None for ref in refs_of(c.formula)}
    positions = [i for i in figure.draft.free(scene.columns) if scene[i].ref in formula_refs] if formula_refs else []
    return replace(figure, draft=figure.draft.using("measure", *positions)) if positions else figure


def is_numeric(info: ColumnInfo | None) -> bool:
    """Whether a column holds numbers that can be aggregated."""
    return info is not None and (info.kind in _NUMERIC or info.encoding == "number")


def default_function(info: ColumnInfo) -> Function:
    """The default function of a column: a sum for measures, an average for rates."""
    return "sum" if info.kind == "measure" else "avg"


def _explicit(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Named functions with the nearest column each: ``min and max price``, 平均金额."""
    cues = draft.free(scene.cues(*FUNCTIONS))
    if not cues:
        return
    columns = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i))]
    if not columns:
        return
    exprs: list[Expr] = []
    new_draft, used_columns = draft, set[int]()
    for cue, column in _paired_with_columns(scene, cues, columns):
        expr, worth = _aggregated(scene, cue, column)
        exprs.append(expr)
        used_columns.add(column)
        # In “average number of guests”, the column is itself a count.
        counting = [count for count in draft.free(scene.cues("count")) if cue < count < column]
        new_draft = new_draft.using("operator", cue, *counting).using("measure", column, worth=worth)
        new_draft = new_draft.trait("function_gap", float(gap(scene.cover, cue, column)))
    first_column = next(iter(used_columns), None)
    if first_column is None:
        return
    table = _table(scene, first_column)
    yield Figure(tuple(dict.fromkeys(exprs)), new_draft, table)
    other_columns = [i for i in columns if i not in used_columns and gap(scene.cover, i, max(used_columns)) <= 2]
    if other_columns and len(cues) == 1:
        other_exprs = [_aggregated(scene, cues[0], i)[0] for i in other_columns]
        yield Figure(
            tuple(dict.fromkeys((*exprs, *other_exprs))), new_draft.using("measure", *other_columns, worth=-0.1), table
        )


def _paired_with_columns(scene: Scene, cues: list[int], columns: list[int]) -> list[tuple[int, int]]:
    """Positions of functions with their columns; functions in a row share a column: ``mean, min and max age``."""
    pairs: list[tuple[int, int]] = []
    next_cue = None
    for cue in reversed(cues):
        column = nearest(scene.cover, cue, columns, most=6)
        if column is None and next_cue is not None and gap(scene.cover, cue, next_cue) <= 2:
            column = pairs[-1][1]
        if column is not None:
            pairs.append((cue, column))
            next_cue = cue
    return pairs[::-1]


def _aggregated(scene: Scene, cue: int, column: int) -> tuple[Expr, float]:
    operator, info = scene[cue].cue, scene.column(column)
    assert operator is not None
    assert info is not None
    fn = FUNCTIONS[operator.op]
    worth = -0.35 if fn == "sum" and info.kind == "rate" else 0.0
    level = float(operator.args.get("level", 0.5))
    return Agg(fn, Col(info.ref), level=level), worth


def _table(scene: Scene, index: int) -> str:
    ref = scene[index].ref
    assert ref is not None
    return ref.table


def _counts(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Counts of the rows of a table, or of distinct values of a column."""
    count_cues = draft.free(scene.cues("count", "sum", "how_much"))
    count_cue = scene.first_free(draft, "count")
    distinct = scene.first_free(draft, "distinct")
    base = 0.15 if count_cue is not None else -0.35 if count_cues else -0.1
    start = draft.using("operator", *count_cues, worth=base)
    cue = count_cue if count_cue is not None else next(iter(count_cues), None)
    subjects = draft.free(scene.tables)
    head = None if cue is None else nearest(scene.cover, cue, subjects, most=8)
    for index in subjects:
        nearness = 0.1 if index == head else 0.0
        repeated_name = None if distinct is None else _repeated_name(scene, _table(scene, index))
        new_draft = start.using("subject", index, worth=nearness)
        if repeated_name is not None:
            distinct_draft = new_draft.using("operator", distinct).trait("count_distinct")
            yield Figure(
                (Agg("count", Col(repeated_name), distinct=True),), distinct_draft, repeated_name.table, counts=True
            )
        else:
            new_draft = new_draft.using("operator", distinct)
        table = scene.table(_table(scene, index))
        if not table.has_first_lines:
            yield Figure((_rows(table.name),), new_draft, table.name, counts=True)
        if (grain := table.grain) is not None and not names_rows(scene.lattice.question.words(scene[index].span)):
            grain_draft = new_draft.trait("grain_counted", 1.0, worth=-0.02)
            yield Figure((Agg("count", Col(grain), distinct=True),), grain_draft, grain.table, counts=True)
        for link in _link_tables(scene, _table(scene, index)):
            yield Figure((_rows(link),), new_draft.trait("link_counted", 1.0, worth=-0.03), link, counts=True)
    for index in draft.free(scene.columns):
        yield from _counted_column(scene, start, index, distinct)
    if not subjects or count_cue is None:
        tables = _counted_tables(scene)
        is_busy = scene.cue("common") is not None
        largest = math.log1p(max((scene.table(name).rows for name in tables), default=0)) or 1.0
        for rank, name in enumerate(tables):
            new_draft = start.trait("default_count", 1.0, worth=-0.15 - 0.1 * rank)
            if is_busy:
                # The busiest site has the most rows of the largest table, not the most doors.
                share = math.log1p(scene.table(name).rows) / largest
                new_draft = new_draft.trait("busy_rows", share, worth=_BUSY * share)
            yield Figure((_rows(name),), new_draft, name, counts=True)


def _repeated_name(scene: Scene, name: str) -> Ref | None:
    """The name column if its values repeat in the table (plates of parked cars), else None."""
    table = scene.table(name)
    info = scene.info(table.naming[0]) if len(table.naming) == 1 else None
    most = table.rows if table.key is None else MIN_DISTINCT_NAMES * table.rows
    return info.ref if info is not None and 0 < info.distinct < most else None


def _paired_counts(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """A count and another figure: ``number and average age of students``, ``how many orders and what total``."""
    count_cue = scene.first_free(draft, "count")
    function_cues = draft.free(scene.cues("how_much", *FUNCTIONS))
    if count_cue is None or not function_cues:
        return
    if min(function_cues) < count_cue and not any(
        min(function_cues) < i < count_cue for i in draft.free(scene.columns)
    ):
        return
    start = draft.using("operator", count_cue, *scene.cues("and"), worth=0.1)
    subjects = start.free(scene.tables)[:_MAX_PAIRED]
    for rank, index in enumerate((*subjects, None)):
        count_draft = start.using("subject", index, worth=-0.1 * rank)
        for figure in islice(_explicit(scene, count_draft), 1):
            table = figure.table if index is None else _table(scene, index)
            exprs = (_rows(table), *figure.exprs) if count_cue < min(function_cues) else (*figure.exprs, _rows(table))
            yield replace(figure, exprs=exprs, table=table)


def _link_tables(scene: Scene, table: str) -> list[str]:
    """Child tables that link a table to another mentioned table."""
    other_tables = set(scene.mentioned_tables) - {table}
    children = (child for child in scene.children(table) if child not in other_tables)
    return [child for child in children if other_tables & set(scene.parents(child))]


def _counted_column(scene: Scene, start: Draft, index: int, distinct: int | None) -> Iterator[Figure]:
    info = scene.column(index)
    if info is None or scene[index].order or start.fixes(info.ref):
        return
    ref = info.ref
    if info.kind in ("name", "category", "reference", "code", "text", "flag") or distinct is not None:
        new_draft = start.using("measure", index).using("operator", distinct).trait("count_distinct")
        # Donors are counted by their number, name or reference, not by a column about them such as their type.
        identifying_kinds = ("reference", "name", "code" if scene[index].how == "part" else "category")
        worth = 0.1 if distinct is not None else 0.0 if info.kind in identifying_kinds else -0.2
        yield Figure(
            (Agg("count", Col(ref), distinct=True),),
            replace(new_draft, prior=new_draft.prior + worth),
            ref.table,
            counts=True,
        )
    if info.kind in ("key", "date", "other", "text", "code", "name") and not _are_people(scene, index, info):
        new_draft = start.using("measure", index, worth=-0.1)
        if info.kind == "date" and info.nulls > 0:
            new_draft = new_draft.filtered(Cond(Col(ref), "not null"))  # Rows without it have not come to it.
        if info.kind in ("code", "name") and not scene.table(ref.table).is_identified_by(info):
            new_draft = new_draft.trait("rows_for_repeated", 1.0, worth=_REPEATED)
        yield Figure((_rows(ref.table),), new_draft, ref.table, counts=True)


def _are_people(scene: Scene, index: int, info: ColumnInfo) -> bool:
    """Whether a word for people means the names of a column: 员工 of attendance, with a row for each of their days."""
    return scene[index].how == "concept" and repeats_people(info, scene.table(info.ref.table))


def _rows(table: str) -> Expr:
    return Agg("count", Col(Ref(table, "*")))


def _counted_tables(scene: Scene) -> list[str]:
    """Tables whose rows may be counted by default: mentioned ones, and those that refer to them."""
    tables = dict.fromkeys(scene.usual_tables())
    frontier = list(tables)
    for _ in range(_MAX_REFERENCES):
        frontier = [child for name in frontier for child in scene.children(name) if child not in tables]
        tables |= dict.fromkeys(frontier)
    return list(tables)[:_MAX_TABLES]


def _bare_measures(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Measures without a function: ``sales by store``, ``how much revenue``."""
    cue = scene.first_free(draft, "how_much", "count")
    columns = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i)) and not scene[i].comparative]
    for index in columns:
        info = scene.column(index)
        assert info is not None
        if (holds_years(info) and not scene[index].order) or _is_single_row(scene, draft, info):
            continue  # Years are averaged only if a function is named; the value of one row needs no function.
        new_draft = draft.using("operator", cue).using("measure", index, worth=0.05)
        # The slowest path is the one with the longest average, not with the most requests.
        is_of_times = bool(scene[index].order) and info.unit in _TIMES
        fn = "sum" if _names_sum(scene, index, info) else "avg" if is_of_times else default_function(info)
        yield Figure((Agg(fn, Col(info.ref)),), new_draft, info.ref.table)
    if len(columns) > 1:
        infos = [scene.column(i) for i in columns]
        exprs = tuple(dict.fromkeys(Agg(default_function(info), Col(info.ref)) for info in infos if info is not None))
        yield Figure(exprs, draft.using("operator", cue).using("measure", *columns), _table(scene, columns[0]))


def _names_sum(scene: Scene, index: int, info: ColumnInfo) -> bool:
    """Whether a mention contains a word for sums, or means the amount of the rows by another word than its name."""
    span, cues = scene[index].span, scene.lattice.question.cues
    is_amount = scene.table(info.ref.table).amount == info.ref and scene[index].how == "concept"
    return is_amount or any(cue.op == "sum" and cue.span.within(span) for cue in cues)


def _is_single_row(scene: Scene, draft: Draft, info: ColumnInfo) -> bool:
    """Whether a condition leaves one row of the column's table, and is no comparison: the population *of Texas*."""
    if scene.cue("compare") is not None:
        return False
    joins = joins_of(scene.catalogue)
    return any(
        joins.is_unique(column.ref) and draft.fixes(column.ref) for column in scene.table(info.ref.table).columns
    )


def _durations(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Days between two dates of a row, on average unless a function is named."""
    cue = scene.first_free(draft, "duration")
    if cue is None:
        return
    scale = _per_day(scene, cue)
    function_cue = scene.first_free(draft, *FUNCTIONS)
    operator = scene.operator(function_cue)
    fn: Function = FUNCTIONS[operator.op] if operator is not None else "avg"
    new_draft = draft.using("operator", cue, function_cue)
    for name in _counted_tables(scene):
        for start, end in date_pairs(scene.table(name), scene):
            difference: Expr = Arith("-", Col(end), Col(start))
            if scale is not None:
                difference = Arith("*", difference, scale)
            used = [i for i in new_draft.free(scene.columns) if scene[i].ref in (start, end)]
            yield Figure((Agg(fn, difference),), new_draft.using("measure", *used, worth=0.1), name)
        for column in scene.table(name).columns:
            if column.unit in _TIMES and is_numeric(column):
                used = [i for i in new_draft.free(scene.columns) if scene[i].ref == column.ref]
                functions = dict.fromkeys((fn,) if operator is not None else (default_function(column), fn))
                for function in functions:
                    yield Figure((Agg(function, Col(column.ref)),), new_draft.using("measure", *used), name)


def _spreads(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Maximum minus minimum: ``temperature spread``, ``the gap between the longest and the shortest wait``."""
    cue = scene.first_free(draft, "spread")
    columns = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i)) and not scene[i].comparative]
    if cue is None or not columns:
        return
    nearest_column = nearest(scene.cover, cue, columns, most=8)
    for rank, index in enumerate(sorted(columns, key=lambda i: i != nearest_column)[:_MAX_PAIRED]):
        info = scene.column(index)
        assert info is not None
        maximum, minimum = (Agg(fn, Col(info.ref)) for fn in ("max", "min"))
        other_cues = scene.cues("max", "min", "most", "versus", "and")
        new_draft = draft.using("operator", cue, *other_cues).using("measure", index, worth=0.2 - 0.1 * rank)
        yield Figure((Arith("-", maximum, minimum),), new_draft.trait("spread"), info.ref.table)


def _per_day(scene: Scene, cue: int) -> float | None:
    """How many of the requested unit make a day; None for days and without a unit."""
    span = scene[cue].span
    for token in scene.lattice.question.tokens[span.first : span.last]:
        ratio = in_days(token.stem)
        if ratio is not None:
            return None if ratio == 1 else float(1 / ratio)
    words = scene.lattice.question.words(span)
    return next((factor for name, factor in _ZH_PER_DAY.items() if name in words), None)


def _default_measures(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Measures for questions that ask how much, or name a function without a column."""
    cue = scene.first_free(draft, "how_much", *FUNCTIONS, *_FIGURE_OPERATORS)
    operator = scene.operator(cue)
    if operator is None or (
        operator.op == "share" and next(scene.cover.indexes("value", "state", "table"), None) is not None
    ):
        return  # The share of women, or of orders, is a share of rows.
    ranks_figure = operator.op in _FIGURE_OPERATORS
    if ranks_figure:
        cue = None  # The cue that ranks or compares the figure is used later.
    wants_money = ranks_figure or operator.op == "how_much" or operator.args.get("concept") == "money"
    ranked: list[tuple[float, ColumnInfo]] = []
    # Who ordered the most has the most orders: rows of mentioned tables are counted.
    counted_tables = {_table(scene, i) for i in scene.tables} if operator.op in ("most", "top") else set()
    for rank, name in enumerate(_counted_tables(scene)):
        if name in counted_tables:
            continue
        table = scene.table(name)
        for position, column in enumerate((*table.columns, *table.calculated)):
            if is_numeric(column):
                worth = -0.45 - 0.1 * rank - 0.02 * position + (_money_worth(scene, column) if wants_money else 0.0)
                ranked.append((worth - (0.2 if column.kind == "rate" else 0.0), column))
    ranked.sort(key=lambda item: -item[0])
    for worth, column in ranked[:_MAX_DEFAULTS]:
        fn = FUNCTIONS.get(operator.op, default_function(column))
        new_draft = draft.using("operator", cue).trait("default_measure", 1.0, worth=worth)
        yield Figure(
            (Agg(fn, Col(column.ref), level=float(operator.args.get("level", 0.5))),), new_draft, column.ref.table
        )


def _money_worth(scene: Scene, column: ColumnInfo) -> float:
    """The worth of a column for a question about money, highest for the amount of its table."""
    if scene.table(column.ref.table).amount == column.ref:
        return _MAIN_AMOUNT
    return _OTHER_AMOUNT if is_kind(column.concepts, "money") else 0.0
