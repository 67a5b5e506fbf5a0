"""The base class of screens with answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Offset, Size
from textual.screen import Screen
from textual.widget import Widget

from kbtui.ui.restyling import restyle

if TYPE_CHECKING:
    from kbtui.ui.run_view import RunPanes


class AnswerScreen(Screen[None]):
    """A screen that ignores clicks on widgets that are being replaced (Textual issue 6643)."""

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        widget, offset = super().get_widget_and_offset_at(x, y)
        if widget is not None and not widget.is_attached:
            return None, None
        return widget, offset

    def _forward_event(self, event: events.Event) -> None:
        """Let the panes take hold of their border before anything that follows is forwarded.

        A message bubbles to them from queue to queue. On a busy machine the moves of a quick drag, and its end, were
        forwarded meanwhile to what lay under them, and the border stayed where it was, held for good.
        """
        if isinstance(event, events.MouseDown):
            panes: RunPanes
            for panes in self.query("RunPanes"):  # type: ignore[assignment]
                panes.take_hold(event)
        super()._forward_event(event)

    def on_resize(self, event: events.Resize) -> None:
        """Apply the classes for the new size before the layout by `Screen`, whose handler is called afterwards.

        Otherwise it would lay out and draw with the old classes, and again for each class that changes.
        """
        if changed := self.fit(event.size):
            restyle(self, changed)

    def fit(self, size: Size) -> frozenset[str]:
        """Set the classes for a size; returns those that changed, whose styles have to be updated."""
        before = self.classes
        for length, points in (
            (size.width, self.app.HORIZONTAL_BREAKPOINTS or []),
            (size.height, self.app.VERTICAL_BREAKPOINTS or []),
        ):
            chosen = self._get_breakpoint_classes(length, points)
            self.update_classes({name: name in chosen for _, name in points}, update=False)
        return self.classes ^ before
