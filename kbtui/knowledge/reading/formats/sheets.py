"""XLSX as knowledge: each row as ``column: value``, with the sheet and cell that it begins at."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import datetime, time
from itertools import chain, islice
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged
from kbtui.knowledge.reading.formats.packages import DAMAGED, checked

_LOOKED_AT: Final = 30
"""Rows among which the one with the column names is looked for: reports begin with a title."""
_MOST_ROWS: Final = 20_000
"""Of a sheet: a larger one is data, to be asked with ``--data``."""
_MOST_SEEN: Final = 200_000
_MOST_COLUMNS: Final = 200
_LONGEST_CELL: Final = 2_000
_BAD_CELLS: Final = frozenset({"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", ""})

_Row = tuple[int, dict[int, Any]]
"""The number of a row, and its values by column, both from 1."""


def extract(data: bytes, path: str) -> Extracted:
    """The rows of a workbook, with a place for each.

    Raises:
        KnowledgeBaseError: It is protected by a password, or damaged.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    checked(data).close()
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
        raise damaged() from error


def _rows(values: Iterable[Sequence[Any]]) -> Iterable[_Row]:
    """The rows that hold anything."""
    for number, cells in enumerate(islice(values, _MOST_SEEN), 1):
        held = {at: value for at, value in enumerate(cells[:_MOST_COLUMNS], 1) if not _is_empty(value)}
        if held:
            yield number, held


def _write_sheet(builder: TextBuilder, title: str, rows: Iterable[_Row], path: str) -> None:
    filled = iter(rows)
    head = list(islice(filled, _LOOKED_AT))
    if not head or builder.full():
        return
    builder.blank()
    builder.place(title)
    builder.add(f"# {title}")
    builder.blank()
    position = _header(head)
    names = {} if position is None else {at: _shown(value) for at, value in head[position][1].items()}
    above, below = ([], head) if position is None else (head[:position], head[position + 1 :])
    for row in above:
        _write_row(builder, title, row, {})
    if names:
        builder.place(f"{title}!{_cell(*head[position or 0])}")
        builder.add("Columns: " + ", ".join(names.values()))
        builder.blank()
    for written, row in enumerate(chain(below, filled), 1):
        if builder.full():
            return
        if written > _MOST_ROWS:
            builder.blank()
            builder.add(f"[Only the first {_MOST_ROWS:,} rows are read; ask all of them with --data {path}.]")
            return
        _write_row(builder, title, row, names)


def _write_row(builder: TextBuilder, title: str, row: _Row, names: dict[int, str]) -> None:
    builder.place(f"{title}!{_cell(*row)}")
    texts = [f"{names[at]}: {_shown(value)}" if names.get(at) else _shown(value) for at, value in row[1].items()]
    builder.add("- " + "; ".join(texts) if names else " | ".join(texts))


def _header(rows: Sequence[_Row]) -> int | None:
    """Where the column names stand: the first row that is nearly as wide as the widest, and all text."""
    widest = max(len(values) for _, values in rows)
    for position, (_, values) in enumerate(rows):
        if len(values) >= 0.6 * widest:
            is_header = len(rows) > position + 1 and all(isinstance(value, str) for value in values.values())
            return position if is_header else None
    return None


def _cell(number: int, values: dict[int, Any]) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(min(values))}{number}"


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ")
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return " ".join(str(value)[:_LONGEST_CELL].split())


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in _BAD_CELLS)
