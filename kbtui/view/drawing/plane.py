"""Line and scatter charts in terminal cells: two axes, Braille dots, and marks for the series."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from rich.cells import cell_len

from kbtui.domain.events import Chart
from kbtui.i18n import _
from kbtui.view.drawing.numbers import tick_labels, ticks
from kbtui.view.drawing.pieces import MARKS, SERIES_ROLES, Line, Piece, Role, fitted, legend, line

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a Braille character (Unicode, U+2800) by row and column of the dot."""
_MARK_EVERY = 9
_FROM_ZERO = 0.6
"""An axis begins at 0 if the smallest value is at most this share of the largest, so that heights are comparable."""
_DENSITY = ((1, "•"), (3, "●"), (9, "█"))

_YEAR_FIRST = re.compile(r"(\d{4})(?:\D*(\d{1,2}))?(?:\D+(\d{1,2}))?(?:\D+(\d{1,2}):(\d{2}))?")

Cell = tuple[str, Role]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """A drawing with two axes, and what a picture of the area between them needs.

    Attributes:
        lines: The drawing in cells.
        top: Index of the first line of the area between the axes.
        left: Cells before that area.
        width: Its width in cells.
        height: Its height in cells; 0 if there is nothing to draw.
        series: The points of each series, as shares of the area from the left and from the top; None for a gap.
        rules: Shares from the top at which the y axis is labelled.
        is_joined: Whether neighbouring points are joined.
    """

    lines: list[Line]
    top: int = 0
    left: int = 0
    width: int = 0
    height: int = 0
    series: tuple[tuple[tuple[float, float] | None, ...], ...] = ()
    rules: tuple[float, ...] = ()
    is_joined: bool = False


