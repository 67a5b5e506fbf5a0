"""Blocks: the units of the conversation that its cursor moves through."""

from __future__ import annotations

from typing import NamedTuple

from textual.geometry import Region
from textual.widget import Widget

from kbtui.ui.widgets.cited_markdown import CitedMarkdown


class Block(NamedTuple):
    """A widget, or a part of the text that a widget shows."""

    widget: Widget
    part: int | None = None

    @property
    def region(self) -> Region:
        """The region of the block on the screen."""
        if self.part is None or not isinstance(self.widget, CitedMarkdown):
            return self.widget.region
        return self.widget.region_of(self.part)

    @property
    def has_focus(self) -> bool:
        return self.part is None and self.widget.has_focus

    def put_cursor(self, has_cursor: bool) -> None:
        """Highlight the block as the one under the cursor, or remove the highlight."""
        if isinstance(self.widget, CitedMarkdown):
            self.widget.put_cursor(self.part if has_cursor else None)
        else:
            self.widget.set_class(has_cursor, "-here")
