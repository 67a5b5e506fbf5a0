"""Statements that are short and make something huge: what can be seen before they run; the rest meets time limits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sqlglot import exp

_MAX_NODES: Final = 12_000
_MAX_LITERAL: Final = 20_000
_MAX_DIGITS: Final = 400
_MAX_EXPONENT: Final = 400
_MAX_REPEATS: Final = 10_000
_MAX_SERIES: Final = 1_000_000
_MAX_GROWERS: Final = 12
_MAX_JOINS: Final = 40

_EXPONENT: Final = re.compile(r"[eE]\+?(\d+)$")
_WIDTH: Final = re.compile(r"\d{5,}|%[^a-zA-Z]*\*|\{[^}]*\{")
_SAFE_STEP: Final = frozenset(
    {"DAY", "DAYS", "WEEK", "WEEKS", "MONTH", "MONTHS", "QUARTER", "QUARTERS", "YEAR", "YEARS"}
)
_FORMATS: Final = frozenset({"printf", "format"})
_REPEATS: Final = frozenset({"repeat", "lpad", "rpad", "space", "bar"})


@cache
def may_be_large(kind: type[exp.Expr]) -> bool:
    """Whether parts of this kind have to be looked at by `check_size`: few of a statement's are."""
    from sqlglot import exp

    growing = (exp.Literal, exp.Repeat, exp.Pad, exp.Space, exp.GenerateSeries, exp.ExplodingGenerateSeries)
    others = (exp.Replace, exp.RegexpReplace, exp.Format, exp.NumberToStr, exp.Anonymous, exp.Join)
    return issubclass(kind, growing + others)


def check_size(nodes: Sequence[exp.Expr], count: int) -> str:
    """Why the statement is too large, or nothing.

    Args:
        nodes: Its parts that `may_be_large`.
        count: How many parts it has.
    """
    from sqlglot import exp

    if count > _MAX_NODES:
        return f"it has more than {_MAX_NODES:,} parts"
    growers = joins = 0
    for node in nodes:
        if reason := _made_by(node):
            return reason
        repeats = isinstance(node, exp.Anonymous) and node.name.lower() in _REPEATS
        growers += repeats or isinstance(node, (exp.Repeat, exp.Pad, exp.Replace, exp.RegexpReplace))
        joins += isinstance(node, exp.Join)
    if growers > _MAX_GROWERS * 4:
        return "it makes text longer in too many places"
    if joins > _MAX_JOINS:
        return f"it joins more than {_MAX_JOINS} times"
    return ""


def _made_by(node: exp.Expr) -> str:
    """What one part makes too much of, or nothing."""
    from sqlglot import exp

    match node:
        case exp.Literal():
            return _literal(node)
        case exp.Repeat():
            return _times(node.args.get("times"), node)
        case exp.Pad():
            return _times(node.expression, node)
        case exp.Space():
            return _times(node.this, node)
        case exp.Replace() | exp.RegexpReplace() if _within(node, (exp.Replace, exp.RegexpReplace)) and _grows(node):
            return "it replaces text by longer text over and over"
        case exp.GenerateSeries() | exp.ExplodingGenerateSeries():
            return _series(node)
        case exp.Format():
            return _format(node.this)
        case exp.NumberToStr():
            return _format(node.args.get("format"))
        case exp.Anonymous() if node.name.lower() in _FORMATS:
            return _format(node.expressions[0] if node.expressions else None)
        case exp.Anonymous() if node.name.lower() in _REPEATS:
            return _times(node.expressions[-1] if node.expressions else None, node)
        case _:
            return ""


def _literal(node: exp.Expr) -> str:
    text = node.name
    if node.args.get("is_string"):
        return "a text in it is too long" if len(text) > _MAX_LITERAL else ""
    exponent = _EXPONENT.search(text)
    if len(text) > _MAX_DIGITS or (exponent and (len(exponent[1]) > 4 or int(exponent[1]) > _MAX_EXPONENT)):
        return "a number in it is too long"
    return ""


def _times(times: Any, node: exp.Expr) -> str:
    from sqlglot import exp

    number = _whole(times)
    if number is None or number > _MAX_REPEATS:
        return f"it repeats text more often than {_MAX_REPEATS:,} times, or nobody can say how often"
    if _within(node, (exp.Repeat, exp.Pad, exp.Space)):
        return "it repeats what is repeated already"
    return ""


def _within(node: exp.Expr, kinds: tuple[type, ...]) -> bool:
    """Whether ``node`` stands inside one of these in the same SELECT."""
    from sqlglot import exp

    above = node.parent
    while above is not None and not isinstance(above, exp.Query):
        if isinstance(above, kinds):
            return True
        above = above.parent
    return False


def _grows(node: exp.Expr) -> bool:
    """Whether what is put in may be longer than what it is put in for."""
    from sqlglot import exp

    old, new = node.expression, node.args.get("replacement")
    if new is None:
        return False
    if isinstance(new, exp.Literal) and isinstance(old, exp.Literal):
        return len(new.name) > max(1, len(old.name))
    return not isinstance(new, exp.Literal) or len(new.name) > 1


def _series(node: exp.Expr) -> str:
    from sqlglot import exp

    start, end, step = node.args.get("start"), node.args.get("end"), node.args.get("step")
    interval = step.find(exp.Interval) if step is not None else None
    if step is not None and (interval is not None or isinstance(step, exp.Cast)):
        step_text = (interval or step).sql().upper()
        if any(word in _SAFE_STEP for word in re.findall(r"[A-Z]+", step_text)):
            return ""
        return "its series of times has a step shorter than a day"
    first, last, by = _whole(start), _whole(end), _whole(step) if step is not None else 1
    if first is None or last is None or not by or abs(last - first) / abs(by) > _MAX_SERIES:
        return f"its series is longer than {_MAX_SERIES:,}, or nobody can say how long"
    return ""


def _format(how: Any) -> str:
    from sqlglot import exp

    if not isinstance(how, exp.Literal):
        return "" if how is None else "it formats by a pattern that is no plain text"
    return "it formats to an enormous width" if _WIDTH.search(how.name) else ""


def _whole(node: Any) -> int | None:
    """The number a plain literal stands for."""
    from sqlglot import exp

    if isinstance(node, exp.Neg):
        inner = _whole(node.this)
        return None if inner is None else -inner
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None
