"""Rows that a statement brought, as sentences are compared with them: cells with their values, and what names a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from kbtui.reasoning.checking.facts import Fact, Ground, facts, folded, ground
from kbtui.reasoning.checking.numerals import MONTH, normal
from kbtui.reasoning.checking.records import Cell
from kbtui.text.calendar import MONTH_NUMBERS
from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns

RE: Final = Patterns(__package__, "rows.toml")
MOST_ROWS: Final = 500
_MOST_CELL: Final = 80
_DATE: Final = re.compile(r"((?:19|20)\d\d)(?:[-/.年](\d{1,2}))?(?:[-/.月](\d{1,2}))?(?!\d)日?(?:[T ].*)?$")
_AMBIGUOUS: Final = re.compile(r"\b(?:March|May)\b(?! (?:I|we|you|it)\b)")
_BETWEEN: Final = re.compile(r"[-/., 年月日]{1,3}(?:of )?$")
_LONGEST_YEAR: Final = 4
_MOST_MONTH: Final = 12
_SMALL_WORDS: Final = frozenset({"a", "i"})

HEAD: Final = -1
"""In place of the column of a label that is the name of a column."""

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, as far as they are said."""


@dataclass(frozen=True, slots=True)
class Label:
    """What names rows in a sentence.

    Attributes:
        start, end: Where it stands.
        column: The column it is a value of; `HEAD` where it is the name of one.
        rows: The rows it names; of the name of a column, the column.
        text: As it is compared.
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
        count: Rows that there are in all.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    behind: str = ""
    count: int = 0

    @cached_property
    def ground(self) -> Ground:
        """All that stands in it, the statement included."""
        text = "\n".join(" | ".join(cell.text for cell in row) for row in self.rows)
        return ground(f"{self.heads}\n{text}\n{self.behind}")

    @cached_property
    def heads(self) -> str:
        """The names of the columns as words."""
        return " | ".join(column.replace("_", " ") for column in self.columns)

    @cached_property
    def is_chinese(self) -> bool:
        """Its columns or cells are."""
        return has_cjk(self.heads) or any(has_cjk(cell.text) for row in self.rows for cell in row)

    @property
    def is_limited(self) -> bool:
        """Rows may be missing: nothing is known of what comes after the last."""
        return self.count > len(self.rows) or RE.limited.search(self.behind) is not None

    @cached_property
    def dates(self) -> dict[int, tuple[Date | None, ...]]:
        """By column of dates, years or months, what each row has."""
        found = {}
        for at, name in enumerate(self.columns):
            values = [_date(row[at], name) for row in self.rows]
            if any(values) and all(value or not row[at].text for value, row in zip(values, self.rows, strict=True)):
                found[at] = tuple(values)
        return found

    @cached_property
    def periods(self) -> dict[int, Date]:
        """The columns that are called by a month or a year, such as “October 2026”."""
        found = {}
        for at, name in enumerate(self.columns):
            named = dates_in(facts(name), normal(name))
            if len(named) == 1:
                found[at] = named[0][2]
        return found

    @cached_property
    def amounts(self) -> tuple[int, ...]:
        """The columns of numbers that count or measure something."""
        return tuple(
            at
            for at in range(len(self.columns))
            if at not in self.dates
            and any(row[at].value is not None for row in self.rows)
            and all(row[at].value is not None or not row[at].text for row in self.rows)
        )

    def labels(self, text: str, dates: Sequence[tuple[int, int, Date]]) -> list[Label]:
        """What a sentence names of it: values of its cells, days and months, names of its columns."""
        found = [*self._values_in(text.lower()), *self._dates_in(dates), *self._columns_in(text, dates)]
        found.sort(key=lambda one: (one.start, one.start - one.end))
        # Of two names, one in the other, the longer is meant.
        return [
            one
            for one in found
            if not any(
                other.start <= one.start and one.end <= other.end and other.end - other.start > one.end - one.start
                for other in found
            )
        ]

    def _values_in(self, text: str) -> Iterator[Label]:
        for at in range(len(self.columns)):
            if at in self.dates:
                continue
            by_value: dict[str, set[int]] = {}
            for number, row in enumerate(self.rows):
                if row[at].text and row[at].value is None and row[at].text not in _SMALL_WORDS:
                    by_value.setdefault(row[at].text, set()).add(number)
            for value, rows in by_value.items():
                for match in _standing(value, text):
                    yield Label(match.start(), match.end(), at, frozenset(rows), value)

    def _dates_in(self, dates: Sequence[tuple[int, int, Date]]) -> Iterator[Label]:
        for at, values in self.dates.items():
            for start, end, said in dates:
                rows = frozenset(n for n, value in enumerate(values) if value is not None and _agree(said, value))
                if rows:
                    yield Label(start, end, at, rows, str(said))

    def _columns_in(self, text: str, dates: Sequence[tuple[int, int, Date]]) -> Iterator[Label]:
        for at, name in enumerate(self.columns):
            if (period := self.periods.get(at)) is not None:
                named = [(start, end) for start, end, said in dates if _agree(said, period)]
            else:
                words = folded(name.replace("_", " "))
                named = [match.span() for match in _standing(words, text.lower())] if len(words) > 1 else []
            for start, end in named:
                yield Label(start, end, HEAD, frozenset([at]), name)


def rows_of(columns: Sequence[str], rows: Iterable[Sequence[Any]], behind: str = "", count: int = 0) -> Rows:
    """A result as it is compared; of very long ones the first `MOST_ROWS` rows."""
    kept = tuple(tuple(map(_cell, row)) for row, _ in zip(rows, range(MOST_ROWS), strict=False))
    return Rows(columns=tuple(columns), rows=kept, behind=behind, count=max(count, len(kept)))


def dates_in(facts: Sequence[Fact], text: str) -> list[tuple[int, int, Date]]:
    """The days, months and years that a sentence names, each with where it stands."""
    parts = sorted((fact for fact in facts if fact.kind == "number"), key=lambda one: one.start)
    taken = {fact.start for fact in parts}
    # Elsewhere these two may be a walk and a possibility.
    parts += [
        Fact(kind="number", text=match[0], value=f"{MONTH} {MONTH_NUMBERS[match[0].lower()]}", start=match.start())
        for match in _AMBIGUOUS.finditer(text)
        if match.start() not in taken
    ]
    parts.sort(key=lambda one: one.start)
    runs: list[list[Fact]] = []
    for fact in parts:
        if not (fact.value.startswith(MONTH) or fact.value.isdigit()):
            continue
        last = runs[-1][-1] if runs else None
        between = text[last.start + len(last.text) : fact.start] if last else ""
        if last is not None and (last.start == fact.start or _BETWEEN.match(between)) and _fits(runs[-1], fact):
            runs[-1].append(fact)
        else:
            runs.append([fact])
    found = []
    for run in runs:
        month = next((int(one.value.split()[1]) for one in run if one.value.startswith(MONTH)), None)
        year = next((int(one.value) for one in run if _is_year(one)), None)
        day = next((int(one.value) for one in run if one.value.isdigit() and not _is_year(one)), None)
        if month is not None or (year is not None and len(run) == 1):
            found.append((run[0].start, run[-1].start + len(run[-1].text), (year, month, day)))
    return found


def _fits(run: Sequence[Fact], fact: Fact) -> bool:
    """Whether a number may be the rest of a date: one year, one month, one day."""
    kinds = ["month" if one.value.startswith(MONTH) else "year" if _is_year(one) else "day" for one in (*run, fact)]
    return len(set(kinds)) == len(kinds) and "month" in kinds and not (kinds[-1] == "day" and fact.weak)


def _is_year(fact: Fact) -> bool:
    return len(fact.text) == _LONGEST_YEAR and fact.value.isdigit() and fact.value[:2] in ("19", "20")


def _standing(value: str, text: str) -> Iterator[re.Match[str]]:
    if value not in text:
        return iter(())
    edge = (r"(?<!\w)", r"(?!\w|-\d)") if not has_cjk(value) else ("", "")
    plural = "s?" if len(value) > 3 and value[-1].isalpha() and not has_cjk(value) else ""
    return re.finditer(f"{edge[0]}{re.escape(value)}{plural}{edge[1]}", text)


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


def _date(cell: Cell, column: str) -> Date | None:
    if cell.value is not None:
        number = int(cell.value) if cell.value == int(cell.value) else 0
        if 1900 <= number < 2100 and re.search(r"(?i)y(?:ea)?r|年|period|date|when|^\W*$", column):
            return number, None, None
        if 1 <= number <= _MOST_MONTH and re.search(r"(?i)month|月", column):
            return None, number, None
        return None
    if match := _DATE.match(cell.text):
        year, month, day = (int(part) if part else None for part in match.groups())
        return (year, month, day) if month is None or 1 <= month <= _MOST_MONTH else None
    month = MONTH_NUMBERS.get(cell.text)
    return (None, month, None) if month else None


def _agree(said: Date, there: Date) -> bool:
    shared = [(one, other) for one, other in zip(said, there, strict=True) if one is not None and other is not None]
    return bool(shared) and all(one == other for one, other in shared) and (said[1] is None or there[1] is not None)
