"""Whether what a statement does to its columns makes sense for what they hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Part, Query, Ref, aggregates, aggregates_in, refs_of
from kbtui.nl2sql.shape import literals_of, main_table, nested, outer_aggregate, plain_ref
from kbtui.question.model import Cue, Question

_NUMERIC: Final = frozenset(("measure", "rate"))
_OPPOSITES: Final = 2
"""Values of a column of which each says that the other does not hold."""
_NEGATING: Final = ("not", "never", "other", "null", "except")
_RANGES: Final = (">", ">=", "<", "<=", "between")
_ASKING: Final = ("wh", "list", "truth", "count", "how_much", "exists", "sum", "avg", "median", "min", "max", "share")
"""Operators that say what is wanted of the rows."""
_EXCLUDING: Final = ("!=", "not in", "not like")
_FIGURES: Final = ("min", "max", "avg", "sum", "median")
_SAID: Final = 0.8
"""Weight of a cue that means nothing else."""
_MANY: Final = 5
"""Columns that are enough for everything about rows."""
_WH: Final = ("person", "place")
"""What a question word asks for that is a kind of concept as well."""


def type_fit(query: Query, catalogue: Catalogue, cues: Sequence[Cue], question: Question) -> dict[str, float]:
    """Features of kinds of columns against what is done to them."""
    found: dict[str, float] = {}
    for each in nested(query):
        conditions = (*_conditions(each, catalogue, question), *_excludes(each, catalogue, question))
        for name, value in (*_aggregates(each, catalogue), *conditions):
            found[name] = found.get(name, 0.0) + value
    found |= dict(_groups(query, catalogue))
    found |= dict(_shown(query, catalogue))
    return found | dict(_asked(query, catalogue, cues, question))


def _aggregates(query: Query, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    expressions = (*query.select, *(item.expr for item in query.order), *(c.left for c in query.conditions()))
    for aggregate in {agg for expr in expressions if (agg := outer_aggregate(expr)) is not None}:
        ref = plain_ref(aggregate.arg)
        column = catalogue.column(ref) if ref is not None else None
        if aggregate.fn == "count":
            yield "count_rows" if column is None else f"count_{column.kind}", 1.0
            yield from _counted(ref, aggregate, catalogue)
            continue
        if column is None:
            continue
        fits = column.kind in _NUMERIC or (column.kind == "date" and aggregate.fn in ("min", "max"))
        fits = fits or (column.kind == "flag" and aggregate.fn in ("sum", "avg"))
        if not fits:
            yield "aggregate_misfit", 1.0
        elif aggregate.fn in ("sum", "avg"):
            yield f"{aggregate.fn}_of_{column.kind}", 1.0


def _counted(ref: Ref | None, aggregate: Agg, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    """Whether lines are counted, or the things they are lines of."""
    table = catalogue.tables.get(ref.table) if ref is not None else None
    if ref is None or table is None or table.grain is None:
        return
    yield "count_lines", float(ref.column == "*")
    yield "count_grain", float(aggregate.distinct and ref == table.grain)


def _groups(query: Query, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    for expr in query.group:
        ref = plain_ref(expr)
        column = catalogue.column(ref) if ref is not None else None
        if ref is None or column is None:
            continue
        if not isinstance(expr, Part):
            rows = max(1, catalogue.tables[ref.table].rows)
            yield f"group_{column.kind}", 1.0
            yield "group_distinct", math.log1p(column.distinct)
            yield "group_near_unique", float(column.distinct > 0.9 * rows and rows > 1)
        elif column.kind != "date":
            yield "group_part_misfit", 1.0
        else:
            dates = catalogue.tables[ref.table].dates
            yield "bucket_on_other_date", float(bool(dates) and dates[0] != ref)


def _shown(query: Query, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    kinds: list[str] = []
    for expr in query.select:
        ref = plain_ref(expr) if not aggregates(expr) else None
        column = catalogue.column(ref) if ref is not None else None
        if column is not None:
            kinds.append(column.kind)
    for kind in set(kinds):
        yield f"shown_{kind}", float(kinds.count(kind))
    if kinds and set(kinds) <= {"key", "reference"}:
        yield "shown_keys_only", 1.0
    for item in query.order:
        ref = plain_ref(item.expr)
        column = catalogue.column(ref) if ref is not None else None
        if column is not None and not aggregates(item.expr):
            yield f"order_{column.kind}", 1.0


def _asked(query: Query, catalogue: Catalogue, cues: Sequence[Cue], question: Question) -> Iterator[tuple[str, float]]:
    """What kind of thing the question asks for against what is shown."""
    shown = [column for expr in query.select if (column := _column(expr, catalogue)) is not None]
    ops = {cue.op for cue in cues}
    counts = [agg for expr in query.select if (agg := outer_aggregate(expr)) is not None and agg.fn == "count"]
    only_counts = bool(counts) and len(counts) == sum(aggregates(expr) for expr in query.select)
    money = any(cue.op == "how_much" or cue.args.get("concept") == "money" for cue in cues)
    yield "counts_only", float(only_counts)
    yield "count_for_amount", float(only_counts and money and "count" not in ops)
    yield "amount_for_count", float("count" in ops and not counts and any(map(aggregates, query.select)))
    differs = any(isinstance(expr, Arith) and expr.op == "-" for expr in query.select)
    yield "difference_missing", float(not differs and any("wants" in cue.args for cue in cues))
    summed = bool(query.group) and any(map(aggregates, (item.expr for item in query.order)))
    yield "summed_for_single", float(summed and any(cue.args.get("rows") == "single" for cue in question.cues))
    compared = {ref for cond in query.conditions() if cond.op in _RANGES and (ref := plain_ref(cond.left)) is not None}
    figures = [agg for expr in query.select for agg in aggregates_in(expr) if agg.fn != "count"]
    # "Prices above the average" asks for the prices, and the average is that of all.
    inner = [cond.right for cond in query.conditions() if isinstance(cond.right, Query)]
    of_all = {agg.fn for each in inner for expr in each.select for agg in aggregates_in(expr)}
    uncalled = [agg for agg in figures if agg.fn not in ops or agg.fn in of_all]
    yield "figure_of_compared", float(any(plain_ref(agg.arg) in compared for agg in uncalled))
    if question.periods and ops.isdisjoint(_ASKING) and not query.group:
        literals = [literals_of(cond) for cond in query.conditions()]
        bare = bool(literals) and all(each and isinstance(each[0], date) for each in literals)
        yield "period_listed", float(bare and not any(map(aggregates, query.select)))
        yield "period_counted", float(bare and only_counts)
    functions = {agg.fn for each in nested(query) for expr in each.select for agg in aggregates_in(expr)}
    yield "functions_missing", float(0 < len(functions) < len(ops.intersection(_FIGURES)))
    whole = any(cue.op == "all_columns" and cue.weight >= _SAID for cue in cues)
    starred = any(isinstance(expr, Col) and expr.ref.column == "*" for expr in query.select)
    yield "all_not_shown", float(whole and not starred and not functions and _shows_little(query, catalogue))
    listed = "distinct" in ops and not query.group and not functions
    telling = [column.kind == "key" or catalogue.tables[column.ref.table].is_told_apart_by(column) for column in shown]
    yield "distinct_pointless", float(listed and any(telling) and not all(telling))
    apart = any(isinstance(cond.right, Query) for cond in query.conditions())
    excludes = any(cond.op in _EXCLUDING and literals_of(cond) for each in nested(query) for cond in each.conditions())
    yield "never_by_row", float("never" in ops and excludes and not apart)
    sums = {ref for expr in query.select for agg in aggregates_in(expr) if agg.fn != "count" for ref in refs_of(agg)}
    amounts = any((table := catalogue.tables.get(ref.table)) is not None and table.amount == ref for ref in sums)
    named = [table for column in shown if column.ref in (table := catalogue.tables[column.ref.table]).naming]
    yield "money_for_count", float("count" in ops and not money and amounts)
    yield "shows_name", float(bool(named))
    bare = isinstance(query.select[0], Col) and len(query.select) == 1 if query.select else False
    yield "figure_alone", float(bool(query.group) and not any(not aggregates(e) for e in query.select))
    yield (
        "superlative_unordered",
        float(
            not ops.isdisjoint(("most", "top", "common")) and not query.order and not any(map(aggregates, query.select))
        ),
    )
    counted = [catalogue.tables[ref.table] for agg in counts if (ref := plain_ref(agg.arg)) is not None]
    if query.truth:
        named = [*named, *counted]
    for cue in cues:
        kind = str(cue.args.get("type", "")) if cue.op in ("wh", "truth") else ""
        if kind == "time":
            yield "time_shown", float(any(column.kind == "date" for column in shown))
            yield "time_missing", float(not any(column.kind == "date" for column in shown))
        elif kind in _WH:
            fits = any(is_kind(table.concepts, kind) for table in named)
            fits = fits or any(is_kind(column.concepts, kind) for column in shown)
            yield f"{kind}_shown", float(fits)
            yield f"{kind}_missing", float(not fits)
    yield "single_column", float(bare)
    ranked = bare and query.limit is not None and bool(query.order) and query.order[0].expr == query.select[0]
    yield "figure_ranked_alone", float(ranked)


def _shows_little(query: Query, catalogue: Catalogue) -> bool:
    """Whether only some columns of the rows are shown."""
    table = catalogue.tables.get(main_table(query))
    return not query.group and table is not None and len(query.select) < min(_MANY, len(table.columns))


def _column(expr: Expr, catalogue: Catalogue) -> ColumnInfo | None:
    if not isinstance(expr, Col | Part):
        return None
    ref = plain_ref(expr)
    return catalogue.column(ref) if ref is not None else None


def _conditions(query: Query, catalogue: Catalogue, question: Question) -> Iterator[tuple[str, float]]:
    units = {number.value: number.unit for number in question.numbers if number.unit}
    for item in query.where:
        if isinstance(item, AnyOf):
            yield "any_of", 1.0
    for cond in query.conditions():
        ref = plain_ref(cond.left)
        column = catalogue.column(ref) if ref is not None else None
        literals = literals_of(cond)
        if column is None or ref is None or not literals:
            continue
        if isinstance(literals[0], date):
            yield from _date_condition(cond, column, catalogue)
        elif isinstance(literals[0], str):
            yield f"filter_{column.kind}", 1.0
            known = {value for value, _ in column.values}
            if cond.op in ("=", "in") and column.complete:
                yield "literal_absent", float(not any(value in known for value in literals))
        elif not aggregates(cond.left):
            yield f"compare_{column.kind}", 1.0
            yield "compare_outside", float(column.is_beyond(literals))
            said = {units[value] for value in literals if value in units}
            if said and column.unit:
                yield "unit_conflict", float(column.unit not in said)
                yield "unit_fits", float(column.unit in said)


def _excludes(query: Query, catalogue: Catalogue, question: Question) -> Iterator[tuple[str, float]]:
    """Everything but a value, though nothing negates: rejected is not all that is not approved."""
    if any(cue.op in _NEGATING for cue in question.cues):
        return
    figures = (aggregate for expr in query.select for aggregate in aggregates_in(expr))
    for cond in (*query.conditions(), *(cond for aggregate in figures for cond in aggregate.where)):
        ref = plain_ref(cond.left)
        column = catalogue.column(ref) if ref is not None else None
        if cond.op in ("!=", "not in") and column is not None and literals_of(cond):
            yield "excludes_uncalled", float(column.distinct > _OPPOSITES)


def _date_condition(cond: Cond, column: ColumnInfo, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    dates = catalogue.tables[column.ref.table].dates
    yield "period_on_first_date", float(bool(dates) and dates[0] == column.ref)
    yield "period_on_other_date", float(bool(dates) and dates[0] != column.ref)
    yield "period_outside", float(column.is_beyond(literals_of(cond)))
