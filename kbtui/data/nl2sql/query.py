"""A question half-way to SQL: what is selected, filtered, grouped and ordered, before any dialect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Aggregate = Literal["", "count", "sum", "avg", "min", "max"]
Bucket = Literal["", "year", "quarter", "month", "day"]
Over = Literal["", "share", "change"]
"""A figure of a group beside the other groups: its part of them all, or its growth from the one before, in per cent."""
Operation = Literal["", "+", "-", "*", "/"]
Operator = Literal["=", "!=", ">", ">=", "<", "<=", "like", "not like", "between", "in", "not in", "null", "not null"]


class Ref(NamedTuple):
    """A column of a table, by their names in the schema; the column ``*`` stands for rows.

    Attributes:
        operator: How it is computed with another column, or nothing.
        operand: Table and name of that column.
    """

    table: str
    column: str
    operator: Operation = ""
    operand: tuple[str, str] | None = None

    @property
    def base(self) -> Ref:
        """The column itself."""
        return Ref(self.table, self.column)

    def computed(self, operator: Operation, other: Ref) -> Ref:
        """What comes of this column and another."""
        return Ref(self.table, self.column, operator, (other.table, other.column))


@dataclass(frozen=True, slots=True)
class Expr:
    """A column, aggregated or cut to a part of a date, or not."""

    ref: Ref
    agg: Aggregate = ""
    distinct: bool = False
    bucket: Bucket = ""
    over: Over = ""


@dataclass(frozen=True, slots=True)
class Cond:
    """One condition; ``right`` is a literal, several, a column (`Ref`) or a whole `Query`.

    Attributes:
        joined: How it is joined to the one before it.
    """

    left: Expr
    op: Operator
    right: Any = None
    joined: Literal["and", "or"] = "and"


@dataclass(frozen=True, slots=True)
class Query:
    """One SELECT, with at most one more of its kind behind a set operation.

    Attributes:
        tables: Those that must be joined though nothing of them is named elsewhere.
    """

    select: tuple[Expr, ...]
    where: tuple[Cond, ...] = ()
    group: tuple[Expr, ...] = ()
    having: tuple[Cond, ...] = ()
    order: tuple[tuple[Expr, bool], ...] = ()
    limit: int | None = None
    distinct: bool = False
    tables: tuple[str, ...] = ()
    set_op: Literal["", "union", "intersect", "except"] = ""
    other: Query | None = None

    def expressions(self) -> Iterator[Expr]:
        """Every expression of this SELECT itself."""
        yield from self.select
        yield from self.group
        for cond in (*self.where, *self.having):
            yield cond.left
            if isinstance(cond.right, Ref):
                yield Expr(cond.right)
        for expr, _ in self.order:
            yield expr

    def used_tables(self) -> tuple[str, ...]:
        """Tables this SELECT itself reads, in the order they are met."""
        seen: dict[str, None] = {}
        for expr in self.expressions():
            seen[expr.ref.table] = None
            if expr.ref.operand is not None:
                seen[expr.ref.operand[0]] = None
        seen.update(dict.fromkeys(self.tables))
        return tuple(seen)
