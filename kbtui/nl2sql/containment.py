"""Which answers say everything that another says and more: the same rows with further columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Final

from kbtui.nl2sql.pool import Entry
from kbtui.nl2sql.row_features import Rows, cell_of

_WIDEST: Final = 9
"""Columns of an answer up to which more of them are still more to read, not less."""


def wider_answers(entries: Sequence[Entry]) -> dict[Hashable, tuple[Hashable, ...]]:
    """For each answer (see `Entry.answer`) those that contain it; answers that nothing contains are left out.

    One row may agree by chance, so there the expressions that are shown have to agree as well.
    """
    distinct = {entry.answer: entry for entry in entries if entry.rows and not entry.candidate.query.truth}
    by_length: dict[int, list[tuple[Hashable, Entry]]] = {}
    for answer, entry in distinct.items():
        by_length.setdefault(len(entry.rows or ()), []).append((answer, entry))
    found: dict[Hashable, tuple[Hashable, ...]] = {}
    for group in by_length.values():
        for answer, entry in group:
            wider = tuple(other for other, container in group if other != answer and _contains(container, entry))
            if wider:
                found[answer] = wider
    return found


def _contains(wide: Entry, narrow: Entry) -> bool:
    assert wide.rows is not None
    assert narrow.rows is not None
    if not len(narrow.rows[0]) < len(wide.rows[0]) <= _WIDEST:
        return False
    if len(wide.rows) == 1:
        return set(narrow.candidate.query.select) <= set(wide.candidate.query.select)
    ordered = bool(narrow.candidate.query.order)
    return not _columns(narrow.rows, ordered) - _columns(wide.rows, ordered)


def _columns(rows: Rows, ordered: bool) -> Counter[tuple[Any, ...]]:
    columns = (tuple(map(cell_of, column)) for column in zip(*rows, strict=True))
    return Counter(columns if ordered else (tuple(sorted(column, key=repr)) for column in columns))
