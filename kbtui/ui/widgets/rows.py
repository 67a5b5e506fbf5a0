"""A list whose rows are generated for its width, so that text can be aligned to the right edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from textual import events
from textual._widget_navigation import Direction
from textual.content import Content
from textual.css.styles import RulesMap
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from kbtui.ui.commands import bindings
from kbtui.ui.messages import bubble
from kbtui.ui.widgets.cells import elide, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.scrolling import BarAtOffset

_PREPARED_ROWS = 100
"""Rows that are created beyond the visible ones, because creating ten thousand at once is slow."""

MakeRow = Callable[[int], Sequence[Content]]


class Row(Struct, frozen=True, gc=False):
    """A row of a list.

    Attributes:
        key: Stable key; empty for a heading.
        make: Generates the lines for a width, whose number must not depend on the width if ``height`` is given.
        height: Number of lines; if given, the lines are generated only when the row becomes visible.
    """

    key: str
    make: MakeRow
    height: int | None = None


def heading_row(text: str) -> Row:
    """A heading in a list, which cannot be selected."""
    return Row("", lambda width: [Content.styled(elide(text, width), MUTED)], 1)


def note_row(text: str) -> Row:
    """A sentence in place of rows."""
    return Row("", lambda width: wrapped(Content.styled(text, MUTED), width))


class _RowVisual(Visual):
    """The lines of a row, generated for the width at which they are drawn."""

    def __init__(self, make: MakeRow, height: int | None) -> None:
        self._make = make
        self._height = height

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        strips: list[Strip] = []
        for line in self._make(width):
            strips += line.render_strips(width, 1, style, options)
        return strips

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return len(self._make(max(1, width))) if self._height is None else self._height


class RowList(BarAtOffset, OptionList):
    """A list of rows; replacing the rows keeps the selection if its key is still present.

    Args:
        select_first: Whether a click on a row that is not highlighted only highlights it, for lists with a preview.
    """

    BINDINGS = bindings("list")

    def __init__(self, *, id: str | None = None, classes: str | None = None, select_first: bool = False) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._select_first = select_first
        self._rows: Sequence[Row] = ()
        self._positions: dict[str, int] = {}

    def action_select(self) -> None:
        """Select the highlighted row before the next key is processed."""
        if (index := self.highlighted) is not None and not (option := self.get_option_at_index(index)).disabled:
            bubble(self, self.OptionSelected(self, option, index))

    async def _on_click(self, event: events.Click) -> None:
        index = event.style.meta.get("option")
        if self._select_first and index is not None and index != self.highlighted:
            event.prevent_default()
            if not self.get_option_at_index(index).disabled:
                self.highlighted = index

    def on_resize(self) -> None:
        # Textual counts the lines while it draws the list, and then lays out and draws again.
        self.call_next(self._update_lines)

    def _move_page(self, direction: Direction) -> None:
        # Without lines, before the first layout and while hidden, Textual raises a KeyError.
        if self._lines:
            super()._move_page(direction)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; those far below are created when the list is scrolled towards them."""
        selected = self.selected_key
        self._rows, self._positions = rows, {}
        for index, row in enumerate(rows):
            self._positions.setdefault(row.key, index)
        self.clear_options()
        first = next((index for key, index in self._positions.items() if key), None)
        position = self._positions.get(selected, first) if selected else first
        self._ensure_rows(position or 0)
        self.highlighted = position

    def show_key(self, key: str) -> None:
        """Highlight the row with this key."""
        if (position := self._positions.get(key)) is not None:
            self._ensure_rows(position)
            self.highlighted = position

    def _ensure_rows(self, index: int) -> None:
        """Create the rows up to ``index`` and some more."""
        if index + _PREPARED_ROWS > self.option_count < len(self._rows):
            start = self.option_count
            self.add_options(
                Option(
                    _RowVisual(row.make, row.height),
                    # Recordings can contain duplicate keys; only the first row with a key gets the id.
                    id=row.key if row.key and self._positions[row.key] == at else None,
                    disabled=not row.key,
                )
                for at, row in enumerate(self._rows[start : index + 2 * _PREPARED_ROWS], start)
            )

    def watch_highlighted(self, highlighted: int | None) -> None:
        if highlighted is not None:
            self._ensure_rows(highlighted)
        super().watch_highlighted(highlighted)
        # The effect of Enter may differ between rows.
        self.refresh_bindings()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if lines := self._lines:
            self._ensure_rows(lines[min(len(lines) - 1, int(new_value) + self.size.height)][0])

    def page(self, by: int) -> None:
        """Scroll by a page, down (1) or up (-1)."""
        (self.scroll_page_down if by > 0 else self.scroll_page_up)(animate=False)

    def action_last(self) -> None:
        self._ensure_rows(len(self._rows))
        super().action_last()

    def action_cursor_up(self) -> None:
        """Move up, from the first row to the last."""
        if self.highlighted is not None and not any(row.key for row in self._rows[: self.highlighted]):
            self._ensure_rows(len(self._rows))
        super().action_cursor_up()

    @property
    def selected_key(self) -> str | None:
        if self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id

    def allow_focus(self) -> bool:
        return any(not option.disabled for option in self.options)
