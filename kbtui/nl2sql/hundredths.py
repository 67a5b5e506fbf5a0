"""Sums of money that columns keep as whole hundredths: ``amount_cents``, ``FeePence``, ``price_in_cents``, 金额_分.

Questions name euros and pounds, so figures and comparisons take such a column divided by 100; lists of rows show it as
it is stored.
"""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from kbtui import late_patterns
from kbtui.domain.analysis import Column
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Agg, Arith, Col, Expr

_TAIL: Final = late_patterns.pattern(
    r"(?P<bare>.*?[^\W\d_])"
    r"(?:(?i:_(?:in_|as_)?(?:cents?|pence|fen|paise))|(?:In|As)?(?:Cents?|Pence)|[_（(]分[)）]?)"
)
_COMPARED: Final = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.EQ, exp.NEQ, exp.Between, exp.In)
_CALCULATED: Final = (
    *(exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Median, exp.PercentileCont, exp.Quantile, exp.Add, exp.Sub, exp.Mul),
    exp.Div,
)
_WRAPPERS: Final = (exp.Paren, exp.Cast, exp.TryCast, exp.Round, exp.Nullif, exp.Distinct)
_PER_UNIT: Final = 100


def name_without_hundredths(column: Column) -> str:
    """The name of a column of whole hundredths without them; empty for other columns."""
    match = _TAIL.fullmatch(column.name) if column.kind == "integer" else None
    bare = match["bare"] if match is not None else ""
    # A price per kilowatt-hour in cents is called so.
    return "" if "per" in bare.lower().split("_") else bare


def in_main_unit(column: exp.Expr) -> exp.Expr:
    """A column of hundredths divided by 100."""
    return exp.paren(exp.Div(this=column, expression=exp.Literal.number("100.0"), typed=True))


def as_stored(expr: Expr, node: Any, catalogue: Catalogue) -> Expr:
    """The column of a parsed statement: where it is compared or summed, 100 times what a `Query` means by it."""
    info = catalogue.column(expr.ref) if isinstance(expr, Col) else None
    if info is None or info.encoding != "hundredths":
        return expr
    parent = node.parent
    while isinstance(parent, _WRAPPERS):
        parent = parent.parent
    return Arith("*", expr, _PER_UNIT) if isinstance(parent, (*_COMPARED, *_CALCULATED)) else expr


def divided(left: Expr, number: float) -> Expr | None:
    """A quotient by 100 of what `as_stored` has multiplied; None for other quotients."""
    if number != _PER_UNIT:
        return None
    match left:
        case Arith("*", Col() as column, 100):
            return column
        case Agg(fn="sum" | "avg" | "min" | "max" | "median", arg=Arith("*", Col() as column, 100)) as figure:
            return Agg(figure.fn, column, where=figure.where)
        case _:
            return None
