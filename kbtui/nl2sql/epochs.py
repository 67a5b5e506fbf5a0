"""Timestamps stored as integers: seconds or milliseconds since 1970."""

from __future__ import annotations

from sqlglot import exp


def timestamp_of(column: exp.Expr, scale: int, dialect: str) -> exp.Expr:
    """The timestamp in UTC of a column that counts ``1 / scale`` seconds since 1970."""
    seconds = exp.Div(this=column, expression=exp.Literal.number(scale), typed=True) if scale > 1 else column
    if dialect == "sqlite":
        return exp.Anonymous(this="datetime", expressions=[seconds, exp.Literal.string("unixepoch")])
    if dialect == "duckdb":
        micros = exp.Mul(this=exp.cast(column, "BIGINT"), expression=exp.Literal.number(1_000_000 // scale))
        return exp.Anonymous(this="make_timestamp", expressions=[micros])
    return exp.UnixToTime(this=seconds)
