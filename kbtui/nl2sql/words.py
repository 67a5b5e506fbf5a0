"""Words for tables, columns and values, as readers of English or Chinese know them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, TableInfo
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.names import shortens
from kbtui.nl2sql.query import INNER, Agg, Col, Expr, Query, Ref, refs_of
from kbtui.text.inflection import lemma
from kbtui.text.plurals import plural
from kbtui.text.terminal import one_line

_MAX_VALUE: Final = 60
_UNITS: Final = frozenset(
    ("year", "quarter", "month", "week", "day", "weekday", "年份", "季度", "月份", "周", "日期", "星期", "小时")
)
"""Units of dates, in words."""
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_SHORT: Final = {
    **{short: short.upper() for short in ("id", "url", "isbn", "vat", "eur", "usd", "gbp", "gpa", "sku", "ip", "sla")},
    **{"kwh": "kWh", "kw": "kW", "csat": "CSAT", "nps": "NPS", "bmi": "BMI", "gdp": "GDP", "ngo": "NGO"},
}


def with_expanded_names(lattice: Lattice) -> Catalogue:
    """The catalogue with abbreviated words of names expanded as the question writes them: claims for ``clm``."""
    catalogue, tokens = lattice.catalogue, lattice.question.tokens
    expansions: dict[str, str] = {}
    for mention in lattice.mentions:
        if mention.how == "abbreviation" and mention.ref is not None and mention.kind in ("table", "column"):
            for token in tokens[mention.span.first : mention.span.last]:
                word = lemma(token.norm)
                expansions |= {s: word for s in _words_of(catalogue, mention.ref) if shortens(s, word, least=2)}
    if not expansions:
        return catalogue
    return catalogue.once(_written_out, tuple(sorted(expansions.items())))


def _written_out(catalogue: Catalogue, written: Iterable[tuple[str, str]]) -> Catalogue:
    words = dict(written)
    return replace(catalogue, tables={name: _rewritten(table, words) for name, table in catalogue.tables.items()})


def _words_of(catalogue: Catalogue, ref: Ref) -> tuple[str, ...]:
    info = catalogue.column(ref)
    return info.words if info is not None else catalogue.tables[ref.table].words


def _rewritten(table: TableInfo, expansions: Mapping[str, str]) -> TableInfo:
    def expanded(words: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(expansions.get(word, word) for word in words)

    columns = tuple(replace(column, words=expanded(column.words), own=expanded(column.own)) for column in table.columns)
    return replace(table, words=expanded(table.words), columns=columns)


def counted_rows(query: Query, catalogue: Catalogue) -> str:
    """The table whose rows are counted as groups, one group per row (clients with 3 orders); else empty."""
    inner = query.inner
    counts = query.select == (Agg("count", Col(Ref(INNER, "*"))),)
    if not counts or inner is None or query != Query(select=query.select, inner=inner):
        return ""
    names = {key.ref.table if isinstance(key, Col) else "" for key in inner.group}
    table = catalogue.tables.get(names.pop()) if len(names) == 1 else None
    if table is None or inner.limit is not None or inner.inner is not None:
        return ""
    by_key = table.key is not None and Col(table.key) in inner.group
    by_name = bool(table.naming) and all(Col(ref) in inner.group for ref in table.naming)
    return table.name if by_key or by_name else ""


class Words:
    """Words for the tables, columns and values of one catalogue.

    Args:
        zh: 1 for Chinese, 0 for English.
    """

    def __init__(self, catalogue: Catalogue, zh: int) -> None:
        self._catalogue = catalogue
        self._zh = zh

    def table(self, name: str, *, many: bool = True) -> str:
        """The words of a table, in English in the plural if ``many``."""
        if name == INNER:
            return "行" if self._zh else "rows" if many else "row"
        info = self._catalogue.tables.get(name)
        words = self._joined(info.words if info is not None else (), name.rsplit(".", 1)[-1])
        if self._zh and words.isascii() and len(self._catalogue.tables) == 1:
            return "记录"
        return plural(words) if many and not self._zh else words

    def column(self, ref: Ref) -> str:
        """The words of a column."""
        if ref.table == INNER and ref.column == "*":
            return self.table(INNER)
        if ref.table == INNER:
            return f"第{int(ref.column[1:]) + 1}列" if self._zh else f"column {int(ref.column[1:]) + 1}"
        if ref.column == "*":
            return self.table(ref.table)
        info = self._catalogue.column(ref)
        name = self._joined(info.words if info is not None else (), ref.column)
        if info is not None and info.encoding == "number" and info.date_format:
            # A duration is written as 01:30:00 and calculated in seconds.
            return f"{name}（秒）" if self._zh else f"{name} in seconds"
        return name

    def figure_of(self, expr: Expr, name: str, figure: str) -> str:
        """``figure`` with the name, which is plural if the column is; a word that both have is not repeated."""
        if (
            not self._zh
            and isinstance(expr, Col)
            and expr.ref.column.lower().endswith(plural(name.split()[-1]).lower())
        ):
            name = plural(name)
        first = figure.partition(" ")[0]
        if first == "total" == name.split()[-1]:
            return f"sum of {plural(name)}"
        return name if name.startswith(f"{first} ") and figure == f"{first} {{}}" else figure.format(name)

    def unique(self, ref: Ref) -> str:
        """Words of a column that no other column has, with those of its table if needed."""
        return self._names.get(ref) or self.column(ref)

    def names_column(self, words: str) -> bool:
        """Whether these are the unique words of a column."""
        return words in self._names.values()

    @property
    def _names(self) -> dict[Ref, str]:
        return self._catalogue.once(Words._unique_names, self._zh)

    @staticmethod
    def _unique_names(catalogue: Catalogue, zh: int) -> dict[Ref, str]:
        return Words(catalogue, zh)._made_unique()

    def _made_unique(self) -> dict[Ref, str]:
        names: dict[Ref, str] = {}
        for table in self._catalogue.tables.values():
            for info in table.columns:
                name = self.column(info.ref)
                # “Name” and “ID” say nothing without their table, and a month is one of a date; a product name says it.
                is_vague = (info.kind in ("name", "key") and not self._tells_by_itself(name)) or name in _UNITS
                names[info.ref] = self._with_table(info.ref, name) if is_vague else name
        for longer in (self._with_table, lambda ref, name: f"{name} ({ref.column})", lambda ref, _: ".".join(ref)):
            counts = Counter(map(str.lower, names.values()))
            names = {ref: longer(ref, name) if counts[name.lower()] > 1 else name for ref, name in names.items()}
        return names

    def _tells_by_itself(self, name: str) -> bool:
        """Whether a name needs no table before it: product name, and 商品名称 of the only table, but not 名称."""
        is_only = self._zh == 1 and len(self._catalogue.tables) == 1
        return " " in name or (is_only and (len(name) > 2 or name == "姓名"))

    def _with_table(self, ref: Ref, name: str) -> str:
        table = self.table(ref.table, many=False)
        if name.lower().startswith(table.lower()):
            return name
        han = re.search(r"[\u3400-\u9fff]$", table) and re.match(r"[\u3400-\u9fff]", name)
        return f"{table}{'' if han else ' '}{name}"

    def _joined(self, words: Sequence[str], name: str) -> str:
        if not words:
            return name
        shown = [_SHORT.get(word, word) for word in words]
        han = all(not word.isascii() and re.search(r"[\u3400-\u9fff]", word) for word in words)
        return ("" if han else " ").join(shown)

    def counted(self, expr: Expr, *, distinct: bool = False) -> str:
        """The counted things, in the plural."""
        if isinstance(expr, Col) and expr.ref.column == "*":
            return self.table(expr.ref.table)
        ref = next(refs_of(expr))
        info = self._catalogue.tables.get(ref.table)
        if info is not None and isinstance(expr, Col) and info.key == ref:
            return self.table(ref.table)
        name = self.column(ref)
        if self._zh:
            return f"不同{name}" if distinct else name
        return f"different {plural(name)}" if distinct else plural(name)

    def is_date(self, expr: Expr | float) -> bool:
        """Whether an expression is a date or timestamp."""
        if isinstance(expr, Agg):
            return expr.fn in ("min", "max") and self.is_date(expr.arg)
        info = self._catalogue.column(expr.ref) if isinstance(expr, Col) else None
        return info is not None and info.kind == "date"

    def is_in_hundredths(self, expr: Expr) -> bool:
        """Whether an expression is a column that keeps money as hundredths."""
        info = self._catalogue.column(expr.ref) if isinstance(expr, Col) else None
        return info is not None and info.encoding == "hundredths"

    # ---- values ----

    def value(self, value: Any) -> str:
        """A literal, or several."""
        if isinstance(value, tuple):
            if len(value) == 2 and all(isinstance(item, date) for item in value):
                return self.period(*value)
            return ("、" if self._zh else ", ").join(self.value(item) for item in value)
        if isinstance(value, date):
            return self.day(value)
        if isinstance(value, bool):
            return (("否", "是") if self._zh else ("no", "yes"))[value]
        if isinstance(value, int | float):
            return figure(value)
        if isinstance(value, str):
            return f"“{one_line(value, _MAX_VALUE)}”"
        return str(value)

    def value_of(self, left: Expr, value: Any) -> str:
        """A literal that ``left`` is compared with, with the label of a code: 4 (urgent)."""
        info = self._catalogue.column(left.ref) if isinstance(left, Col) else None
        label = next((label for code, label in info.labels if code == value), "") if info is not None else ""
        text = self.value(value)
        return f"{text}（{label}）" if label and self._zh else f"{text} ({label})" if label else text

    def day(self, day: date) -> str:
        """A day, with the time of day if it has one."""
        clock = f" {day:%H:%M}" if isinstance(day, datetime) and (day.hour or day.minute) else ""
        if isinstance(day, datetime) and day.second:
            clock = f" {day:%H:%M:%S}"
        if self._zh:
            return f"{day.year}年{day.month}月{day.day}日{clock}"
        return f"{day.day} {_MONTHS[day.month - 1]} {day.year}{clock}"

    def period(self, first: date, last: date) -> str:
        """A period: a year, a quarter or a month if the days are exactly that."""
        is_month_end = monthrange(last.year, last.month)[1] == last.day
        has_times = isinstance(first, datetime) or isinstance(last, datetime)
        if not has_times and first.day == 1 and is_month_end and first.year == last.year:
            year, months = first.year, last.month - first.month + 1
            if months == 12:
                return f"{year}年" if self._zh else f"{year}"
            if months == 3 and first.month % 3 == 1:
                quarter = first.month // 3 + 1
                return f"{year}年第{quarter}季度" if self._zh else f"Q{quarter} {year}"
            if months == 1:
                return f"{year}年{first.month}月" if self._zh else f"{_MONTHS[first.month - 1]} {year}"
        if not has_times and first.day == 1 and first.month == 1 and is_month_end and last.month == 12:
            return f"{first.year}年至{last.year}年" if self._zh else f"{first.year} to {last.year}"
        if first == last:
            return self.day(first)
        return f"{self.day(first)}至{self.day(last)}" if self._zh else f"{self.day(first)} to {self.day(last)}"


def figure(value: float) -> str:
    """A number in digits, never rounded."""
    return f"{value:,}" if isinstance(value, int) and abs(value) >= 10_000 else f"{value!r}".removesuffix(".0")


def spaced(text: str) -> str:
    """Chinese text with spaces around Latin words; quoted text is unchanged."""
    parts = re.split(r"(“[^”]*”)", text)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r"(?<=[A-Za-z%])(?=[\u3400-\u9fff])|(?<=[\u3400-\u9fff])(?=[A-Za-z])", " ", parts[index])
    return "".join(parts)


def listed(names: Sequence[str], zh: int, *, last: str = "") -> str:
    """Names as an enumeration, with ``last`` before the last one."""
    if len(names) < 2:
        return "".join(names)
    if zh:
        return f"{'、'.join(names[:-1])}{last or '和'}{names[-1]}"
    return f"{', '.join(names[:-1])} {last or 'and'} {names[-1]}"
