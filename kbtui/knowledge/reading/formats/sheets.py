"""The text of XLSX files: each row as ``column: value``, with its sheet and first cell as its place."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import datetime, time
from itertools import chain, islice
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.knowledge.reading.formats.packages import DAMAGED, open_archive

_HEADER_ROWS: Final = 30
"""Rows that are searched for the column names, since reports begin with a title."""
_MAX_ROWS: Final = 20_000
"""Rows of a sheet that are extracted; a larger sheet should be queried with ``--data``."""
_MAX_SCANNED_ROWS: Final = 200_000
_MAX_COLUMNS: Final = 200
_MAX_CELL_CHARS: Final = 2_000
_BAD_CELLS: Final = frozenset({"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", ""})

_Row = tuple[int, dict[int, Any]]
"""Number of a row and its values by column number, both from 1."""


def extract(data: bytes, path: str) -> Extracted:
    """The text of the rows of a workbook, with a place for each.

    Raises:
        KnowledgeBaseError: It is protected by a password, or damaged.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    open_archive(data).close()
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        try:
            builder = TextBuilder()
            for sheet in book.worksheets:
                sheet.reset_dimensions()
                _write_sheet(builder, str(sheet.title), _rows(sheet.iter_rows(values_only=True)), path)
            return builder.done("markdown", title=book.properties.title or "")
        finally:
            book.close()
    except (*DAMAGED, InvalidFileException) as error:
        raise damaged_error() from error


def _rows(values: Iterable[Sequence[Any]]) -> Iterable[_Row]:
    """The rows with at least one value."""
    for number, cells in enumerate(islice(values, _MAX_SCANNED_ROWS), 1):
        values_by_column = {
            column: value for column, value in enumerate(cells[:_MAX_COLUMNS], 1) if not _is_empty(value)
        }
        if values_by_column:
            yield number, values_by_column


def _write_sheet(builder: TextBuilder, title: str, rows: Iterable[_Row], path: str) -> None:
    filled = iter(rows)
    first_rows = list(islice(filled, _HEADER_ROWS))
    if not first_rows or builder.full():
        return
    builder.begin(title)
    builder.add(f"# {title}")
    builder.blank()
    position = _header(first_rows)
    names = {} if position is None else {column: _cell_text(value) for column, value in first_rows[position][1].items()}
    above, below = ([], first_rows) if position is None else (first_rows[:position], first_rows[position + 1 :])
    for row in above:
        _write_row(builder, title, row, {})
    if names:
        builder.place(f"{title}!{_cell(*first_rows[position or 0])}")
        builder.add("Columns: " + ", ".join(names.values()))
        builder.blank()
    for row_count, row in enumerate(chain(below, filled), 1):
        if builder.full():
            return
        if row_count > _MAX_ROWS:
            builder.blank()
            builder.add(f"[Only the first {_MAX_ROWS:,} rows are read; ask all of them with --data {path}.]")
            return
        _write_row(builder, title, row, names)


def _write_row(builder: TextBuilder, title: str, row: _Row, names: dict[int, str]) -> None:
    builder.place(f"{title}!{_cell(*row)}")
    texts = [
        f"{names[column]}: {_cell_text(value)}" if names.get(column) else _cell_text(value)
        for column, value in row[1].items()
    ]
    builder.add("- " + "; ".join(texts) if names else " | ".join(texts))


def _header(rows: Sequence[_Row]) -> int | None:
    """Index of the row with the column names: the first one nearly as wide as the widest, if all text; else None."""
    widest = max(len(values) for _, values in rows)
    for position, (_, values) in enumerate(rows):
        if len(values) >= 0.6 * widest:
            is_header = len(rows) > position + 1 and all(isinstance(value, str) for value in values.values())
            return position if is_header else None
    return None


def _cell(number: int, values: dict[int, Any]) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(min(values))}{number}"


def _cell_text(value: Any) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value)[:_MAX_CELL_CHARS].split())


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in _BAD_CELLS)
