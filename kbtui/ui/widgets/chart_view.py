"""A chart in a pane: title, notes and the drawing, which fits the width of the pane."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.geometry import Region
from textual.reactive import reactive
from textual.style import Style

from kbtui.domain.events import ChartProduced
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.lifetime import ResilientApp
from kbtui.ui.widgets.cells import wrapped
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.view.drawing.pieces import Line, Role
from kbtui.view.drawing.plane import Plane
from kbtui.view.drawing.text import HEIGHT, draw, plane_of

if TYPE_CHECKING:
    from kbtui.view.drawing.picture import Colours

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

_RULE_SHARE: Final = 0.18
"""Share of the text's colour in the rules of a picture, which lie behind its lines."""


class ChartView(LinesView, can_focus=True):
    """Shows a `ChartProduced`; the drawing is cached until the width changes."""

    rows: reactive[int] = reactive(HEIGHT, layout=True)

    def __init__(self, event: ChartProduced) -> None:
        super().__init__(classes="part")
        self.event = event
        self._cached: tuple[int, int, list[Content]] = (0, 0, [])
        self.border_title = f" {_('Chart')} "
        self.set_lines(self._render_lines)

    def on_mount(self) -> None:
        if isinstance(self.app, ResilientApp):
            self.app.pictures.add(self)

    def on_unmount(self) -> None:
        if isinstance(self.app, ResilientApp):
            self.app.pictures.remove(self)

    @property
    def plane(self) -> Plane | None:
        """The drawing if it has two axes, which a picture can cover; else None."""
        plane = plane_of(self.event.chart, min(self.content_size.width, _MAX_CELLS), self.rows)
        return plane if plane is not None and plane.height else None

    @property
    def plane_region(self) -> Region:
        """The region of the screen between the axes."""
        plane, content = self.plane, self.content_region
        if plane is None:
            return Region()
        above = len(title_lines(self.event, content.width)) + plane.top
        return Region(content.x + plane.left, content.y + above, plane.width, plane.height)

    @property
    def picture_colours(self) -> Colours:
        """The colours of a picture: those of the drawing."""
        from kbtui.view.drawing.picture import Colours
        from kbtui.view.drawing.pieces import SERIES_ROLES

        ground = self.background_colors[1]

        def hex_of(role: Role) -> str:
            style = Style.parse(STYLES[role], self.app.theme_variables)
            return (ground + (style.foreground or self.colors[3])).hex6

        rule = ground.blend(self.colors[3], _RULE_SHARE)
        return Colours(ground.hex6, rule.hex6, tuple(map(hex_of, SERIES_ROLES)))

    def _render_lines(self, width: int) -> list[Content]:
        if self._cached[:2] != (width, self.rows):
            self._cached = (width, self.rows, chart_lines(self.event, width, self.rows))
        return self._cached[2]


def chart_lines(event: ChartProduced, width: int, height: int = HEIGHT) -> list[Content]:
    """The title and drawing of a chart in lines of at most ``width`` cells."""
    drawing = draw(event.chart, min(width, _MAX_CELLS), height)
    return [*title_lines(event, width), *(_content(line).truncate(width) for line in drawing)]


def title_lines(event: ChartProduced, width: int) -> list[Content]:
    """The title of a chart with its notes, in lines of at most ``width`` cells."""
    first, *notes = one_line(event.title).split(" · ")
    if not first:
        return []
    title = Content.assemble((first, "bold"), *((f" · {note}", MUTED) for note in notes))
    return list(wrapped(title, width, lines=3))


def _content(line: Line) -> Content:
    return Content.assemble(*((piece.text, STYLES[piece.role]) for piece in line))
