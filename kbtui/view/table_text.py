"""A result table as text: how each column is written, Markdown, and which tables an answer's text already holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from kbtui.domain.events import TableProduced
from kbtui.i18n import _, ngettext
from kbtui.text.terminal import clean, one_line
from kbtui.view.view_state import RunView

NO_VALUE: Final = "–"
_SAMPLE: Final = 200
_MOST_DECIMALS: Final = 6
_STEP_MARK = re.compile(r"‹([A-Za-z]+\d+)(\.top)?›")
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELLS = re.compile(r"(?<!\\)\|")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")


class ColumnText(Struct, frozen=True, kw_only=True):
    """How the values of one column are written.

    Attributes:
        right: It holds numbers, which stand at the right.
        decimals: Of every number of the column, so that they line up; None where a value has more than six.
    """

    name: str
    right: bool = False
    decimals: int | None = 0

    def text(self, value: Any) -> str:
        """One value on one line, without control characters."""
        if value is None:
            return NO_VALUE
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value) if not self.decimals else f"{value:.{self.decimals}f}"
        if isinstance(value, float):
            return f"{value:.12g}" if self.decimals is None else f"{value:.{self.decimals}f}"
        return one_line(str(value))


def column_texts(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[ColumnText, ...]:
    """How to write each column, told from its first 200 values."""
    return tuple(
        _column_text(name, [row[at] for row in rows[:_SAMPLE] if at < len(row)]) for at, name in enumerate(columns)
    )


def _column_text(name: str, values: Iterable[Any]) -> ColumnText:
    present = [value for value in values if value is not None]
    right = bool(present) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in present)
    decimals: int | None = 0
    for value in present:
        if isinstance(value, float) and decimals is not None:
            text = f"{value:.12g}"
            here = len(text.partition(".")[2])
            decimals = None if "e" in text or here > _MOST_DECIMALS else max(decimals, here)
    return ColumnText(name=one_line(str(name)), right=right, decimals=decimals)


def cell_texts(table: TableProduced) -> list[list[str]]:
    """Every row as it is written, the names of the columns first."""
    texts = column_texts(table.columns, table.rows)
    rows = ([text.text(value) for text, value in zip(texts, row, strict=False)] for row in table.rows)
    return [[text.name for text in texts], *rows]


def tab_separated(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as spreadsheets take them from the clipboard: values as they are, nothing where there is none."""
    lines = [columns, *(["" if value is None else value for value in row] for row in rows)]
    return "\n".join("\t".join(one_line(str(value)) for value in line) for line in lines)


def rows_words(count: int) -> str:
    """``1 row``, ``12 rows``."""
    return ngettext("{count:,} row", "{count:,} rows", count)


def table_label(table: TableProduced) -> str:
    """What a table is: ``12 rows · shop.db``, ``first 10,000 of 4,000,000 rows``."""
    shown = len(table.rows)
    count = max(shown, table.row_count)
    if shown < count:
        rows = _("first {shown:,} of {count:,} rows", shown=shown, count=count)
    elif table.truncated:
        rows = _("first {shown:,} rows, there are more", shown=shown)
    else:
        rows = rows_words(count)
    return " · ".join(part for part in (rows, one_line(table.source)) if part)


def cited_table(view: RunView, tables: Sequence[TableProduced]) -> TableProduced | None:
    """The one of some tables that the answer cites first; None where it cites none of them."""
    by_statement = {table.sql: table for table in tables if table.sql}
    return next((by_statement[one.sql] for one in view.citations if one.sql in by_statement), None)


def table_title(view: RunView, table: TableProduced) -> str:
    """The label, and before it what the table is for where a run makes several."""
    label = table_label(table)
    if len(view.tables) < 2:
        return label
    purpose = next((one.step.purpose for one in view.steps if one.step.step_id == table.step_id), "")
    return " · ".join(part for part in (one_line(in_words(view, purpose)), label) if part)


def in_words(view: RunView, text: str) -> str:
    """``text`` with its marks of earlier steps as what those found: ``lockers of ‹d2.top›`` as ``lockers of “Oslo”``.

    A step that found several values, or none yet, is named by its number in the plan.
    """

    def found(mark: re.Match[str]) -> str:
        numbers = [at for at, one in enumerate(view.steps, start=1) if one.step.step_id == mark[1]]
        table = next((table for table in view.tables if table.step_id == mark[1]), None)
        if table is not None and table.rows and table.rows[0] and (mark[2] or len(table.rows) == 1):
            return f"“{column_texts(table.columns, table.rows)[0].text(table.rows[0][0])}”"
        return _("(step {n})", n=numbers[0]) if numbers else mark[0]

    return _STEP_MARK.sub(found, text)


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A pipe table with all rows; numbers stand at the right; nothing in it is mark-up."""
    texts = column_texts(columns, rows)
    lines = [
        "| " + " | ".join(_escaped(text.name) for text in texts) + " |",
        "|" + "|".join("---:" if text.right else "---" for text in texts) + "|",
    ]
    lines += [
        "| " + " | ".join(_escaped(text.text(value)) for text, value in zip(texts, row, strict=False)) + " |"
        for row in rows
    ]
    return "\n".join(lines)


def without_tables(markdown: str, tables: Sequence[TableProduced]) -> str:
    """``markdown`` without the pipe tables that have the columns of one of ``tables``, which are shown beside it."""
    known = [_names(table.columns) for table in tables]
    lines = clean(markdown).split("\n")
    kept: list[str] = []
    at = 0
    while at < len(lines):
        if at + 1 < len(lines) and "|" in lines[at] and _RULE.fullmatch(lines[at + 1]) and _header(lines[at]) in known:
            while at < len(lines) and "|" in lines[at]:
                at += 1
            # The blank lines around it would become one gap of two.
            while at < len(lines) and not lines[at].strip() and (not kept or not kept[-1].strip()):
                at += 1
            continue
        kept.append(lines[at])
        at += 1
    return "\n".join(kept)


def holds_table(markdown: str, table: TableProduced) -> bool:
    """True when ``markdown`` has a pipe table with the columns of ``table``."""
    return without_tables(markdown, (table,)) != clean(markdown)


def held_whole(markdown: str, table: TableProduced) -> bool:
    """True when ``markdown`` has a pipe table with the columns of ``table`` and as many rows."""
    lines = clean(markdown).split("\n")
    for at, line in enumerate(lines[:-1]):
        if "|" in line and _RULE.fullmatch(lines[at + 1]) and _header(line) == _names(table.columns):
            rows = next((n for n, below in enumerate(lines[at + 2 :]) if "|" not in below), len(lines) - at - 2)
            return rows >= max(table.row_count, len(table.rows))
    return False


def _header(line: str) -> tuple[str, ...]:
    line = line.strip()
    inside = line[1 if line.startswith("|") else 0 : -1 if line.endswith("|") and not line.endswith("\\|") else None]
    return _names(re.sub(r"\\(.)", r"\1", cell) for cell in _CELLS.split(inside))


def _names(columns: Iterable[str]) -> tuple[str, ...]:
    return tuple(re.sub(r"[`*_\s]", "", one_line(name)).casefold() for name in columns)


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
