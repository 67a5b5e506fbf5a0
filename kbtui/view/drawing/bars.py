"""Horizontal bars in terminal cells: labels are read from left to right, and Chinese ones are wide."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from kbtui.domain.events import Chart
from kbtui.i18n import _
from kbtui.view.drawing.numbers import NumberFormat, number_formatter
from kbtui.view.drawing.pieces import FILLS, SERIES_ROLES, Line, Piece, fitted, legend, line

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LABEL_SHARE = 0.36
_MIN_BAR = 6
_MAX_SPACED_ROWS = 36
"""Groups of bars are separated by blank lines in charts of up to this many lines."""


def bars(chart: Chart, width: int) -> list[Line]:
    """The bars of a ``bar``, ``pie``, ``histogram``, ``grouped_bar`` or ``stacked_bar`` chart, and their legend."""
    names = list(chart.series)
    columns = [list(values) for values in chart.series.values()]
    labels = [str(x) for x in chart.x]
    if not labels or not columns:
        return [line(Piece(_("nothing to draw"), "quiet"))]
    values = [value for column in columns for value in column if value is not None]
    format_number = number_formatter(values)
    stacked = chart.type == "stacked_bar" and all(value >= 0 for value in values)
    if stacked:
        totals = [sum(column[index] or 0 for column in columns) for index in range(len(labels))]
        layout = _Layout(labels, [format_number(total) for total in totals], 0.0, max(totals), width)
        rows = [
            layout.stack(index, [column[index] for column in columns], totals[index], format_number)
            for index in range(len(labels))
        ]
        return [*legend(names, FILLS, width), *rows]
    shares = _shares(columns[0]) if chart.type == "pie" else None
    texts = [_value_text(value, format_number) for column in columns for value in column]
    if shares is not None:
        texts = [f"{share:>6.1%}  {text}" for text, share in zip(texts, shares, strict=False)]
    low, high = min([0.0, *values]), max([0.0, *values])
    right = chart.type == "histogram"
    layout = _Layout(labels, texts, low, high, width, right=right)
    if len(columns) == 1:
        return [layout.bar(index, 0, columns[0][index], texts[index]) for index in range(len(labels))]
    lines: list[Line] = list(legend(names, FILLS, width))
    is_spaced = len(labels) * (len(columns) + 1) <= _MAX_SPACED_ROWS
    for index in range(len(labels)):
        if is_spaced and index:
            lines.append(())
        for number, column in enumerate(columns):
            lines.append(
                layout.bar(
                    index, number, column[index], _value_text(column[index], format_number), has_label=number == 0
                )
            )
    return lines


def _value_text(value: float | None, format_number: NumberFormat) -> str:
    return _("no value") if value is None else format_number(value)


def _shares(values: Sequence[float | None]) -> list[float]:
    total = sum(value or 0 for value in values)
    return [(value or 0) / total if total else 0.0 for value in values]


class _Layout:
    """Widths of labels, bars and values, shared by all bars of a chart.

    Args:
        labels: The label of each category.
        texts: All values as text.
        low: The smallest value, at most 0.
        high: The largest value, at least 0.
        width: Width of a line in cells.
        right: Whether labels are aligned to the right, as numbers are.
    """

    def __init__(
        self, labels: Sequence[str], texts: Sequence[str], low: float, high: float, width: int, *, right: bool = False
    ) -> None:
        self.labels = labels
        self.right = right
        values = max((cell_len(text) for text in texts), default=0)
        longest = max((cell_len(label) for label in labels), default=0)
        self.label_width = min(longest, max(8, int(width * _LABEL_SHARE)))
        free_cells = width - self.label_width - values - 2
        if free_cells < _MIN_BAR:
            self.label_width = max(3, self.label_width - (_MIN_BAR - free_cells))
            free_cells = max(1, width - self.label_width - values - 2)
        span = (high - low) or 1.0
        self.cells_below_zero = 0
        if low < 0:
            free_cells -= 1
            self.cells_below_zero = (
                max(1, min(free_cells - 1, round(free_cells * -low / span))) if high > 0 else free_cells
            )
        self.cells_per_unit = min(
            self.cells_below_zero / -low if low < 0 else float("inf"),
            (free_cells - self.cells_below_zero) / high if high > 0 else float("inf"),
        )
        if self.cells_per_unit == float("inf"):
            self.cells_per_unit = 0.0

    def label(self, index: int, *, has_label: bool = True) -> Piece:
        text = self.labels[index] if has_label else ""
        return Piece(fitted(text, self.label_width, right=self.right) + " ", "label")

    def bar(self, index: int, number: int, value: float | None, text: str, *, has_label: bool = True) -> Line:
        role = SERIES_ROLES[number % len(SERIES_ROLES)]
        fill = FILLS[number % len(FILLS)]
        axis = Piece("│", "axis") if self.cells_below_zero else None
        if value is None:
            return line(
                self.label(index, has_label=has_label),
                Piece(" " * self.cells_below_zero, role),
                axis,
                Piece(text, "quiet"),
            )
        cells = abs(value) * self.cells_per_unit
        if value < 0:
            full = int(cells)
            half = "▐" if fill == "█" and cells - full >= 0.5 else ""
            drawn = (half + fill * full) or "▕"
            return line(
                self.label(index, has_label=has_label),
                Piece(" " * (self.cells_below_zero - cell_len(drawn)) + drawn, role),
                axis,
                Piece(f" {text}", "value"),
            )
        drawn = _bar_text(cells, fill) or ("▏" if value else "")
        return line(
            self.label(index, has_label=has_label),
            Piece(" " * self.cells_below_zero, role),
            axis,
            Piece(drawn, role),
            Piece(f" {text}" if drawn else text, "value"),
        )

    def stack(self, index: int, values: Sequence[float | None], total: float, format_number: NumberFormat) -> Line:
        """A stacked bar; the end of each part is rounded from the running total, so that rounding loses no part."""
        pieces = [self.label(index)]
        drawn_cells, total_so_far = 0, 0.0
        for number, value in enumerate(values):
            total_so_far += value or 0
            end = round(total_so_far * self.cells_per_unit)
            pieces.append(
                Piece(FILLS[number % len(FILLS)] * (end - drawn_cells), SERIES_ROLES[number % len(SERIES_ROLES)])
            )
            drawn_cells = end
        return line(*pieces, Piece(f" {format_number(total)}", "value"))


def _bar_text(cells: float, fill: str) -> str:
    """A bar in eighths of a cell; texture characters allow whole cells only."""
    if fill != "█":
        return fill * round(cells)
    full, eighths = divmod(round(cells * 8), 8)
    return "█" * full + (_EIGHTHS[eighths] if eighths else "")
