"""Cells and tables of a result as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from kbtui.analysis.calculation import number_columns
from kbtui.analysis.columns import is_of_years, profile
from kbtui.domain.analysis import ResultTable
from kbtui.text.terminal import one_line

MOST_ROWS: Final = 12
"""Rows of a table in the answer; the table itself stands beside it."""

_CELL: Final = 60
_PERCENT_ENDS: Final = ("%", "（%）", "(%)")
_LEAST_ROUNDED: Final = 0.1
"""Per cent; smaller ones keep their digits."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~#])")


def as_markdown(table: ResultTable, most: int = MOST_ROWS) -> str:
    """The first rows as a Markdown table, numbers to the right."""
    numbers = set(number_columns(table))
    head = "| " + " | ".join(escaped(one_line(name, _CELL)) for name in table.columns) + " |"
    rule = "|" + "|".join("---:" if name in numbers else "---" for name in table.columns) + "|"
    rows = ["| " + " | ".join(row) + " |" for row in cells_of(table, most)]
    return "\n".join([head, rule, *rows])


def cells_of(table: ResultTable, most: int) -> Iterator[list[str]]:
    """The first rows as Markdown; percentages with two decimals."""
    grouped = grouped_columns(table)
    for row in table.rows[:most]:
        yield [
            shown(round(cell, 2) if _is_percentage(name, cell) else cell, is_amount)
            for name, cell, is_amount in zip(table.columns, row, grouped, strict=True)
        ]


def percent_sign(table: ResultTable) -> str:
    """`` %`` if the only figure of a result is a percentage, which without its header nothing says; else empty."""
    return " %" if table.columns[0].endswith(_PERCENT_ENDS) and table.rows[0][0] is not None else ""


def _is_percentage(name: str, cell: Any) -> bool:
    return isinstance(cell, float) and name.endswith(_PERCENT_ENDS) and abs(cell) >= _LEAST_ROUNDED


def grouped_columns(table: ResultTable) -> tuple[bool, ...]:
    """For each column whether its whole numbers are amounts: years and identifiers have no thousands."""
    return tuple(
        column.role == "number" and not column.identifier and not is_of_years(column.name)
        for column in profile(table.columns, table.rows)
    )


def shown(cell: Any, grouped: bool = False) -> str:
    """A cell as Markdown that shows it as it is.

    Args:
        grouped: It is an amount, whose thousands are told apart from 1,000 on; else from 10,000 on.
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
            return escaped(one_line(str(cell), _CELL))


def signed(cell: Any) -> str:
    text = shown(cell, grouped=True)
    return f"+{text}" if isinstance(cell, (int, float)) and cell > 0 else text


def escaped(text: str) -> str:
    """Text of a source or of a question, so that Markdown sees no markup and no citation in it."""
    return _SPECIAL.sub(r"\\\1", one_line(text))


def _decimal(value: float, grouped: bool = False) -> str:
    if abs(value) < 1e15 and value == int(value):
        return shown(int(value), grouped)
    if abs(value) >= 1e15 or abs(value) < 1e-4:
        return f"{value:.6g}"
    digits = 2 if abs(value) >= 100 else 4
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".")
