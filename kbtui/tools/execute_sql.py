"""execute_sql: one read-only statement over a data source, within its limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.analysis import ResultTable
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.base import DataContext, spec_of

NAME: Final = "execute_sql"
DESCRIPTION = "Runs one read-only SQL statement, in the dialect of the source, and returns its rows."

_MAX_ROWS_IN_TEXT = 50
_MAX_CELL_CHARS = 80


class SqlArgs(BaseModel):
    source: str = Field(description="Name of the source.")
    sql: str = Field(description="One SELECT statement, in the dialect of the source.")


def run(context: DataContext, source: str, sql: str) -> ToolOutput:
    if context.data is None:
        raise ToolError("There is no source of data.", "Name one with --data, or: kbtui sources add SRC")
    if not sql.strip():
        raise ToolError("execute_sql was called without a statement.", "Give one SELECT statement.")
    table = context.data.run(source, sql, context.cancel)
    return ToolOutput(text=table_text(table), note=row_count_note(table), artifact=table)


def row_count_note(table: ResultTable) -> str:
    """``12 rows``, with ``truncated`` where the source has more."""
    count = max(table.row_count, len(table.rows))
    rows = "1 row" if count == 1 else f"{count:,} rows"
    return f"{rows}, truncated" if table.truncated else rows


def table_text(table: ResultTable) -> str:
    """The first rows as text for a model."""
    return "\n".join(row_lines(table.columns, table.rows, _MAX_ROWS_IN_TEXT))


def row_lines(columns: Sequence[str], rows: Sequence[Sequence[object]], most: int) -> list[str]:
    """The columns and the first rows as lines for a model, cells separated by ``|``, and how many rows follow."""
    lines = [" | ".join(map(one_line, columns)), *(" | ".join(map(_cell_text, row)) for row in rows[:most])]
    return [*lines, f"and {len(rows) - most:,} more rows"] if len(rows) > most else lines


def _cell_text(cell: object) -> str:
    """A cell as text for a model: fractions rounded to four decimals, as models copy what they read; empty for NULL."""
    if isinstance(cell, float) and 1e-3 < abs(cell) < 1e15:
        cell = round(cell, 4)
    return "" if cell is None else one_line(str(cell), _MAX_CELL_CHARS)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SqlArgs, run=run, serves="data")
