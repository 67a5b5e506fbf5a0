"""Figures that a sentence takes from rows, or works out of them: cells, counts, sums, means, differences, shares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations
from statistics import mean, median
from typing import Final

from kbtui.reasoning.checking.numerals import numbers as numbers_in
from kbtui.reasoning.checking.row_filters import stated_counts
from kbtui.reasoning.checking.row_sentences import Figure, Sentence
from kbtui.reasoning.checking.rows import HEAD, RE, Label, Rows

_PERCENT: Final = 100.0
_MOST_PAIRED: Final = 40
"""Number of rows up to which any two are compared."""

_MOST_SUMMED: Final = 12
"""Digits of the largest number that may count rows without saying so."""

_TIMES: Final = {
    "minute": (1, "(?i)minutes?|分钟"),
    "hour": (60, "(?i)hours?|小时"),
    "day": (1440, "(?i)days?|天"),
    "week": (10080, "(?i)weeks?|周"),
}
"""Units of time in minutes, and how they are named."""

Values = Mapping[int, float]
"""The value of a thing by column."""


@dataclass(frozen=True)
class ReadRows:
    """A sentence before one result.

    Attributes:
        asked: The question, whose words may name a unit.
    """

    sentence: Sentence
    rows: Rows
    asked: str = ""

    @cached_property
    def labels(self) -> list[Label]:
        """The rows and columns that the sentence names."""
        return self.rows.labels(self.sentence.text)

    @cached_property
    def names(self) -> list[Label]:
        """The rows that it names."""
        return [label for label in self.labels if label.column != HEAD]

    @cached_property
    def figures(self) -> list[Figure]:
        """Its figures outside of names."""
        return [
            figure
            for figure in self.sentence.figures
            if not any(label.start < figure.end and figure.start < label.end for label in self.labels)
        ]

    @cached_property
    def cells(self) -> dict[int, list[tuple[int, int]]]:
        """By the start of a figure, the cells (row and column) that have it."""
        found = {figure.start: list(self._cells_of(figure)) for figure in self.figures if figure.kind != "rank"}
        return {start: cells for start, cells in found.items() if cells}

    def _cells_of(self, figure: Figure) -> Iterator[tuple[int, int]]:
        if figure.bound in ("above", "least", "below", "most") or is_mean_of_all(figure, self):
            return
        for number, row in enumerate(self.rows.rows):
            for at, cell in enumerate(row):
                if cell.value is None:
                    # A number of a text is a part of it: 3 of “3 days”, 7 of 2026-10-07.
                    if figure.kind == "amount" and any(_is(figure, part.value) for part in numbers_in(cell.text)):
                        yield number, at
                elif figure.kind == "share":
                    # A count is no share, however it is written.
                    is_share = (
                        cell.value % 1 != 0 or RE.share.search(self.rows.columns[at].replace("_", " ")) is not None
                    )
                    if (is_share and figure.fits(cell.value)) or (
                        abs(cell.value) <= 1 and figure.fits(_PERCENT * cell.value)
                    ):
                        yield number, at
                elif figure.kind == "amount" and any(figure.fits(cell.value * scale) for scale in self._scales(at)):
                    yield number, at

    def _scales(self, at: int) -> Iterator[float]:
        """What a number of a column may stand for: 29.3 of “Damage_millions” is 29.3 million."""
        name = self.rows.columns[at].replace("_", " ")
        yield 1.0
        yield from (scale for scale, pattern in ((1e6, RE.millions), (1e3, RE.thousands)) if pattern.search(name))

    def labels_in(self, start: int, end: int, among: Sequence[Label] | None = None) -> list[Label]:
        labels = self.names if among is None else among
        return [label for label in labels if start <= label.start < end]

    def before(self, place: int, among: Sequence[Label]) -> list[Label]:
        """The names before a place: in its segment, else in the nearest one before it that has any."""
        for start, _ in reversed([one for one in self.sentence.segments if one[0] <= place]):
            if own := self.labels_in(start, place, among):
                return own
        return []

    def said_of(self, place: int, among: Sequence[Label] | None = None) -> list[Label]:
        """The names in the segment of a place, else in the nearest one before it that has any."""
        for start, end in reversed([one for one in self.sentence.segments if one[0] <= place]):
            if own := self.labels_in(start, end, among):
                return own
        return []

    def values_of(self, labels: Iterable[Label]) -> Values:
        """Sums over what is named: by column for rows, under `HEAD` for one column."""
        labels = list(labels)
        heads = [label for label in labels if label.column == HEAD and label.rows & set(self.rows.amounts)]
        if heads and len(heads) == len(labels):
            named = self.named_rows or range(len(self.rows.rows))
            own = [self.rows.rows[row][at].value for label in heads for at in label.rows for row in named]
            return {HEAD: sum(value for value in own if value is not None)}
        return self.sums(frozenset().union(*(label.rows for label in labels if label.column != HEAD)))

    @cached_property
    def named_rows(self) -> frozenset[int]:
        """The rows of all names: of one column those of any of them, of several those that have all."""
        if len({label.column for label in self.names}) == 1:
            return frozenset().union(*(label.rows for label in self.names))
        return rows_of_all(self.names, len(self.rows.rows)) if self.names else frozenset()

    def sums(self, rows: Iterable[int]) -> Values:
        rows = list(rows)
        return {
            at: sum(values[row] for row in rows if row in values)
            for at in self.rows.amounts
            if (values := self.rows.values(at)).keys() & set(rows)
        }

    @cached_property
    def totals(self) -> Values:
        return self.sums(range(len(self.rows.rows)))

    @cached_property
    def groups(self) -> list[frozenset[int]]:
        """Groups of rows that a figure may be about: all that are named, those of a segment, of a name, the top two."""
        groups = [frozenset().union(*(label.rows for label in self.names))] if self.names else []
        for start, end in self.sentence.segments:
            if own := self.labels_in(start, end):
                groups.append(frozenset().union(*(label.rows for label in own)))
        groups += [label.rows for label in self.names]
        groups += [top for figure in self.figures if (top := self.top_rows(figure))]
        return list(dict.fromkeys(groups))

    def spellings(self) -> Iterator[frozenset[int]]:
        """Rows that differ in the spelling of a value alone, such as “yes” and “YES”."""
        for at in range(len(self.rows.columns)):
            by_text: dict[str, set[int]] = {}
            for number, row in enumerate(self.rows.rows):
                by_text.setdefault(row[at].text if row[at].value is None else "", set()).add(number)
            yield from (frozenset(rows) for text, rows in by_text.items() if text and len(rows) > 1)

    def top_rows(self, figure: Figure) -> frozenset[int]:
        """The rows of “the top two”, by the first column that measures something."""
        text, count = self.sentence.text, int(figure.value)
        is_top = RE.top.match(text, max(0, figure.start - 8)) or RE.top.search(
            text, max(0, figure.start - 8), figure.end + 1
        )
        is_bottom = RE.bottom.search(text, max(0, figure.start - 8), figure.end + 1)
        if not (is_top or is_bottom) or not self.rows.amounts or figure.kind != "amount" or count > _MOST_SUMMED:
            return frozenset()
        values = self.rows.values(self.rows.amounts[0])
        return frozenset(sorted(values, key=values.__getitem__, reverse=is_top is not None)[:count])


def _is(figure: Figure, written: str) -> bool:
    try:
        return figure.digits > 0 and figure.fits(float(written)) and not figure.bound
    except ValueError:
        return False


def is_worked_out(figure: Figure, read: ReadRows) -> bool | None:
    """Whether rows give a figure by a way that the words beside it allow; None where they name no way for it."""
    if is_mean_of_all(figure, read):
        return any(map(figure.fits, _means(read, [frozenset(range(len(read.rows.rows)))])))
    if any(map(figure.fits, _amounts(figure, read))):
        return True
    return False if figure.bound in ("above", "least", "below", "most") and read.said_of(figure.start) else None


def says_how(figure: Figure, sentence: Sentence) -> bool:
    """Whether the words beside a figure say that it was worked out."""
    span = sentence.segment_at(figure.start)
    return any(pattern.search(sentence.text, *span) for pattern in (RE.sum, RE.average, RE.difference))


def is_mean_of_all(figure: Figure, read: ReadRows) -> bool:
    """Whether a figure is said to be the mean of rows of which none is named."""
    start, end = read.sentence.segment_at(figure.start)
    if figure.kind == "times" or figure.kind == "rank" or len(read.rows.rows) < 2 or read.labels_in(start, end):
        return False
    others = [other for other in read.figures if start <= other.start < end]
    nearest = next((other for other in others if other.digits or other.value >= _MOST_SUMMED), None)
    is_mean = RE.mean.search(read.sentence.text, start, end) is not None
    return is_mean and nearest is figure and not any(RE.mean.search(name) for name in read.rows.columns)


def is_count(figure: Figure, read: ReadRows) -> bool:
    """Whether a small whole number is how many rows there are, are named, or have what is named."""
    if figure.kind != "amount" or figure.value % 1 or figure.bound in ("below", "above"):
        return False
    return figure.value in set(_counts(read)) or bool(read.top_rows(figure))


def _counts(read: ReadRows) -> Iterator[float]:
    yield float(max(read.rows.count, len(read.rows.rows)))
    yield from stated_counts(read.rows)
    by_column: dict[int, set[str]] = {}
    for label in read.names:
        yield float(len(label.rows))
        by_column.setdefault(label.column, set()).add(label.text)
    yield from (float(len(texts)) for texts in by_column.values())
    yield from (float(len(group)) for group in read.groups)
    if read.groups and RE.others.search(read.sentence.text):
        yield float(len(read.rows.rows) - len(read.groups[0]))
    for figure in read.figures:
        rows_by_column: dict[int, set[int]] = {}
        for row, at in read.cells.get(figure.start, ()):
            rows_by_column.setdefault(at, set()).add(row)
        yield from (float(len(rows)) for rows in rows_by_column.values())


# Amounts --------------------------------------------------------------------------------------------------------------


def _amounts(figure: Figure, read: ReadRows) -> Iterator[float]:
    start, end = read.sentence.segment_at(figure.start)
    text = read.sentence.text
    if figure.bound in ("above", "least", "below", "most"):
        # A bound is met by chance: only what the sentence speaks of is compared.
        yield from _bounded(read, figure, start, end)
        return
    groups = [*read.groups, *read.spellings()]
    said_sum, said_mean = RE.sum.search(text, start, end), RE.average.search(text, start, end)
    is_open = figure.is_precise or bool(said_sum)
    own = read.labels_in(start, end)
    if is_open or not own or RE.out_of.search(text, start, figure.start):
        yield from read.totals.values()
    if len({label.text for label in own}) > 1:
        yield from read.sums(frozenset().union(*(label.rows for label in own))).values()
    for group in groups if is_open else []:
        # What is one row is a cell, and has to stand beside its name.
        yield from read.sums(group).values() if len(group) > 1 else ()
    if is_open:
        for row in few_rows(read):
            cells = [value for at in read.rows.amounts if (value := read.rows.rows[row][at].value) is not None]
            yield from (left + right for left, right in combinations(cells[:_MOST_SUMMED], 2))
    if said_mean:
        yield from _means(read, [frozenset(range(len(read.rows.rows))), *groups])
        yield from _quotients(read, figure)
    is_difference = RE.difference.search(text, start, end) is not None
    if figure.is_precise or is_difference:
        yield from _differences(read, is_said=is_difference)
    if figure.is_precise:
        yield from _sums_of_figures(read, figure)
    values = [cell.value for row in read.rows.rows for cell in row if cell.value]
    yield from _measured_otherwise(figure.measure, f"{read.rows.heads} {read.rows.behind} {read.asked}", values)


def _measured_otherwise(measure: str, known: str, values: Sequence[float]) -> Iterator[float]:
    """Amounts of time in the unit of a number, where what is known of them names another unit."""
    if measure in _TIMES:
        sizes = [size for name, (size, named) in _TIMES.items() if name != measure and re.search(named, known)]
        yield from (value * size / _TIMES[measure][0] for size in sizes for value in values)


def _bounded(read: ReadRows, figure: Figure, start: int, end: int) -> Iterator[float]:
    text = read.sentence.text
    if RE.difference.search(text, start, figure.start) and RE.spread.search(text, start, end):
        yield from _differences(read)
        return
    own = read.labels_in(start, end) or read.said_of(figure.start)
    if RE.average.search(text, start, end):
        yield from _means(
            read, [frozenset().union(*(label.rows for label in own)) or frozenset(range(len(read.rows.rows)))]
        )
    elif own:
        yield from read.values_of(own).values()
    else:
        yield from read.totals.values()


def _means(read: ReadRows, groups: Iterable[frozenset[int]]) -> Iterator[float]:
    for group in groups:
        for at in read.rows.amounts:
            if values := [value for row, value in read.rows.values(at).items() if row in group]:
                yield (median if RE.median.search(read.sentence.text) else mean)(values)


def _quotients(read: ReadRows, figure: Figure) -> Iterator[float]:
    """Of two cells of a row, and of a cell and another figure of the sentence: “ten hours each”, “in two days”."""
    others = [other.value for other in read.figures if other is not figure and other.value]
    for row in few_rows(read):
        cells = [value for at in read.rows.amounts if (value := read.rows.rows[row][at].value)]
        yield from (one / other for one, other in permutations(cells[:_MOST_SUMMED], 2))
        yield from (cell / other for cell in cells for other in others)


def _differences(read: ReadRows, *, is_said: bool = True) -> Iterator[float]:
    """Of things that are named, in a column or between columns; of a named row, its neighbours and the extremes."""
    for left, right in pairs(read):
        yield from (left[at] - right[at] for at in left.keys() & right.keys())
    for at in read.rows.amounts if is_said else ():
        values = read.rows.values(at)
        if values:
            ends = max(values.values()), min(values.values())
            yield ends[0] - ends[1]
            for label in read.names:
                for row in label.rows & values.keys():
                    near = [values[other] for other in (row - 1, row + 1) if other in values]
                    yield from (values[row] - other for other in (*near, *ends))
    for row in few_rows(read):
        cells = [value for at in read.rows.amounts if (value := read.rows.rows[row][at].value) is not None]
        yield from (left - right for left, right in combinations(cells, 2))
    for sums in (read.totals, *(read.sums(group) for group in read.groups)) if is_said else ():
        yield from (left - right for left, right in combinations(list(sums.values())[:_MOST_SUMMED], 2))


def few_rows(read: ReadRows) -> Iterable[int]:
    named = frozenset().union(*(label.rows for label in read.names))
    return named or range(len(read.rows.rows) if len(read.rows.rows) <= 2 else 0)


def pairs(read: ReadRows) -> Iterator[tuple[Values, Values]]:
    """Any two things that are named; without names, the two rows of a result of two."""
    labels = list({(label.column, label.text): label for label in read.labels}.values())
    things = [values for label in labels[:_MOST_PAIRED] if (values := read.values_of([label]))]
    if len(things) < 2 and len(read.rows.rows) == 2:
        things = [read.sums([0]), read.sums([1])]
    yield from combinations(things, 2)


def _sums_of_figures(read: ReadRows, figure: Figure) -> Iterator[float]:
    """Of other figures of the sentence that are cells of one column."""
    others = [other for other in read.figures if other is not figure and other.start in read.cells][:_MOST_SUMMED]
    for count in (2, len(others)):
        for own in combinations(others, count) if 1 < count <= len(others) else ():
            columns = [{at for _, at in read.cells[other.start]} for other in own]
            if set.intersection(*columns):
                yield sum(other.value for other in own)


def rows_of_all(names: Sequence[Label], count: int) -> frozenset[int]:
    """The rows that have all that is named, in the order of the columns where a row has it in that order.

    A name may stand in several columns: an airport as origin and as destination.
    """
    places = [[label for label in names if label.start == start] for start in sorted({label.start for label in names})]
    rows = frozenset(range(count))
    for own in places:
        rows &= frozenset().union(*(label.rows for label in own))

    def in_order(row: int) -> bool:
        last = HEAD
        for own in places:
            later = [label.column for label in own if row in label.rows and label.column > last]
            if not later:
                return False
            last = min(later)
        return True

    return frozenset(filter(in_order, rows)) or rows
