"""What sentences say of the order of rows: the most, the least, more than, rose, fell; worked out over the rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kbtui.reasoning.checking.rows import HEAD, RE, Label, Rows

_MOST_BETWEEN: Final = 60
"""Characters between a superlative and what it is said of."""

_STOP: Final = re.compile(r"[;；。]|\.(?=\s)")

Cells = Sequence[tuple[int, Sequence[tuple[int, int]]]]
"""Of each number of a sentence, where it stands and which cells (row, column) have it."""


def is_out_of_order(text: str, cells: Cells, labels: Sequence[Label], rows: Rows) -> str:
    """The words that the order of the rows refutes; empty where it refutes none."""
    names = [label for label in labels if label.column != HEAD]
    for match, best in _superlatives(text):
        if not RE.since.search(text, match.end()) and _is_not_extreme(match, best, text, cells, names, rows):
            return match[0]
    for pattern, sign in ((RE.more_than, 1), (RE.less_than, -1)):
        compared = pattern.search(text)
        if compared is not None and _compares(compared, sign, cells, labels, rows) is False:
            return compared[0]
    rose, fell = RE.rose.search(text), RE.fell.search(text)
    if (rose is None) == (fell is None):
        return ""
    changed = rose or fell
    assert changed is not None
    return "" if _changed(1 if rose else -1, cells, labels, rows) else changed[0]


def _superlatives(text: str) -> Iterator[tuple[re.Match[str], tuple[Callable[..., float], ...]]]:
    yield from ((match, (max,)) for match in RE.most.finditer(text))
    yield from ((match, (min,)) for match in RE.least.finditer(text))
    yield from ((match, (max, min)) for match in RE.extreme.finditer(text))


def _is_not_extreme(
    match: re.Match[str],
    best: Sequence[Callable[..., float]],
    text: str,
    cells: Cells,
    names: Sequence[Label],
    rows: Rows,
) -> bool:
    """The row that a superlative is said of has not the most, or the least, of what it is said of."""
    inside = [stop.end() for stop in _STOP.finditer(text)]
    first = max((end for end in inside if end <= match.start()), default=0)
    last = min((end for end in inside if end >= match.end()), default=len(text))
    near = [label for label in names if first <= label.start < last and _gap(match, label) <= _MOST_BETWEEN]
    numbers = [(start, own) for start, own in cells if first <= start < last]
    if near:
        nearest = min(near, key=lambda label: _gap(match, label))
        said_of = {
            row for label in near if label.end == nearest.end or label.start == nearest.start for row in label.rows
        }
        # Names that stand together, such as a store and a year, name one row.
        for label in near:
            if label.column != nearest.column and said_of & label.rows:
                said_of &= label.rows
    elif numbers:
        said_of = {row for row, _ in min(numbers, key=lambda one: abs(one[0] - match.start()))[1]}
    else:
        return False
    columns = {at for _, own in numbers for row, at in own if row in said_of} & set(rows.amounts) or set(rows.amounts)
    if rows.is_limited and not rows.rows:
        return False
    return bool(columns) and not any(_is_best(said_of, at, one, rows) for at in columns for one in best)


def _is_best(said_of: set[int], at: int, best: Callable[..., float], rows: Rows) -> bool:
    values = {number: row[at].value for number, row in enumerate(rows.rows) if row[at].value is not None}
    if not values or not said_of & values.keys():
        return False
    wanted = best(values.values())
    own = best(values[row] for row in said_of & values.keys())
    # What comes after the last row that was fetched is not known.
    return own == wanted and not (rows.is_limited and len(values) > 1 and values[0] != wanted)


def _gap(match: re.Match[str], label: Label) -> int:
    return max(label.start - match.end(), match.start() - label.end, 0)


def _compares(match: re.Match[str], sign: int, cells: Cells, labels: Sequence[Label], rows: Rows) -> bool | None:
    """Whether what is named before “more than” has more than what is named behind it; None where nothing is."""
    text = match.string
    changes = _changes(rows) if RE.rose.search(text) or RE.fell.search(text) else []
    for label in labels:
        alike = [one for one in labels if one.column == label.column]
        before = [one for one in alike if one.end <= match.start()]
        after = [one for one in alike if one.start >= match.end()]
        if before and after and before[-1].text != after[0].text:
            return _is_ordered(after[0], before[-1], sign, cells, labels, rows, changes)
    return None


def _is_ordered(
    lower: Label,
    upper: Label,
    sign: int,
    cells: Cells,
    labels: Sequence[Label],
    rows: Rows,
    changes: Sequence[int] = (),
) -> bool:
    """Whether ``upper`` has more (``sign`` 1) or less (-1) than ``lower``: in a column, or of two columns in a row."""
    if lower.column == HEAD:
        named = {row for label in labels if label.column != HEAD for row in label.rows} or set(range(len(rows.rows)))
        pairs = [(row, low, row, high) for row in named for low in lower.rows for high in upper.rows]
    else:
        columns = {at for _, own in cells for row, at in own if row in lower.rows | upper.rows} & set(rows.amounts)
        columns = columns or set(changes)
        pairs = [(low, at, high, at) for at in columns or rows.amounts for low in lower.rows for high in upper.rows]
    values = [(rows.rows[row][at].value, rows.rows[other][where].value) for row, at, other, where in pairs]
    known = [(a, b) for a, b in values if a is not None and b is not None]
    return not known or any(sign * (b - a) > 0 for a, b in known)


def _changed(sign: int, cells: Cells, labels: Sequence[Label], rows: Rows) -> bool:
    """Whether values went the way that is said between two times that are named, or of one row that holds a change."""
    by_column = {at: dict(enumerate(values)) for at, values in rows.dates.items()} | {HEAD: dict(rows.periods)}
    for at, dates in by_column.items():
        own = {
            label.text: label for label in labels if label.column == at and (at != HEAD or label.rows & dates.keys())
        }
        ordered = sorted(own.values(), key=lambda label: _order_of(dates[min(label.rows)]))
        if len(ordered) == 2 and _order_of(dates[min(ordered[0].rows)]) != _order_of(dates[min(ordered[1].rows)]):
            return _is_ordered(ordered[0], ordered[1], sign, cells, labels, rows)
    named = {row for label in labels if label.column != HEAD for row in label.rows}
    signs = {
        (rows.rows[row][at].value or 0.0) < 0
        for _, own in cells
        for row, at in own
        if (not named or row in named) and at in _changes(rows)
    }
    return len(signs) != 1 or signs == {sign < 0}


def _changes(rows: Rows) -> list[int]:
    """The columns whose sign says which way something went."""
    return [at for at in rows.amounts if RE.change.search(rows.columns[at].replace("_", " "))]


def _order_of(date: tuple[int | None, ...] | None) -> tuple[int, ...]:
    return tuple(part or 0 for part in date or ())
