"""A list whose rows are made for its width: one line each, figures at the right edge, one of them selected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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

MakeRow = Callable[[int], Sequence[Content]]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a stable key, and its lines for a width (always the same number of them). ``key`` empty: a heading."""

    key: str
    make: MakeRow


class _Fitted(Visual):
    """Lines made for the width they are drawn at."""

    def __init__(self, make: MakeRow) -> None:
        self._make = make

    def render_strips(self, width: int, height: int | None, style: Style, options: RenderOptions) -> list[Strip]:
        strips: list[Strip] = []
        for line in self._make(width):
            strips += line.render_strips(width, 1, style, options)
        return strips

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return container_width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return len(self._make(max(1, width)))


class RowList(OptionList):
    """Rows by key; showing others keeps the selected one selected where it is still there."""

    BINDINGS = bindings("list")

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)

    def action_select(self) -> None:
        """Choose the selected row, before another key is looked at."""
        if (index := self.highlighted) is not None and not (option := self.get_option_at_index(index)).disabled:
            bubble(self, self.OptionSelected(self, option, index))

    def _move_page(self, direction: Direction) -> None:
        # Before its first layout, and while it is hidden, the list has no lines: Textual raises a KeyError.
        if self._lines:
            super()._move_page(direction)

    def show_rows(self, rows: Sequence[Row]) -> None:
        selected = self.selected_key
        keys = [row.key for row in rows]
        # A recording can name two things alike; only the first of them can be found again by its name.
        ids = [key if key and keys.index(key) == index else None for index, key in enumerate(keys)]
        self.clear_options()
        self.add_options(
            Option(_Fitted(row.make), id=id_, disabled=not row.key) for row, id_ in zip(rows, ids, strict=True)
        )
        first = next((index for index, key in enumerate(keys) if key), None)
        self.highlighted = keys.index(selected) if selected in keys else first

    @property
    def selected_key(self) -> str | None:
        if self.highlighted is None:
            return None
        return self.get_option_at_index(self.highlighted).id

    def allow_focus(self) -> bool:
        return any(not option.disabled for option in self.options)
