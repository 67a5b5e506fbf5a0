# ruff: noqa: E501 (two languages stand beside each other)
"""Column headers of a statement in words of its readers."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.calculated import expanded
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.phrases import Phrases, kind_of_days
from kbtui.nl2sql.query import INNER, Agg, Arith, Col, Cond, Expr, Over, Part, Query, Ref, Years
from kbtui.nl2sql.words import Words, counted_rows
from kbtui.text.language import Language

_FIGURES: Final[dict[str, tuple[str, str]]] = {
    "count": ("number of {}", "{}数"), "sum": ("total {}", "{}合计"), "avg": ("average {}", "平均{}"),
    "min": ("lowest {}", "最低{}"), "max": ("highest {}", "最高{}"), "median": ("median {}", "{}中位数"),
    "stddev": ("standard deviation of {}", "{}标准差"), "percentile": ("{level}th percentile of {}", "{}第{level}百分位"),
}  # fmt: skip
_DATES: Final = {"min": ("first {}", "最早{}"), "max": ("last {}", "最晚{}")}
_UNITS: Final = {
    **{
        "year": ("year", "年份"),
        "quarter": ("quarter", "季度"),
        "month": ("month", "月份"),
        "week": ("week of", "周（周一）"),
    },
    **{"day": ("day", "日期"), "weekday": ("weekday", "星期"), "month_of_year": ("month of the year", "月（1–12）")},
    "hour": ("hour", "时"),
}
_WINDOWS: Final = {
    **{"share": ("share of {}", "{}占比"), "change": ("change of {}", "{}环比")},
    **{"change_year": ("change of {} from a year before", "{}同比"), "running": ("running {}", "累计{}")},
}
_OPERATIONS: Final = {
    **{"+": ("{} and {}", "{}加{}"), "-": ("{} less {}", "{}减{}")},
    **{"*": ("{} times {}", "{}乘{}"), "/": ("{} per {}", "{}/{}")},
}
_MAX_BYTES: Final = 60
"""PostgreSQL cuts names after 63 bytes."""


def headers_of(query: Query, catalogue: Catalogue, language: Language) -> tuple[str, ...]:
    """A header for each column; empty if the column keeps the name it has in its table."""
    query = expanded(query, catalogue)
    write = _Headers(catalogue, int(language == "zh"), query.inner)
    used_names = {item.ref.column.lower() for item in query.select if isinstance(item, Col) and not item.fold}
    headers: list[str] = []
    for item in query.select:
        if counted := counted_rows(query, catalogue):
            item = Agg("count", Col(Ref(counted, "*")))
        # Stored columns keep their known names.
        keeps_name = isinstance(item, Col) and not item.fold and item.ref.table != INNER
        name = "" if keeps_name else write.of(item)
        name = name.encode()[:_MAX_BYTES].decode("utf-8", "ignore")
        number = 1
        while name and name.lower() in used_names:
            number += 1
            name = f"{name.removesuffix(f' {number - 1}')} {number}"
        used_names.add(name.lower())
        headers.append(name)
    return tuple(headers)


def _is_one_figure(left: Expr, right: Expr | float) -> bool:
    """Whether two expressions are aggregates that differ in their conditions only."""
    return isinstance(left, Agg) and isinstance(right, Agg) and replace(left, where=()) == replace(right, where=())


class _Headers:
    def __init__(self, catalogue: Catalogue, zh: int, inner: Query | None = None) -> None:
        self._zh = zh
        self._catalogue = catalogue
        self._inner = inner
        self._words = Words(catalogue, zh)

    def of(self, item: Expr) -> str:
        """The header of an expression."""
        match item:
            case Col(ref) if ref.table == INNER and self._inner is not None:
                index = int(ref.column[1:])
                return _Headers(self._catalogue, self._zh, self._inner.inner).of(self._inner.select[index])
            case Col(ref):
                return self._words.column(ref)
            case Part(unit, _):
                return _UNITS[unit][self._zh]
            case Over(kind, arg):
                return _WINDOWS[kind][self._zh].format(self.of(arg))
            case Years():
                return "年龄" if self._zh else "age"
            case Agg():
                return self._figure(item)
            case Arith():
                return self._calculated(item)

    def _figure(self, agg: Agg) -> str:
        zh = self._zh
        if agg.fn == "count":
            counted = self._words.counted(agg.arg, distinct=agg.distinct)
            name = _FIGURES["count"][zh].format(counted)
        else:
            names = _DATES if agg.fn in _DATES and self._words.is_date(agg.arg) else _FIGURES
            figure = names[agg.fn][zh].replace("{level}", f"{agg.level * 100:g}")
            name = self._words.figure_of(agg.arg, self.of(agg.arg), figure)
        if not agg.where:
            return name
        conditions = ("，" if zh else ", ").join(map(self._condition, agg.where))
        return f"{name}（{conditions}）" if zh else f"{name} ({conditions})"

    def _condition(self, cond: Cond) -> str:
        """The conditions of an aggregate, shortened to the literal if there is one."""
        if cond.right is None:
            return Phrases(self._catalogue, self._zh, lambda _: "").condition(cond)
        return kind_of_days(cond, self._zh) or self._words.value(cond.right)

    def _calculated(self, item: Arith) -> str:
        zh = self._zh
        if item.op == "/" and isinstance(item.left, Agg) and isinstance(item.right, Agg):
            part = item.left
            if part.where and (part.fn, part.arg) == (item.right.fn, item.right.arg):
                part_name = self.of(part) if zh else self.of(part).removeprefix("number of ")
                return _WINDOWS["share"][zh].format(part_name)
        if item.op == "-" and self._words.is_date(item.left):
            left, right = self.of(item.left), self.of(item.right) if isinstance(item.right, Expr) else ""
            return f"{right}到{left}的天数" if zh else f"days from {right} to {left}"
        if item.op == "-" and _is_one_figure(item.left, item.right):
            return "差额" if zh else "difference"
        if item.op == "/" and isinstance(item.left, Arith) and item.left.op == "-" and item.left.right == item.right:
            return "变化" if zh else "change"
        if item.op == "*" and item.right == 100:
            return f"{self.of(item.left)}{'（%）' if zh else ' %'}"
        right = self.of(item.right) if isinstance(item.right, Expr) else f"{item.right:g}"
        return _OPERATIONS[item.op][zh].format(self.of(item.left), right)
