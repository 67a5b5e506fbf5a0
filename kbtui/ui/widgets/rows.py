"""A list whose rows are made for its width: one line each, figures at the right edge, one of them selected."""

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

_AHEAD = 100
"""Rows that a list has beyond those in sight; making ten thousand takes longer than people wait for a screen."""

MakeRow = Callable[[int], Sequence[Content]]


class Row(Struct, frozen=True, gc=False):
    """One row: a stable key, and its lines for a width (always the same number of them). ``key`` empty: a heading.

    With ``height``, the number of its lines, a row is not made before it comes into sight.
    """

    key: str
    make: MakeRow
    height: int | None = None


class _Fitted(Visual):
    """Lines made for the width they are drawn at."""

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


class RowList(OptionList):
    """Rows by key; showing others keeps the selected one selected where it is still there.

    Args:
        looked_at: Moving to a row shows something: a click on another row moves there, one on the selected row chooses.
    """

    BINDINGS = bindings("list")

    def __init__(self, *, id: str | None = None, classes: str | None = None, looked_at: bool = False) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._looked_at = looked_at
        self._rows: Sequence[Row] = ()
        self._places: dict[str, int] = {}

    def action_select(self) -> None:
        """Choose the selected row, before another key is looked at."""
        if (index := self.highlighted) is not None and not (option := self.get_option_at_index(index)).disabled:
            bubble(self, self.OptionSelected(self, option, index))

    async def _on_click(self, event: events.Click) -> None:
        index = event.style.meta.get("option")
        if self._looked_at and index is not None and index != self.highlighted:
            event.prevent_default()
            if not self.get_option_at_index(index).disabled:
                self.highlighted = index

    def _move_page(self, direction: Direction) -> None:
        # Before its first layout, and while it is hidden, the list has no lines: Textual raises a KeyError.
        if self._lines:
            super()._move_page(direction)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows; those far below come when the list is moved towards them."""
        selected = self.selected_key
        self._rows, self._places = rows, {}
        for index, row in enumerate(rows):
            self._places.setdefault(row.key, index)
        self.clear_options()
        first = next((index for key, index in self._places.items() if key), None)
        place = self._places.get(selected, first) if selected else first
        self._reach(place or 0)
        self.highlighted = place

    def show_key(self, key: str) -> None:
        """Select the row of this key, wherever it is."""
        if (place := self._places.get(key)) is not None:
            self._reach(place)
            self.highlighted = place

    def _reach(self, index: int) -> None:
        """Have the rows up to ``index``, and some more."""
        if index + _AHEAD > self.option_count < len(self._rows):
            start = self.option_count
            self.add_options(
                Option(
                    _Fitted(row.make, row.height),
                    # A recording can name two things alike; only the first can be found again by its name.
                    id=row.key if row.key and self._places[row.key] == at else None,
                    disabled=not row.key,
                )
                for at, row in enumerate(self._rows[start : index + 2 * _AHEAD], start)
            )

    def watch_highlighted(self, highlighted: int | None) -> None:
        if highlighted is not None:
            self._reach(highlighted)
        super().watch_highlighted(highlighted)
        # What Enter does may be something else in another row.
        self.refresh_bindings()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if lines := self._lines:
            self._reach(lines[min(len(lines) - 1, int(new_value) + self.size.height)][0])

    def page(self, by: int) -> None:
        """Scroll by a screenful, down or up (-1)."""
        (self.scroll_page_down if by > 0 else self.scroll_page_up)(animate=False)

    def action_last(self) -> None:
        self._reach(len(self._rows))
        super().action_last()

    def action_cursor_up(self) -> None:
        """The row above; above the first stands the last."""
        if self.highlighted is not None and not any(row.key for row in self._rows[: self.highlighted]):
            self._reach(len(self._rows))
        super().action_cursor_up()

    @property
    def selected_key(self) -> str | None:
        if self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id

    def allow_focus(self) -> bool:
        return any(not option.disabled for option in self.options)
