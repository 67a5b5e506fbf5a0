"""Sheets of an Excel workbook as typed rows, for DuckDB to load: its own reader is an extension that is downloaded."""

from __future__ import annotations

import csv
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from kbtui.data.reflection import free_name
from kbtui.errors import DataSourceError
from kbtui.text.terminal import one_line

_LOOKED_AT: Final = 50
"""Rows among which the one with the column names is looked for: reports begin with a title."""
_GENERIC: Final = re.compile(r"(?:sheet|tabelle|feuil|hoja|foglio|plan|工作表|表|シート)[\s_-]*\d*", re.IGNORECASE)
_BAD_CELLS: Final = frozenset({"#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", ""})


_DAMAGED: Final = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, SyntaxError, EOFError)
"""What reading a damaged archive or the XML in it raises."""


_LARGE_PART: Final = 32 << 20
_MAX_PACKED: Final = 200
"""Times a part of more than 32 MB may be larger than it is packed: those of sheets are 5 to 20 times, DEFLATE's limit
is 1,032."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet, written as CSV.

    Attributes:
        title: As the workbook calls it; empty where that is only a number.
        columns: Name and DuckDB type of each column.
    """

    title: str
    columns: tuple[tuple[str, str], ...]
    file: Path


def read_workbook(path: Path, folder: Path) -> list[Sheet]:
    """The sheets that hold anything, each written to a CSV file in ``folder``, without a header.

    Raises:
        DataSourceError: It is no workbook.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        _check_proportions(path)
        book = load_workbook(path, read_only=True, data_only=True)
    except (*_DAMAGED, InvalidFileException) as error:
        raise DataSourceError(f"{path.name} is no Excel workbook.", "Save it as .xlsx again.") from error
    try:
        sheets = []
        for number, sheet in enumerate(book.worksheets):
            # The dimensions in the file are often wrong.
            sheet.reset_dimensions()
            rows = (tuple(row) for row in sheet.iter_rows(values_only=True))
            if columns := _write(rows, folder / f"sheet{number}.csv"):
                title = one_line(sheet.title)
                sheets.append(
                    Sheet(
                        title="" if _GENERIC.fullmatch(title) else title,
                        columns=columns,
                        file=folder / f"sheet{number}.csv",
                    )
                )
        return sheets
    except _DAMAGED as error:
        raise DataSourceError(f"{path.name} is damaged: a sheet cannot be read.", "Save it as .xlsx again.") from error
    finally:
        book.close()


def _check_proportions(path: Path) -> None:
    """Refuse an archive that unpacks to far more than sheets do: one cell of it may be larger than the memory."""
    with zipfile.ZipFile(path) as archive:
        for part in archive.infolist():
            if part.file_size > _LARGE_PART and part.file_size > _MAX_PACKED * part.compress_size:
                raise DataSourceError(
                    f"{path.name} unpacks to {part.file_size / 1e6:,.0f} MB, which is out of proportion to its size.",
                    "Save it as .csv if it is yours; else it was made to exhaust memory.",
                )


def _write(rows: Iterator[tuple[Any, ...]], target: Path) -> tuple[tuple[str, str], ...]:
    """Write the rows below the column names; the columns, none for an empty sheet."""
    filled = (row for row in rows if any(not _is_empty(value) for value in row))
    head = list(islice(filled, _LOOKED_AT))
    if not head:
        return ()
    position = _header(head)
    width = max(map(len, head))
    names = _names(head[position] if position is not None else (), width)
    types: list[set[type]] = [set() for _ in range(width)]
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_MINIMAL)
        for row in chain(head[0 if position is None else position + 1 :], filled):
            if len(row) > width:
                types.extend(set() for _ in range(len(row) - width))
                width = len(row)
            texts = []
            for place, value in enumerate(row):
                if _is_empty(value):
                    texts.append("")
                    continue
                types[place].add(_type(value))
                texts.append(value.isoformat(sep=" ") if isinstance(value, datetime) else str(value))
            writer.writerow(texts)
    names = _names(names, width)
    return tuple(zip(names, map(_column_type, types), strict=True))


def _header(rows: Sequence[tuple[Any, ...]]) -> int | None:
    """Where the column names stand: the first row that is nearly as wide as the widest, and all text."""
    widest = max(sum(not _is_empty(value) for value in row) for row in rows)
    for position, row in enumerate(rows):
        values = [value for value in row if not _is_empty(value)]
        if len(values) >= 0.6 * widest:
            return position if all(isinstance(value, str) for value in values) else None
    return None


def _names(given: Sequence[Any], width: int) -> list[str]:
    names: list[str] = []
    taken: set[str] = set()
    for place in range(width):
        wanted = one_line(str(given[place])) if place < len(given) and not _is_empty(given[place]) else f"column{place}"
        names.append(free_name(wanted, taken))
    return names


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip() in _BAD_CELLS)


def _type(value: Any) -> type:
    match value:
        case bool():
            return bool
        case int():
            return int if abs(value) < 2**63 else float
        case float():
            return float
        case datetime():
            # Excel knows no dates apart from times: a day is a moment at midnight.
            return date if value.time() == time() else datetime
        case date() | time():
            return type(value)
        case _:
            return str


def _column_type(types: set[type]) -> str:
    match types:
        case _ if types == {bool}:
            return "BOOLEAN"
        case _ if types == {int}:
            return "BIGINT"
        case _ if types and types <= {int, float}:
            return "DOUBLE"
        case _ if types == {date}:
            return "DATE"
        case _ if types and types <= {date, datetime}:
            return "TIMESTAMP"
        case _ if types == {time}:
            return "TIME"
        case _:
            return "VARCHAR"
