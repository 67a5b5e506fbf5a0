"""Rows that a statement brought, as sentences are compared with them: cells with their values, and what names a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from kbtui.reasoning.checking.facts import PUNCTUATION, Ground, folded, ground
from kbtui.reasoning.checking.records import Cell
from kbtui.text.calendar import MONTH_NUMBERS
from kbtui.text.language import has_cjk
from kbtui.text.numbers import value_of
from kbtui.text.patterns import Patterns

_MONTHS: Final = "|".join(sorted((name.title() for name in MONTH_NUMBERS if name.isascii()), key=len, reverse=True))
RE: Final = Patterns(__package__, "rows.toml", MONTHS=_MONTHS)
MOST_ROWS: Final = 500
HEAD: Final = -1
"""In place of the column of a label that is the name of a column."""

_MOST_CELL: Final = 80
_SHORTEST_NAME: Final = 4
_SHORTEST_KEY: Final = 100
"""Smallest key that names a row without a word beside it, such as the number of a ticket."""

_SMALL_WORDS: Final = frozenset({"a", "i"})
_HALVES: Final = {1: range(1, 7), 2: range(7, 13)}

Period = tuple[int | None, frozenset[int] | None, int | None]
"""Year, months and day, as far as they are said."""


@dataclass(frozen=True, slots=True)
class Label:
    """What names rows, or a column, in a sentence.

    Attributes:
        start, end: Its span.
        column: The column it is a value of; `HEAD` for the name of a column.
        rows: The rows it names; for the name of a column, that column.
        text: Its normalised text.
    """

    start: int
    end: int
    column: int
    rows: frozenset[int]
    text: str


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The result of a statement.

    Attributes:
        columns: Their names.
        rows: Their cells, as many as columns.
        behind: The statement, and how the question was read.
        count: Number of rows in all.
        warning: What was warned of when the rows were brought; nothing that they say is certain then.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    behind: str = ""
    count: int = 0
    warning: str = ""

    @cached_property
    def ground(self) -> Ground:
        """All its text, the statement included."""
        text = "\n".join(" | ".join(cell.text for cell in row) for row in self.rows)
        return ground(f"{self.heads}\n{text}\n{self.behind}")

    @cached_property
    def heads(self) -> str:
        """The names of the columns as words."""
        return " | ".join(column.replace("_", " ") for column in self.columns)

    @cached_property
    def is_chinese(self) -> bool:
        return has_cjk(self.heads) or any(has_cjk(cell.text) for row in self.rows for cell in row)

    @property
    def is_limited(self) -> bool:
        """Rows may be missing: nothing is known of what comes after the last."""
        return self.count > len(self.rows) or RE.limited.search(self.behind) is not None

    @cached_property
    def sorted_by(self) -> tuple[int, int] | None:
        """The column that the statement sorts by first, and 1 if ascending, else -1; None if it cannot be told."""
        matches = list(RE.sorted_by.finditer(self.behind))
        if not matches:
            return None
        match = matches[-1]
        key = match["key"].strip().strip('"`[]').lower()
        named = [at for at, name in enumerate(self.columns) if key in (name.lower(), str(at + 1))]
        alias = re.search(rf"{re.escape(key)}[\"`]? as (?:[\"`\[]([^\"`\]]+)|(\w+))", self.behind.lower())
        if not named and alias:
            named = [at for at, name in enumerate(self.columns) if name.lower() == (alias[1] or alias[2])]
        return (named[0], -1 if match["down"] else 1) if named else None

    @cached_property
    def periods(self) -> Mapping[int, Sequence[Period | None]]:
        """By column of dates, years, quarters or months, the period of each row."""
        periods = {}
        for at, name in enumerate(self.columns):
            values = [_period(row[at], name) for row in self.rows]
            if any(values) and all(value or not row[at].text for value, row in zip(values, self.rows, strict=True)):
                periods[at] = values
        return periods

    @cached_property
    def period_heads(self) -> Mapping[int, Period]:
        """The columns that are named after a month or a year, such as “October 2026”."""
        periods = {at: [period for _, _, period in periods_in(name)] for at, name in enumerate(self.columns)}
        return {at: named[0] for at, named in periods.items() if len(named) == 1}

    @cached_property
    def keys(self) -> frozenset[int]:
        """The columns of whole numbers that tell rows apart and measure nothing: hours, floors, years of school."""
        keys = set()
        for at, name in enumerate(self.columns):
            values = [row[at].value for row in self.rows]
            is_counter = all(value is not None and value == int(value) for value in values)
            if is_counter and len(set(values)) == len(values) > 1 and RE.key.search(name):
                keys.add(at)
        return frozenset(keys if len(keys) < len(self.columns) else ())

    @cached_property
    def amounts(self) -> tuple[int, ...]:
        """The columns of numbers that count or measure something."""
        return tuple(
            at
            for at in range(len(self.columns))
            if at not in self.periods
            and at not in self.keys
            and any(row[at].value is not None for row in self.rows)
            and all(row[at].value is not None or not row[at].text for row in self.rows)
        )

    def values(self, at: int) -> dict[int, float]:
        """The numbers of a column, by row."""
        return {number: value for number, row in enumerate(self.rows) if (value := row[at].value) is not None}

    @cached_property
    def unnamed(self) -> frozenset[int]:
        """The rows that have no text where others have their name, such as those of “no house”."""
        texts = [
            at for at in range(len(self.columns)) if any(row[at].text and row[at].value is None for row in self.rows)
        ]
        return frozenset(number for number, row in enumerate(self.rows) if texts and not row[texts[0]].text)

    def labels(self, text: str) -> list[Label]:
        """What a sentence names: values of cells, days and months, names of columns; in order, none inside another."""
        periods = periods_in(text)
        # Where rows are quarters, “the first” is one.
        quarters: list[tuple[int, int, Period]] = [
            (match.start(1), match.end(), (None, _quarter(int(value_of(match[1]) or 1)), None))
            for match in RE.nth_quarter.finditer(text)
        ]
        labels = [*self._values_in(text.lower().translate(PUNCTUATION)), *self._keys_in(text)]
        labels += self._periods_in(periods, quarters)
        labels += self._columns_in(text, periods)
        labels.sort(key=lambda label: (label.start, label.start - label.end))
        return [
            label
            for label in labels
            if not any(
                other.start <= label.start
                and label.end <= other.end
                and other.end - other.start > label.end - label.start
                for other in labels
            )
        ]

    def _values_in(self, text: str) -> Iterator[Label]:
        for at in range(len(self.columns)):
            if at in self.periods:
                continue
            by_value: dict[str, set[int]] = {}
            for number, row in enumerate(self.rows):
                # “Two depend on postgres”: a value may be an item of a list.
                for value in (row[at].text, *row[at].items) if row[at].value is None else ():
                    if value and value not in _SMALL_WORDS:
                        by_value.setdefault(value, set()).add(number)
            for value, rows in by_value.items():
                for start, end in _occurrences(value, text):
                    yield Label(start, end, at, frozenset(rows), value)
            yield from _beginnings_in(text, at, by_value)

    def _keys_in(self, text: str) -> Iterator[Label]:
        for at in self.keys:
            rows = {int(row[at].value or 0): number for number, row in enumerate(self.rows)}
            is_long = min(map(abs, rows)) >= _SHORTEST_KEY
            for match in (RE.long_key if is_long else RE.key_value).finditer(text):
                number = int(next(filter(None, match.groups())))
                if number in rows:
                    yield Label(match.start(), match.end(), at, frozenset([rows[number]]), str(number))

    def _periods_in(
        self, periods: Sequence[tuple[int, int, Period]], quarters: Sequence[tuple[int, int, Period]]
    ) -> Iterator[Label]:
        for at, values in self.periods.items():
            is_quarterly = RE.quarter_column.search(self.columns[at]) is not None
            for start, end, said in (*periods, *(quarters if is_quarterly else ())):
                rows = frozenset(n for n, value in enumerate(values) if value is not None and _agree(said, value))
                if rows:
                    yield Label(start, end, at, rows, str(said))

    def _columns_in(self, text: str, periods: Sequence[tuple[int, int, Period]]) -> Iterator[Label]:
        for at, name in enumerate(self.columns):
            if (period := self.period_heads.get(at)) is not None:
                spans = [(start, end) for start, end, said in periods if _agree(said, period)]
            else:
                words = folded(name.replace("_", " "))
                bracketed = RE.bracketed.findall(words)
                spans = [
                    span for part in (words, *bracketed) if len(part) > 1 for span in _occurrences(part, text.lower())
                ]
            for start, end in spans:
                yield Label(start, end, HEAD, frozenset([at]), name)


def rows_of(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], behind: str = "", count: int = 0, warning: str = ""
) -> Rows:
    """A result as it is compared; of very long ones the first `MOST_ROWS` rows."""
    kept = tuple(tuple(map(_cell, row)) for row, _ in zip(rows, range(MOST_ROWS), strict=False))
    return Rows(columns=tuple(columns), rows=kept, behind=behind, count=max(count, len(kept)), warning=warning)


def periods_in(text: str) -> list[tuple[int, int, Period]]:
    """The days, months, quarters, halves of a year and years that a text names, each with its span."""
    periods = []
    for match in RE.period.finditer(text):
        parts = match.groupdict()
        year = next((int(parts[name]) for name in ("y1", "y2", "y3", "y4", "y5", "y6") if parts[name]), None)
        month = next((parts[name] for name in ("iso", "han", "word") if parts[name]), "")
        months = frozenset([int(month) if month.isdigit() else MONTH_NUMBERS[month.lower()]]) if month else None
        if quarter := next((parts[name] for name in ("quarter", "q", "hanq") if parts[name]), ""):
            months = _quarter(int(value_of(quarter) or 1))
        elif half := parts["half"] or parts["hanhalf"]:
            months = frozenset(_HALVES[1 if half in ("first", "上") else 2])
        day = next((int(parts[name]) for name in ("d1", "d2", "d3", "d4") if parts[name]), None)
        periods.append((match.start(), match.end(), (year, months, day)))
    return periods


def _quarter(number: int) -> frozenset[int]:
    return frozenset(range(3 * number - 2, 3 * number + 1))


def _occurrences(value: str, text: str) -> Iterator[tuple[int, int]]:
    if value not in text:
        return
    edge = (r"(?<!\w)", r"(?!\w|-\d)") if not has_cjk(value) else ("", "")
    edge = (r"(?<![a-z0-9_])", r"(?![a-z0-9_]|-\d)") if edge[0] and has_cjk(text) else edge
    plural = "s?" if len(value) > 2 and value[-1].isalpha() and not has_cjk(value) else ""
    yield from (match.span() for match in re.finditer(f"{edge[0]}{re.escape(value)}{plural}{edge[1]}", text))


def _beginnings_in(text: str, at: int, by_value: Mapping[str, set[int]]) -> Iterator[Label]:
    """What several values begin with names all of them: “the two Hangzhou branches”, 杭州两个网点."""
    rows_by_beginning: dict[str, set[int]] = {}
    for value, rows in by_value.items():
        beginning = value[:2] if has_cjk(value[:2]) else value.split(" ")[0]
        if beginning != value and (len(beginning) >= _SHORTEST_NAME or has_cjk(beginning)):
            rows_by_beginning.setdefault(beginning, set()).update(rows)
    for beginning, rows in rows_by_beginning.items():
        for start, end in _occurrences(beginning, text):
            yield Label(start, end, at, frozenset(rows), beginning)


def _cell(value: Any) -> Cell:
    if value is None:
        return Cell("")
    if isinstance(value, (bool, int, float)):
        return Cell(f"{value}", float(value))
    text = str(value)
    try:
        return Cell(folded(text[:_MOST_CELL]), float(text.replace(",", "")))
    except ValueError:
        return Cell(folded(text[:_MOST_CELL]))


def _period(cell: Cell, column: str) -> Period | None:
    if cell.value is not None:
        number = int(cell.value) if cell.value == int(cell.value) else 0
        if 1900 <= number < 2100 and RE.year_column.search(column):
            return number, None, None
        if 1 <= number <= 12 and RE.month_column.search(column):
            return None, frozenset([number]), None
        return (None, _quarter(number), None) if 1 <= number <= 4 and RE.quarter_column.search(column) else None
    if match := RE.date_cell.match(cell.text):
        year, month, day = (int(part) if part else None for part in match.groups())
        return (year, frozenset([month]) if month else None, day) if month is None or 1 <= month <= 12 else None
    month = MONTH_NUMBERS.get(cell.text)
    return (None, frozenset([month]), None) if month else None


def _agree(said: Period, there: Period) -> bool:
    """Whether a row is of a period that is said; a row of a whole quarter is of no month."""
    years, days = (said[0], there[0]), (said[2], there[2])
    if said[1] is not None and (there[1] is None or not there[1] <= said[1]):
        return False
    is_shared = said[1] is not None or None not in years
    return is_shared and all(None in pair or pair[0] == pair[1] for pair in (years, days))
