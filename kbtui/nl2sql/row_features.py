"""Features of the first rows of a candidate, and keys by which equal results are recognised."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from kbtui.nl2sql.query import Query

Rows = Sequence[Sequence[Any]]

LOOKED_AT: Final = 21
"""Rows of a candidate that are read; if there are that many, there may be more."""


def answer_of(rows: Rows, *, ordered: bool) -> tuple[Any, ...]:
    """A key that is equal for equal rows, regardless of their order unless ``ordered``."""
    cells = [tuple(_rounded(value) for value in row) for row in rows]
    return tuple(cells if ordered or len(rows) >= LOOKED_AT else sorted(cells, key=repr))


def _rounded(value: Any) -> Any:
    if isinstance(value, int | float):
        return float(f"{value:.9g}")
    return value if value is None or isinstance(value, str) else repr(value)


def row_features(query: Query, rows: Rows | None, *, wants_many: bool, wants_group: bool) -> dict[str, float]:
    """Features of the rows: name to value.

    Args:
        rows: The first rows; None if the candidate was not run.
        wants_many: Whether the question asks for things ("which", "list"), so that a single number is no answer.
        wants_group: Whether the question asks for a figure of each thing, so that a single row is hardly an answer.
    """
    if rows is None:
        return {"rows_unknown": 1.0}
    count = len(rows)
    cells = [value for row in rows for value in row]
    scalar = count == 1 and len(rows[0]) == 1
    one_asked = query.limit == 1
    # Lists of some engines are not hashable.
    columns = [[_rounded(value) for value in column] for column in zip(*rows, strict=False)] if count > 1 else []
    return {
        "rows_none": float(count == 0),
        "rows_one": float(count == 1),
        "rows_full": float(count >= LOOKED_AT),
        "rows_log": math.log1p(count),
        "rows_all_null": float(count > 0 and all(value is None for value in cells)),
        "rows_null_share": sum(value is None for value in cells) / max(1, len(cells)),
        "rows_zero": float(scalar and rows[0][0] == 0),
        "rows_scalar": float(scalar),
        "rows_many_for_one": float(count > 1 and not wants_many and not wants_group),
        "rows_one_for_each": float(count == 1 and wants_group and not one_asked),
        "rows_constant_column": float(any(len(set(column)) == 1 for column in columns)),
        "rows_duplicates": float(count > 1 and len(set(zip(*columns, strict=False))) < count),
        "rows_first_repeats": float(bool(columns) and len(set(columns[0])) < count),
        "rows_width": min(8.0, float(len(rows[0]))) if rows else 0.0,
    }
