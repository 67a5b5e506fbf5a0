"""Features of how the operations of a statement suit the kinds of its columns, and of where its main table stands."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.query import Agg, AnyOf, Col, Expr, Part, Query, Ref, aggregates, aggregates_in
from kbtui.nl2sql.shape import literals_of, main_table, nested, outer_aggregate, plain_ref
from kbtui.question.model import Cue, Question

_NUMERIC: Final = frozenset(("measure", "rate"))


def type_fit(query: Query, catalogue: Catalogue, cues: Sequence[Cue], question: Question) -> dict[str, float]:
    """Features of the kinds of columns and their use: name to value."""
    features: dict[str, float] = {}
    for subquery in nested(query):
        for name, value in (
            *_aggregate_features(subquery, catalogue),
            *_condition_features(subquery, catalogue, question),
        ):
            features[name] = features.get(name, 0.0) + value
    features |= dict(_group_features(query, catalogue))
    features |= dict(_shown_features(query, catalogue))
    return features | dict(_answer_features(query, catalogue, cues))


def _aggregate_features(query: Query, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    expressions = (*query.select, *(item.expr for item in query.order), *(c.left for c in query.conditions()))
    for aggregate in {agg for expr in expressions if (agg := outer_aggregate(expr)) is not None}:
        ref = plain_ref(aggregate.arg)
        column = catalogue.column(ref) if ref is not None else None
        if aggregate.fn == "count":
            yield "count_rows" if column is None else f"count_{column.kind}", 1.0
            yield from _count_features(ref, aggregate, catalogue)
            continue
        if column is None:
            continue
        is_suitable = column.kind in _NUMERIC or (column.kind == "date" and aggregate.fn in ("min", "max"))
        is_suitable = is_suitable or (column.kind == "flag" and aggregate.fn in ("sum", "avg"))
        if not is_suitable:
            yield "aggregate_misfit", 1.0
        elif aggregate.fn in ("sum", "avg"):
            yield f"{aggregate.fn}_of_{column.kind}", 1.0


def _count_features(ref: Ref | None, aggregate: Agg, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
    """Whether parts are counted, or the wholes that they are parts of."""
    table = catalogue.tables.get(ref.table) if ref is not None else None
    if ref is None or table is None or table.grain is None:
        return
    yield "count_lines", float(ref.column == "*")
    yield "count_grain", float(aggregate.distinct and ref == table.grain)


def _group_features(query: Query, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
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


def _shown_features(query: Query, catalogue: Catalogue) -> Iterator[tuple[str, float]]:
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


def _answer_features(query: Query, catalogue: Catalogue, cues: Sequence[Cue]) -> Iterator[tuple[str, float]]:
    """The kind of answer that the question asks for, compared with what is shown."""
    ops = {cue.op for cue in cues}
    counts = [agg for expr in query.select if (agg := outer_aggregate(expr)) is not None and agg.fn == "count"]
    only_counts = bool(counts) and len(counts) == sum(aggregates(expr) for expr in query.select)
    wants_money = any(cue.op == "how_much" or cue.args.get("concept") == "money" for cue in cues)
    yield "counts_only", float(only_counts)
    yield "count_for_amount", float(only_counts and wants_money and "count" not in ops)
    shown = [column for expr in query.select if (column := _column(expr, catalogue)) is not None]
    functions = {agg for subquery in nested(query) for expr in subquery.select for agg in aggregates_in(expr)}
    is_distinct_list = "distinct" in ops and not query.group and not functions
    identifying = [c.kind == "key" or catalogue.tables[c.ref.table].is_identified_by(c) for c in shown]
    yield "distinct_pointless", float(is_distinct_list and any(identifying) and not all(identifying))
    is_ranking = not ops.isdisjoint(("most", "top", "common"))
    yield "superlative_unordered", float(is_ranking and not query.order and not any(map(aggregates, query.select)))
    yield "shows_name", float(any(column.ref in catalogue.tables[column.ref.table].naming for column in shown))
    yield "single_column", float(len(query.select) == 1 and isinstance(query.select[0], Col))


def _column(expr: Expr, catalogue: Catalogue) -> ColumnInfo | None:
    if not isinstance(expr, Col | Part):
        return None
    ref = plain_ref(expr)
    return catalogue.column(ref) if ref is not None else None


def _condition_features(query: Query, catalogue: Catalogue, question: Question) -> Iterator[tuple[str, float]]:
    units = {number.value: number.unit for number in question.numbers if number.unit}
    yield "any_of", float(sum(isinstance(item, AnyOf) for item in query.where))
    for cond in query.conditions():
        ref = plain_ref(cond.left)
        column = catalogue.column(ref) if ref is not None else None
        literals = literals_of(cond)
        if column is None or not literals:
            continue
        if isinstance(literals[0], date):
            table = catalogue.tables[column.ref.table]
            yield "period_on_first_date", float(bool(table.dates) and table.dates[0] == column.ref)
            # All that is overdue was due before today, which the data need not reach.
            is_state = any(state.cond == cond for state in table.states)
            yield "period_outside", float(column.is_beyond(literals) and not is_state)
        elif isinstance(literals[0], str):
            yield f"filter_{column.kind}", 1.0
            values = {value for value, _ in column.values}
            if cond.op in ("=", "in") and column.complete:
                yield "literal_absent", float(not any(value in values for value in literals))
        elif not aggregates(cond.left):
            yield f"compare_{column.kind}", 1.0
            requested_units = {units[value] for value in literals if value in units}
            if requested_units and column.unit:
                yield "unit_conflict", float(column.unit not in requested_units)
                yield "unit_fits", float(column.unit in requested_units)


_MAX_LOOKUP_COLUMNS: Final = 4
_MAX_REFERENCES: Final = 4
"""Number of references from which further ones make no difference."""


class TablePosition:
    """The references between the tables of a catalogue, and features from them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._parents: dict[str, set[str]] = defaultdict(set)
        self._children: dict[str, set[str]] = defaultdict(set)
        for left, right in catalogue.edges:
            child, parent = catalogue.without_role(left.table), catalogue.without_role(right.table)
            self._parents[child].add(parent)
            self._children[parent].add(child)

    @classmethod
    def of(cls, catalogue: Catalogue) -> TablePosition:
        """The instance for a catalogue, made once."""
        return catalogue.once(cls)

    @cached_property
    def _log_max_rows(self) -> float:
        return math.log1p(max((table.rows for table in self._catalogue.tables.values()), default=0))

    def features(self, query: Query) -> dict[str, float]:
        """Features of one statement: name to value; empty if it has no main table."""
        table = self._catalogue.tables.get(main_table(query))
        if table is None:
            return {}
        name = self._catalogue.without_role(table.name)
        parents, children = len(self._parents[name]), len(self._children[name])
        return {
            "main_parents": float(min(_MAX_REFERENCES, parents)),
            "main_children": float(min(_MAX_REFERENCES, children)),
            "main_lookup": float(children > 0 and not parents and len(table.columns) <= _MAX_LOOKUP_COLUMNS),
            "main_smaller": self._log_max_rows - math.log1p(table.rows),
        }
