"""Groups text ignoring case if values of a column differ in case alone: Card and card."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.query import Agg, Col, Expr, Order, Query, Ref

_TEXT_KINDS = ("name", "category", "code", "text", "flag")


def case_folded(query: Query, catalogue: Catalogue) -> Query:
    """The statement with mixed-case columns folded in its groups, its distinct counts and its distinct rows."""
    mixed = catalogue.once(_mixed_case_columns)
    if not mixed or not (query.group or query.distinct or any(isinstance(e, Agg) and e.distinct for e in query.select)):
        return query
    folded = {Col(ref): Col(ref, fold=True) for ref in query.refs() if ref in mixed}
    if not folded:
        return query
    groups = set(query.group) if query.group else set(query.select)

    def fold(expr: Expr) -> Expr:
        if isinstance(expr, Agg) and expr.distinct and isinstance(expr.arg, Col):
            return replace(expr, arg=folded.get(expr.arg, expr.arg))
        return folded.get(expr, expr) if isinstance(expr, Col) and expr in groups else expr

    return replace(
        query,
        select=tuple(map(fold, query.select)),
        group=tuple(map(fold, query.group)),
        per=tuple(map(fold, query.per)),
        order=tuple(Order(fold(item.expr), item.desc) for item in query.order),
    )


def _mixed_case_columns(catalogue: Catalogue) -> frozenset[Ref]:
    """Columns of which some values differ in case alone."""
    columns = (column for table in catalogue.tables.values() for column in table.columns)
    return frozenset(column.ref for column in columns if _has_mixed_case(column))


def _has_mixed_case(column: ColumnInfo) -> bool:
    texts = [value for value, _ in column.values if isinstance(value, str)] if column.kind in _TEXT_KINDS else []
    return len({text.casefold() for text in texts}) < len(texts)
