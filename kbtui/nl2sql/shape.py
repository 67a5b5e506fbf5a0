"""The shape of a query: its operators, literals and depth, independent of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from msgspec import Struct

from kbtui.nl2sql.query import (
    INNER,
    Agg,
    Arith,
    Col,
    Cond,
    Expr,
    Over,
    Part,
    Query,
    Ref,
    Years,
    aggregates,
    aggregates_in,
)

_COMPARISONS: Final = frozenset((">", ">=", "<", "<=", "between"))
_NEGATIONS: Final = frozenset(("!=", "not in", "not like", "not null"))


class Shape(Struct, frozen=True):
    """The shape of a query with all nested queries.

    Attributes:
        operators: Names of its operators, as in `kbtui.nl2sql.answer_form`.
        numbers: Numeric literals of its conditions.
        aggregates: Number of distinct aggregates.
        depth: Depth of nesting, 1 for a single SELECT.
    """

    operators: frozenset[str]
    numbers: tuple[float, ...]
    aggregates: int
    depth: int


def shape_of(query: Query) -> Shape:
    """The shape of a query."""
    operators: set[str] = set()
    numbers: list[float] = []
    aggregated: set[Agg] = set()
    for select in nested(query):
        operators |= _clause_operators(select)
        for expr in _all_expressions(select):
            operators |= _expression_operators(expr)
            if isinstance(expr, Agg):
                aggregated.add(expr)
        for cond in select.conditions():
            operators |= _condition_operators(cond)
            numbers += map(float, filter(_is_number, literals_of(cond)))
    return Shape(frozenset(operators), tuple(numbers), len(aggregated), _depth(query))


def nested(query: Query) -> Iterator[Query]:
    """The query and all queries nested in it, outermost first."""
    yield query
    for inner in query.subqueries():
        yield from nested(inner)


def literals_of(cond: Cond) -> tuple[Any, ...]:
    """The literals that a condition compares with; empty for columns and queries."""
    right = cond.right
    if right is None or isinstance(right, Expr | Query):
        return ()
    return right if isinstance(right, tuple) else (right,)


def plain_ref(expr: Expr) -> Ref | None:
    """The column of an expression with a single one: the column itself, a part of a date, an aggregate; else None."""
    match expr:
        case Col(ref):
            return ref if ref.table != INNER else None
        case Part(arg=arg) | Years(arg=arg) | Over(arg=arg) | Agg(arg=arg):
            return plain_ref(arg)
        case _:
            return None


def main_table(query: Query) -> str:
    """The table whose rows are counted, aggregated or listed; empty if there is none."""
    while query.inner is not None:
        query = query.inner
    figures = [agg for expr in query.select for agg in aggregates_in(expr)]
    expr = figures[0].arg if figures else query.select[0] if query.select else None
    ref = plain_ref(expr) if expr is not None else None
    return ref.table if ref is not None else ""


def outer_aggregate(expr: Expr) -> Agg | None:
    """The aggregate of an expression that is one, or is a window over one; else None."""
    match expr:
        case Agg():
            return expr
        case Over(arg=arg):
            return arg
        case _:
            return None


def _depth(query: Query) -> int:
    return 1 + max((_depth(inner) for inner in query.subqueries()), default=0)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _all_expressions(query: Query) -> Iterator[Expr]:
    for expr in query.expressions():
        yield from _parts(expr)


def _parts(expr: Expr) -> Iterator[Expr]:
    yield expr
    match expr:
        case Part(arg=arg) | Years(arg=arg) | Over(arg=arg) | Agg(arg=arg):
            yield from _parts(arg)
        case Arith(left=left, right=right):
            yield from _parts(left)
            if not isinstance(right, int | float):
                yield from _parts(right)
        case _:
            pass


def _clause_operators(query: Query) -> set[str]:
    """Operators of the clauses of a query."""
    shown = [expr for expr in query.select if not aggregates(expr)]
    present = {
        "distinct": query.distinct,
        "group": bool(query.group),
        "having": bool(query.having),
        "superlative": query.limit is not None and bool(query.order),
        "first": query.limit is not None and not query.order,
        "order": bool(query.order) and query.limit is None,
        "each": bool(query.per),
        "truth": query.truth,
        "outer": query.outer,
        "inner": query.inner is not None,
        "list": len(shown) == len(query.select) and not query.group,
        "star": any(isinstance(expr, Col) and expr.ref.column == "*" for expr in shown),
        "or": any(not isinstance(item, Cond) for item in query.where),
        query.set_op or "single": True,
    }
    return {name for name, holds in present.items() if holds}


def _expression_operators(expr: Expr) -> set[str]:
    match expr:
        case Agg(fn=fn, distinct=distinct, where=where):
            return {fn, *(["distinct"] if distinct else ()), *(["conditional"] if where else ())}
        case Over(kind=kind):
            return {kind}
        case Part():
            return {"bucket"}
        case Arith(op=op):
            return {"difference" if op == "-" else "arithmetic"}
        case _:
            return set()


def _condition_operators(cond: Cond) -> set[str]:
    operators: set[str] = set()
    if isinstance(cond.right, Query):
        operators.add("never" if cond.op in _NEGATIONS else "nested")
        functions = {agg.fn for expr in cond.right.select if (agg := outer_aggregate(expr)) is not None}
        operators |= {f"than {fn}" for fn in functions}
    elif cond.op in _NEGATIONS:
        operators.add("not")
    literals = literals_of(cond)
    if any(isinstance(value, date) for value in literals):
        operators.add("period")
    elif cond.op in _COMPARISONS:
        operators.add("compare")
    if cond.op in ("null", "not null"):
        operators.add("null")
    if cond.op in ("like", "not like"):
        operators.add("like")
    if cond.op == "in" and len(literals) > 1:
        operators.add("or")
    if isinstance(cond.left, Part):
        operators.add("part filter")
    return operators
