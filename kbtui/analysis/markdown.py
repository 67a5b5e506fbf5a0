"""Formats cells and tables of results as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from kbtui.analysis.calculation import number_columns
from kbtui.analysis.column_profiles import is_of_years, profile_columns
from kbtui.domain.analysis import ResultTable
from kbtui.text.terminal import one_line

MAX_ROWS: Final = 12
"""Rows of a table in the answer, at most; the whole table is shown beside it."""

_CELL: Final = 60
_PERCENT_ENDS: Final = ("%", "（%）", "(%)")
_MIN_ROUNDED: Final = 0.1
"""Percentage from which values are rounded to two decimals."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")


def format_table(table: ResultTable, most: int = MAX_ROWS) -> str:
    """The first rows as a Markdown table, numbers aligned to the right."""
    numbers = set(number_columns(table))
    head = "| " + " | ".join(escape(one_line(name, _CELL)) for name in table.columns) + " |"
    rule = "|" + "|".join("---:" if name in numbers else "---" for name in table.columns) + "|"
    rows = ["| " + " | ".join(row) + " |" for row in formatted_rows(table, most)]
    return "\n".join([head, rule, *rows])


def formatted_rows(table: ResultTable, most: int) -> Iterator[list[str]]:
    """The first rows as Markdown; percentages with two decimals."""
    grouped = grouped_columns(table)
    for row in table.rows[:most]:
        yield [
            format_cell(round(cell, 2) if _is_percentage(name, cell) else cell, is_amount)
            for name, cell, is_amount in zip(table.columns, row, grouped, strict=True)
        ]


def percent_sign(table: ResultTable) -> str:
    """`` %`` if the only figure of a result is a percentage, which without its header nothing says; else empty."""
    return " %" if table.columns[0].endswith(_PERCENT_ENDS) and table.rows[0][0] is not None else ""


def _is_percentage(name: str, cell: Any) -> bool:
    return isinstance(cell, float) and name.endswith(_PERCENT_ENDS) and abs(cell) >= _MIN_ROUNDED


def grouped_columns(table: ResultTable) -> tuple[bool, ...]:
    """Whether the numbers of each column are amounts, with thousands separators; years and identifiers are none."""
    return tuple(
        column.role == "number" and not column.is_identifier and not is_of_years(column.name)
        for column in profile_columns(table.columns, table.rows)
    )


def format_cell(cell: Any, grouped: bool = False) -> str:
    """A cell as Markdown.

    Args:
        grouped: It is an amount, with thousands separators from 1,000; otherwise from 10,000.
    """
    match cell:
        case None:
            return "—"
        case bool():
            return str(cell).lower()
        case int():
            return f"{cell:,}" if grouped or abs(cell) >= 10_000 else str(cell)
        case float():
            return _decimal(cell, grouped)
        case _:
            return escape(one_line(str(cell), _CELL))


def format_signed(cell: Any) -> str:
    text = format_cell(cell, grouped=True)
    return f"+{text}" if isinstance(cell, (int, float)) and cell > 0 else text


def escape(text: str) -> str:
    """Text of a source or question with Markdown and citation characters escaped."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _decimal(value: float, grouped: bool) -> str:
    if abs(value) < 1e15 and value == int(value):
        return format_cell(int(value), grouped)
    if abs(value) >= 1e15 or abs(value) < 1e-4:
        return f"{value:.6g}"
    digits = 2 if abs(value) >= 100 else 4
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")