def plane(chart: Chart, width: int, height: int) -> Plane:
    """A ``line`` or ``scatter`` chart in at most ``height`` lines of ``width`` cells."""
    xs = positions(chart.x)
    columns = list(chart.series.values())
    values = [value for column in columns for value in column if value is not None]
    if not values or not xs:
        return Plane(lines=[line(Piece(_("nothing to draw"), "quiet"))])
    has_legend = len(columns) > 1
    numeric = all(is_number(x) for x in chart.x)
    if has_legend:
        top = legend(list(chart.series), MARKS, width)
    else:
        top = [line(Piece(fitted(chart.y, min(width, cell_len(chart.y))), "quiet"))] if chart.y else []
    is_scatter = chart.type == "scatter"
    rows = max(3, height - len(top) - 2 - (1 if numeric and chart.x_name else 0))
    low, high = min(values), max(values)
    if not is_scatter:
        low, high = (0.0 if 0 <= low <= _FROM_ZERO * high else low), (0.0 if high <= 0 else high)
    y_ticks = ticks(low, high, max(3, rows // 3 + 1))
    y_texts = tick_labels(y_ticks)
    margin = max(cell_len(text) for text in y_texts)
    canvas = _Canvas(max(4, width - margin - 1), rows, min(xs), max(xs), y_ticks[0], y_ticks[-1])
    for number, column in enumerate(columns):
        points = [(x, value) for x, value in zip(xs, column, strict=False)]
        if is_scatter:
            canvas.dots(points, number, has_legend)
        else:
            canvas.line(points, number, has_legend)
    at = {canvas.row(tick): text for tick, text in zip(y_ticks, y_texts, strict=True)}
    body = [
        line(
            Piece(fitted(at.get(row, ""), margin, right=True), "quiet"),
            Piece("┤" if row in at else "│", "axis"),
            *canvas.pieces(row),
        )
        for row in range(rows)
    ]
    marks, labels = _x_axis(chart.x, xs, canvas, numeric)
    below = [
        line(Piece(" " * margin, "axis"), Piece("└" + marks, "axis")),
        line(Piece(" " * (margin + 1) + labels, "quiet")),
    ]
    if numeric and chart.x_name:
        below.append(line(Piece(fitted(chart.x_name, width, right=True), "quiet")))
    return Plane(
        lines=[*top, *body, *below],
        top=len(top),
        left=margin + 1,
        width=canvas.width,
        height=rows,
        series=tuple(
            tuple(
                (canvas.share_x(x), canvas.share_y(y)) if y is not None else None
                for x, y in zip(xs, column, strict=False)
            )
            for column in columns
        ),
        rules=tuple(canvas.share_y(tick) for tick in y_ticks),
        is_joined=not is_scatter,
    )


def positions(x: Sequence[Any]) -> list[float]:
    """The position of each x on the axis: numbers and dates by value, anything else by index."""
    if all(is_number(value) for value in x):
        return [float(value) for value in x]
    days = [_day_of(str(value)) for value in x]
    if len(days) > 1 and all(day is not None for day in days) and len(set(days)) == len(days):
        return [day for day in days if day is not None]
    return [float(place) for place in range(len(x))]


def _day_of(text: str) -> float | None:
    match = _YEAR_FIRST.match(text)
    if match is None:
        return None
    year, second, day, hour, minute = (int(part) if part else None for part in match.groups())
    assert year is not None
    suffix = text[4:].lstrip(" -")
    month = second or 1
    if suffix[:1] in ("Q", "q"):
        month, day = 3 * month - 2, 1
    elif suffix[:1] in ("W", "w"):
        month, day = 1, 7 * month
    try:
        ordinal = (
            date(year, 1, 1).toordinal() + (day or 1) - 1 if suffix[:1] in ("W", "w") else _ordinal(year, month, day)
        )
    except ValueError:
        return None
    return ordinal + (hour or 0) / 24 + (minute or 0) / 1440


def _ordinal(year: int, month: int, day: int | None) -> int:
    return date(year, month, day or 1).toordinal()


def is_number(value: Any) -> bool:
    """Whether a value is a finite number, which has a position on an axis."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class _Canvas:
    """The cells between the axes; each holds Braille dots or a mark."""

    def __init__(self, width: int, height: int, left: float, right: float, low: float, high: float) -> None:
        self.width, self.height = width, height
        self._left, self._across = left, (right - left) or 1.0
        self._alone = right == left
        self._low, self._up = low, (high - low) or 1.0
        self._bits = [[0] * width for _ in range(height)]
        self._owner = [[0] * width for _ in range(height)]
        self._marks: dict[tuple[int, int], Cell] = {}

    def column(self, x: float) -> int:
        """The column of the cell at ``x``."""
        return self._dot_x(x) // 2

    def row(self, y: float) -> int:
        """The row of the cell at ``y``, from the top."""
        return self._dot_y(y) // 4

    def share_x(self, x: float) -> float:
        """The share of the width that is left of ``x``."""
        return 0.5 if self._alone else (x - self._left) / self._across

    def share_y(self, y: float) -> float:
        """The share of the height that is above ``y``."""
        return 1 - (y - self._low) / self._up

    def _dot_x(self, x: float) -> int:
        return round(self.share_x(x) * (self.width * 2 - 1))

    def _dot_y(self, y: float) -> int:
        return round(self.share_y(y) * (self.height * 4 - 1))

    def _set(self, x: int, y: int, number: int) -> None:
        row, column = y // 4, x // 2
        self._bits[row][column] |= _DOTS[y % 4][x % 2]
        self._owner[row][column] = number

    def line(self, points: Sequence[tuple[float, float | None]], number: int, several: bool) -> None:
        """Join neighbouring points, except across gaps; an isolated point becomes a mark."""
        previous: tuple[int, int] | None = None
        isolated: tuple[int, int] | None = None
        last_mark = -_MARK_EVERY
        for x, y in points:
            if y is None:
                self._mark_isolated(isolated, number)
                previous = isolated = None
                continue
            dot_here = (self._dot_x(x), self._dot_y(y))
            isolated = dot_here if previous is None else None
            for dot in _between(previous or dot_here, dot_here):
                self._set(*dot, number)
            # Marks of different series are offset, so that lines on top of each other are both visible.
            if several and dot_here[0] // 2 - last_mark >= (_MARK_EVERY if last_mark >= 0 else 1 + number):
                last_mark = dot_here[0] // 2
                self._mark(dot_here, number)
            previous = dot_here
        self._mark_isolated(isolated, number)

    def _mark_isolated(self, dot: tuple[int, int] | None, number: int) -> None:
        if dot is not None:
            self._mark(dot, number)

    def _mark(self, dot: tuple[int, int], number: int) -> None:
        self._marks[dot[1] // 4, dot[0] // 2] = (MARKS[number % len(MARKS)], SERIES_ROLES[number % len(SERIES_ROLES)])

    def dots(self, points: Sequence[tuple[float, float | None]], number: int, several: bool) -> None:
        """Mark each cell that has points, with the series' mark or with one that grows with their number."""
        count: dict[tuple[int, int], int] = {}
        for x, y in points:
            if y is not None:
                cell = (self.row(y), self.column(x))
                count[cell] = count.get(cell, 0) + 1
        role = SERIES_ROLES[number % len(SERIES_ROLES)]
        crowded = max(count.values(), default=0) > 1
        for cell, points_in_cell in count.items():
            density_mark = [sign for least, sign in _DENSITY if points_in_cell >= least][-1] if crowded else "•"
            self._marks[cell] = (MARKS[number % len(MARKS)] if several else density_mark, role)

    def pieces(self, row: int) -> list[Piece]:
        """A row of the canvas, with neighbouring cells of one role joined."""
        runs: list[tuple[str, Role]] = []
        for column in range(self.width):
            bits = self._bits[row][column]
            role = SERIES_ROLES[self._owner[row][column] % len(SERIES_ROLES)]
            text, role = self._marks.get((row, column), (chr(0x2800 + bits) if bits else " ", role))
            if runs and (runs[-1][1] == role or text == " "):
                runs[-1] = (runs[-1][0] + text, runs[-1][1])
            else:
                runs.append((text, role))
        return [Piece(text, role) for text, role in runs]


def _between(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    """The dots of a straight line."""
    steps = max(abs(b[0] - a[0]), abs(b[1] - a[1]))
    if not steps:
        return [b]
    return [
        (round(a[0] + (b[0] - a[0]) * step / steps), round(a[1] + (b[1] - a[1]) * step / steps))
        for step in range(steps + 1)
    ]


def _x_axis(x: Sequence[Any], xs: Sequence[float], canvas: _Canvas, numeric: bool) -> tuple[str, str]:
    """The axis and the labels below it, as many as fit with a gap of two cells."""
    if numeric and min(xs) != max(xs):
        inside = [tick for tick in ticks(min(xs), max(xs), max(3, canvas.width // 10)) if min(xs) <= tick <= max(xs)]
        texts = tick_labels(inside)
        whole = all(float(value).is_integer() for value in xs)
        if whole and all(1000 <= value <= 2999 for value in xs):
            # Years have no thousands separator.
            texts = [f"{tick:.0f}" for tick in inside]
        places = [canvas.column(tick) for tick in inside]
    else:
        texts = [str(value) for value in x]
        places = [canvas.column(value) for value in xs]
    marks = ["─"] * canvas.width
    for stride in range(1, len(texts) + 1):
        chosen = range(0, len(texts), stride)
        spans = [(_start(places[at], texts[at], canvas.width), texts[at]) for at in chosen]
        if all(a + cell_len(text) + 2 <= b for (a, text), (b, _) in pairwise(spans)):
            break
    labels, used = "", 0
    for (start, text), at in zip(spans, chosen, strict=True):
        text = fitted(text, min(cell_len(text), canvas.width - start))
        labels += " " * (start - used) + text
        used = start + cell_len(text)
        marks[places[at]] = "┬"
    return "".join(marks), labels


def _start(place: int, text: str, width: int) -> int:
    """The first cell of a label that is centred under ``place`` and stays inside the axis."""
    return max(0, min(place - cell_len(text) // 2, width - cell_len(text)))
