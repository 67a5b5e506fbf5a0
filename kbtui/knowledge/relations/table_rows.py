"""The rows of tables as records: tables in Markdown and reStructuredText, and files of rows (CSV, TSV).

A row is named by its first cell, or by the second where the first one merely numbers the rows, and has a field for each
column with a name. A list is named by the heading above it, or by its file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.fields import is_header_row
from kbtui.knowledge.relations.links import blank_code
from kbtui.knowledge.relations.rows import MAX_RECORDS, Row, plain, relations_of_rows, row
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.text.days import find_day, with_years
from kbtui.text.tables import delimiter_of, table

_MAX_COLUMNS: Final = 12
_MAX_FILE_COLUMNS: Final = 40
_MAX_CELLS: Final = 20_000
"""Most cells of a file of rows; a larger one is data, to be asked as a database."""
_MIN_COLUMNS: Final = 2
_MAX_HEADER_WORDS: Final = 4
_MAX_CELL_CHARS: Final = 300
_ANY_YEAR: Final = 2000
_MARKS: Final = ("|", "= =", "=  ", "+--", "+==")
_NUMERAL: Final = re.compile(r"\W*\d{1,4}\W*")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each table whose columns are named, for each of its rows, and for each of their values."""
    raw = document.text.split("\n")
    if document.kind == "csv":
        yield from relations_of_rows(document, raw, PurePosixPath(document.path).stem, _rows_of_file(document))
    # Most texts have no table, and a search of the whole text is faster than a look at each line.
    elif document.kind in ("markdown", "rst", "text") and any(mark in document.text for mark in _MARKS):
        text = blank_code(document.text) if document.kind == "markdown" else document.text
        for name, rows in _tables(document, text.split("\n")):
            yield from relations_of_rows(document, raw, name, rows)


def _rows_of_file(document: Document) -> list[Row]:
    """The rows of a CSV file; none where its columns have no names, or where it has too many for records."""
    if not document.fields:
        return []
    lines = document.text.split("\n")
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter_of(lines[0], document.path))
    cells_by_row, before, count = list[tuple[int, list[str]]](), 0, 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                cells_by_row.append((before + 1, [" ".join(cell.split()) for cell in cells]))
            before, count = reader.line_num, count + len(cells)
            if len(cells_by_row) > MAX_RECORDS or count > _MAX_CELLS:
                return []
    except csv.Error:
        return []
    return _records(cells_by_row[0][1], cells_by_row[1:], _MAX_FILE_COLUMNS) if cells_by_row else []


def _tables(document: Document, lines: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
    """Name and records of each table whose columns are named; the name is the heading above it."""
    headings = {heading.line: heading.text for heading in document.headings}
    section, index, unclosed = document.title, 0, set[str]()
    while index < len(lines):
        section = headings.get(index + 1, section)
        line = lines[index]
        parts = table(lines, index, unclosed) if "|" in line or line.lstrip().startswith(("+-", "+=", "==")) else []
        if not parts:
            index += 1
            continue
        index = max(parts[-1].stop, index + 1)
        records = _rows(
            lines,
            [(part.start, part.stop) for part in parts if part.is_row and not part.is_head],
            [(part.start, part.stop) for part in parts if part.is_head],
        )
        if records:
            yield section, records


def _rows(lines: Sequence[str], rows: Sequence[tuple[int, int]], heads: Sequence[tuple[int, int]]) -> list[Row]:
    """The records of the rows of a table; empty where its columns have no names, or one of values only."""
    if not heads or is_header_row(lines[heads[0][0]]):
        return []
    columns = _columns_of(lines, heads[0])
    cells_by_row = [(start + 1, _columns_of(lines, (start, stop), len(columns))) for start, stop in rows]
    return _records(columns, cells_by_row, _MAX_COLUMNS)


def _records(columns: Sequence[str], cells_by_row: Sequence[tuple[int, Sequence[str]]], most: int) -> list[Row]:
    """The records of rows of cells, each with its line; none where the columns have no names of their own."""
    names = [relation_name(name) for name in columns]
    if not _MIN_COLUMNS <= len(names) <= most or any(len(name.split()) > _MAX_HEADER_WORDS for name in columns):
        return []
    named = [at for at, name in enumerate(names) if name]
    if len(named) < _MIN_COLUMNS or len(set(names)) < len(names):
        return []
    full_rows = [(line, cells) for line, cells in cells_by_row if len(cells) == len(names) and any(cells)]
    if not full_rows:
        return []
    title = _title_column([cells for _, cells in full_rows])
    return [
        row(
            line,
            _title(columns[title], cells[title]),
            [(names[at], cells[at]) for at in named if cells[at] and len(cells[at]) <= _MAX_CELL_CHARS],
        )
        for line, cells in full_rows
        if cells[title].strip() and len(cells[title]) <= _MAX_CELL_CHARS
    ]


def _title_column(rows: Sequence[Sequence[str]]) -> int:
    """The column that names the rows: the first, unless it merely numbers them and the second tells them apart."""
    if not _numbers(rows, 0):
        return 0
    others = [at for at in range(1, len(rows[0])) if not _numbers(rows, at)]
    if not others or len({row[others[0]] for row in rows}) < len(rows):
        return 0
    # A day tells when something is, not what it is called.
    return others[0] if find_day(with_years(rows[0][others[0]], _ANY_YEAR)) is None else 0


def _numbers(rows: Sequence[Sequence[str]], at: int) -> bool:
    return all(_NUMERAL.fullmatch(row[at]) for row in rows if row[at].strip())


def _title(column: str, cell: str) -> str:
    """The name of a row; a number alone has the name of its column before it: *Week 18*."""
    text = plain(cell)
    return f"{plain(column)} {text}" if _NUMERAL.fullmatch(text) and any(map(str.isalpha, column)) else text


def _columns_of(lines: Sequence[str], span: tuple[int, int], count: int = 0) -> list[str]:
    """The cells of a row in pipe syntax or of a grid; of one in columns of spaces, split at wide gaps."""
    text = lines[span[0]].strip()
    if text.startswith("|") or "|" in text:
        rows = [
            re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|")) for line in lines[slice(*span)]
        ]
        wide = [row for row in rows if len(row) == len(rows[0])]
        return [" ".join(filter(None, (row[at].strip() for row in wide))) for at in range(len(rows[0]))]
    cells = re.split(r"\s{2,}", text)
    return cells if not count or len(cells) == count else []
