"""Bars in cells: lying, because names are read from left to right and Chinese ones are wide."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from kbtui.domain.events import Chart
from kbtui.i18n import _
from kbtui.view.drawing.figures import Figure, figures
from kbtui.view.drawing.pieces import FILLS, SERIES_ROLES, Line, Piece, fitted, legend, line

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LABEL_SHARE = 0.36
_LEAST_BAR = 6
_AIRY_ROWS = 36
"""Groups of bars are set apart by a blank line while that does not make them too long."""


def bars(chart: Chart, width: int) -> list[Line]:
    """The bars of a ``bar``, ``pie``, ``histogram``, ``grouped_bar`` or ``stacked_bar`` chart, and their legend."""
    names = list(chart.series)
    columns = [list(values) for values in chart.series.values()]
    labels = [str(x) for x in chart.x]
    if not labels or not columns:
        return [line(Piece(_("nothing to draw"), "quiet"))]
    everything = [value for column in columns for value in column if value is not None]
    figure = figures(everything)
    stacked = chart.type == "stacked_bar" and all(value >= 0 for value in everything)
    if stacked:
        totals = [sum(column[place] or 0 for column in columns) for place in range(len(labels))]
        frame = _Frame(labels, [figure(total) for total in totals], 0.0, max(totals), width)
        rows = [
            frame.stack(place, [column[place] for column in columns], totals[place], figure)
            for place in range(len(labels))
        ]
        return [*legend(names, FILLS, width), *rows]
    shares = _shares(columns[0]) if chart.type == "pie" else None
    texts = [_value(value, figure) for column in columns for value in column]
    if shares is not None:
        texts = [_share(text, share) for text, share in zip(texts, shares, strict=False)]
    low, high = min([0.0, *everything]), max([0.0, *everything])
    right = chart.type == "histogram"
    frame = _Frame(labels, texts, low, high, width, right=right)
    if len(columns) == 1:
        return [frame.bar(place, 0, columns[0][place], texts[place]) for place in range(len(labels))]
    lines: list[Line] = list(legend(names, FILLS, width))
    airy = len(labels) * (len(columns) + 1) <= _AIRY_ROWS
    for place in range(len(labels)):
        if airy and place:
            lines.append(())
        for number, column in enumerate(columns):
            lines.append(frame.bar(place, number, column[place], _value(column[place], figure), named=number == 0))
    return lines


def _value(value: float | None, figure: Figure) -> str:
    return _("no value") if value is None else figure(value)


def _shares(values: Sequence[float | None]) -> list[float]:
    total = sum(value or 0 for value in values)
    return [(value or 0) / total if total else 0.0 for value in values]


def _share(text: str, share: float) -> str:
    return f"{share:>6.1%}  {text}"


class _Frame:
    """Where labels, bars and values stand; the same for all bars of one chart.

    Args:
        labels: One a category.
        texts: All values as they will be written.
        low: The smallest value, 0 at most.
        high: The largest one, 0 at least.
        width: Cells of a line.
        right: Set labels to the right: numbers.
    """

    def __init__(
        self, labels: Sequence[str], texts: Sequence[str], low: float, high: float, width: int, *, right: bool = False
    ) -> None:
        self.labels = labels
        self.right = right
        values = max((cell_len(text) for text in texts), default=0)
        longest = max((cell_len(label) for label in labels), default=0)
        self.label_width = min(longest, max(8, int(width * _LABEL_SHARE)))
        room = width - self.label_width - values - 2
        if room < _LEAST_BAR:
            self.label_width = max(3, self.label_width - (_LEAST_BAR - room))
            room = max(1, width - self.label_width - values - 2)
        span = (high - low) or 1.0
        self.below = 0
        if low < 0:
            room -= 1
            self.below = max(1, min(room - 1, round(room * -low / span))) if high > 0 else room
        self.cells_a_unit = min(
            self.below / -low if low < 0 else float("inf"),
            (room - self.below) / high if high > 0 else float("inf"),
        )
        if self.cells_a_unit == float("inf"):
            self.cells_a_unit = 0.0

    def label(self, place: int, *, named: bool = True) -> Piece:
        text = self.labels[place] if named else ""
        return Piece(fitted(text, self.label_width, right=self.right) + " ", "label")

    def bar(self, place: int, number: int, value: float | None, text: str, *, named: bool = True) -> Line:
        role = SERIES_ROLES[number % len(SERIES_ROLES)]
        fill = FILLS[number % len(FILLS)]
        axis = Piece("│", "axis") if self.below else None
        if value is None:
            return line(self.label(place, named=named), Piece(" " * self.below, role), axis, Piece(text, "quiet"))
        cells = abs(value) * self.cells_a_unit
        if value < 0:
            full = int(cells)
            half = "▐" if fill == "█" and cells - full >= 0.5 else ""
            drawn = (half + fill * full) or "▕"
            return line(
                self.label(place, named=named),
                Piece(" " * (self.below - cell_len(drawn)) + drawn, role),
                axis,
                Piece(f" {text}", "value"),
            )
        drawn = _bar(cells, fill) or ("▏" if value else "")
        return line(
            self.label(place, named=named),
            Piece(" " * self.below, role),
            axis,
            Piece(drawn, role),
            Piece(f" {text}" if drawn else text, "value"),
        )

    def stack(self, place: int, values: Sequence[float | None], total: float, figure: Figure) -> Line:
        """The parts of one category behind each other; each ends where their sum ends, so that none is lost."""
        pieces = [self.label(place)]
        done, so_far = 0, 0.0
        for number, value in enumerate(values):
            so_far += value or 0
            end = round(so_far * self.cells_a_unit)
            pieces.append(Piece(FILLS[number % len(FILLS)] * (end - done), SERIES_ROLES[number % len(SERIES_ROLES)]))
            done = end
        return line(*pieces, Piece(f" {figure(total)}", "value"))


def _bar(cells: float, fill: str) -> str:
    """A bar in eighths of a cell; textures know whole cells only."""
    if fill != "█":
        return fill * round(cells)
    full, rest = divmod(round(cells * 8), 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")
