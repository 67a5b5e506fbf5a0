"""A statement independent of dialects: typed expressions over columns, and queries that may be nested.

`kbtui.nl2sql.build` writes it as SQL, `kbtui.nl2sql.says` in words, `kbtui.nl2sql.parse` parses SQL to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

Function = Literal["count", "sum", "avg", "min", "max", "median", "stddev", "percentile"]
Unit = Literal["year", "quarter", "month", "week", "day", "weekday", "month_of_year", "hour"]
Operation = Literal["+", "-", "*", "/"]
Operator = Literal["=", "!=", ">", ">=", "<", "<=", "like", "not like", "between", "in", "not in", "null", "not null"]
Window = Literal["share", "change", "change_year", "running"]

INVERSE: Mapping[Operator, Operator] = {
    "=": "!=", "!=": "=", ">": "<=", "<=": ">", "<": ">=", ">=": "<", "like": "not like", "not like": "like",
    "in": "not in", "not in": "in", "null": "not null", "not null": "null",
}  # fmt: skip
"""The operator of the opposite condition; ``between`` has none."""
SWAPPED: Mapping[Operator, Operator] = {"=": "=", "!=": "!=", ">": "<", ">=": "<=", "<": ">", "<=": ">="}
"""The operator of the same comparison with its sides exchanged."""

INNER = ""
"""Table of a `Ref` to a column of `Query.inner`."""


class Ref(NamedTuple):
    """A column by its names in the catalogue; the column ``*`` stands for rows of the table.

    ``table`` may be a role: a further name under which a table is joined (teams as home teams).
    """

    table: str
    column: str


class Col(Struct, frozen=True):
    """A column as an expression.

    Attributes:
        fold: Whether text is compared and grouped ignoring case.
    """

    ref: Ref
    fold: bool = False


class Part(Struct, frozen=True):
    """A date cut to a unit; ``weekday`` is 0 (Monday) to 6, ``month_of_year`` 1 to 12, ``hour`` 0 to 23."""

    unit: Unit
    arg: Expr


class Arith(Struct, frozen=True):
    """Arithmetic on two expressions; the difference of dates is in days, a quotient is never an integer division."""

    op: Operation
    left: Expr
    right: Expr | float


class Years(Struct, frozen=True):
    """The time from a date to a day, in years: an age; from a column of years, the difference of the years."""

    arg: Expr
    until: date


class Agg(Struct, frozen=True):
    """An aggregate.

    Attributes:
        arg: The aggregated expression; ``Col(Ref(table, "*"))`` for rows.
        where: Conditions of the rows that it includes (``SUM(CASE WHEN … THEN … END)``).
        level: Level of a percentile, 0 to 1.
    """

    fn: Function
    arg: Expr
    distinct: bool = False
    where: tuple[Cond, ...] = ()
    level: float = 0.5


class Over(Struct, frozen=True):
    """An aggregate relative to those of other groups.

    Attributes:
        kind: ``share`` of the total, 0 to 1; ``change`` from the previous group, as a ratio (0.1 is 10 % more);
            ``change_year`` from the same period of the previous year;
            ``running`` total.
    """

    kind: Window
    arg: Agg


Expr = Col | Part | Arith | Years | Agg | Over


class Cond(Struct, frozen=True):
    """A condition.

    Attributes:
        right: A literal (a `date` for days), a tuple of literals (``between``, ``in``), an expression or a `Query`.
        fold: Whether text is compared ignoring case.
    """

    left: Expr
    op: Operator
    right: str | int | float | bool | date | tuple[Any, ...] | Expr | Query | None = None
    fold: bool = False


class AnyOf(Struct, frozen=True):
    """A disjunction of conditions."""

    conds: tuple[Cond, ...]


class Order(Struct, frozen=True):
    """A sort key."""

    expr: Expr
    desc: bool = False


class Query(Struct, frozen=True):
    """One SELECT.

    Attributes:
        having: Conditions on groups.
        limit: Maximum number of rows; within each group of ``per``, if given.
        per: Groups that ``limit`` applies to (the best product of each category); without a limit, groups that windows
            of `Over` apply to (the share of a product within its category).
        tables: Tables that must be joined although no expression names them.
        inner: A derived table; its i-th column is ``Ref(INNER, "c<i>")`` counted from 0, its rows ``Ref(INNER, "*")``.
        truth: Whether the answer is yes or no: whether there is a row (or a count above zero).
        set_op: The set operation with ``other``; order and limit of each apply before it.
        flat: Whether rows and figures count once for every row of the join, as in plain SQL. By default a row counts
            once however many rows of other tables match it, and a condition on those only filters.
        outer: Whether groups are the rows of a table, including those without rows of the figures, for which counts and
            sums are 0. Conditions on other tables only restrict the rows of the figures.
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
        """A copy with further conditions on its rows: those of its derived table if it has one, and of subqueries in
        HAVING.
        """
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
        """The innermost derived table, or the query itself."""
        return self if self.inner is None else self.inner.core

    # These are called for every composed statement, so they return lists.

    def conditions(self) -> list[Cond]:
        """All conditions of this SELECT, without those of subqueries."""
        conditions: list[Cond] = []
        for item in (*self.where, *self.having):
            conditions += item.conds if isinstance(item, AnyOf) else (item,)
        return conditions

    def expressions(self) -> list[Expr]:
        """All outermost expressions of this SELECT, without those of subqueries."""
        expressions = [*self.select, *self.group, *self.per]
        for cond in self.conditions():
            expressions.append(cond.left)
            if isinstance(cond.right, Expr):
                expressions.append(cond.right)
        return expressions + [item.expr for item in self.order]

    def refs(self) -> list[Ref]:
        """All columns that this SELECT reads, once for each occurrence."""
        refs: list[Ref] = []
        for expr in self.expressions():
            _collect_refs(expr, refs)
        return refs

    def used_tables(self) -> tuple[str, ...]:
        """Tables that this SELECT reads, in order of their first occurrence."""
        return tuple(dict.fromkeys([*[ref.table for ref in self.refs() if ref.table != INNER], *self.tables]))

    def subqueries(self) -> list[Query]:
        """The queries directly inside this one."""
        inside = [cond.right for cond in self.conditions() if isinstance(cond.right, Query)]
        return inside + [query for query in (self.inner, self.other) if query is not None]


