"""A widget whose lines are generated for its width, so that text can be aligned to the right edge."""

from __future__ import annotations

from collections.abc import Callable

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from kbtui.errors import KbtuiError
from kbtui.i18n import made
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.marks import MUTED

Lines = Callable[[int], list[Content]]


class LinesView(Widget):
    """Shows the lines that a function returns for the width, one `Content` each."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._lines: Lines = lambda _width: []

    def set_lines(self, lines: Lines) -> None:
        """Show other lines; the layout is updated only if their number changes."""
        self._lines = lines
        width, height = self.content_size
        self.refresh(layout=not width or len(lines(width)) != height)

    def show_error(self, error: KbtuiError) -> None:
        """Show an error beside what caused it, so that this can be corrected."""
        text = Content.assemble(
            (f"✗ {one_line(made(error.message))}", "$text-error"), (f" {one_line(made(error.hint))}", MUTED)
        )
        self.set_lines(lambda width: list(text.wrap(max(8, width))))
        self.display = True

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width)) if width > 0 else 0

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.content_size.width))
