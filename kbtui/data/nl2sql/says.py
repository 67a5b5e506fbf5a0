# ruff: noqa: E501 (two languages stand beside each other)
"""A reading in words, in the question's language: what a person chooses from when the question is not clear."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date
from typing import Any, Final

from kbtui.data.nl2sql.names import name_words
from kbtui.data.nl2sql.query import Cond, Expr, Query, Ref
from kbtui.text.language import Language
from kbtui.text.terminal import one_line

_AGGS: Final = {
    "count": ("number of {}", "{}的数量"), "sum": ("total {}", "{}总和"), "avg": ("average {}", "平均{}"),
    "min": ("lowest {}", "最小{}"), "max": ("highest {}", "最大{}"),
}  # fmt: skip
_OVER: Final = {"share": ("share of the {}", "{}占比"), "change": ("change of the {}", "{}环比")}
_OPS: Final = {
    "=": ("is", "为"), "!=": ("is not", "不为"), ">": ("is over", "大于"), ">=": ("is at least", "至少"),
    "<": ("is under", "小于"), "<=": ("is at most", "至多"), "like": ("is like", "形如"), "not like": ("is not like", "不形如"),
}  # fmt: skip
_SETS: Final = {
    "intersect": (" and also: ", "；并且："),
    "except": (" but not: ", "；但不含："),
    "union": (" or: ", "；或者："),
}
_LONGEST: Final = 60


def says(query: Query, language: Language) -> str:
    """One line about ``query``."""
    return one_line(_Words(int(language == "zh")).query(query), 400)


class _Words:
    def __init__(self, chinese: int) -> None:
        self._zh = chinese

    def query(self, query: Query) -> str:
        zh = self._zh
        computed = any(item.agg for item in query.select)
        # What the rows are grouped by is said where they are.
        items = [item for item in query.select if not (computed and item in query.group)] or list(query.select)
        shown = ("、" if zh else ", ").join(self._expr(item) for item in items)
        said = ("不同的" if zh else "different ") + shown if query.distinct else shown
        counted = {item.ref.table for item in items if item.agg and item.ref.column == "*"}
        if tables := [self._table(name) for name in query.used_tables() if name not in counted]:
            said += f"（来自{'、'.join(tables)}）" if zh else f" from {_listed([_plural(name) for name in tables])}"
        if query.group and computed:
            keys = [self._expr(item) for item in query.group]
            said += f"，按{'、'.join(keys)}分组" if zh else f" for each {_listed(keys)}"
        conds = [*query.where, *query.having]
        if conds:
            parts = [self._cond(cond) for cond in conds]
            joined = parts[0]
            for cond, part in zip(conds[1:], parts[1:], strict=True):
                joined += ((" 或 " if zh else " or ") if cond.joined == "or" else ("，且" if zh else " and ")) + part
            said += ("，其中" if zh else " where ") + joined
        said += self._order(query)
        if query.other is not None:
            said += _SETS[query.set_op][zh] + self.query(query.other) if query.set_op else ""
        return said

    def _order(self, query: Query) -> str:
        """Which rows come first, and how many of them are left."""
        zh, limit = self._zh, query.limit
        if not query.order:
            return "" if limit is None else f"，前{limit}个" if zh else f", the first {limit}"
        item, desc = query.order[0]
        name, dated = self._expr(item), bool(item.bucket)
        if limit is None:
            # Periods are listed in their order, which goes without saying.
            if dated and not desc:
                return ""
            way = ("从高到低" if desc else "从低到高") if zh else ("highest first" if desc else "lowest first")
            return f"，按{name}{way}" if zh else f", by {name}, {way}"
        counted = ("最多" if desc else "最少") if item.agg == "count" else ("最高" if desc else "最低")
        most = ("最晚" if desc else "最早") if dated else counted
        ends = ("latest" if desc else "earliest") if dated else ("highest" if desc else "lowest")
        if zh:
            return f"，{name}{most}的{'一' if limit == 1 else limit}个"
        return f", the {'one' if limit == 1 else limit} with the {ends} {name}"

    def _table(self, name: str) -> str:
        return " ".join(name_words(name.rsplit(".", 1)[-1])) or name

    def _expr(self, item: Expr) -> str:
        zh = self._zh
        if item.ref.column == "*":
            if item.agg:
                table = self._table(item.ref.table)
                said = f"{table}数量" if zh else f"number of {_plural(table)}"
                return _OVER[item.over][zh].format(said) if item.over else said
            return "全部列" if zh else "all columns"
        name = " ".join(name_words(item.ref.column)) or item.ref.column
        if item.ref.operand is not None:
            other = item.ref.operand[1]
            name = f"({name} {item.ref.operator} {' '.join(name_words(other)) or other})"
        if item.bucket:
            units = {"year": "年", "quarter": "季度", "month": "月", "day": "日"}
            name = f"{name}（按{units[item.bucket]}）" if zh else f"{item.bucket} of {name}"
        if item.distinct:
            name = f"不同{name}" if zh else f"different {name}"
        said = _AGGS[item.agg][zh].format(name) if item.agg else name
        return _OVER[item.over][zh].format(said) if item.over else said

    def _cond(self, cond: Cond) -> str:
        zh = self._zh
        left = self._expr(cond.left)
        if cond.op in ("null", "not null"):
            empty = cond.op == "null"
            return f"{left}{'为空' if empty else '不为空'}" if zh else f"{left} is {'empty' if empty else 'not empty'}"
        if cond.op == "between":
            low, high = (str(end).removesuffix(" 23:59:59") for end in cond.right)
            if period := _period(low, high):
                return f"{left}在{period}" if zh else f"{left} is in {period}"
            return f"{left}在{low}到{high}之间" if zh else f"{left} is between {low} and {high}"
        if cond.op in ("in", "not in"):
            inner = self.query(cond.right) if isinstance(cond.right, Query) else ", ".join(map(str, cond.right))
            words = ("不在", "在") if zh else (" is not among ", " is among ")
            return f"{left}{words[cond.op == 'in']}{'（' if zh else '('}{inner}{'）' if zh else ')'}"
        word = _OPS[cond.op][zh]
        return f"{left}{word}{self._value(cond.right)}" if zh else f"{left} {word} {self._value(cond.right)}"

    def _value(self, value: Any) -> str:
        if isinstance(value, Query):
            return ("（{}）" if self._zh else "({})").format(self.query(value))
        if isinstance(value, Ref):
            return self._expr(Expr(value))
        if isinstance(value, str):
            return f"“{one_line(value, _LONGEST)}”"
        return str(value)


def _period(low: str, high: str) -> str:
    """``2025`` or ``2025-03`` where a span is just that year or month; empty for any other."""
    try:
        first, last = date.fromisoformat(low), date.fromisoformat(high)
    except ValueError:
        return ""
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
        return str(first.year)
    whole = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    return f"{first:%Y-%m}" if whole and (first.year, first.month) == (last.year, last.month) else ""


def _plural(name: str) -> str:
    if re.search(r"[^aeiou]y$", name):
        return f"{name[:-1]}ies"
    if re.search(r"(?:s|x|z|ch|sh)$", name):
        return f"{name}es"
    return f"{name}s" if name[-1:].isascii() and name[-1:].isalpha() else name


def _listed(names: list[str]) -> str:
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
