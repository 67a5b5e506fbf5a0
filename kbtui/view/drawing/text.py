"""Draws charts as lines of terminal cells."""

from __future__ import annotations

from kbtui.domain.events import Chart
from kbtui.text.terminal import one_line
from kbtui.view.drawing.bars import bars
from kbtui.view.drawing.pieces import Line
from kbtui.view.drawing.plane import Plane, plane

HEIGHT = 16
"""Default number of lines of a chart with two axes, including labels and legend."""
LEAST_WIDTH = 24


def draw(chart: Chart, width: int, height: int = HEIGHT) -> list[Line]:
    """The chart as lines of at most ``width`` cells.

    Args:
        chart: The chart; unknown types are drawn as bars.
        width: Width of a line in cells, at least 24.
        height: Number of lines of a chart with two axes; bars take one line each.
    """
    drawing = plane_of(chart, width, height)
    return drawing.lines if drawing is not None else bars(cleaned(chart), max(LEAST_WIDTH, width))


def plane_of(chart: Chart, width: int, height: int = HEIGHT) -> Plane | None:
    """The drawing of a chart with two axes; None for bars."""
    return plane(cleaned(chart), max(LEAST_WIDTH, width), height) if chart.type in ("line", "scatter") else None


def cleaned(chart: Chart) -> Chart:
    """The chart with texts on one line and without control characters, because they come from data."""
    series = {}
    for name, values in chart.series.items():
        text = one_line(str(name))
        while text in series:
            # Names that become equal here are still two series.
            text += "’"
        series[text] = values
    return Chart(
        type=chart.type,
        x=tuple(one_line(x) if isinstance(x, str) else x for x in chart.x),
        x_name=one_line(chart.x_name),
        y=one_line(chart.y),
        series=series,
    )
