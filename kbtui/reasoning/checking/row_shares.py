"""Shares and multiples of a sentence: of a total, of another thing, or more than it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from kbtui.reasoning.checking.row_figures import ReadRows, Values, few_rows, pairs
from kbtui.reasoning.checking.row_sentences import Figure
from kbtui.reasoning.checking.rows import HEAD, RE, Label

_PERCENT: Final = 100.0
_MOST_PAIRED: Final = 12


def shares(figure: Figure, read: ReadRows) -> Iterator[float]:
    """What a share or multiple may be, in percent or as a factor: of the total, of another thing, or more than it."""
    unit = _PERCENT if figure.kind == "share" else 1.0
    text = read.sentence.text
    start, end = read.sentence.segment_at(figure.start)
    before = read.before(figure.start, read.labels)
    after = read.labels_in(figure.end, end, read.labels)
    # “Grew by 1,349, or 21 %” goes on about the growth.
    begin = read.sentence.segment_at(start - 1)[0] if RE.same_again.fullmatch(text, start, figure.start) else start
    is_more = RE.difference.search(text, max(begin, figure.start - 20), min(end, figure.end + 14)) is not None
    compared = list(_compared(read, before, after, figure))
    if figure.kind == "share" and not compared:
        for group in _parts(read, before or after, figure):
            part = read.sums(group)
            yield from (unit * part[at] / total for at, total in read.totals.items() if total and at in part)
    for left, right in compared or ([] if figure.kind == "share" and not is_more else _trend(read)):
        for at in left.keys() & right.keys():
            if right[at]:
                yield unit * left[at] / right[at]
                if is_more:
                    yield unit * (left[at] - right[at]) / right[at]
            if is_more and left[at]:
                yield unit * (left[at] - right[at]) / left[at]
    if figure.kind == "share":
        yield from _shares_of_columns(read)
        if figure.digits and figure.bound in ("", "about"):
            yield from _shares_of_cells(read)


def _parts(read: ReadRows, labels: Sequence[Label], figure: Figure) -> Iterator[frozenset[int]]:
    """The groups of rows that a share is of: all of them named together, or, of several shares, the nearest one."""
    tops = [top for other in read.figures if (top := read.top_rows(other))]
    rows = [label for label in labels if label.column != HEAD]
    if not rows:
        yield from tops
        return
    shares = [other for other in read.figures if other.kind == "share"]
    if len(rows) == 1 or len(shares) < 2:
        yield frozenset().union(*(label.rows for label in rows))
    if len(rows) > 1 and (len(shares) > 1 or not RE.together.search(read.sentence.text)):
        yield rows[-1].rows if rows[-1].start < figure.start else rows[0].rows
        if figure.digits:
            yield from (label.rows for label in rows)


def _compared(
    read: ReadRows, before: Sequence[Label], after: Sequence[Label], figure: Figure
) -> Iterator[tuple[Values, Values]]:
    """What a share or multiple compares: what stands before it with what stands behind “of”, or before 的."""
    text = read.sentence.text
    after = [label for label in after if any((label.column == HEAD) == (own.column == HEAD) for own in before)] or (
        [] if before else after
    )
    is_of = after and (figure.kind == "times" or RE.object.search(text[figure.end : after[0].start]))
    if is_of and before:
        near = [label for label in before if label.column == after[0].column] or before
        group = near if RE.together.search(text) else near[-1:]
        yield read.values_of(group), read.values_of(after[:1])
        return
    if is_of and len(after) > 1 and figure.kind == "times":
        yield read.values_of(after[1:2]), read.values_of(after[:1])
        return
    objects = [label for label in before if RE.possessed.search(text[label.end : figure.start])]
    subjects = [label for label in before if objects and label.end <= objects[-1].start]
    if objects and not subjects:
        alike = [label for label in read.labels if label.column == objects[-1].column]
        subjects = [label for label in alike if label.end <= objects[-1].start][-1:]
    if objects and subjects:
        yield read.values_of(subjects[:1]), read.values_of(objects[-1:])
    elif len(before) > 1 and figure.kind == "times" and len({label.text for label in before}) > 1:
        first, second = before[0], before[-1]
        dated = first.column in read.rows.periods
        yield (
            (read.values_of([second]), read.values_of([first]))
            if dated
            else (read.values_of([first]), read.values_of([second]))
        )


def _trend(read: ReadRows) -> Iterator[tuple[Values, Values]]:
    """The last and the first of what stands in order of time; of two rows or columns, one and the other."""
    if read.rows.periods and len(read.rows.rows) > 1 and not read.names:
        yield read.sums([len(read.rows.rows) - 1]), read.sums([0])
        yield read.sums([0]), read.sums([len(read.rows.rows) - 1])
    for left, right in pairs(read):
        yield left, right
        yield right, left
    for row in few_rows(read):
        cells = [value for at in read.rows.amounts if (value := read.rows.rows[row][at].value) is not None]
        for one, other in permutations(cells[:_MOST_PAIRED], 2):
            yield {0: one}, {0: other}


def _shares_of_columns(read: ReadRows) -> Iterator[float]:
    """Of a column that is named, or of any of a single row, in all columns of a row."""
    named = {at for label in read.labels if label.column == HEAD for at in label.rows}
    is_alone = len(read.rows.rows) == 1 and not named
    for row in few_rows(read):
        parts = {at: value for at in read.rows.amounts if (value := read.rows.rows[row][at].value) is not None}
        if len(parts) > 1 and (total := sum(parts.values())):
            yield from (_PERCENT * parts[at] / total for at in (parts if is_alone else named & parts.keys()))


def _shares_of_cells(read: ReadRows) -> Iterator[float]:
    """Of two columns of a row, and of two figures of the sentence that stand in the rows."""
    for row in few_rows(read):
        cells = [value for at in read.rows.amounts if (value := read.rows.rows[row][at].value)]
        yield from (_PERCENT * one / other for one, other in permutations(cells[:_MOST_PAIRED], 2))
    own = [
        other.value
        for other in read.figures
        if other.kind == "amount"
        and (other.start in read.cells or other.digits > 1)
        and other.value
        and not other.bound
    ]
    yield from (_PERCENT * one / other for one, other in permutations(own[:_MOST_PAIRED], 2))


def shares_across(first: ReadRows, second: ReadRows) -> Iterator[float]:
    """What one result has of another, in percent: of the same name, and in all."""
    for label in first.names:
        for other in second.names:
            if label.text == other.text and label.start == other.start:
                ours, theirs = first.sums(label.rows), second.sums(other.rows)
                yield from (_PERCENT * one / two for one in ours.values() for two in theirs.values() if two)
    named = [first.values_of([label]) for label in first.names] or [first.totals]
    yield from (_PERCENT * one / two for own in named for one in own.values() for two in second.totals.values() if two)
