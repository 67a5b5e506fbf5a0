"""Extracts the records of a passage: table rows, comma-separated values, sections of settings, header fields.

Records are compared cell by cell: a value of another row or column is wrong, however many words of the sentence the
passage contains.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kbtui.reasoning.checking.facts import folded
from kbtui.reasoning.checking.numerals import normal, numbers
from kbtui.text.fields import front_matter, header_block
from kbtui.text.tables import table

_MAX_LINES: Final = 600
_MAX_CELL: Final = 80
_MIN_ROWS: Final = 3
_SECTION: Final = re.compile(r"\s*\[{1,2}([\w.\"' -]{1,80})\]{1,2}\s*$")
_SETTING: Final = re.compile(r"\s*([\w.-]{1,60})\s*=\s*(.{1,400})$")
_SEPARATOR: Final = re.compile(r"\s*(?:[,，、;；]|\band\b|\s和\s)\s*")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text as `folded` gives it, and its number if it is one."""

    text: str
    value: float | None = None

    @property
    def items(self) -> tuple[str, ...]:
        """The items of a list in the cell."""
        return tuple(filter(None, (part.strip(" '\"[]") for part in _SEPARATOR.split(self.text))))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Attributes:
        columns: Names of the columns, folded.
        rows: Cells of each row, as many as columns.
        is_header: The table is the header of a document: one row whose columns are its fields.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_header: bool = False


@lru_cache(maxsize=256)
def tables(text: str) -> tuple[Table, ...]:
    """The tables of a text, including its header."""
    lines = text.split("\n")[:_MAX_LINES]
    return tuple(table for table in (*_header(lines), *_piped(lines), *_comma_separated(lines), *_sections(lines)))


def cell_of(text: str) -> Cell:
    """Normalise the text of a cell for comparison."""
    plain = normal(re.sub(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}", "", text)).strip()
    values = numbers(plain)
    is_number = (
        len(values) == 1
        and re.match(r"[\d$€£¥+−(.-]", plain)
        and len(re.sub(r"[\d.,\s%€$£¥+−-]", "", plain)) <= _MAX_UNIT
    )
    sign = -1 if is_number and re.match(r"[-−(]", plain) else 1
    try:
        value = sign * float(values[0].value) if is_number else None
    except ValueError:
        value = None
    return Cell(folded(plain), value)


_MAX_UNIT: Final = 4
"""Most letters beside the number in a numeric cell: ``EUR``."""


def _header(lines: Sequence[str]) -> Iterator[Table]:
    block = front_matter(lines) or header_block(lines, 0)
    if block is not None and block.fields:
        columns = tuple(folded(field.key) for field in block.fields)
        yield Table(columns, (tuple(cell_of(field.value) for field in block.fields),), is_header=True)


def _piped(lines: Sequence[str]) -> Iterator[Table]:
    at = 0
    unclosed: set[str] = set()
    while at < len(lines):
        parts = table(lines, at, unclosed) if "|" in lines[at] and lines[at].strip() else []
        rows = [_cells(lines[part.start]) for part in parts if part.is_row]
        if len(rows) > 1:
            yield from _make_table(rows)
        at = parts[-1].stop if parts else at + 1


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _comma_separated(lines: Sequence[str]) -> Iterator[Table]:
    """Runs of lines with equally many commas below a line of column names."""
    start = 0
    while start < len(lines):
        if "," not in lines[start]:
            start += 1
            continue
        stop = start
        while stop < len(lines) and "," in lines[stop]:
            stop += 1
        rows = list(csv.reader(lines[start:stop]))
        if len(rows) >= _MIN_ROWS and len({len(row) for row in rows}) == 1 and _names_columns(rows[0]):
            yield from _make_table(rows)
        start = stop


def _names_columns(row: Sequence[str]) -> bool:
    return all(re.fullmatch(r"[^\W\d][\w ()%/.-]{0,30}", cell.strip()) for cell in row)


def _sections(lines: Sequence[str]) -> Iterator[Table]:
    """Sections ``[name]`` with ``key = value`` lines, as rows of one table."""
    sections: list[tuple[str, dict[str, str]]] = []
    for line in lines:
        if section := _SECTION.match(line):
            sections.append((section[1], {}))
        elif sections and (setting := _SETTING.match(line)):
            sections[-1][1][setting[1]] = setting[2].strip("\"'")
    columns = list(dict.fromkeys(key for _, settings in sections for key in settings))
    if len(sections) > 1 and columns:
        yield from _make_table(
            [["name", *columns], *([name, *(settings.get(key, "") for key in columns)] for name, settings in sections)]
        )


def _make_table(rows: Sequence[Sequence[str]]) -> Iterator[Table]:
    columns = tuple(folded(cell) for cell in rows[0])
    body = [tuple(cell_of(cell[:_MAX_CELL]) for cell in row) for row in rows[1:] if len(row) == len(columns)]
    if body:
        yield Table(columns, tuple(body))
