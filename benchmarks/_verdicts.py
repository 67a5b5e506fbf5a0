"""Whether rows answer a question: the verdicts that `delivered.py` reports and `fit_nl2sql.py` learns from.

Rows are right when they equal the gold, or an alternative, after surplus columns are dropped: columns in any order,
floats to a hundredth, text without regard to case, a share as a fraction or as a percentage, a date with or without
00:00:00.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["right", "wrong", "none"]
Rows = Sequence[Sequence[Any]]

_MOST_ASSIGNMENTS = 400
"""Ways to assign columns to the gold's that are tried."""
_YES = ("yes", "**yes", "是", "有", "**是", "**有")
_NO = ("no", "**no", "否", "没有", "不", "**否")


def normalised(value: Any) -> Any:
    """A cell as it is compared: numbers as such, text in lower case, a date at midnight without its time.

    Numbers keep their decimals: rounded ones could not tell .4523 from 45 %.
    """
    if value is None:
        return None
    if isinstance(value, bool | int | float):
        return float(value)
    text = str(value).strip()
    try:
        return float(text.replace(",", ""))
    except ValueError:
        pass
    text = text.lower()
    midnight = len(text) >= 19 and text[4] == "-" and text[10] in " t" and text[11:19] == "00:00:00"
    return text[:10] if midnight else text


def _same(a: Any, b: Any) -> bool:
    """Whether two normalised cells say the same."""
    if a == b:
        return True
    if isinstance(a, float) and isinstance(b, float):
        close = abs(a - b) <= max(0.011, 1e-4 * max(abs(a), abs(b)))
        return close or abs(a - 100 * b) <= 0.06 or abs(100 * a - b) <= 0.06
    if not (isinstance(a, str) and isinstance(b, str)):
        return False
    # 2026-03 is 2026-03-01; both have to begin with a year.
    prefix = (a.startswith(b) or b.startswith(a)) and min(len(a), len(b)) >= 4
    return prefix and a[:4].isdigit() and b[:4].isdigit()


def _sort_key(row: Sequence[Any]) -> tuple[tuple[bool, bool, float, str], ...]:
    return tuple(
        (value is None, isinstance(value, str), value if isinstance(value, float) else 0.0, str(value)) for value in row
    )


class Gold:
    """The rows that one right statement brings."""

    def __init__(self, rows: Rows, ordered: bool = False) -> None:
        self.rows = rows
        self.ordered = ordered

    @cached_property
    def _cells(self) -> list[tuple[Any, ...]]:
        return [tuple(map(normalised, row)) for row in self.rows]

    @cached_property
    def _columns(self) -> list[list[Any]]:
        return [self._arranged(list(column)) for column in zip(*self._cells, strict=True)]

    def _arranged(self, column: list[Any]) -> list[Any]:
        return column if self.ordered else sorted(column, key=lambda value: _sort_key((value,)))

    def matches(self, rows: Rows) -> bool:
        """Whether ``rows`` say the same, whatever columns they have besides."""
        if not self.rows and not rows:
            return True
        if len(rows) != len(self.rows) or not rows:
            return False
        cells = [tuple(map(normalised, row)) for row in rows]
        columns = [self._arranged(list(column)) for column in zip(*cells, strict=True)]
        if len(self._columns) > len(columns):
            return False
        options = [
            [at for at, column in enumerate(columns) if all(map(_same, column, wanted))] for wanted in self._columns
        ]
        return all(options) and any(
            self._rows_match(cells, chosen)
            for chosen in itertools.islice(itertools.product(*options), _MOST_ASSIGNMENTS)
            if len(set(chosen)) == len(chosen)
        )

    def _rows_match(self, cells: list[tuple[Any, ...]], chosen: tuple[int, ...]) -> bool:
        mine, theirs = [tuple(row[at] for at in chosen) for row in cells], self._cells
        if not self.ordered:
            mine, theirs = sorted(mine, key=_sort_key), sorted(theirs, key=_sort_key)
        return all(
            _same(x, y) for row, wanted in zip(mine, theirs, strict=True) for x, y in zip(row, wanted, strict=True)
        )


def is_delivered(outcome: str, rows: Rows | None) -> bool:
    """Whether a run brought rows that it stands by."""
    return rows is not None and outcome in ("answered", "partial")


def verdict_of_rows(outcome: str, rows: Rows | None, golds: Sequence[Gold]) -> Verdict:
    """The verdict on a question whose answer is a table."""
    if rows is None or not is_delivered(outcome, rows):
        return "none"
    return "right" if any(gold.matches(rows) for gold in golds) else "wrong"


def verdict_of_truth(outcome: str, markdown: str, rows: Rows | None, golds: Sequence[Gold]) -> Verdict:
    """The verdict on a yes/no question, by its first word or by its rows; ``golds`` begins with 1 or 0."""
    beginning = markdown.strip().lower()[:40]
    said = True if beginning.startswith(_YES) else False if beginning.startswith(_NO) else None
    if said is not None:
        first = golds[0].rows
        return "right" if said == bool(first and first[0][0]) else "wrong"
    return verdict_of_rows(outcome, rows, [Gold(gold.rows) for gold in golds])


def verdict_of_schema(outcome: str, markdown: str, must_mention: Sequence[str]) -> Verdict:
    """The verdict on a question about tables and columns: everything that must be mentioned is."""
    if all(str(name).lower() in markdown.lower() for name in must_mention):
        return "right"
    return "none" if outcome in ("not_found", "declined") else "wrong"


def verdict_of_unanswerable(outcome: str, rows: Rows | None) -> Verdict:
    """The verdict on a question that the data cannot answer: ``wrong`` where it was answered."""
    return "wrong" if is_delivered(outcome, rows) or outcome == "answered" else "none"


def rows_of(database: Path, sql: str) -> list[tuple[Any, ...]]:
    """Rows of a statement over a SQLite file, opened read-only.

    Raises:
        sqlite3.Error: The statement fails.
    """
    name = str(database).replace("?", "%3f").replace("#", "%23")
    connection = sqlite3.connect(f"file:{name}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()
