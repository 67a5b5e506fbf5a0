"""Numbers that a sentence takes from rows, or works out of them: counts, sums, averages, differences, shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import mean, median
from typing import Final

from kbtui.reasoning.checking.facts import Fact
from kbtui.reasoning.checking.numerals import numbers as numbers_in
from kbtui.reasoning.checking.reckoning import differs, measured_otherwise, sums
from kbtui.reasoning.checking.rows import HEAD, RE, Label, Rows

_EXACT: Final = 1e-9
_PERCENT: Final = 100.0
_MOST_PAIRED: Final = 40
"""Rows that are named up to which any two are compared."""

_TWO: Final = 2


@dataclass(slots=True)
class ReadRows:
    """A sentence before one result.

    Attributes:
        cells: By number, the cells (row and column) that have it.
        reckoned: The numbers that were worked out.
    """

    rows: Rows
    labels: list[Label]
    cells: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    reckoned: set[int] = field(default_factory=set)


def _value(fact: Fact) -> float | None:
    try:
        return float(fact.value)
    except ValueError:
        return None


def is_shown(fact: Fact, value: float) -> bool:
    """Whether a number is a value, rounded to the digits that it shows."""
    wanted = _value(fact)
    if wanted is None:
        return False
    whole, _, rest = fact.text.partition(".")
    digits = len(rest.rstrip("%")) if rest.rstrip("%").isdigit() and whole else 0
    least = max(0.5 * 10.0**-digits, fact.tolerance) + _EXACT * max(1.0, wanted)
    return abs(abs(value) - wanted) <= least and (
        digits > 0 or fact.tolerance > 0 or value % 1 != 0 or abs(value) == wanted
    )


def cells_of(fact: Fact, rows: Rows) -> Iterator[tuple[int, int]]:
    """The cells, as row and column, that have a number."""
    for number, row in enumerate(rows.rows):
        for at, cell in enumerate(row):
            if cell.value is None:
                # A number of a text is a part of it: 3 of “3 days”, 7 of 2026-10-07.
                if cell.text and fact.value in cell.text and any(fact.value == x.value for x in numbers_in(cell.text)):
                    yield number, at
            elif fact.measure == "percent":
                # A count is no share, however it is written.
                is_share = cell.value % 1 != 0 or RE.share.search(rows.columns[at].replace("_", " ")) is not None
                if (is_share and is_shown(fact, cell.value)) or (
                    abs(cell.value) <= 1 and is_shown(fact, _PERCENT * cell.value)
                ):
                    yield number, at
            elif is_shown(fact, cell.value):
                yield number, at


def results(text: str, fact: Fact, one: ReadRows, numbers: Sequence[Fact], asked: str) -> Iterator[float]:
    """What counts, sums, averages, differences and shares of the rows give, as the words of a sentence allow."""
    rows = one.rows
    named = sorted({row for label in one.labels if label.column != HEAD for row in label.rows})
    groups = [range(len(rows.rows)), named, *(sorted(label.rows) for label in one.labels if label.column != HEAD)]
    yield from _counts(one, numbers)
    said = sums(text)
    averaged = RE.average.search(text) is not None
    for group in groups:
        for at in rows.amounts:
            values = [value for row in group if (value := rows.rows[row][at].value) is not None]
            if values and said:
                yield sum(values)
            if values and averaged:
                yield from (mean(values), median(values))
    if fact.measure == "percent" or RE.ratio.search(text):
        yield from _shares(one, named, groups)
    if differs(text) or fact.measure == "percent":
        yield from _differences(one, named, is_percent=fact.measure == "percent")
    yield from measured_otherwise(
        fact.measure,
        f"{rows.heads} {rows.behind} {asked}",
        [cell.value for row in rows.rows for cell in row if cell.value],
    )


def _counts(one: ReadRows, numbers: Sequence[Fact]) -> Iterator[float]:
    """How many rows there are, have a value that is named, and are named."""
    yield float(max(one.rows.count, len(one.rows.rows)))
    by_column: dict[int, set[str]] = {}
    for label in one.labels:
        if label.column != HEAD:
            yield float(len(label.rows))
            by_column.setdefault(label.column, set()).add(label.text)
    yield from (float(len(texts)) for texts in by_column.values())
    for fact in numbers:
        by_column = {}
        for row, at in one.cells.get(fact.start, ()):
            by_column.setdefault(at, set()).add(str(row))
        yield from (float(len(rows)) for rows in by_column.values())


def _differences(one: ReadRows, named: Sequence[int], *, is_percent: bool) -> Iterator[float]:
    """Of two rows in a column, and of two columns in a row; in percent of the first."""
    rows = one.rows.rows
    pairs = [
        (rows[left][at].value, rows[right][at].value)
        for at in one.rows.amounts
        for left, right in _compared(one.rows, named, at)
    ]
    pairs += [
        (rows[row][left].value, rows[row][right].value)
        for row in named or range(min(len(rows), _TWO))
        for left, right in combinations(one.rows.amounts, 2)
    ]
    for a, b in pairs:
        if a is None or b is None:
            continue
        yield a - b
        if is_percent:
            yield from (_PERCENT * (a - b) / base for base in (a, b) if base)


def _compared(rows: Rows, named: Sequence[int], at: int) -> Iterator[tuple[int, int]]:
    """The rows that a sentence may compare: those it names; of one, with its neighbours and with the extremes."""
    if len(named) == 1:
        values = [(row[at].value or 0.0, number) for number, row in enumerate(rows.rows)]
        ends = {named[0] - 1, named[0] + 1, min(values)[1], max(values)[1]}
        yield from ((named[0], other) for other in ends if 0 <= other < len(rows.rows) and other != named[0])
    elif named or len(rows.rows) == _TWO:
        yield from combinations((named or range(_TWO))[:_MOST_PAIRED], 2)


def _shares(one: ReadRows, named: Sequence[int], groups: Sequence[Sequence[int]]) -> Iterator[float]:
    """Of a cell or a group in its column, of two columns of a row, and how often a cell goes into another."""
    rows = one.rows.rows
    few = range(len(rows) if len(rows) <= _TWO else 0)
    for at in one.rows.amounts:
        total = sum(row[at].value or 0.0 for row in rows)
        for group in (*groups[1:], *([row] for row in (named or few))):
            part = sum(rows[row][at].value or 0.0 for row in group)
            if total and part:
                yield _PERCENT * part / total
        values = [value for row in named if (value := rows[row][at].value)]
        for a, b in combinations(values[:_MOST_PAIRED], 2):
            yield from (a / b, b / a)
    for row in named or few:
        for left, right in combinations(one.rows.amounts, 2):
            first, second = rows[row][left].value, rows[row][right].value
            if first and second:
                yield from (_PERCENT * first / second, _PERCENT * second / first, first / second, second / first)
