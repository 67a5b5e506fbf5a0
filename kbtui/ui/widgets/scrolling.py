"""A scroll bar that stands where its widget is scrolled to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.widget import Widget
else:
    Widget = object  # Textual takes the styles of a class from its first base that is a widget


class BarAtOffset(Widget):
    """Moves the scroll bar of a widget while it is hidden, too; a base before the one that scrolls.

    A widget that grows until all fits hides its bar and is scrolled home. Textual moves only a bar that is shown, so
    that this one would come back where it had been before.
    """

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if self._vertical_scrollbar is not None:
            self._vertical_scrollbar.position = new_value
