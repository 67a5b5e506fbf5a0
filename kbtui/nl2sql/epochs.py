"""Timestamps stored as integers: seconds or milliseconds since 1970."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

_WRAPPERS: Final = (exp.Paren, exp.Cast, exp.TryCast, exp.Mul, exp.Div)


def timestamp_of(column: exp.Expr, scale: int, dialect: str) -> exp.Expr:
    """The timestamp in UTC of a column that counts ``1 / scale`` seconds since 1970."""
    seconds = exp.Div(this=column, expression=exp.Literal.number(scale), typed=True) if scale > 1 else column
    if dialect == "sqlite":
        return exp.Anonymous(this="datetime", expressions=[seconds, exp.Literal.string("unixepoch")])
    if dialect == "duckdb":
        micros = exp.Mul(this=exp.cast(column, "BIGINT"), expression=exp.Literal.number(1_000_000 // scale))
        return exp.Anonymous(this="make_timestamp", expressions=[micros])
    return exp.UnixToTime(this=seconds)


def epoch_in(node: Any) -> tuple[exp.Column, str] | None:
    """The column whose timestamp a call is, and a strftime format if it is only a part; None for other calls."""
    if isinstance(node, exp.UnixToTime):
        arg, form = node.this, ""
    elif isinstance(node, exp.Anonymous) and node.expressions and node.expressions[-1].name.lower() == "unixepoch":
        call, args = node.name.lower(), node.expressions[:-1]
        form = {"date": "%Y-%m-%d", "strftime": args[0].name if args else ""}.get(call, "")
        if call not in ("date", "datetime", "strftime") or len(args) != 1 + (call == "strftime"):
            return None
        arg = args[-1]
    else:
        return None
    while isinstance(arg, _WRAPPERS):
        arg = arg.this
    return (arg, form) if isinstance(arg, exp.Column) else None
