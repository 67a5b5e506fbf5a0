"""Result tables as text: formats of columns, Markdown tables, and a search for tables in an answer's text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kbtui.i18n import _, ngettext
from kbtui.text.terminal import clean, one_line
from kbtui.view.markdown_text import escaped

if TYPE_CHECKING:
    from kbtui.domain.events import TableProduced
    from kbtui.view.view_state import RunView

NO_VALUE: Final = "–"
_SAMPLE: Final = 200
_MAX_DECIMALS: Final = 6
_STEP_MARK = re.compile(r"‹([A-Za-z]+\d+)(\.top)?›")
_DELIMITER_ROW = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELLS = re.compile(r"(?<!\\)\|")


class ColumnText(Struct, frozen=True, kw_only=True):
    """The text format of a column.

    Thousands are separated in columns of decimal numbers, as in sentences; whole numbers may be years or codes.

    Attributes:
        is_numeric: Whether the column holds numbers, which are aligned to the right.
        decimals: Decimals of each number, so that they line up; None if a value has more than six.
    """

    name: str
    is_numeric: bool = False
    decimals: int | None = 0

    def text(self, value: Any) -> str:
        """A value as text on one line, without control characters."""
        if value is None:
            return NO_VALUE
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value) if not self.decimals else f"{value:,.{self.decimals}f}"
        if isinstance(value, float):
            return f"{value:.12g}" if self.decimals is None else f"{value:,.{self.decimals}f}"
        return one_line(str(value))


def column_texts(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[ColumnText, ...]:
    """The format of each column, chosen by its first 200 values."""
    return tuple(
        _column_text(name, [row[at] for row in rows[:_SAMPLE] if at < len(row)]) for at, name in enumerate(columns)
    )


def _column_text(name: str, values: Iterable[Any]) -> ColumnText:
    present = [value for value in values if value is not None]
    is_numeric = bool(present) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in present
    )
    decimals: int | None = 0
    for value in present:
        if isinstance(value, float) and decimals is not None:
            text = f"{value:.12g}"
            digits = len(text.partition(".")[2])
            decimals = None if "e" in text or digits > _MAX_DECIMALS else max(decimals, digits)
    return ColumnText(name=one_line(str(name)), is_numeric=is_numeric, decimals=decimals)


def cell_texts(table: TableProduced) -> list[list[str]]:
    """The rows of a table as text, preceded by the column names."""
    texts = column_texts(table.columns, table.rows)
    rows = ([text.text(value) for text, value in zip(texts, row, strict=False)] for row in table.rows)
    return [[text.name for text in texts], *rows]


def tab_separated(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows for the clipboard in the format of spreadsheets: unformatted values, empty for None."""
    lines = [columns, *(["" if value is None else value for value in row] for row in rows)]
    return "\n".join("\t".join(one_line(str(value)) for value in line) for line in lines)


def rows_words(count: int) -> str:
    """A number of rows in words: ``1 row``, ``12 rows``."""
    return ngettext("{count:,} row", "{count:,} rows", count)


def table_label(table: TableProduced) -> str:
    """The size and source of a table: ``12 rows · shop.db``, ``first 10,000 of 4,000,000 rows``."""
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
    """The first of the tables that the answer cites; None if it cites none of them."""
    by_statement = {table.sql: table for table in tables if table.sql}
    return next((by_statement[citation.sql] for citation in view.citations if citation.sql in by_statement), None)


def table_title(view: RunView, table: TableProduced) -> str:
    """The label of a table, preceded by the purpose of its step if the run has several tables."""
    label = table_label(table)
    if len(view.tables) < 2:
        return label
    purpose = next((step_view.step.purpose for step_view in view.steps if step_view.step.step_id == table.step_id), "")
    return " · ".join(part for part in (one_line(with_step_values(view, purpose)), label) if part)


def with_step_values(view: RunView, text: str) -> str:
    """``text`` with the values that its marks refer to: ``lockers of ‹d2.top›`` becomes ``lockers of “Oslo”``.

    The mark of a step with several values, or none yet, becomes the number of the step in the plan.
    """

    def replacement(mark: re.Match[str]) -> str:
        numbers = [at for at, step_view in enumerate(view.steps, start=1) if step_view.step.step_id == mark[1]]
        table = next((table for table in view.tables if table.step_id == mark[1]), None)
        if table is not None and table.rows and table.rows[0] and (mark[2] or len(table.rows) == 1):
            return f"“{column_texts(table.columns, table.rows)[0].text(table.rows[0][0])}”"
        return _("(step {n})", n=numbers[0]) if numbers else mark[0]

    return _STEP_MARK.sub(replacement, text)


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A pipe table of all rows, with escaped cells and numbers aligned to the right."""
    texts = column_texts(columns, rows)
    lines = [
        "| " + " | ".join(escaped(text.name) for text in texts) + " |",
        "|" + "|".join("---:" if text.is_numeric else "---" for text in texts) + "|",
    ]
    lines += [
        "| " + " | ".join(escaped(text.text(value)) for text, value in zip(texts, row, strict=False)) + " |"
        for row in rows
    ]
    return "\n".join(lines)


def without_tables(markdown: str, tables: Sequence[TableProduced]) -> str:
    """``markdown`` without pipe tables whose columns are those of one of ``tables``, which are shown separately."""
    known = [_comparable_names(table.columns) for table in tables]
    lines = clean(markdown).split("\n")
    remaining: list[str] = []
    at = 0
    while at < len(lines):
        if (
            at + 1 < len(lines)
            and "|" in lines[at]
            and _DELIMITER_ROW.fullmatch(lines[at + 1])
            and _header(lines[at]) in known
        ):
            while at < len(lines) and "|" in lines[at]:
                at += 1
            # One of the blank lines around the table is removed with it.
            while at < len(lines) and not lines[at].strip() and (not remaining or not remaining[-1].strip()):
                at += 1
            continue
        remaining.append(lines[at])
        at += 1
    return "\n".join(remaining)


def holds_table(markdown: str, table: TableProduced) -> bool:
    """Whether ``markdown`` has a pipe table with the columns of ``table``."""
    return without_tables(markdown, (table,)) != clean(markdown)


def holds_whole_table(markdown: str, table: TableProduced) -> bool:
    """Whether ``markdown`` has a pipe table with the columns of ``table`` and all its rows."""
    lines = clean(markdown).split("\n")
    for at, line in enumerate(lines[:-1]):
        if (
            "|" in line
            and _DELIMITER_ROW.fullmatch(lines[at + 1])
            and _header(line) == _comparable_names(table.columns)
        ):
            rows = next((n for n, following in enumerate(lines[at + 2 :]) if "|" not in following), len(lines) - at - 2)
            return rows >= max(table.row_count, len(table.rows))
    return False


def _header(line: str) -> tuple[str, ...]:
    line = line.strip()
    inside = line[1 if line.startswith("|") else 0 : -1 if line.endswith("|") and not line.endswith("\\|") else None]
    return _comparable_names(re.sub(r"\\(.)", r"\1", cell) for cell in _CELLS.split(inside))


def _comparable_names(columns: Iterable[str]) -> tuple[str, ...]:
    return tuple(re.sub(r"[`*_\s]", "", one_line(name)).casefold() for name in columns)
