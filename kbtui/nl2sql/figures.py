"""Figures that a question may ask for: rows counted, measures summed or averaged, durations, formulas."""

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
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.number_literals import date_pairs, in_days
from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Expr, Function, Ref, refs_of

FUNCTIONS: Final[dict[str, Function]] = {
    "sum": "sum", "avg": "avg", "median": "median", "stddev": "stddev", "percentile": "percentile",
    "min": "min", "max": "max",
}  # fmt: skip
_MAIN_AMOUNT: Final = 0.4
_OTHER_AMOUNT: Final = 0.15
_NUMERIC: Final = ("measure", "rate")
_MOST_DEFAULTS: Final = 4
_MOST_BESIDE: Final = 2
"""Tables at most whose rows are counted beside another figure."""
_MOST_REFERENCES: Final = 3
_MOST_TABLES: Final = 6
"""Tables at most, and references between them and what is spoken of, that a figure without a name may be of."""
_BUSY: Final = 1.0
"""Worth of counting the rows of the largest table where nothing says what is common."""
_REPEATED: Final = -0.2
"""Worth of counting rows as what a column names again and again: gifts are more than their donors."""
_OVER_FIGURES: Final = ("most", "top", "growth", "share", "versus")
"""Operators over a figure that need not be named: the best product is the one with the most revenue."""
_TIMES: Final = ("hour", "minute", "day", "second", "month", "year", "ms")
_ZH_PER_DAY: Final = {"小时": 24.0, "钟头": 24.0, "分钟": 1440.0, "秒": 86400.0}


class Figure(Struct, frozen=True):
    """A figure, and the draft that has used its words.

    Attributes:
        exprs: Usually one aggregate; two where the question asks for two.
        table: Whose rows it is about.
        counts: It counts rows or different things.
    """

    exprs: tuple[Expr, ...]
    draft: Draft
    table: str
    counts: bool = False


