"""Plain questions that the structure of a database allows, each with the statements that bring its rows.

The words are those of the names of tables and columns, as the catalogue has them, in the wordings of `data/plain.toml`.
Columns whose numbers or dates are kept as text are left out, because the statements are made from templates; so are
questions whose answer would be a tie.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge, TableInfo
from kbtui.nl2sql.words import Words
from kbtui.text.inflection import lemma
from kbtui.text.plurals import plural

Ask = Callable[[str], Sequence[Sequence[Any]]]

_MIN_ROWS = 20
_MIN_PARENTS = 3
_MOST_CATEGORIES = 40
_TOP = 5
_MIN_HIGH = 10
_VALUE_LENGTHS = range(2, 30)


@dataclass(frozen=True)
class Plain:
    """A question; each of ``golds`` brings rows that answer it."""

    template: str
    lang: str
    text: str
    golds: tuple[str, ...]


@cache
def _wordings() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((Path(__file__).parent / "data" / "plain.toml").read_text("utf-8"))


def plain_questions(catalogue: Catalogue, ask: Ask, draw: random.Random) -> Iterator[Plain]:
    """All plain questions of a database, in English or Chinese as its names are; ``draw`` chooses the wordings."""
    for lang in ("en", "zh"):
        names = _Names(catalogue, lang)
        for info in catalogue.tables.values():
            if not info.role_of and (info.rows or 0) >= _MIN_ROWS and names.can_say(names.rows(info)):
                yield from _TableQuestions(catalogue, info, names, ask, draw).all()


def drawn_questions(catalogue: Catalogue, ask: Ask, draw: random.Random, most: int) -> list[Plain]:
    """At most one question of each of ``most`` templates."""
    by_template: dict[str, list[Plain]] = defaultdict(list)
    for plain in plain_questions(catalogue, ask, draw):
        by_template[plain.template].append(plain)
    each = [draw.choice(some) for some in by_template.values()]
    return draw.sample(each, min(most, len(each)))


class _Names:
    """The words of tables, columns and values that are clear in one language."""

    def __init__(self, catalogue: Catalogue, lang: str) -> None:
        self.lang = lang
        self._words = Words(catalogue, lang == "zh")
        tables = [info for info in catalogue.tables.values() if not info.role_of]
        self._uses = Counter(self._words.column(column.ref) for info in tables for column in info.columns)
        self._values = Counter(str(v).lower() for info in tables for column in info.columns for v, _ in column.values)

    def can_say(self, text: str) -> bool:
        return text.isascii() if self.lang == "en" else not any(character.isascii() for character in text)

    def rows(self, info: TableInfo) -> str:
        return self._words.table(info.name)

    def row(self, info: TableInfo) -> str:
        *before, last = self.rows(info).split(" ")
        return " ".join([*before, lemma(last) if last.isascii() else last])

    def several(self, name: str) -> str:
        return plural(name) if name.isascii() else name

    def of_columns(self, info: TableInfo) -> dict[str, str]:
        """Names of the plainly stored columns; one that several tables have would have to be told apart."""
        plain = (c for c in info.columns if not c.encoding and not c.formula and not c.date_format)
        named = ((column.ref.column, self._words.column(column.ref)) for column in plain)
        return {column: name for column, name in named if self._uses[name] == 1 and self.can_say(name)}

    def values(self, column: ColumnInfo) -> list[str]:
        """Values of more than one row that no other column has."""
        return [value for value, count in column.values if count > 1 and self.is_clear(value)]

    def is_clear(self, value: Any, uses: int = 1) -> bool:
        is_plain = isinstance(value, str) and len(value) in _VALUE_LENGTHS and not set(value) & set("'{}%")
        return is_plain and not value.isdigit() and self.can_say(value) and self._values[value.lower()] <= uses


class _TableQuestions:
    """The questions about the rows of one table."""

    def __init__(self, catalogue: Catalogue, info: TableInfo, names: _Names, ask: Ask, draw: random.Random) -> None:
        self._catalogue, self._info, self._names, self._ask, self._draw = catalogue, info, names, ask, draw
        self._table = _quoted(info.name)
        self._clear = names.of_columns(info)
        of_kind: dict[str, list[ColumnInfo]] = defaultdict(list)
        for column in info.columns:
            if column.ref.column in self._clear:
                of_kind[column.kind].append(column)
        self._measures = of_kind["measure"]
        self._groups = [column for column in of_kind["category"] if _groups_rows(column, info.rows or 0)]
        dates = of_kind["date"]
        self._date = _quoted(dates[0].ref.column) if len(dates) == 1 and not dates[0].nulls else ""

    def all(self) -> Iterator[Plain]:
        yield self._plain("count", "SELECT COUNT(*) FROM {t}")
        for measure in self._measures:
            yield from self._of_measure(measure)
            for group in self._groups:
                yield from self._of_measure_and_group(measure, group)
        for group in self._groups:
            yield from self._of_group(group)
        if self._date:
            yield from self._of_periods()
        for edge in self._catalogue.leaving(self._info.name):
            yield from self._of_relation(edge)

    def _plain(self, template: str, *golds: str, **words: Any) -> Plain:
        wording = self._draw.choice(_wordings()[self._names.lang][template])
        rows = self._names.rows(self._info)
        text = wording.format(rows=rows, children=rows, row=self._names.row(self._info), **words)
        return Plain(template, self._names.lang, text, tuple(gold.replace("{t}", self._table) for gold in golds))

    def _of_measure(self, measure: ColumnInfo) -> Iterator[Plain]:
        m, name = _quoted(measure.ref.column), self._clear[measure.ref.column]
        known = f"FROM {{t}} WHERE {m} IS NOT NULL"
        count = f"(SELECT COUNT({m}) FROM {{t}})"
        middle = f"SELECT {m} AS v {known} ORDER BY v LIMIT 2 - {count} % 2 OFFSET ({count} - 1) / 2"
        yield self._plain("total", f"SELECT SUM({m}) FROM {{t}}", name=name)
        yield self._plain("average", f"SELECT AVG({m}) FROM {{t}}", name=name)
        yield self._plain("median", f"SELECT AVG(v) FROM ({middle})", name=name)
        yield self._plain(
            "above_average", f"SELECT COUNT(*) FROM {{t}} WHERE {m} > (SELECT AVG({m}) FROM {{t}})", name=name
        )
        if (number := _half(measure)) is not None:
            yield self._plain("over", f"SELECT COUNT(*) FROM {{t}} WHERE {m} > {number}", name=name, number=number)
        if len(self._info.naming) == 1:
            label = _quoted(self._info.naming[0].column)
            best = self._column(f"SELECT {m} {known} ORDER BY 1 DESC LIMIT {_TOP + 1}")
            worst = self._column(f"SELECT {m} {known} ORDER BY 1 LIMIT 2")
            if len(set(best)) == _TOP + 1:
                extreme = f"SELECT {label} FROM {{t}} ORDER BY {m} DESC LIMIT"
                yield self._plain("row_max", f"{extreme} 1", name=name)
                yield self._plain("top_rows", f"{extreme} {_TOP}", name=name)
            if len(set(worst)) == len(worst) > 1:
                yield self._plain("row_min", f"SELECT {label} {known} ORDER BY {m} LIMIT 1", name=name)

    def _of_measure_and_group(self, measure: ColumnInfo, group: ColumnInfo) -> Iterator[Plain]:
        m, g = _quoted(measure.ref.column), _quoted(group.ref.column)
        by = self._clear[group.ref.column]
        words = {"name": self._clear[measure.ref.column], "by": by, "bys": self._names.several(by)}
        by_group = f"FROM {{t}} GROUP BY {g}"
        yield self._plain("total_by", f"SELECT {g}, SUM({m}) {by_group}", **words)
        yield self._plain("average_per", f"SELECT {g}, AVG({m}) {by_group}", **words)
        if group.distinct > _TOP:
            yield self._plain("top_by_total", f"SELECT {g} {by_group} ORDER BY SUM({m}) DESC LIMIT 3", **words)
        means = self._column(f"SELECT AVG({m}) {by_group} HAVING AVG({m}) IS NOT NULL ORDER BY 1")
        if len(means) > 1 and means[-1] != means[-2]:
            yield self._plain("best_average", f"SELECT {g} {by_group} ORDER BY AVG({m}) DESC LIMIT 1", **words)
        if len(means) == group.distinct > 1 and means[0] != means[1]:
            yield self._plain("worst_average", f"SELECT {g} {by_group} ORDER BY AVG({m}) LIMIT 1", **words)
        for other in self._groups:
            if other.ref.column < group.ref.column:
                both = f"{g}, {_quoted(other.ref.column)}"
                gold = f"SELECT {both}, SUM({m}) FROM {{t}} GROUP BY {both}"
                yield self._plain("total_two_groups", gold, by2=self._clear[other.ref.column], **words)
        values = self._names.values(group)[:2]
        for value in values:
            of_value = f"FROM {{t}} WHERE {g} = '{value}'"
            yield self._plain("average_of_value", f"SELECT AVG({m}) {of_value}", value=value, **words)
            yield self._plain("total_of_value", f"SELECT SUM({m}) {of_value}", value=value, **words)
            if (number := _half(measure)) is not None:
                gold = f"SELECT COUNT(*) {of_value} AND {m} > {number}"
                yield self._plain("value_and_over", gold, value=value, number=number, **words)
        if len(values) > 1:
            gold = f"SELECT {g}, SUM({m}) FROM {{t}} WHERE {g} IN ('{values[0]}', '{values[1]}') GROUP BY {g}"
            yield self._plain("compare", gold, value=values[0], value2=values[1], **words)

    def _of_group(self, group: ColumnInfo) -> Iterator[Plain]:
        g, by = _quoted(group.ref.column), self._clear[group.ref.column]
        words = {"by": by, "bys": self._names.several(by)}
        counted = f"SELECT {g}, COUNT(*) FROM {{t}} GROUP BY {g}"
        for template in ("count_by", "rows_by"):
            yield self._plain(template, counted, **words)
        yield self._plain("distinct", f"SELECT DISTINCT {g} FROM {{t}}", **words)
        share = f"SELECT {g}, 100.0 * COUNT(*) / (SELECT COUNT(*) FROM {{t}}) FROM {{t}} GROUP BY {g}"
        yield self._plain("share", share, **words)
        for other in self._groups:
            if other.ref.column < group.ref.column:
                both = f"{g}, {_quoted(other.ref.column)}"
                gold = f"SELECT {both}, COUNT(*) FROM {{t}} GROUP BY {both}"
                yield self._plain("two_groups", gold, by2=self._clear[other.ref.column], **words)
        counts = sorted(count for _, count in group.values)
        ranked = f"SELECT {g} FROM {{t}} GROUP BY {g} ORDER BY COUNT(*)"
        if counts[-1] != counts[-2]:
            yield self._plain("most_rows", f"{ranked} DESC LIMIT 1", **words)
        if counts[0] != counts[1]:
            yield self._plain("fewest_rows", f"{ranked} LIMIT 1", **words)
        middle = counts[len(counts) // 2]
        if middle < counts[-1]:
            gold = f"SELECT {g} FROM {{t}} GROUP BY {g} HAVING COUNT(*) > {middle}"
            yield self._plain("having", gold, number=middle, **words)
        for value in self._names.values(group)[:3]:
            yield self._plain("with_value", f"SELECT COUNT(*) FROM {{t}} WHERE {g} = '{value}'", value=value, **words)
            yield self._plain("not_value", f"SELECT COUNT(*) FROM {{t}} WHERE {g} <> '{value}'", value=value, **words)
            gold = f"SELECT 100.0 * SUM({g} = '{value}') / COUNT(*) FROM {{t}}"
            yield self._plain("share_of_value", gold, value=value, **words)

    def _of_periods(self) -> Iterator[Plain]:
        month, year = (f"STRFTIME('{form}', {self._date})" for form in ("%Y-%m", "%Y"))
        yield self._plain("by_month", f"SELECT {month}, COUNT(*) FROM {{t}} GROUP BY 1")
        usual = self._column(f"SELECT {year} FROM {{t}} GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1")[0]
        in_year = f"FROM {{t}} WHERE {year} = '{usual}'"
        yield self._plain("rows_in_year", f"SELECT COUNT(*) {in_year}", year=usual)
        for measure in self._measures:
            m, name = _quoted(measure.ref.column), self._clear[measure.ref.column]
            yield self._plain("total_by_month", f"SELECT {month}, SUM({m}) FROM {{t}} GROUP BY 1", name=name)
            yield self._plain("total_in_year", f"SELECT SUM({m}) {in_year}", name=name, year=usual)

    def _of_relation(self, edge: Edge) -> Iterator[Plain]:
        """Questions about the table that rows refer to; none if they do so in several ways."""
        info = self._catalogue.tables[edge.right.table]
        ways = sum(other.right.table == info.name for other in self._catalogue.leaving(self._info.name))
        parents = self._names.rows(info)
        is_clear = len(info.naming) == 1 and self._names.can_say(parents) and parents != self._names.rows(self._info)
        if info.role_of or info.name == self._info.name or ways > 1 or not is_clear or (info.rows or 0) < _MIN_PARENTS:
            return
        label = f"p.{_quoted(info.naming[0].column)}"
        table, fk, pk = _quoted(info.name), _quoted(edge.left.column), _quoted(edge.right.column)
        join = f"FROM {{t}} c JOIN {table} p ON c.{fk} = p.{pk}"
        counts = self._rows(f"SELECT {label}, COUNT(*) {join} GROUP BY 1 ORDER BY 2 DESC")
        has_namesakes = self._column(f"SELECT COUNT(*) > COUNT(DISTINCT {label}) FROM {table} p")[0]
        if has_namesakes or len(counts) < _MIN_PARENTS:
            return
        words = {"parent": self._names.row(info), "parents": parents}
        with_none = f"SELECT {label}, COUNT(c.{fk}) FROM {table} p LEFT JOIN {{t}} c ON c.{fk} = p.{pk} GROUP BY 1"
        yield self._plain("children_by_parent", f"SELECT {label}, COUNT(*) {join} GROUP BY 1", with_none, **words)
        if counts[0][1] != counts[1][1]:
            yield self._plain(
                "most_children", f"SELECT {label} {join} GROUP BY 1 ORDER BY COUNT(*) DESC LIMIT 1", **words
            )
        lone = f"FROM {table} p WHERE {pk} NOT IN (SELECT {fk} FROM {{t}} WHERE {fk} IS NOT NULL)"
        if self._column(f"SELECT COUNT(*) {lone}")[0]:
            yield self._plain("parents_without", f"SELECT {label} {lone}", **words)
            yield self._plain("count_without", f"SELECT COUNT(*) {lone}", **words)
        middle, usual = counts[len(counts) // 2][1], counts[len(counts) // 3][0]
        if middle < counts[0][1]:
            gold = f"SELECT {label} {join} GROUP BY 1 HAVING COUNT(*) > {middle}"
            yield self._plain("parents_having", gold, number=middle, **words)
        known = usual if self._names.is_clear(usual) else None
        if known is not None:
            yield self._plain("children_of", f"SELECT COUNT(*) {join} WHERE {label} = '{known}'", label=known, **words)
        yield from self._of_totals(label, join, known, words)
        yield from self._of_groups_of_parents(info, join, words)

    def _of_totals(self, label: str, join: str, known: str | None, words: Mapping[str, str]) -> Iterator[Plain]:
        for measure in self._measures:
            m, name = f"c.{_quoted(measure.ref.column)}", self._clear[measure.ref.column]
            yield self._plain(
                "child_total_by_parent", f"SELECT {label}, SUM({m}) {join} GROUP BY 1", name=name, **words
            )
            if known is not None:
                gold = f"SELECT SUM({m}) {join} WHERE {label} = '{known}'"
                yield self._plain("child_total_of", gold, label=known, name=name, **words)
            best = self._column(f"SELECT SUM({m}) {join} GROUP BY {label} ORDER BY 1 DESC LIMIT 4")
            if len(best) == 4 and best[2] != best[3]:
                gold = f"SELECT {label} {join} GROUP BY 1 ORDER BY SUM({m}) DESC LIMIT 3"
                yield self._plain("top_parents", gold, name=name, **words)

    def _of_groups_of_parents(self, info: TableInfo, join: str, words: Mapping[str, str]) -> Iterator[Plain]:
        clear = self._names.of_columns(info)
        for column in info.columns:
            if column.kind != "category" or column.ref.column not in clear or not _groups_rows(column, info.rows or 0):
                continue
            g, by = f"p.{_quoted(column.ref.column)}", clear[column.ref.column]
            yield self._plain("children_by_group", f"SELECT {g}, COUNT(*) {join} GROUP BY 1", by=by, **words)
            for value in self._names.values(column)[:1]:
                gold = f"SELECT COUNT(*) {join} WHERE {g} = '{value}'"
                yield self._plain("children_where", gold, by=by, value=value, **words)

    def _rows(self, sql: str) -> Sequence[Sequence[Any]]:
        return self._ask(sql.replace("{t}", self._table))

    def _column(self, sql: str) -> list[Any]:
        return [row[0] for row in self._rows(sql)]


def _half(measure: ColumnInfo) -> int | None:
    return round(measure.high / 2) if isinstance(measure.high, float) and measure.high > _MIN_HIGH else None


def _groups_rows(column: ColumnInfo, rows: int) -> bool:
    """Whether a column has few values, written in one way, and none of them is missing."""
    values = [str(value).strip().lower() for value, _ in column.values]
    few = 1 < column.distinct <= min(_MOST_CATEGORIES, rows / 2)
    return few and len(values) > 1 and not column.nulls and column.complete and len(set(values)) == len(values)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
