"""A result table in a pane, which renders only the visible rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from kbtui.domain.events import TableProduced
from kbtui.i18n import _
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.matches import CURRENT_MATCH, MATCH, Pattern, with_matches
from kbtui.ui.widgets.scrolling import BarAtOffset
from kbtui.view.drawing.pieces import fitted
from kbtui.view.table_text import NO_VALUE, ColumnText, cell_texts, column_texts, table_label

MAX_ROWS_SHOWN: Final = 12
_SAMPLE_ROWS: Final = 200
_MAX_WIDTH: Final = 36
_MIN_WIDTH: Final = 3
_GAP: Final = 2


class TableView(BarAtOffset, ScrollView, can_focus=True):
    """Shows a `TableProduced` with a fixed header, scrolling rows, and numbers aligned to the right."""

    ALLOW_SELECT = False

    def __init__(self, table: TableProduced, *, max_rows: int = MAX_ROWS_SHOWN) -> None:
        super().__init__(classes="part")
        self.table = table
        self._pattern: Pattern | None = None
        self._current = (-1, -1)
        self.show_title(table_label(table))
        self._texts: tuple[ColumnText, ...] = column_texts(table.columns, table.rows)
        self._widths = _widths(self._texts, table.rows)
        total_width = sum(self._widths) + _GAP * max(0, len(self._widths) - 1)
        self._total_width = total_width
        self.virtual_size = Size(total_width, len(table.rows) + 1)
        # The title, the header, the rows and the horizontal scroll bar.
        self.styles.height = min(len(table.rows), max_rows) + 3
        self.styles.max_height = min(len(table.rows), max_rows) + 3

    def show_title(self, title: str) -> None:
        self.border_title = Content(f" {_('Table')} · {title} ")

    def find(self, pattern: Pattern | None, current: int = -1) -> None:
        """Highlight matches, and scroll to the one with index ``current`` in the table; -1 for none."""
        row, cell = _match_position(self.table, pattern, current)
        if (pattern, (row, cell)) != (self._pattern, self._current):
            self._pattern, self._current = pattern, (row, cell)
            if row >= 0:
                left = sum(self._widths[:cell]) + _GAP * cell
                self.scroll_to_region(Region(left, max(0, row - 1), self._widths[cell], 2), animate=False)
            self.refresh()

    def on_resize(self) -> None:
        """Reserve a line for the horizontal scroll bar only if it is needed."""
        bar = 1 if self._total_width > self.scrollable_content_region.width else 0
        row_count = int(self.styles.max_height.value) - 3 if self.styles.max_height is not None else MAX_ROWS_SHOWN
        self.styles.height = row_count + 2 + bar

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        left, top = self.scroll_offset
        index = y - 1 + top
        if y == 0:
            content = self._row([text.name for text in self._texts], ["bold"] * len(self._texts), 0)
        elif index < len(self.table.rows):
            row = self.table.rows[index]
            values = [row[at] if at < len(row) else None for at in range(len(self._texts))]
            texts = [text.text(value) for text, value in zip(self._texts, values, strict=True)]
            content = self._row(texts, [MUTED if value is None else "" for value in values], index + 1)
        else:
            return Strip.blank(width, self.rich_style)
        strip = Visual.to_strips(self, content, max(width, self._total_width), 1, self.visual_style, pad=True)[0]
        return strip.crop(left, left + width)

    def _row(self, texts: Sequence[str], styles: Sequence[str], number: int) -> Content:
        """A row with highlighted matches; the whole cell is highlighted if the match is truncated."""
        cells: list[Content] = []
        for at, (column, text, width, style) in enumerate(zip(self._texts, texts, self._widths, styles, strict=True)):
            cell = Content.styled(fitted(text, width, right=column.is_numeric), style)
            if self._pattern is not None and self._pattern.search(text):
                is_current = (number, at) == self._current
                cell, count = with_matches(cell, self._pattern, 0 if is_current else -1)
                if not count:
                    cell = cell.stylize(CURRENT_MATCH if is_current else MATCH)
            cells.append(cell)
        return Content(" " * _GAP).join(cells)


def _match_position(table: TableProduced, pattern: Pattern | None, number: int) -> tuple[int, int]:
    """The row (0 for the header) and column of the match with index ``number``; -1 for both if there is none."""
    if pattern is not None and number >= 0:
        for row, texts in enumerate(cell_texts(table)):
            for cell, text in enumerate(texts):
                number -= sum(1 for _ in pattern.finditer(text))
                if number < 0:
                    return row, cell
    return -1, -1


def _widths(texts: Sequence[ColumnText], rows: Sequence[Sequence[Any]]) -> list[int]:
    """The width of each column, from its name and a sample of rows; long texts are truncated, numbers never."""
    widths = [cell_len(text.name) for text in texts]
    sample = [*rows[:_SAMPLE_ROWS], *rows[_SAMPLE_ROWS :: max(1, len(rows) // _SAMPLE_ROWS)], *rows[-_SAMPLE_ROWS:]]
    for row in sample:
        for at, text in enumerate(texts):
            value = row[at] if at < len(row) else None
            # Only the start of a long text is measured, as it is truncated anyway.
            text_shown = NO_VALUE if value is None else text.text(value[:200] if isinstance(value, str) else value)
            widths[at] = max(widths[at], cell_len(text_shown))
    widths = [max(_MIN_WIDTH, min(_MAX_WIDTH, width)) for width in widths]
    for at, text in enumerate(texts):
        numbers = (
            [row[at] for row in rows if at < len(row) and isinstance(row[at], int | float)] if text.is_numeric else []
        )
        if numbers:
            widths[at] = max(widths[at], *(cell_len(text.text(number)) for number in (min(numbers), max(numbers))))
    return widths
