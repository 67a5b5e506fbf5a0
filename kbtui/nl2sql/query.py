"""A statement before any dialect: typed expressions over columns, one SELECT, nested ones inside it.

`kbtui.nl2sql.build` writes it as SQL, `kbtui.nl2sql.says` in words, `kbtui.nl2sql.parse` reads SQL back into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

Function = Literal["count", "sum", "avg", "min", "max", "median", "stddev", "percentile"]
Unit = Literal["year", "quarter", "month", "week", "day", "weekday", "month_of_year", "hour"]
Operation = Literal["+", "-", "*", "/"]
Operator = Literal["=", "!=", ">", ">=", "<", "<=", "like", "not like", "between", "in", "not in", "null", "not null"]
Window = Literal["share", "mean", "change", "change_year", "running"]

INNER = ""
"""Table of a `Ref` to a column of `Query.inner`."""


class Ref(NamedTuple):
    """A column by the names of the catalogue; the column ``*`` stands for rows of the table.

    ``table`` may be a role: a further name under which a table is joined (the teams as home teams).
    """

    table: str
    column: str


class Col(Struct, frozen=True):
    """A column.

    Attributes:
        fold: Of text, without regard to case.
    """

    ref: Ref
    fold: bool = False


class Part(Struct, frozen=True):
    """A date cut to a unit; ``weekday`` is 0 (Monday) to 6, ``month_of_year`` 1 to 12, ``hour`` 0 to 23."""

    unit: Unit
    arg: Expr


class Arith(Struct, frozen=True):
    """Two expressions, calculated; the difference of two dates is in days, a quotient is never a whole division."""

    op: Operation
    left: Expr
    right: Expr | float


class Years(Struct, frozen=True):
    """The time from a date up to a day, in years: an age."""

    arg: Expr
    until: date


class Agg(Struct, frozen=True):
    """Rows of a group in one figure.

    Attributes:
        arg: What is aggregated; ``Col(Ref(table, "*"))`` for rows.
        where: Only rows that meet all of these are counted in (``SUM(CASE WHEN … THEN … END)``).
        level: Of a percentile, 0 to 1.
    """

    fn: Function
    arg: Expr
    distinct: bool = False
    where: tuple[Cond, ...] = ()
    level: float = 0.5


class Over(Struct, frozen=True):
    """An aggregate beside those of the other groups.

    Attributes:
        kind: ``share`` of the whole, 0 to 1; ``mean`` of rows that are not grouped, beside each; ``change`` from
            the group before, as a ratio (.1 is 10 % more); ``change_year`` from the same period of the year before;
            ``running`` total.
    """

    kind: Window
    arg: Agg


Expr = Col | Part | Arith | Years | Agg | Over


class Cond(Struct, frozen=True):
    """One condition.

    Attributes:
        right: A literal (a `date` for days), a tuple of literals (``between``, ``in``), an expression or a `Query`.
        fold: Text is compared without regard to case.
    """

    left: Expr
    op: Operator
    right: str | int | float | bool | date | tuple[Any, ...] | Expr | Query | None = None
    fold: bool = False


class AnyOf(Struct, frozen=True):
    """One of several conditions."""

    conds: tuple[Cond, ...]


class Order(Struct, frozen=True):
    """What rows are sorted by."""

    expr: Expr
    desc: bool = False


class Query(Struct, frozen=True):
    """One SELECT.

    Attributes:
        having: Conditions over groups.
        limit: Rows at most; of each ``per`` group where that is given.
        per: ``limit`` holds within groups of these (the best product of each category); without a limit, windows of
            `Over` do (the share of a product within its category).
        tables: Tables that must be joined though no column of them is named elsewhere.
        inner: A derived table; its i-th column is ``Ref(INNER, "c<i>")`` counted from 0, its rows ``Ref(INNER, "*")``.
        truth: The question wants yes or no: whether there is a row (or a count above zero).
        set_op: How ``other`` is joined to this one, with the order and the limit of each inside.
        flat: Rows and figures count once for every row of the join, as a plain SQL join does. By default a row counts
            once however many rows of other tables join it, and a condition on those other rows only filters.
        outer: Groups are rows of one table, and those that no row of the figures refers to are kept: their counts and
            sums are 0. Conditions on other tables leave out rows of the figures alone.
    """

    select: tuple[Expr, ...]
    where: tuple[Cond | AnyOf, ...] = ()
    group: tuple[Expr, ...] = ()
    having: tuple[Cond | AnyOf, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    per: tuple[Expr, ...] = ()
    distinct: bool = False
    tables: tuple[str, ...] = ()
    inner: Query | None = None
    truth: bool = False
    set_op: Literal["", "union", "intersect", "except"] = ""
    other: Query | None = None
    flat: bool = False
    outer: bool = False

    def narrowed(self, conds: tuple[Cond | AnyOf, ...]) -> Query:
        """With further conditions on the rows that it is about: those of its derived table, where it has one, and
        of the figure of the whole that its groups are compared with."""
        if not conds:
            return self
        if self.inner is not None:
            return replace(self, inner=self.inner.narrowed(conds))
        query = replace(self, where=(*self.where, *conds))
        if any(isinstance(item, Cond) and isinstance(item.right, Query) for item in self.having):
            having = tuple(
                replace(item, right=item.right.narrowed(conds))
                if isinstance(item, Cond) and isinstance(item.right, Query)
                else item
                for item in self.having
            )
            query = replace(query, having=having)
        return query

    @property
    def core(self) -> Query:
        """The SELECT whose rows it is about: the innermost of its derived tables, itself where it has none."""
        return self if self.inner is None else self.inner.core

    # Asked of every statement that is composed, so these are lists.

    def conditions(self) -> list[Cond]:
        """Every condition of this SELECT itself."""
        found: list[Cond] = []
        for item in (*self.where, *self.having):
            found += item.conds if isinstance(item, AnyOf) else (item,)
        return found

    def expressions(self) -> list[Expr]:
        """Every outermost expression of this SELECT itself."""
        found = [*self.select, *self.group, *self.per]
        for cond in self.conditions():
            found.append(cond.left)
            if isinstance(cond.right, Expr):
                found.append(cond.right)
        return found + [item.expr for item in self.order]

    def refs(self) -> list[Ref]:
        """Every column this SELECT itself reads, once for each place."""
        found: list[Ref] = []
        for expr in self.expressions():
            _note_refs(expr, found)
        return found

    def used_tables(self) -> tuple[str, ...]:
        """Tables this SELECT itself reads, in the order they are met."""
        return tuple(dict.fromkeys([*[ref.table for ref in self.refs() if ref.table != INNER], *self.tables]))

    def subqueries(self) -> list[Query]:
        """The queries directly inside this one."""
        inside = [cond.right for cond in self.conditions() if isinstance(cond.right, Query)]
        return inside + [query for query in (self.inner, self.other) if query is not None]


def percent(ratio: Expr) -> Expr:
    """A ratio as people read it: 45.2 for .452."""
    return Arith("*", ratio, 100)


def refs_of(expr: Expr) -> Iterator[Ref]:
    """The columns of an expression."""
    found: list[Ref] = []
    _note_refs(expr, found)
    return iter(found)


def _note_refs(expr: Expr, found: list[Ref]) -> None:
    # Asked of every statement that is composed, so neither a generator nor a match of patterns.
    if isinstance(expr, Col):
        found.append(expr.ref)
    elif isinstance(expr, Agg):
        _note_refs(expr.arg, found)
        for cond in expr.where:
            _note_refs(cond.left, found)
    elif isinstance(expr, Arith):
        _note_refs(expr.left, found)
        if not isinstance(expr.right, (int, float)):
            _note_refs(expr.right, found)
    else:
        _note_refs(expr.arg, found)


def aggregates(expr: Expr) -> bool:
    """Whether it is a figure of a group rather than of a row."""
    match expr:
        case Agg() | Over():
            return True
        case Arith(left=left, right=right):
            return aggregates(left) or (not isinstance(right, int | float) and aggregates(right))
        case _:
            return False


def aggregates_in(expr: Expr) -> Iterator[Agg]:
    """The aggregates of an expression."""
    match expr:
        case Agg():
            yield expr
        case Over(arg=arg):
            yield arg
        case Arith(left=left, right=right):
            yield from aggregates_in(left)
            if not isinstance(right, int | float):
                yield from aggregates_in(right)


def counts_rows(agg: Agg) -> bool:
    """Whether it is over rows, rather than over a column."""
    return isinstance(agg.arg, Col) and agg.arg.ref.column == "*"


def has_one_row(query: Query) -> bool:
    """Whether it has one row at most."""
    if query.set_op:
        return False
    return query.limit == 1 or (not query.group and all(aggregates(item) for item in query.select))
