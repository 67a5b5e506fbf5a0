"""The base class of screens with answers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import events
from textual.geometry import Offset, Size
from textual.screen import Screen
from textual.widget import Widget

from kbtui.ui.lifetime import ResilientApp
from kbtui.ui.restyling import restyle

if TYPE_CHECKING:
    from kbtui.ui.run_view import RunPanes

_SETTLE_ROUNDS = 10
"""Turns of the event loop that widgets get, at most, to handle another size before it is drawn."""


class AnswerScreen(Screen[None]):
    """A screen that ignores clicks on widgets that are being replaced (Textual issue 6643).

    Another size is drawn once, after the widgets have wrapped their text and scrolled for it. Textual draws the whole
    screen at each step of that, which takes three times as long.
    """

    _is_settling = False

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

    def _screen_resized(self, size: Size) -> None:
        self._is_settling = True
        super()._screen_resized(size)
        self.call_next(self._settle)

    async def _settle(self) -> None:
        """Let the widgets handle another size, lay out what they changed, and draw."""
        try:
            for _round in range(_SETTLE_ROUNDS):
                await asyncio.sleep(0)
                if not any(child.message_queue_size for child in self.walk_children()):
                    break
            await self._invoke_and_clear_callbacks()
            if self.is_attached:
                self._refresh_layout()
        finally:
            self._is_settling = False
        if self.is_attached:
            is_whole = self._compositor.size.region in self._compositor._dirty_regions
            self._compositor_refresh()
            if is_whole:
                # Textual would draw all of it once more, because its size has changed.
                self._repaint_required = False

    def _compositor_refresh(self) -> None:
        # What is not drawn stays marked as to be drawn.
        if self._is_settling:
            return
        redrawn = [*self._compositor._dirty_regions]
        super()._compositor_refresh()
        if isinstance(self.app, ResilientApp) and self.app.screen is self:
            self.app.pictures.after_frame(self, redrawn)

    def on_screen_suspend(self) -> None:
        """Remove the pictures, which would be seen above the screen that covers this one."""
        if isinstance(self.app, ResilientApp):
            self.app.pictures.hide()
