"""What a statement does, apart from which columns it does it to: its operators, literals, depth and defaults."""

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
    """A statement with everything nested in it.

    Attributes:
        operators: Names of what it does, as `kbtui.nl2sql.agreement` knows them.
        numbers: Numeric literals of its conditions.
        aggregates: How many different ones there are.
        depth: 1 for a single SELECT.
    """

    operators: frozenset[str]
    numbers: tuple[float, ...]
    aggregates: int
    depth: int


def shape_of(query: Query) -> Shape:
    """The shape of a statement."""
    operators: set[str] = set()
    numbers: list[float] = []
    aggregated: set[Agg] = set()
    for select in nested(query):
        operators |= _clauses(select)
        for expr in _every_expression(select):
            operators |= _of_expression(expr)
            if isinstance(expr, Agg):
                aggregated.add(expr)
        for cond in select.conditions():
            operators |= _of_condition(cond)
            numbers += map(float, filter(_is_number, literals_of(cond)))
    return Shape(frozenset(operators), tuple(numbers), len(aggregated), _depth(query))


def nested(query: Query) -> Iterator[Query]:
    """The query itself and every query in it, outermost first."""
    yield query
    for inner in query.subqueries():
        yield from nested(inner)


def literals_of(cond: Cond) -> tuple[Any, ...]:
    """The literals that a condition compares with; none for another column or a query."""
    right = cond.right
    if right is None or isinstance(right, Expr | Query):
        return ()
    return right if isinstance(right, tuple) else (right,)


def plain_ref(expr: Expr) -> Ref | None:
    """The column of an expression that has just one: itself, a part of a date, an aggregate."""
    match expr:
        case Col(ref):
            return ref if ref.table != INNER else None
        case Part(arg=arg) | Years(arg=arg) | Over(arg=arg) | Agg(arg=arg):
            return plain_ref(arg)
        case _:
            return None


def main_table(query: Query) -> str:
    """The table whose rows are counted, summed or listed; empty where none is."""
    while query.inner is not None:
        query = query.inner
    figures = [agg for expr in query.select for agg in aggregates_in(expr)]
    expr = figures[0].arg if figures else query.select[0] if query.select else None
    ref = plain_ref(expr) if expr is not None else None
    return ref.table if ref is not None else ""


def outer_aggregate(expr: Expr) -> Agg | None:
    """The aggregate that an expression is, alone or beside those of other groups."""
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


def _every_expression(query: Query) -> Iterator[Expr]:
    for expr in query.expressions():
        yield from _inside(expr)


def _inside(expr: Expr) -> Iterator[Expr]:
    yield expr
    match expr:
        case Part(arg=arg) | Years(arg=arg) | Over(arg=arg) | Agg(arg=arg):
            yield from _inside(arg)
        case Arith(left=left, right=right):
            yield from _inside(left)
            if not isinstance(right, int | float):
                yield from _inside(right)
        case _:
            pass


def _clauses(query: Query) -> set[str]:
    """Operators that stand in the clauses themselves."""
    shown = [expr for expr in query.select if not aggregates(expr)]
    said = {
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
    return {name for name, holds in said.items() if holds}


def _of_expression(expr: Expr) -> set[str]:
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


def _of_condition(cond: Cond) -> set[str]:
    found: set[str] = set()
    if isinstance(cond.right, Query):
        found.add("never" if cond.op in _NEGATIONS else "nested")
        functions = {agg.fn for expr in cond.right.select if (agg := outer_aggregate(expr)) is not None}
        found |= {f"than {fn}" for fn in functions}
    elif cond.op in _NEGATIONS:
        found.add("not")
    literals = literals_of(cond)
    if any(isinstance(value, date) for value in literals):
        found.add("period")
    elif cond.op in _COMPARISONS:
        found.add("compare")
    if cond.op in ("null", "not null"):
        found.add("null")
    if cond.op in ("like", "not like"):
        found.add("like")
    if cond.op == "in" and len(literals) > 1:
        found.add("or")
    if isinstance(cond.left, Part):
        found.add("part filter")
    return found
