# ruff: noqa: E501 (two languages stand beside each other)
"""Describes expressions and conditions of a `Query` in words."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final

from kbtui.nl2sql.boolean_words import truth_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import INNER, Agg, AnyOf, Arith, Col, Cond, Expr, Over, Part, Query, Ref, Years
from kbtui.nl2sql.words import WEEKDAYS, Words, listed
from kbtui.text.plurals import plural

_FIGURES: Final[dict[str, tuple[str, str]]] = {
    "sum": ("total {}", "{}合计"), "avg": ("average {}", "平均{}"), "min": ("lowest {}", "最低{}"),
    "max": ("highest {}", "最高{}"), "median": ("median {}", "{}中位数"), "stddev": ("standard deviation of {}", "{}标准差"),
    "percentile": ("{level}th percentile of {}", "{}第{level}百分位数"),
}  # fmt: skip
_DATE_FIGURES: Final = {"min": ("earliest {}", "最早{}"), "max": ("latest {}", "最晚{}")}
UNITS: Final = {
    "year": ("year", "年份"), "quarter": ("quarter", "季度"), "month": ("month", "月份"), "week": ("week", "周"),
    "day": ("day", "日期"), "weekday": ("weekday", "星期"), "month_of_year": ("month of the year", "月（不分年份）"),
    "hour": ("hour of the day", "小时"),
}  # fmt: skip
_WINDOWS: Final = {
    "share": ("share of the {}", "{}占比"), "change": ("change of the {} from one {} to the next", "{}环比"),
    "change_year": ("change of the {} from the same {} of the year before", "{}同比"), "running": ("running total of the {}", "累计{}"),
}  # fmt: skip
_SIGNS: Final = {"+": ("plus", "加"), "-": ("minus", "减"), "*": ("times", "乘"), "/": ("divided by", "除以")}
_COMPARISONS: Final = {
    "=": ("is", "为"), "!=": ("is not", "不为"), ">": ("is over", "大于"), ">=": ("is at least", "至少为"),
    "<": ("is under", "小于"), "<=": ("is at most", "至多为"),
}  # fmt: skip
_TIMES: Final = {
    "=": ("on {}", "为{}"), "!=": ("not on {}", "不在{}"), ">": ("after {}", "晚于{}"), ">=": ("since {}", "{}起"),
    "<": ("before {}", "早于{}"), "<=": ("up to {}", "截至{}"),
}  # fmt: skip


class Phrases:
    """Words for the parts of a query.

    Args:
        zh: 1 for Chinese, 0 for English.
        nested: Describes a query inside a condition.
        inner: The derived table that the query reads.
        subject: The table whose rows the query is about; its first date is not named.
        unit: The unit of windows of changes.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        zh: int,
        nested: Callable[[Query], str],
        *,
        inner: Query | None = None,
        subject: str = "",
        unit: str = "period",
    ) -> None:
        self._catalogue = catalogue
        self._zh = zh
        self._words = Words(catalogue, zh)
        self._nested = nested
        self._inner = inner
        self._subject = subject
        self._period_unit = unit

    # ---- expressions ----

    def expr(self, item: Expr, *, per: tuple[Expr, ...] = ()) -> str:
        zh = self._zh
        match item:
            case Col(ref, fold):
                name = self._column(ref)
                return name + ("（不分大小写）" if zh else " (ignoring case)") if fold else name
            case Part(unit, arg):
                name = UNITS[unit][zh]
                if isinstance(arg, Col) and self._is_usual_date(arg.ref):
                    return name
                return f"{self.expr(arg)}的{name}" if zh else f"{name} of {self.expr(arg)}"
            case Arith(op, left, right):
                return self._calculated(op, left, right)
            case Years(arg, until):
                name, day = self.expr(arg), self._words.day(until)
                return f"年龄（按{name}，截至{day}）" if zh else f"age (by {name}, on {day})"
            case Agg():
                return self._figure(item)
            case Over(kind, arg):
                text = _WINDOWS[kind][zh]
                name = text.format(self._figure(arg), self._period_unit)
                if not per:
                    return name
                keys = listed([self.expr(key) for key in per], zh)
                return f"各{keys}内{name}" if zh else f"{name} within each {keys}"

    def _column(self, ref: Ref) -> str:
        if ref.table == INNER and ref.column != "*" and self._inner is not None:
            index = int(ref.column[1:])
            items = self._inner.select
            if index < len(items):
                inner = Phrases(self._catalogue, self._zh, self._nested, inner=self._inner.inner)
                return f"（{inner.expr(items[index])}）" if self._zh else f"({inner.expr(items[index])})"
        if ref.column == "*":
            rows = self._words.table(ref.table)
            return f"{rows}的全部列" if self._zh else f"all columns of {rows}"
        return self._words.unique(ref)

    def _column_of_subject(self, ref: Ref) -> str:
        """A column, without the name of its table if that is the subject."""
        name = self._column(ref)
        return name.removeprefix(f"{self._words.table(ref.table, many=False)} ") if ref.table == self._subject else name

    def _calculated(self, op: str, left: Expr, right: Expr | float) -> str:
        zh = self._zh
        first = self.expr(left)
        if op == "*" and right == 100 and self._words.is_in_hundredths(left):
            return f"{first}（百分之一）" if zh else f"{first} in hundredths"
        if op == "*" and right == 100:
            return f"{first}（%）" if zh else f"{first} in percent"
        second = self.expr(right) if isinstance(right, Expr) else self._words.value(right)
        if op == "-" and self._words.is_date(left) and self._words.is_date(right):
            return f"{second}到{first}的天数" if zh else f"days from {second} to {first}"
        return f"（{first}{_SIGNS[op][zh]}{second}）" if zh else f"({first} {_SIGNS[op][zh]} {second})"

    def _figure(self, agg: Agg) -> str:
        zh = self._zh
        if agg.fn == "count":
            text = self._count(agg)
        else:
            name = self.expr(agg.arg)
            if agg.distinct:
                name = f"不同{name}" if zh else f"different {plural(name)}"
            names = _DATE_FIGURES if agg.fn in _DATE_FIGURES and self._words.is_date(agg.arg) else _FIGURES
            text = self._words.figure_of(agg.arg, name, names[agg.fn][zh].replace("{level}", f"{agg.level * 100:g}"))
        if not agg.where:
            return text
        whose, periods, related = self.filters(agg.where)
        if not whose and not related:
            return f"{listed(periods, 1)}的{text}" if zh else f"{text} {listed(periods, 0)}"
        which = self.which(agg.where)
        return f"{text}（只计{which}的）" if zh else f"{text} (only those {which})"

    def _count(self, agg: Agg) -> str:
        zh = self._zh
        if isinstance(agg.arg, Col) and agg.arg.ref.column == "*":
            rows = self._words.table(agg.arg.ref.table)
            return f"{rows}数" if zh else f"number of {rows}"
        name = self.expr(agg.arg)
        if agg.distinct:
            return f"不同{name}的个数" if zh else f"number of different {plural(name)}"
        return f"{name}的个数" if zh else f"number of {plural(name)} given"

    # ---- conditions ----

    def _is_usual_date(self, ref: Ref) -> bool:
        """Whether it is the first date of the subject, which periods apply to by default."""
        info = self._catalogue.tables.get(self._subject)
        return info is not None and info.dates[:1] == (ref,)

    def filters(self, items: Sequence[Cond | AnyOf]) -> tuple[list[str], list[str], list[str]]:
        """Conditions as clauses after "whose", as periods, and as related rows."""
        whose, periods, related = [], [], []
        for item in items:
            if isinstance(item, Cond) and (words := self._related(item) or self._verb_condition(item)):
                related.append(words)
            elif isinstance(item, Cond) and (words := self._period(item)):
                periods.append(words)
            elif isinstance(item, AnyOf) and all(either := [self._period(cond) for cond in item.conds]):
                periods.append(listed(either, self._zh, last="或" if self._zh else "or"))
            else:
                whose.append(self.condition(item))
        return whose, periods, related

    def _period(self, cond: Cond) -> str:
        """A condition on the usual date as a period; empty for others."""
        if isinstance(cond.left, Part) and cond.op == "=" and isinstance(cond.left.arg, Col):
            days = _days_of_label(cond.left.unit, cond.right)
            if days is not None:
                cond = Cond(cond.left.arg, "between", days)
        if not isinstance(cond.left, Col) or not self._is_usual_date(cond.left.ref) or not _are_days(cond.right):
            return ""
        return self._time(cond)

    def _time(self, cond: Cond) -> str:
        zh = self._zh
        right: Any = cond.right
        if cond.op == "between":
            words = self._words.period(*right)
            if zh:
                return words
            return f"from {words}" if " to " in words else f"on {words}" if right[0] == right[1] else f"in {words}"
        if cond.op in ("in", "not in"):
            days = listed([self._words.day(day) for day in right], zh, last="或" if zh else "or")
            return (
                f"{'不' if cond.op == 'not in' else ''}在{days}" if zh else f"{'not ' * (cond.op == 'not in')}on {days}"
            )
        return _TIMES[cond.op][zh].format(self._words.day(right))

    def _related(self, cond: Cond) -> str:
        """A condition on rows of another table that refer to these: "without any order"; empty for others."""
        zh = self._zh
        query = cond.right
        if cond.op not in ("in", "not in") or not isinstance(query, Query) or not isinstance(cond.left, Col):
            return ""
        column = query.select[0]
        if not isinstance(column, Col) or not self._refers(column.ref, cond.left.ref) or len(query.used_tables()) > 1:
            return ""
        if query.group or query.having or query.limit or query.per or query.inner or query.set_op:
            return ""
        inner = Phrases(self._catalogue, zh, self._nested, subject=column.ref.table)
        # Rows without this column refer to nothing anyway.
        which = inner.which([cond for cond in query.where if cond != Cond(left=column, op="not null")])
        rows = self._words.table(column.ref.table, many=False)
        if zh:
            return f"{'没有' if cond.op == 'not in' else '有'}{rows}{f'（{which}）' if which else ''}"
        verb = "without any" if cond.op == "not in" else "with an" if rows[:1].lower() in "aeio" else "with a"
        return f"{verb} {rows}{f' ({which})' if which else ''}"

    def _verb_condition(self, cond: Cond) -> str:
        """A condition on a column named by a verb: "that are not deprecated", "without trial"; empty for others."""
        if self._zh or cond.op not in ("=", "!=") or not isinstance(cond.left, Col):
            return ""
        first, _, rest = self._column_of_subject(cond.left.ref).partition(" ")
        holds = truth_of(cond.right)
        if not rest or holds is None or first not in _VERB_PHRASES:
            return ""
        return _VERB_PHRASES[first][holds is (cond.op == "=")].format(rest)

    def _refers(self, column: Ref, key: Ref) -> bool:
        """Whether these columns are the only ones that join their tables, or the first is named after the second."""
        edge_ends = [set(e) for e in self._catalogue.edges if {end.table for end in e} == {column.table, key.table}]
        is_named = column.column == f"{key.table}_{key.column}"
        return column.table != key.table and {column, key} in edge_ends and (len(edge_ends) == 1 or is_named)

    def condition(self, item: Cond | AnyOf) -> str:
        zh = self._zh
        if isinstance(item, AnyOf):
            text = listed([self.condition(cond) for cond in item.conds], zh, last="或" if zh else "or")
            return f"（{text}）" if zh else f"({text})"
        left = self._column_of_subject(item.left.ref) if isinstance(item.left, Col) else self.expr(item.left)
        text = self._predicate(item, left)
        return text + (("（不分大小写）" if zh else " (ignoring case)") if item.fold else "")

    def _predicate(self, cond: Cond, left: str) -> str:
        zh = self._zh
        right: Any = cond.right
        space = "" if zh else " "
        if cond.op in ("null", "not null"):
            return left + (
                ("为空" if zh else " is missing") if cond.op == "null" else ("不为空" if zh else " is given")
            )
        if _are_days(right) and not isinstance(cond.left, Part):
            return f"{left}{'在' * (cond.op == 'between') if zh else ' is '}{self._time(cond)}"
        if cond.op in ("like", "not like"):
            return f"{left}{space}{self._pattern(str(right), cond.op == 'not like')}"
        if cond.op == "between":
            low, high = map(self._words.value, right)
            return f"{left}在{low}和{high}之间" if zh else f"{left} is between {low} and {high}"
        if cond.op in ("in", "not in"):
            return self._membership(cond, left)
        word = _COMPARISONS[cond.op][zh]
        if isinstance(right, Query):
            value = f"（{self._nested(right)}）" if zh else f"({self._nested(right)})"
        else:
            value = self._part_value(cond.left, right)
        return f"{left}{space}{word}{space}{value}"

    def _membership(self, cond: Cond, left: str) -> str:
        zh, out = self._zh, cond.op == "not in"
        right: Any = cond.right
        if isinstance(right, Query):
            inner = self._nested(right)
            return f"{left}{'不' * out}在（{inner}）之中" if zh else f"{left} is {'not ' * out}among ({inner})"
        days = kind_of_days(cond, zh)
        values = [days] if days else [self._part_value(cond.left, item) for item in right]
        if zh:
            return f"{left}{'不' * out}为{listed(values, 1, last='或')}"
        return f"{left} is {'neither' if out and len(values) > 1 else 'not' * out}{' ' * out}{listed(values, 0, last='nor' if out else 'or')}"

    def _part_value(self, left: Expr, right: Any) -> str:
        """A literal, or the name of a weekday or month."""
        zh = self._zh
        if isinstance(right, Expr):
            return self.expr(right)
        if isinstance(left, Part) and isinstance(right, int):
            if left.unit == "weekday" and 0 <= right <= 6:
                return f"星期{'一二三四五六日'[right]}" if zh else WEEKDAYS[right]
            if left.unit == "month_of_year" and 1 <= right <= 12:
                return (
                    f"{right}月"
                    if zh
                    else self._words.period(date(2001, right, 1), date(2001, right, 28))[2:].split()[0]
                )
            if left.unit == "year":
                return f"{right}年" if zh else str(right)
        return self._words.value_of(left, right)

    def _pattern(self, pattern: str, negated: bool) -> str:
        zh = self._zh
        bare = pattern.strip("%")
        if not re.search(r"[%_]", bare) and bare:
            value = self._words.value(bare)
            begins, ends = not pattern.startswith("%"), not pattern.endswith("%")
            if not (begins and ends):
                verbs = (
                    ("begin with", "begins with", "开头为")
                    if begins
                    else ("end with", "ends with", "结尾为")
                    if ends
                    else ("contain", "contains", "含有")
                )
                if zh:
                    return f"{'不是' if negated else ''}{verbs[2]}{value}"
                return f"does not {verbs[0]} {value}" if negated else f"{verbs[1]} {value}"
        value = self._words.value(pattern)
        return f"{'不' * negated}形如{value}" if zh else f"is {'not ' * negated}like {value}"

    def which(self, conds: Sequence[Cond | AnyOf]) -> str:
        """Conditions after a noun, or before it in Chinese."""
        whose, periods, related = self.filters(conds)
        if self._zh:
            return "且".join([*periods, *whose, *related])
        clause = f"whose {listed(whose, 0)}" if whose else ""
        return ", ".join(item for item in (clause, *related, *periods) if item)


