"""A question half-way to SQL: what is selected, filtered, grouped and ordered, before any dialect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Aggregate = Literal["", "count", "sum", "avg", "min", "max"]
Bucket = Literal["", "year", "quarter", "month", "day"]
Operator = Literal["=", "!=", ">", ">=", "<", "<=", "like", "not like", "between", "in", "not in", "null", "not null"]


class Ref(NamedTuple):
    """A column of a table, by their names in the schema; the column ``*`` stands for rows."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Expr:
    """A column, aggregated or cut to a part of a date, or not; ``minus`` is taken from it."""

    ref: Ref
    agg: Aggregate = ""
    distinct: bool = False
    bucket: Bucket = ""
    minus: Ref | None = None


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
        seen = {ref.table: None for expr in self.expressions() for ref in (expr.ref, expr.minus) if ref is not None}
        seen.update(dict.fromkeys(self.tables))
        return tuple(seen)