def figures(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Figures in every way the words left over can be read; the caller ranks them."""
    yield from (_with_parts(scene, figure) for figure in _explicit(scene, draft))
    yield from _counts(scene, draft)
    yield from _counts_beside(scene, draft)
    yield from (_with_parts(scene, figure) for figure in _bare(scene, draft))
    yield from _durations(scene, draft)
    yield from _spreads(scene, draft)
    yield from _default_measures(scene, draft)


def _with_parts(scene: Scene, figure: Figure) -> Figure:
    """The figure with the words for what its calculated columns are made of: slowest to reply, by days to the reply."""
    infos = [scene.info(ref) for expr in figure.exprs for ref in refs_of(expr)]
    made = {ref for info in infos if info is not None and info.formula is not None for ref in refs_of(info.formula)}
    parts = [i for i in figure.draft.free(scene.columns) if scene[i].ref in made] if made else []
    return replace(figure, draft=figure.draft.using("measure", *parts)) if parts else figure


def numeric(info: ColumnInfo | None) -> bool:
    """Whether figures can be made of a column."""
    return info is not None and (info.kind in _NUMERIC or info.encoding == "number")


def natural(info: ColumnInfo) -> Function:
    """What is meant by a column alone: a measure adds up, a rate does not."""
    return "sum" if info.kind == "measure" else "avg"


def _explicit(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Functions that are named, each with the column nearest to it: ``min and max price``, 平均金额."""
    cues = draft.free(scene.cues(*FUNCTIONS))
    if not cues:
        return
    columns = [i for i in draft.free(scene.columns) if numeric(scene.column(i))]
    if not columns:
        return
    exprs: list[Expr] = []
    grown, taken = draft, set[int]()
    for cue, column in _with_columns(scene, cues, columns):
        expr, worth = _aggregated(scene, cue, column)
        exprs.append(expr)
        taken.add(column)
        # The average number of guests is one of a column that counts them.
        counting = [count for count in draft.free(scene.cues("count")) if cue < count < column]
        grown = grown.using("operator", cue, *counting).using("measure", column, worth=worth)
        grown = grown.trait("function_gap", float(gap(scene.cover, cue, column)))
    first = next(iter(taken), None)
    if first is None:
        return
    table = _table(scene, first)
    yield Figure(tuple(dict.fromkeys(exprs)), grown, table)
    rest = [i for i in columns if i not in taken and gap(scene.cover, i, max(taken)) <= 2]
    if rest and len(cues) == 1:
        more = [_aggregated(scene, cues[0], i)[0] for i in rest]
        yield Figure(tuple(dict.fromkeys((*exprs, *more))), grown.using("measure", *rest, worth=-0.1), table)


def _with_columns(scene: Scene, cues: list[int], columns: list[int]) -> list[tuple[int, int]]:
    """Functions with their columns; those in a row share the last one's: ``mean, min and max age``."""
    found: list[tuple[int, int]] = []
    behind = None
    for cue in reversed(cues):
        column = nearest(scene.cover, cue, columns, most=6)
        if column is None and behind is not None and gap(scene.cover, cue, behind) <= 2:
            column = found[-1][1]
        if column is not None:
            found.append((cue, column))
            behind = cue
    return found[::-1]


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
    """Rows of a table, or different values of a column, counted."""
    asking = draft.free(scene.cues("count", "sum", "how_much"))
    asked = scene.first_free(draft, "count")
    distinct = scene.first_free(draft, "distinct")
    base = 0.15 if asked is not None else -0.35 if asking else -0.1
    start = draft.using("operator", *asking, worth=base)
    cue = asked if asked is not None else next(iter(asking), None)
    subjects = draft.free(scene.tables)
    head = None if cue is None else nearest(scene.cover, cue, subjects, most=8)
    for index in subjects:
        near = 0.1 if index == head else 0.0
        again = None if distinct is None else _returning(scene, _table(scene, index))
        grown = start.using("subject", index, worth=near)
        if again is not None:
            things = grown.using("operator", distinct).trait("count_distinct")
            yield Figure((Agg("count", Col(again), distinct=True),), things, again.table, counts=True)
        else:
            grown = grown.using("operator", distinct)
        yield Figure((_rows(_table(scene, index)),), grown, _table(scene, index), counts=True)
        if (grain := scene.table(_table(scene, index)).grain) is not None:
            parts = grown.trait("grain_counted", 1.0, worth=-0.02)
            yield Figure((Agg("count", Col(grain), distinct=True),), parts, grain.table, counts=True)
        for link in _link_tables(scene, _table(scene, index)):
            yield Figure((_rows(link),), grown.trait("link_counted", 1.0, worth=-0.03), link, counts=True)
    for index in draft.free(scene.columns):
        yield from _counted_column(scene, start, index, distinct)
    if not subjects or asked is None:
        tables = _counted_tables(scene)
        busy = scene.cue("common") is not None
        largest = math.log1p(max((scene.table(name).rows for name in tables), default=0)) or 1.0
        for rank, name in enumerate(tables):
            grown = start.trait("default_count", 1.0, worth=-0.15 - 0.1 * rank)
            if busy:
                # The busiest site has the most of what there is most of, not the most doors.
                share = math.log1p(scene.table(name).rows) / largest
                grown = grown.trait("busy_rows", share, worth=_BUSY * share)
            yield Figure((_rows(name),), grown, name, counts=True)


def _returning(scene: Scene, name: str) -> Ref | None:
    """What rows are named by where the same come again and again: the plates of cars that were parked."""
    table = scene.table(name)
    info = scene.info(table.naming[0]) if len(table.naming) == 1 else None
    most = table.rows if table.key is None else MIN_DISTINCT_NAMES * table.rows
    return info.ref if info is not None and 0 < info.distinct < most else None


def _counts_beside(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """A number and a figure beside it: ``number and average age of students``, ``how many orders and what total``."""
    asked = scene.first_free(draft, "count")
    others = draft.free(scene.cues("how_much", *FUNCTIONS))
    if asked is None or not others:
        return
    if min(others) < asked and not any(min(others) < i < asked for i in draft.free(scene.columns)):
        return
    start = draft.using("operator", asked, *scene.cues("and"), worth=0.1)
    subjects = start.free(scene.tables)[:_MOST_BESIDE]
    for rank, index in enumerate((*subjects, None)):
        counted = start.using("subject", index, worth=-0.1 * rank)
        for figure in islice(_explicit(scene, counted), 1):
            table = figure.table if index is None else _table(scene, index)
            exprs = (_rows(table), *figure.exprs) if asked < min(others) else (*figure.exprs, _rows(table))
            yield replace(figure, exprs=exprs, table=table)


def _link_tables(scene: Scene, table: str) -> list[str]:
    """Tables whose rows join this table to another that the question speaks of."""
    spoken = set(scene.mentioned_tables) - {table}
    return [child for child in scene.children(table) if child not in spoken and spoken & set(scene.parents(child))]


def _counted_column(scene: Scene, start: Draft, index: int, distinct: int | None) -> Iterator[Figure]:
    info = scene.column(index)
    if info is None or scene[index].order:
        return
    ref = info.ref
    if info.kind in ("name", "category", "reference", "code", "text", "flag") or distinct is not None:
        grown = start.using("measure", index).using("operator", distinct).trait("count_distinct")
        # Of the columns about donors it is the number of a donor that counts them, and not their type.
        of_thing = ("reference", "name", "code" if scene[index].how == "part" else "category")
        worth = 0.1 if distinct is not None else 0.0 if info.kind in of_thing else -0.2
        yield Figure(
            (Agg("count", Col(ref), distinct=True),), replace(grown, prior=grown.prior + worth), ref.table, counts=True
        )
    if info.kind in ("key", "date", "other", "text", "code", "name"):
        grown = start.using("measure", index, worth=-0.1)
        if info.kind == "date" and info.nulls > 0:
            grown = grown.filtered(Cond(Col(ref), "not null"))  # Rows without it have not come to it.
        if info.kind in ("code", "name") and not scene.table(ref.table).is_identified_by(info):
            grown = grown.trait("rows_for_repeated", 1.0, worth=_REPEATED)
        yield Figure((_rows(ref.table),), grown, ref.table, counts=True)


def _rows(table: str) -> Expr:
    return Agg("count", Col(Ref(table, "*")))


def _counted_tables(scene: Scene) -> list[str]:
    """Tables whose rows may be counted though none is named: those filtered on, and those that lead to them."""
    found = dict.fromkeys(scene.usual_tables())
    near = list(found)
    for _ in range(_MOST_REFERENCES):
        near = [child for name in near for child in scene.children(name) if child not in found]
        found |= dict.fromkeys(near)
    return list(found)[:_MOST_TABLES]


def _bare(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """A measure alone: ``sales by store``, ``how much revenue``."""
    cue = scene.first_free(draft, "how_much", "count")
    columns = [i for i in draft.free(scene.columns) if numeric(scene.column(i)) and not scene[i].comparative]
    for index in columns:
        info = scene.column(index)
        assert info is not None
        grown = draft.using("operator", cue).using("measure", index, worth=0.05)
        # The slowest path is that of the longest mean, not of the most requests.
        fn: Function = "avg" if scene[index].order and info.unit in _TIMES else natural(info)
        yield Figure((Agg(fn, Col(info.ref)),), grown, info.ref.table)
    if len(columns) > 1:
        infos = [scene.column(i) for i in columns]
        exprs = tuple(dict.fromkeys(Agg(natural(info), Col(info.ref)) for info in infos if info is not None))
        yield Figure(exprs, draft.using("operator", cue).using("measure", *columns), _table(scene, columns[0]))


def _durations(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Days between two dates of a row, on average unless another function is named."""
    cue = scene.first_free(draft, "duration")
    if cue is None:
        return
    scale = _per_day(scene, cue)
    named = scene.first_free(draft, *FUNCTIONS)
    operator = scene.operator(named)
    fn: Function = FUNCTIONS[operator.op] if operator is not None else "avg"
    grown = draft.using("operator", cue, named)
    for name in _counted_tables(scene):
        for start, end in date_pairs(scene.table(name), scene):
            difference: Expr = Arith("-", Col(end), Col(start))
            if scale is not None:
                difference = Arith("*", difference, scale)
            used = [i for i in grown.free(scene.columns) if scene[i].ref in (start, end)]
            yield Figure((Agg(fn, difference),), grown.using("measure", *used, worth=0.1), name)
        for column in scene.table(name).columns:
            if column.unit in _TIMES and numeric(column):
                used = [i for i in grown.free(scene.columns) if scene[i].ref == column.ref]
                meant = dict.fromkeys((fn,) if operator is not None else (natural(column), fn))
                for each in meant:
                    yield Figure((Agg(each, Col(column.ref)),), grown.using("measure", *used), name)


def _spreads(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """The highest less the lowest: ``temperature spread``, ``the gap between the longest and the shortest wait``."""
    cue = scene.first_free(draft, "spread")
    columns = [i for i in draft.free(scene.columns) if numeric(scene.column(i)) and not scene[i].comparative]
    if cue is None or not columns:
        return
    near = nearest(scene.cover, cue, columns, most=8)
    for rank, index in enumerate(sorted(columns, key=lambda i: i != near)[:_MOST_BESIDE]):
        info = scene.column(index)
        assert info is not None
        most, least = (Agg(fn, Col(info.ref)) for fn in ("max", "min"))
        others = scene.cues("max", "min", "most", "versus", "and")
        grown = draft.using("operator", cue, *others).using("measure", index, worth=0.2 - 0.1 * rank)
        yield Figure((Arith("-", most, least),), grown.trait("spread"), info.ref.table)


def _per_day(scene: Scene, cue: int) -> float | None:
    """How many of the unit that a duration is asked in make a day; None for days, and where none is named."""
    span = scene[cue].span
    for token in scene.lattice.question.tokens[span.first : span.last]:
        ratio = in_days(token.stem)
        if ratio is not None:
            return None if ratio == 1 else float(1 / ratio)
    words = scene.lattice.question.words(span)
    return next((factor for name, factor in _ZH_PER_DAY.items() if name in words), None)


def _default_measures(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Measures that nothing names, for questions that ask how much, or name a function and no column."""
    cue = scene.first_free(draft, "how_much", *FUNCTIONS, *_OVER_FIGURES)
    operator = scene.operator(cue)
    if operator is None or (
        operator.op == "share" and next(scene.cover.indexes("value", "state", "table"), None) is not None
    ):
        return  # The share of women, or of orders, is one of rows.
    over = operator.op in _OVER_FIGURES
    if over:
        cue = None  # What ranks the figure, or sets it beside another one, is still to be read.
    money = over or operator.op == "how_much" or operator.args.get("concept") == "money"
    ranked: list[tuple[float, ColumnInfo]] = []
    # Who ordered the most has the most orders: rows that are named are counted.
    named = {_table(scene, i) for i in scene.tables} if operator.op in ("most", "top") else set()
    for rank, name in enumerate(_counted_tables(scene)):
        if name in named:
            continue
        table = scene.table(name)
        for position, column in enumerate((*table.columns, *table.calculated)):
            if numeric(column):
                worth = -0.45 - 0.1 * rank - 0.02 * position + (_money_worth(scene, column) if money else 0.0)
                ranked.append((worth - (0.2 if column.kind == "rate" else 0.0), column))
    ranked.sort(key=lambda item: -item[0])
    for worth, column in ranked[:_MOST_DEFAULTS]:
        fn = FUNCTIONS.get(operator.op, natural(column))
        grown = draft.using("operator", cue).trait("default_measure", 1.0, worth=worth)
        yield Figure((Agg(fn, Col(column.ref), level=float(operator.args.get("level", 0.5))),), grown, column.ref.table)


def _money_worth(scene: Scene, column: ColumnInfo) -> float:
    """For a question about money: most for the sum that rows of the table are about."""
    if scene.table(column.ref.table).amount == column.ref:
        return _MAIN_AMOUNT
    return _OTHER_AMOUNT if is_kind(column.concepts, "money") else 0.0
