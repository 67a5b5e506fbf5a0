"""Figures beside those of other groups, as windows over a grouped SELECT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlglot import exp

    from kbtui.nl2sql.query import Unit

_WEEKS: Final = 52


def ratio(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """A quotient: never a division of whole numbers, and NULL over zero, in every engine."""
    from sqlglot import exp

    if not isinstance(right, exp.Literal):
        right = exp.Nullif(this=right, expression=exp.Literal.number(0))
    if isinstance(left, exp.Binary):
        left = exp.paren(left, copy=False)
    left = exp.Mul(this=exp.Literal.number("1.0"), expression=left)
    return exp.paren(exp.Div(this=left, expression=right, typed=True), copy=False)


def nothing() -> exp.Expr:
    """NULL."""
    from sqlglot import exp

    return exp.Null()


def share(figure: exp.Expr, within: Sequence[exp.Expr]) -> exp.Expr:
    """Of the sum over all groups, or over those that agree in ``within``."""
    from sqlglot import exp

    return ratio(figure, exp.Window(this=exp.Sum(this=figure.copy()), partition_by=list(within)))


def mean(figure: exp.Expr, within: Sequence[exp.Expr]) -> exp.Expr:
    """The aggregate over all rows, or over those that agree in ``within``, beside each row."""
    from sqlglot import exp

    return exp.Window(this=figure, partition_by=list(within))


def running(figure: exp.Expr, within: Sequence[exp.Expr], order: exp.Expr) -> exp.Expr:
    """The sum up to and with each group."""
    from sqlglot import exp

    return _window(exp.Sum(this=figure), within, order)


def change(figure: exp.Expr, within: Sequence[exp.Expr], order: exp.Expr) -> exp.Expr:
    """From the group before, as a ratio."""
    return _change(figure, _window(_lag(figure), within, order))


def change_year(figure: exp.Expr, within: Sequence[exp.Expr], order: exp.Expr, unit: Unit) -> exp.Expr:
    """From the same period of the year before; NULL where that is not among the groups.

    Args:
        order: Label of the period, which begins with the year.
    """
    from sqlglot import exp

    if unit == "week":
        # Weeks begin on other days each year.
        return _change(figure, _window(_lag(figure, _WEEKS), within, order))
    # Among labels with the same rest the one before is a year apart, or more where a year is missing.
    rest = exp.Substring(this=order.copy(), start=exp.Literal.number(5))
    same = within if unit == "year" else [*within, rest]
    year = exp.cast(_year(order), "INT")
    year_before = exp.cast(_window(_lag(_year(order)), same, order), "INT")
    there = exp.EQ(this=year_before, expression=exp.Sub(this=year, expression=exp.Literal.number(1)))
    return exp.Case().when(there, _change(figure, _window(_lag(figure), same, order)), copy=False)


def _change(figure: exp.Expr, before: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return ratio(exp.Sub(this=figure, expression=before), before.copy())


def _lag(figure: exp.Expr, by: int = 1) -> exp.Expr:
    from sqlglot import exp

    return exp.Lag(this=figure.copy(), offset=exp.Literal.number(by) if by > 1 else None)


def _year(label: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Substring(this=label.copy(), start=exp.Literal.number(1), length=exp.Literal.number(4))


def _window(figure: exp.Expr, within: Sequence[exp.Expr], order: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Window(
        this=figure,
        partition_by=[item.copy() for item in within],
        order=exp.Order(expressions=[exp.Ordered(this=order.copy(), nulls_first=True)]),
    )