_VERB_PHRASES: Final = {
    "is": ("that are not {}", "that are {}"),
    "was": ("that were not {}", "that were {}"),
    "has": ("without {}", "with {}"),
    "can": ("that cannot {}", "that can {}"),
}
"""Phrases by the first word of a column of yes and no: for rows that are not so, and for those that are."""
_KINDS_OF_DAYS: Final = {frozenset((5, 6)): ("a weekend day", "周末"), frozenset(range(5)): ("a working day", "工作日")}


def kind_of_days(cond: Cond, zh: int) -> str:
    """The name of a set of weekdays; empty for other conditions."""
    if not isinstance(cond.left, Part) or cond.left.unit != "weekday" or not isinstance(cond.right, tuple):
        return ""
    names = _KINDS_OF_DAYS.get(frozenset(cond.right))
    return names[zh] if names else ""


def _days_of_label(unit: str, label: Any) -> tuple[date, date] | None:
    """The days of a year or a month by its label; None for other labels."""
    year, _, month = str(label).partition("-")
    if not year.isdigit() or len(year) != 4 or (month and not (month.isdigit() and 1 <= int(month) <= 12)):
        return None
    if unit == "year" and not month:
        return date(int(year), 1, 1), date(int(year), 12, 31)
    if unit == "month" and month:
        return date(int(year), int(month), 1), date(int(year), int(month), monthrange(int(year), int(month))[1])
    return None


def _are_days(right: Any) -> bool:
    return (
        all(isinstance(item, date) for item in right) if isinstance(right, tuple) and right else isinstance(right, date)
    )
