"""A chart in a pane: title, notes and the drawing, which fits the width of the pane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.content import Content
from textual.reactive import reactive

from kbtui.domain.events import ChartProduced
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import wrapped
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.view.drawing.pieces import Line, Role
from kbtui.view.drawing.text import HEIGHT, draw

STYLES: Final[Mapping[Role, str]] = {
    "label": "$foreground",
    "value": "$foreground 75%",
    "axis": "$foreground 45%",
    "quiet": MUTED,
    "series0": "$accent",
    "series1": "$text-primary",
    "series2": "$text-success",
    "series3": "$text-warning",
    "series4": "$text-secondary",
    "series5": "$text-error",
}
_MAX_CELLS: Final = 110
"""Width of a drawing, at most: in wider ones it is hard to match a label with the end of its bar."""


class ChartView(LinesView, can_focus=True):
    """Shows a `ChartProduced`; the drawing is cached until the width changes."""

    rows: reactive[int] = reactive(HEIGHT, layout=True)

    def __init__(self, event: ChartProduced) -> None:
        super().__init__(classes="part")
        self.event = event
        self._cached: tuple[int, int, list[Content]] = (0, 0, [])
        self.border_title = f" {_('Chart')} "
        self.set_lines(self._render_lines)

    def _render_lines(self, width: int) -> list[Content]:
        if self._cached[:2] != (width, self.rows):
            self._cached = (width, self.rows, chart_lines(self.event, width, self.rows))
        return self._cached[2]


def chart_lines(event: ChartProduced, width: int, height: int = HEIGHT) -> list[Content]:
    """The title and drawing of a chart in lines of at most ``width`` cells."""
    first, *notes = one_line(event.title).split(" · ")
    lines: list[Content] = []
    if first:
        title = Content.assemble((first, "bold"), *((f" · {note}", MUTED) for note in notes))
        lines += wrapped(title, width, lines=3)
    lines += [_content(line).truncate(width) for line in draw(event.chart, min(width, _MAX_CELLS), height)]
    return lines


def _content(line: Line) -> Content:
    return Content.assemble(*((piece.text, STYLES[piece.role]) for piece in line))
