"""Groups of text without regard to case, where a column has values that differ in nothing else: Card and card."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.query import Agg, Col, Expr, Order, Query, Ref

_TEXT = ("name", "category", "code", "text", "flag")


def case_folded(query: Query, catalogue: Catalogue) -> Query:
    """The statement with such columns folded where its rows are grouped, counted or shown once each."""
    mixed = catalogue.once(_mixed)
    if not mixed or not (query.group or query.distinct or any(isinstance(e, Agg) and e.distinct for e in query.select)):
        return query
    folded = {Col(ref): Col(ref, fold=True) for ref in query.refs() if ref in mixed}
    if not folded:
        return query
    groups = set(query.group) if query.group else set(query.select)

    def of(expr: Expr) -> Expr:
        if isinstance(expr, Agg) and expr.distinct and isinstance(expr.arg, Col):
            return replace(expr, arg=folded.get(expr.arg, expr.arg))
        return folded.get(expr, expr) if isinstance(expr, Col) and expr in groups else expr

    return replace(
        query,
        select=tuple(map(of, query.select)),
        group=tuple(map(of, query.group)),
        per=tuple(map(of, query.per)),
        order=tuple(Order(of(item.expr), item.desc) for item in query.order),
    )


def _mixed(catalogue: Catalogue) -> frozenset[Ref]:
    """Columns with values that differ in case alone."""
    columns = (column for table in catalogue.tables.values() for column in table.columns)
    return frozenset(column.ref for column in columns if _is_mixed(column))


def _is_mixed(column: ColumnInfo) -> bool:
    texts = [value for value, _ in column.values if isinstance(value, str)] if column.kind in _TEXT else []
    return len({text.casefold() for text in texts}) < len(texts)
