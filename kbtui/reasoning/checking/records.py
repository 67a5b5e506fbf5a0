"""Records of a passage: rows of tables and of comma-separated values, sections of settings, the fields of a header.

What a row says of a thing is right or wrong cell by cell: a value of another row, or of another column, is a wrong one
however many words of the sentence stand in the passage.
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

_MOST_LINES: Final = 600
_MOST_CELL: Final = 80
_LEAST_ROWS: Final = 3
_SECTION: Final = re.compile(r"\s*\[{1,2}([\w.\"' -]{1,80})\]{1,2}\s*$")
_SETTING: Final = re.compile(r"\s*([\w.-]{1,60})\s*=\s*(.{1,400})$")
_LISTED: Final = re.compile(r"\s*(?:[,，、;；]|\band\b|\s和\s)\s*")


@dataclass(frozen=True, slots=True)
class Cell:
    """A value: as `folded` has it, and the number that it is, if it is one."""

    text: str
    value: float | None = None

    @property
    def items(self) -> tuple[str, ...]:
        """The parts of a value that is a list."""
        return tuple(filter(None, (part.strip(" '\"[]") for part in _LISTED.split(self.text))))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns.

    Attributes:
        columns: Their names, folded.
        rows: Their cells, as many as columns.
        is_header: It is the header of a document: one row, whose columns are its fields.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_header: bool = False


@lru_cache(maxsize=256)
def tables(text: str) -> tuple[Table, ...]:
    """The tables of a text, its header among them."""
    lines = text.split("\n")[:_MOST_LINES]
    return tuple(found for found in (*_header(lines), *_piped(lines), *_separated(lines), *_sections(lines)))


def cell_of(written: str) -> Cell:
    """A cell as it is compared."""
    plain = normal(re.sub(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}", "", written)).strip()
    found = numbers(plain)
    is_number = (
        len(found) == 1
        and re.match(r"[\d$€£¥+−(.-]", plain)
        and len(re.sub(r"[\d.,\s%€$£¥+−-]", "", plain)) <= _MOST_UNIT
    )
    sign = -1 if is_number and re.match(r"[-−(]", plain) else 1
    try:
        value = sign * float(found[0].value) if is_number else None
    except ValueError:
        value = None
    return Cell(folded(plain), value)


_MOST_UNIT: Final = 4
"""Letters beside the number of a cell that is a number: ``EUR``."""


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
            yield from _made(rows)
        at = parts[-1].stop if parts else at + 1


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _separated(lines: Sequence[str]) -> Iterator[Table]:
    """Runs of lines with as many commas each, under a line of short names."""
    start = 0
    while start < len(lines):
        if "," not in lines[start]:
            start += 1
            continue
        stop = start
        while stop < len(lines) and "," in lines[stop]:
            stop += 1
        rows = list(csv.reader(lines[start:stop]))
        if len(rows) >= _LEAST_ROWS and len({len(row) for row in rows}) == 1 and _names_columns(rows[0]):
            yield from _made(rows)
        start = stop


def _names_columns(row: Sequence[str]) -> bool:
    return all(re.fullmatch(r"[^\W\d][\w ()%/.-]{0,30}", cell.strip()) for cell in row)


def _sections(lines: Sequence[str]) -> Iterator[Table]:
    """``[name]`` with ``key = value`` under it, as rows of one table."""
    found: list[tuple[str, dict[str, str]]] = []
    for line in lines:
        if section := _SECTION.match(line):
            found.append((section[1], {}))
        elif found and (setting := _SETTING.match(line)):
            found[-1][1][setting[1]] = setting[2].strip("\"'")
    columns = list(dict.fromkeys(key for _, own in found for key in own))
    if len(found) > 1 and columns:
        yield from _made([["name", *columns], *([name, *(own.get(key, "") for key in columns)] for name, own in found)])


def _made(rows: Sequence[Sequence[str]]) -> Iterator[Table]:
    columns = tuple(folded(cell) for cell in rows[0])
    body = [tuple(cell_of(cell[:_MOST_CELL]) for cell in row) for row in rows[1:] if len(row) == len(columns)]
    if body:
        yield Table(columns, tuple(body))
