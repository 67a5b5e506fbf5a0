"""Whether the figures of a sentence stand beside the names of their rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import Final

from kbtui.reasoning.checking.row_figures import ReadRows, rows_of_all
from kbtui.reasoning.checking.row_sentences import Figure
from kbtui.reasoning.checking.rows import HEAD, RE, Label

_FEW: Final = 2


def misplaced(read: Sequence[ReadRows], sure: Set[int]) -> set[int]:
    """The figures that stand beside names of other rows than theirs, in every result that has them."""
    wrong: set[int] = set()
    right: set[int] = set(sure)
    for one in read:
        own = [figure for figure in one.figures if figure.start in one.cells and figure.start not in sure]
        if own:
            (right if _is_aligned(one.sentence.text, own, one) else wrong).update(figure.start for figure in own)
    return wrong - right


def unpaired(text: str, read: ReadRows) -> list[str]:
    """Two names of which the second stands in brackets behind the first, and which no row has both."""
    return [
        text[second.start : second.end]
        for first, second in pairwise(read.names)
        if text[first.end : second.start].strip() in ("(", "（")
        if first.column != second.column and not first.rows & second.rows
    ]


def _is_aligned(text: str, figures: Sequence[Figure], read: ReadRows) -> bool:
    if _fits(figures, read.labels, read):
        return True
    parts = _clauses(text, figures, read)
    return len(parts) > 1 and all(
        _fits(own, labels, read) if labels else is_open or _are_of_named(own, read) for own, labels, is_open in parts
    )


def _clauses(text: str, figures: Sequence[Figure], read: ReadRows) -> list[tuple[list[Figure], list[Label], bool]]:
    """The figures of each clause, the names in it, and whether it speaks of others without naming them.

    Names without a number go with the clause after them.
    """
    labels = read.labels
    ends = [match.start() for match in RE.clause.finditer(text)]
    ends = [end for end in ends if not any(label.start <= end < label.end for label in labels)]
    parts: list[tuple[list[Figure], list[Label], bool]] = []
    begin, held = 0, list[Label]()
    for end in (*ends, len(text)):
        own = [figure for figure in figures if begin <= figure.start < end]
        held += [label for label in labels if begin <= label.start < end]
        if own:
            parts.append((own, held, RE.others.search(text, begin, end) is not None))
            held = []
        elif any(begin <= figure.start < end for figure in read.figures):
            # Names beside figures that were worked out.
            held = []
        begin = end
    if held and parts:
        parts[-1][1].extend(held)
    return parts


def _are_of_named(figures: Sequence[Figure], read: ReadRows) -> bool:
    named = {row for label in read.labels if label.column != HEAD for row in label.rows}
    return not named or all(any(row in named for row, _ in read.cells[figure.start]) for figure in figures)


def _fits(figures: Sequence[Figure], labels: Sequence[Label], read: ReadRows) -> bool:
    """Whether each number is of the row, and of the column, that is named for it."""
    names = [label for label in labels if label.column != HEAD]
    heads = [label for label in labels if label.column == HEAD]
    if not _fit_heads(figures, heads, read):
        return False
    everywhere = rows_of_all(names, len(read.rows.rows))
    if all(any(row in everywhere for row, _ in read.cells[figure.start]) for figure in figures):
        # One row has all that is named.
        return True
    by_column: dict[int, list[Label]] = {}
    for label in names:
        by_column.setdefault(label.column, []).append(label)
    allowed = {figure.start: frozenset(range(len(read.rows.rows))) for figure in figures}
    for own in by_column.values():
        ways = _ways(figures, own)
        fitting = next(
            (
                way
                for way in ways
                if all(_has(read, figure, allowed[figure.start] & way[figure.start].rows) for figure in figures)
            ),
            None,
        )
        if fitting is None:
            return False
        allowed = {figure.start: allowed[figure.start] & fitting[figure.start].rows for figure in figures}
    return True


def _has(read: ReadRows, figure: Figure, rows: frozenset[int]) -> bool:
    return any(row in rows for row, _ in read.cells[figure.start])


def _fit_heads(figures: Sequence[Figure], heads: Sequence[Label], read: ReadRows) -> bool:
    """Numbers are of the period, or of several columns that are named of the column, that is named for them."""
    periods = [label for label in heads if label.rows & read.rows.period_heads.keys()]
    others = [label for label in heads if label not in periods and label.rows & set(read.rows.amounts)]
    text = read.sentence.text
    if periods and RE.range.search(text) and (RE.rose.search(text) or RE.fell.search(text)):
        # “In October it rose from 5 to 7”: one of the figures is of the time before.
        return True
    dated = [figure for figure in figures if any(at in read.rows.period_heads for _, at in read.cells[figure.start])]
    is_of_one = len({label.text for label in others}) < _FEW or len(figures) < _FEW
    return (not periods or not dated or _are_of_columns(dated, periods, read)) and (
        is_of_one or _are_of_columns(figures, others, read)
    )


def _are_of_columns(figures: Sequence[Figure], heads: Sequence[Label], read: ReadRows) -> bool:
    return any(
        all(any(at in way[figure.start].rows for _, at in read.cells[figure.start]) for figure in figures)
        for way in _ways(figures, heads)
    )


def _ways(figures: Sequence[Figure], labels: Sequence[Label]) -> Iterator[dict[int, Label]]:
    """How names may go with figures: all with one name, each with the one before or after it, or in order."""
    if len({label.text for label in labels}) == 1:
        rows = frozenset().union(*(label.rows for label in labels))
        yield {figure.start: Label(0, 0, labels[0].column, rows, labels[0].text) for figure in figures}
        return
    before = {figure.start: [label for label in labels if label.end <= figure.start][-1:] for figure in figures}
    after = {figure.start: [label for label in labels if label.start > figure.start][:1] for figure in figures}
    for way in (before, after):
        if all(way.values()):
            yield {start: own[0] for start, own in way.items()}
    if len(labels) == len(figures):
        yield {figure.start: label for figure, label in zip(figures, labels, strict=True)}
