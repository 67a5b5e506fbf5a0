"""Finds the rows of tables: pipe tables of Markdown, grid and simple tables of reStructuredText."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

_SIMPLE_BORDER = re.compile(r"\s*={2,}(?:\s+={2,})+\s*$")
_GRID_BORDER = re.compile(r"\s*\+(?:[-=:]+\+)+\s*$")
_PIPE_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_SPAN = re.compile(r"\s*([-=])\1+(?:\s+\1+)*\s*$")


class Part(Struct, frozen=True):
    """Lines ``start`` up to ``stop`` (exclusive) of a table: a row, or a rule between rows.

    Attributes:
        is_head: It is a row that names the columns.
    """

    start: int
    stop: int
    is_row: bool = True
    is_head: bool = False


def table(lines: Sequence[str], index: int, unclosed: set[str]) -> list[Part]:
    """The parts of the table that starts on the line ``index``; empty when none does.

    Args:
        lines: A document or a passage of one.
        index: A line with text.
        unclosed: Kept by the caller for one document: what was searched for to the end in vain.
    """
    line = lines[index]
    first = line.lstrip()[0]
    if first == "+" and _GRID_BORDER.match(line):
        return _grid(lines, index)
    if first == "=" and _SIMPLE_BORDER.match(line):
        return _simple(lines, index, unclosed)
    if "|" in line and _is_pipe_row(lines, index):
        return _pipes(lines, index)
    return []


def interrupts(lines: Sequence[str], index: int) -> bool:
    """True when a table begins on the line ``index`` even though no blank line stands above."""
    line = lines[index]
    first = line.lstrip()[0]
    if first == "+":
        return _GRID_BORDER.match(line) is not None
    return first == "|" and _is_pipe_row(lines, index) and index + 1 < len(lines) and "|" in lines[index + 1]


def _is_pipe_row(lines: Sequence[str], index: int) -> bool:
    stripped = lines[index].strip()
    if stripped[0] == "|" and stripped[-1] == "|" and len(stripped) > 2:
        return True
    following = lines[index + 1] if index + 1 < len(lines) else ""
    return "|" in following and _PIPE_RULE.match(following) is not None


def _pipes(lines: Sequence[str], index: int) -> list[Part]:
    parts: list[Part] = []
    while index < len(lines) and "|" in lines[index]:
        is_row = _PIPE_RULE.match(lines[index]) is None
        if not is_row and len(parts) == 1:
            parts = [Part(index - 1, index, is_head=parts[0].is_row, is_row=parts[0].is_row)]
        parts.append(Part(index, index + 1, is_row=is_row))
        index += 1
    return parts


def _grid(lines: Sequence[str], index: int) -> list[Part]:
    """Rows stand between borders and may have several lines."""
    parts = []
    row: int | None = None
    while index < len(lines) and lines[index].lstrip().startswith(("+", "|")):
        if _GRID_BORDER.match(lines[index]):
            if row is not None:
                parts.append(Part(row, index, is_head="=" in lines[index]))
                row = None
            parts.append(Part(index, index + 1, is_row=False))
        elif row is None:
            row = index
        index += 1
    if row is not None:
        parts.append(Part(row, index))
    return parts


def _simple(lines: Sequence[str], index: int, unclosed: set[str]) -> list[Part]:
    """Rows between ``==== ====`` borders; a row whose first column is empty continues the one before."""
    width = re.match(r"\s*=+", lines[index])
    column = width.end() if width else 0
    parts = [Part(index, index + 1, is_row=False)]
    row: int | None = None
    stop = _simple_stop(lines, index, unclosed)
    for at in range(index + 1, stop):
        line = lines[at]
        blank = not line.strip()
        rule = not blank and _SPAN.match(line) is not None
        if row is not None and (blank or rule or line[:column].strip()):
            parts.append(Part(row, at, is_head=rule and "=" in line and len(parts) == 1))
            row = None
        if rule:
            parts.append(Part(at, at + 1, is_row=False))
        elif row is None and not blank:
            row = at
    if row is not None:
        parts.append(Part(row, stop))
    return parts


def _simple_stop(lines: Sequence[str], index: int, unclosed: set[str]) -> int:
    """A simple table ends with the border that has a blank line below it; one that never ends, at a blank line."""
    if "=== ===" not in unclosed:
        for at in range(index + 1, len(lines)):
            if _SIMPLE_BORDER.match(lines[at]) and (at + 1 == len(lines) or not lines[at + 1].strip()):
                return at + 1
        unclosed.add("=== ===")
    stop = index
    while stop < len(lines) and lines[stop].strip():
        stop += 1
    return stop


def delimiter_of(first: str, path: str) -> str:
    """What separates the columns of a file of rows, by its first line and its name."""
    if path.lower().endswith((".tsv", ".tab")):
        return "\t"
    return max(",;\t|", key=first.count)
