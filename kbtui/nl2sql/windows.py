"""Window expressions over a grouped SELECT: shares, averages, running totals, changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sqlglot import exp

if TYPE_CHECKING:
    from kbtui.nl2sql.query import Unit

_WEEKS: Final = 52


def ratio(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """A quotient that is never an integer division, and NULL for a zero denominator."""
    if not isinstance(right, exp.Literal):
        right = exp.Nullif(this=right, expression=exp.Literal.number(0))
    if isinstance(left, exp.Binary):
        left = exp.paren(left, copy=False)
    left = exp.Mul(this=exp.Literal.number("1.0"), expression=left)
    return exp.paren(exp.Div(this=left, expression=right, typed=True), copy=False)


def null() -> exp.Expr:
    """NULL."""
    return exp.Null()


def share(figure: exp.Expr, partition: Sequence[exp.Expr]) -> exp.Expr:
    """The share of the sum over all groups, or over the groups of a partition."""
    return ratio(figure, exp.Window(this=exp.Sum(this=figure.copy()), partition_by=list(partition)))


def running(figure: exp.Expr, partition: Sequence[exp.Expr], order: exp.Expr) -> exp.Expr:
    """The sum of all groups up to each one."""
    return _window(exp.Sum(this=figure), partition, order)


def change(figure: exp.Expr, partition: Sequence[exp.Expr], order: exp.Expr) -> exp.Expr:
    """The relative change from the previous group."""
    return _change(figure, _window(_lag(figure), partition, order))


def change_year(figure: exp.Expr, partition: Sequence[exp.Expr], order: exp.Expr, unit: Unit) -> exp.Expr:
    """The relative change from the same period of the previous year; NULL if there is no such group.

    Args:
        order: Label of the period, which begins with the year.
    """
    if unit == "week":
        # Weeks do not begin on the same dates each year.
        return _change(figure, _window(_lag(figure, _WEEKS), partition, order))
    # Of labels with the same rest, the previous one is a year before, or more if a year is missing.
    label_rest = exp.Substring(this=order.copy(), start=exp.Literal.number(5))
    same_period = partition if unit == "year" else [*partition, label_rest]
    year = exp.cast(_year(order), "INT")
    year_before = exp.cast(_window(_lag(_year(order)), same_period, order), "INT")
    is_year_before = exp.EQ(this=year_before, expression=exp.Sub(this=year, expression=exp.Literal.number(1)))
    return exp.Case().when(is_year_before, _change(figure, _window(_lag(figure), same_period, order)), copy=False)


def _change(figure: exp.Expr, before: exp.Expr) -> exp.Expr:
    return ratio(exp.Sub(this=figure, expression=before), before.copy())


def _lag(figure: exp.Expr, by: int = 1) -> exp.Expr:
    return exp.Lag(this=figure.copy(), offset=exp.Literal.number(by) if by > 1 else None)


def _year(label: exp.Expr) -> exp.Expr:
    return exp.Substring(this=label.copy(), start=exp.Literal.number(1), length=exp.Literal.number(4))


def _window(figure: exp.Expr, partition: Sequence[exp.Expr], order: exp.Expr) -> exp.Expr:
    return exp.Window(
        this=figure,
        partition_by=[item.copy() for item in partition],
        order=exp.Order(expressions=[exp.Ordered(this=order.copy(), nulls_first=True)]),
    )
