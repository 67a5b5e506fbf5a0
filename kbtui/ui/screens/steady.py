"""What every screen with answers on it is built on."""

from __future__ import annotations

from textual.geometry import Offset
from textual.screen import Screen
from textual.widget import Widget


class SteadyScreen(Screen[None]):
    """A screen that survives a click on Markdown that is just being replaced (Textual issue 6643)."""

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        widget, offset = super().get_widget_and_offset_at(x, y)
        if widget is not None and not widget.is_attached:
            return None, None
        return widget, offset
