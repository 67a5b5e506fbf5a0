# ruff: noqa: E501 (two languages stand beside each other)
"""Headers of computed columns in words: ``COUNT(*)`` is the number of orders, said as the question says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kbtui.data.nl2sql.names import name_words
from kbtui.data.nl2sql.query import Expr, Query, Ref
from kbtui.text.language import Language

_SAID: Final[dict[str, tuple[str, str]]] = {
    "count": ("number of {}", "{}数量"), "distinct": ("number of different {}", "不同{}的数量"),
    "sum": ("total {}", "{}合计"), "avg": ("average {}", "平均{}"), "min": ("lowest {}", "最低{}"), "max": ("highest {}", "最高{}"),
    "year": ("year", "年"), "quarter": ("quarter", "季度"), "month": ("month", "月"), "day": ("day", "日"),
    "-": ("{} less {}", "{}减{}"), "+": ("{} and {}", "{}加{}"), "*": ("{} times {}", "{}乘{}"), "/": ("{} per {}", "{}比{}"),
}  # fmt: skip
_OVER: Final = {"share": ("share (%)", "占比（%）"), "change": ("change (%)", "环比（%）")}
_LONGEST: Final = 60
"""Bytes; PostgreSQL cuts names at 63."""


def headers(query: Query, language: Language, wording: Mapping[Ref, str]) -> list[str]:
    """For each column of ``query`` its header; empty where the column keeps the name it has.

    Args:
        wording: How the question calls tables (their rows, ``*``) and columns.
    """
    zh = int(language == "zh")
    found: list[str] = []
    for item in query.select:
        if item.over:
            found.append(_OVER[item.over][zh])
            continue
        computed = item.agg or item.bucket or item.ref.operator
        name = _header(item, zh, wording).encode()[:_LONGEST].decode("utf-8", "ignore") if computed else ""
        taken = [one.lower() for one in found] + [one.ref.column.lower() for one in query.select]
        found.append("" if name.lower() in taken else name)
    return found


def _header(item: Expr, zh: int, wording: Mapping[Ref, str]) -> str:
    if item.bucket:
        return _SAID[item.bucket][zh]
    rows = Ref(item.ref.table, "*")
    once = item.agg == "count" and item.distinct and item.ref not in wording
    said = _name(rows if once and rows in wording else item.ref, zh, wording)
    if item.agg:
        counted = once and rows not in wording
        return _SAID["distinct" if counted else item.agg][zh].format(said)
    return said


def _name(ref: Ref, zh: int, wording: Mapping[Ref, str]) -> str:
    if ref.operator and ref.operand is not None:
        first, second = _name(ref.base, zh, wording), _name(Ref(*ref.operand), zh, wording)
        return _SAID[ref.operator][zh].format(first, second)
    if ref in wording:
        return wording[ref]
    bare = ref.table.rsplit(".", 1)[-1] if ref.column == "*" else ref.column
    words = " ".join(name_words(bare)) or bare
    if ref.column == "*" and not zh and not words.endswith("s"):
        words = f"{words}s" if words[-1:].isascii() else words
    return words