def equals(ref: Ref, values: Sequence[Any]) -> Cond:
    """The condition that a column has one of these values."""
    return Cond(Col(ref), "=", values[0]) if len(values) == 1 else Cond(Col(ref), "in", tuple(values))


def opposite_of(cond: Cond) -> Cond | None:
    """The condition that holds for the other rows; None if one condition cannot express it."""
    op = INVERSE.get(cond.op)
    return None if op is None else replace(cond, op=op)


def cond_tables(item: Cond | AnyOf) -> set[str]:
    """Tables of both sides of a condition or of several, without those of subqueries; `INNER` is one of them."""
    return {ref.table for ref in Query(select=(), where=(item,)).refs()}


def percent(ratio: Expr) -> Expr:
    """A ratio as a percentage: 45.2 for 0.452."""
    return Arith("*", ratio, 100)


def refs_of(expr: Expr) -> Iterator[Ref]:
    """The columns of an expression."""
    refs: list[Ref] = []
    _collect_refs(expr, refs)
    return iter(refs)


def _collect_refs(expr: Expr, refs: list[Ref]) -> None:
    # Called for every composed statement, so neither a generator nor pattern matching.
    if isinstance(expr, Col):
        refs.append(expr.ref)
    elif isinstance(expr, Agg):
        _collect_refs(expr.arg, refs)
        for cond in expr.where:
            _collect_refs(cond.left, refs)
    elif isinstance(expr, Arith):
        _collect_refs(expr.left, refs)
        if not isinstance(expr.right, (int, float)):
            _collect_refs(expr.right, refs)
    else:
        _collect_refs(expr.arg, refs)


def aggregates(expr: Expr) -> bool:
    """Whether an expression is a figure of a group, not of a row."""
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
    """Whether an aggregate is over rows, not over a column."""
    return isinstance(agg.arg, Col) and agg.arg.ref.column == "*"


def has_one_row(query: Query) -> bool:
    """Whether a query has at most one row."""
    if query.set_op:
        return False
    return query.limit == 1 or (not query.group and all(aggregates(item) for item in query.select))
