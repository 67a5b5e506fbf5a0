"""Outer joins for groups without rows: counts and sums are 0 for them."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.joins import Unjoinable
from kbtui.nl2sql.query import (
    Agg,
    AnyOf,
    Arith,
    Col,
    Cond,
    Expr,
    Order,
    Over,
    Query,
    Ref,
    aggregates_in,
    cond_tables,
    refs_of,
)

_Conds = list[Cond | AnyOf]


def outer_join(query: Query, catalogue: Catalogue) -> tuple[tuple[Edge, ...], _Conds, _Conds]:
    """The join from groups to rows, the conditions on groups, and the conditions on rows.

    Raises:
        Unjoinable: The figures are not about rows that refer to the groups.
    """
    edge = _edge(query, catalogue)
    groups, rows = edge.right.table, edge.left.table
    group_conds, row_conds, other_conds = _Conds(), _Conds(), _Conds()
    for item in query.where:
        tables = cond_tables(item)
        (group_conds if tables <= {groups} else row_conds if tables <= {groups, rows} else other_conds).append(item)
    if other_conds:
        key = catalogue.tables[rows].key
        if key is None:
            raise Unjoinable(rows)
        row_conds.append(Cond(Col(key), "in", Query((Col(key),), tuple(other_conds), flat=True)))
    return (Edge(edge.right, edge.left),), group_conds, row_conds


def with_zeros(query: Query, catalogue: Catalogue) -> Query:
    """The query with counts and sums that are 0 for groups without rows, which an outer join joins to NULLs."""
    reference = _edge(query, catalogue).left

    def with_zero(expr: Expr) -> Expr:
        match expr:
            case Agg(fn="count", arg=Col(ref)) if ref.column == "*" and ref.table == reference.table:
                return replace(expr, arg=Col(reference))
            case Agg(fn="sum"):
                return replace(expr, where=(*expr.where, Cond(Col(reference), "not null")))
            case Over(arg=arg):
                inner = with_zero(arg)
                return replace(expr, arg=inner) if isinstance(inner, Agg) else expr
            case Arith(left=left, right=right):
                return replace(
                    expr, left=with_zero(left), right=right if isinstance(right, int | float) else with_zero(right)
                )
        return expr

    order = tuple(Order(with_zero(item.expr), item.desc) for item in query.order)
    return replace(query, select=tuple(map(with_zero, query.select)), order=order)


def without_zeros(query: Query, reference: Ref, catalogue: Catalogue) -> Query | None:
    """The query for which `with_zeros` gives this one; None if other figures would differ for groups without rows."""
    has_row = Cond(Col(reference), "not null")
    rows, key = Col(Ref(reference.table, "*")), catalogue.tables[reference.table].key
    figures = [agg for expr in query.select for agg in aggregates_in(expr)]
    if (
        not query.group
        or query.having
        or any(agg.arg == rows or (agg.fn == "sum" and has_row not in agg.where) for agg in figures)
    ):
        return None

    def without_zero(expr: Expr) -> Expr:
        match expr:
            case Agg(fn="count", arg=Col(ref), distinct=False) if ref in (reference, key):
                return replace(expr, arg=rows)
            case Agg(fn="sum"):
                return replace(expr, where=tuple(cond for cond in expr.where if cond != has_row))
            case Arith(left=left, right=right):
                return replace(
                    expr,
                    left=without_zero(left),
                    right=right if isinstance(right, int | float) else without_zero(right),
                )
        return expr

    order = tuple(Order(without_zero(item.expr), item.desc) for item in query.order)
    return replace(query, select=tuple(map(without_zero, query.select)), order=order, outer=True)


def _edge(query: Query, catalogue: Catalogue) -> Edge:
    groups = {ref.table for item in query.group for ref in refs_of(item)}
    tables = {ref.table for item in query.select for ref in refs_of(item)} | set(query.tables)
    row_tables = tables - groups
    if len(groups) == 1 and len(row_tables) == 1:
        (group_table,), (row_table,) = groups, row_tables
        for edge in catalogue.edges:
            if edge.right.table == group_table and edge.left.table == row_table:
                return edge
    raise Unjoinable(", ".join(sorted(groups | row_tables)))


def has_empty_groups(catalogue: Catalogue, reference: Ref, groups: str) -> bool:
    """Whether some rows of ``groups`` are not referred to by the column."""
    column = catalogue.column(reference)
    return column is None or column.distinct < catalogue.tables[groups].rows
