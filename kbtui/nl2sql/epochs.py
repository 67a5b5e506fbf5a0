"""Timestamps stored as integers: seconds or milliseconds since 1970."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from sqlglot import exp

EPOCHS: Final = {"unix": 1, "unix_ms": 1000}
"""Names of epoch formats, with the number of units in a second."""


def timestamp_of(column: exp.Expr, scale: int, dialect: str) -> exp.Expr:
    """The timestamp in UTC of a column that counts ``1 / scale`` seconds since 1970."""
    from sqlglot import exp

    seconds = exp.Div(this=column, expression=exp.Literal.number(scale), typed=True) if scale > 1 else column
    if dialect == "sqlite":
        return exp.Anonymous(this="datetime", expressions=[seconds, exp.Literal.string("unixepoch")])
    if dialect == "duckdb":
        micros = exp.Mul(this=exp.cast(column, "BIGINT"), expression=exp.Literal.number(1_000_000 // scale))
        return exp.Anonymous(this="make_timestamp", expressions=[micros])
    return exp.UnixToTime(this=seconds)
