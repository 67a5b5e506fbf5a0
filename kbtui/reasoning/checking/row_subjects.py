"""What a claim of a sentence is about: the rows and columns of its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.checking.row_figures import ReadRows, rows_of_all
from kbtui.reasoning.checking.rows import HEAD, RE, Label

_NEAR: Final = 60
"""Most characters between the words of a claim and what it is said of."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of a sentence and what one result says of it.

    Attributes:
        start: Where its words stand.
        text: Its words.
        holds: None if the result says nothing of it.
    """

    start: int
    text: str
    holds: bool | None


def finding(match: re.Match[str], holds: bool | None) -> Finding:
    return Finding(match.start(), match[0], holds)


def subject_of(read: ReadRows, start: int, end: int) -> list[Label]:
    """The names that a claim is about: nearest to its words, with those that are joined to them."""
    text = read.sentence.text
    first, last = read.sentence.segment_at(start)
    near = [label for label in read.labels_in(first, last) if gap(label, start, end) <= _NEAR]
    if not near:
        return []
    nearest = min(near, key=lambda label: (gap(label, start, end), label.start > end))
    chain = [label for label in near if label.start == nearest.start]
    for label in sorted(near, key=lambda label: abs(label.start - nearest.start)):
        is_joined = any(
            RE.joined.match(text[min(label.end, other.end) : max(label.start, other.start)])
            for other in chain
            if label.column == other.column and label.start != other.start
        )
        # Names that stand together, such as a store and a year, name one row.
        if label not in chain and (is_joined or label.column not in {other.column for other in chain}):
            chain.append(label)
    return chain


def gap(label: Label, start: int, end: int) -> int:
    return max(label.start - end, start - label.end, 0)


def rows_of_labels(labels: Sequence[Label], read: ReadRows) -> frozenset[int]:
    """The rows that names stand for: of names of several columns those that have all of them."""
    if len({label.start for label in labels}) < len(labels):
        # A name may stand in several columns: an airport as origin and as destination.
        return rows_of_all(labels, len(read.rows.rows))
    by_column: dict[int, set[int]] = {}
    for label in labels:
        by_column.setdefault(label.column, set()).update(label.rows)
    common = frozenset(range(len(read.rows.rows))).intersection(*by_column.values()) if by_column else frozenset()
    return common or (rows_of_all(labels, len(read.rows.rows)) if len(by_column) > 1 else common)


def columns_of(read: ReadRows, start: int, rows: Collection[int]) -> list[int]:
    """The columns of a claim: those of figures in its segment that are of its rows, that are named, else all."""
    first, last = read.sentence.segment_at(start)
    own = [cell for at, cells in read.cells.items() if first <= at < last for cell in cells]
    if not own:
        # “The most common one, with 104 wines”.
        end = read.sentence.segment_at(last)[1] if last < len(read.sentence.text) else last
        own = [cell for at, cells in read.cells.items() if last <= at < end for cell in cells]
    columns = {at for row, at in own if row in rows} & set(read.rows.amounts)
    heads = {at for label in read.labels_in(first, last, read.labels) if label.column == HEAD for at in label.rows}
    changed = changed_columns(read, first, last)
    return sorted(changed or columns or heads & set(read.rows.amounts) or read.rows.amounts)


def changed_columns(read: ReadRows, first: int, last: int) -> list[int]:
    """The columns whose sign says which way something went, where a segment speaks of a change."""
    if not any(pattern.search(read.sentence.text, first, last) for pattern in (RE.rose, RE.fell, RE.changed)):
        return []
    return [at for at in read.rows.amounts if RE.change.search(read.rows.columns[at].replace("_", " "))]


def order_of(period: object) -> tuple[int, int, int]:
    assert period is None or isinstance(period, tuple)
    year, months, day = period or (None, None, None)
    return year or 0, min(months or [0]), day or 0


def agreed(verdicts: Sequence[bool | None]) -> bool | None:
    known = [verdict for verdict in verdicts if verdict is not None]
    return all(known) if known else None
