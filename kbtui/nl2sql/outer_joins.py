"""Groups that are kept though no row of the figures refers to them: an outer join, with 0 where there is nothing."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.joins import Unjoinable
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Order, Over, Query, Ref, aggregates_in, refs_of

_Conds = list[Cond | AnyOf]


def kept_rows(query: Query, catalogue: Catalogue) -> tuple[tuple[Edge, ...], _Conds, _Conds]:
    """The join from the groups to the rows of the figures, what filters the groups, and what filters the rows.

    Raises:
        Unjoinable: The figures are not about rows that refer to the groups.
    """
    edge = _edge(query, catalogue)
    groups, rows = edge.right.table, edge.left.table
    outside, inside, further = _Conds(), _Conds(), _Conds()
    for item in query.where:
        tables = _tables(item)
        (outside if tables <= {groups} else inside if tables <= {groups, rows} else further).append(item)
    if further:
        key = catalogue.tables[rows].key
        if key is None:
            raise Unjoinable(rows)
        inside.append(Cond(Col(key), "in", Query((Col(key),), tuple(further), flat=True)))
    return (Edge(edge.right, edge.left),), outside, inside


def with_zeros(query: Query, catalogue: Catalogue) -> Query:
    """The statement with figures that are 0 for a group without rows: an outer join brings one row without values."""
    reference = _edge(query, catalogue).left

    def of(expr: Expr) -> Expr:
        match expr:
            case Agg(fn="count", arg=Col(ref)) if ref.column == "*" and ref.table == reference.table:
                return replace(expr, arg=Col(reference))
            case Agg(fn="sum"):
                return replace(expr, where=(*expr.where, Cond(Col(reference), "not null")))
            case Over(arg=arg):
                inner = of(arg)
                return replace(expr, arg=inner) if isinstance(inner, Agg) else expr
            case Arith(left=left, right=right):
                return replace(expr, left=of(left), right=right if isinstance(right, int | float) else of(right))
        return expr

    order = tuple(Order(of(item.expr), item.desc) for item in query.order)
    return replace(query, select=tuple(map(of, query.select)), order=order)


def without_zeros(query: Query, reference: Ref, catalogue: Catalogue) -> Query | None:
    """The statement that `with_zeros` makes this one of; None where a group without rows has other figures in it."""
    there = Cond(Col(reference), "not null")
    rows, key = Col(Ref(reference.table, "*")), catalogue.tables[reference.table].key
    figures = [agg for expr in query.select for agg in aggregates_in(expr)]
    if (
        not query.group
        or query.having
        or any(agg.arg == rows or (agg.fn == "sum" and there not in agg.where) for agg in figures)
    ):
        return None

    def of(expr: Expr) -> Expr:
        match expr:
            case Agg(fn="count", arg=Col(ref), distinct=False) if ref in (reference, key):
                return replace(expr, arg=rows)
            case Agg(fn="sum"):
                return replace(expr, where=tuple(cond for cond in expr.where if cond != there))
            case Arith(left=left, right=right):
                return replace(expr, left=of(left), right=right if isinstance(right, int | float) else of(right))
        return expr

    order = tuple(Order(of(item.expr), item.desc) for item in query.order)
    return replace(query, select=tuple(map(of, query.select)), order=order, outer=True)


def _edge(query: Query, catalogue: Catalogue) -> Edge:
    groups = {ref.table for item in query.group for ref in refs_of(item)}
    shown = {ref.table for item in query.select for ref in refs_of(item)} | set(query.tables)
    others = shown - groups
    if len(groups) == 1 and len(others) == 1:
        (one,), (other,) = groups, others
        for edge in catalogue.edges:
            if edge.right.table == one and edge.left.table == other:
                return edge
    raise Unjoinable(", ".join(sorted(groups | others)))


def _tables(item: Cond | AnyOf) -> set[str]:
    conds = item.conds if isinstance(item, AnyOf) else (item,)
    sides = [side for cond in conds for side in (cond.left, cond.right) if isinstance(side, Expr)]
    return {ref.table for side in sides for ref in refs_of(side)}


def has_empty_groups(catalogue: Catalogue, reference: Ref, groups: str) -> bool:
    """Whether some rows of a table are referred to by none of the others."""
    column = catalogue.column(reference)
    return column is None or column.distinct < catalogue.tables[groups].rows
