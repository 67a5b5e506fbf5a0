"""Checks the result of a step before others use it (spec 004, requirement 3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from kbtui.analysis.calculation import is_figure, number_columns
from kbtui.domain.analysis import ResultTable, Schema

Kind = Literal["good", "odd", "empty", "error"]
"""From best to worst; an odd result has another shape than the step expects."""

RANK: Final = {"good": 0, "odd": 1, "empty": 2, "error": 3}

_MAX_ROW_FACTOR: Final = 3
"""Ratio of rows to those of the largest table above which a join has lost its condition."""
_MIN_EXPLODED_ROWS: Final = 200

_WORD = re.compile(r"\w+")


NO_FIGURES: Final = "nothing in these days"
"""Reason of a result whose figures are all missing or 0, although at least one was expected."""


class Finding(Struct, frozen=True, kw_only=True):
    """The quality of a result, with a short reason."""

    kind: Kind = "good"
    reason: str = ""


def check_result(table: ResultTable, expects: str, sql: str, schema: Schema | None) -> Finding:
    """Check a result.

    Args:
        expects: The expected shape: ``rows`` (anything), ``figure`` (one number), ``series`` (numbers in an order),
            ``columns`` (of numbers), or ``some`` for figures of which one at least is other than 0.
        schema: The structure the statement was written over; tells how many rows could be expected.
    """
    if not table.rows:
        return Finding(kind="empty", reason="no rows")
    if all(cell is None for row in table.rows for cell in row):
        return Finding(kind="empty", reason="nothing but NULL")
    if expects == "some" and all(cell in (None, 0) for row in table.rows for cell in row):
        return Finding(kind="empty", reason=NO_FIGURES)
    if schema is not None and (most := _most_rows(sql, schema)) is not None:
        count = max(table.row_count, len(table.rows))
        if count >= _MIN_EXPLODED_ROWS and count > _MAX_ROW_FACTOR * most:
            return Finding(kind="odd", reason=f"{count:,} rows of tables that have at most {most:,}")
    match expects:
        case "figure" if not is_figure(table):
            return Finding(kind="odd", reason=f"one number was expected, not {_shape(table)}")
        case "series" if len(table.rows) < 2 or not number_columns(table):
            return Finding(kind="odd", reason=f"a number for each period was expected, not {_shape(table)}")
        case "columns" if not number_columns(table):
            return Finding(kind="odd", reason="a column of numbers was expected")
        case _:
            return Finding()


def normalise_sql(sql: str, dialect: str, *, literals: bool = True) -> str:
    """The canonical spelling of a statement; without ``literals``, they are placeholders."""
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, read=dialect)
        if not literals:
            tree = tree.transform(lambda node: exp.Placeholder() if isinstance(node, exp.Literal) else node)
        return tree.sql(dialect=dialect, normalize=True, comments=False)
    except (SqlglotError, ValueError, RecursionError):
        return " ".join(sql.lower().split()).rstrip("; ")


def require_comparable(calculation: str, tables: Sequence[ResultTable], dialect: str) -> None:
    """Require different statements, and for a comparison statements of the same form.

    Raises:
        ValueError: They do not meet this, so one of the questions was misread.
    """
    if len({table.sql for table in tables}) < len(tables):
        raise ValueError("both were read as the same statement")
    if (
        calculation in ("compare", "growth")
        and len({normalise_sql(table.sql, dialect, literals=False) for table in tables}) > 1
    ):
        raise ValueError("the two were read in different ways")


def contains_values(sql: str, values: Sequence[object]) -> bool:
    """Whether a statement contains at least one of the values; true if there are none."""
    return not values or any(str(value).replace("'", "''") in sql for value in values)


def _most_rows(sql: str, schema: Schema) -> int | None:
    """Rows of the largest of two or more tables in a statement; None for one table or sizes that are not known."""
    words = {word.lower() for word in _WORD.findall(sql)}
    used = [table for table in schema.tables if _WORD.findall(table.name.lower()) and _in(table.name, words)]
    sizes = [table.row_estimate for table in used]
    if len(used) < 2 or any(size is None for size in sizes):
        return None
    return max(size for size in sizes if size is not None)


def _in(name: str, words: set[str]) -> bool:
    return all(part in words for part in _WORD.findall(name.lower()))


def _shape(table: ResultTable) -> str:
    rows, columns = len(table.rows), len(table.columns)
    return f"{rows:,} {'row' if rows == 1 else 'rows'} of {columns} {'column' if columns == 1 else 'columns'}"
