"""Lines and clouds of points in cells: two axes, Braille dots between them, a mark a series."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any

from rich.cells import cell_len

from kbtui.domain.events import Chart
from kbtui.i18n import _
from kbtui.view.drawing.figures import tick_figures, ticks
from kbtui.view.drawing.pieces import MARKS, SERIES_ROLES, Line, Piece, Role, fitted, legend, line

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a Braille character, by row and column of its dots (Unicode, U+2800)."""
_MARK_EVERY = 9
_FROM_ZERO = 0.6
"""An axis begins at 0 while the smallest value is at most this share of the largest: heights compare as they look."""
_DENSITY = ((1, "•"), (3, "●"), (9, "█"))

_YEAR_FIRST = re.compile(r"(\d{4})(?:\D*(\d{1,2}))?(?:\D+(\d{1,2}))?(?:\D+(\d{1,2}):(\d{2}))?")

Cell = tuple[str, Role]


def plane(chart: Chart, width: int, height: int) -> list[Line]:
    """A ``line`` or ``scatter`` chart in at most ``height`` lines of ``width`` cells."""
    xs = positions(chart.x)
    columns = list(chart.series.values())
    values = [value for column in columns for value in column if value is not None]
    if not values or not xs:
        return [line(Piece(_("nothing to draw"), "quiet"))]
    several = len(columns) > 1
    numeric = all(is_number(x) for x in chart.x)
    if several:
        top = legend(list(chart.series), MARKS, width)
    else:
        top = [line(Piece(fitted(chart.y, min(width, cell_len(chart.y))), "quiet"))] if chart.y else []
    cloud = chart.type == "scatter"
    rows = max(3, height - len(top) - 2 - (1 if numeric and chart.x_name else 0))
    low, high = min(values), max(values)
    if not cloud:
        low, high = (0.0 if 0 <= low <= _FROM_ZERO * high else low), (0.0 if high <= 0 else high)
    y_ticks = ticks(low, high, max(3, rows // 3 + 1))
    y_texts = tick_figures(y_ticks)
    margin = max(cell_len(text) for text in y_texts)
    canvas = _Canvas(max(4, width - margin - 1), rows, min(xs), max(xs), y_ticks[0], y_ticks[-1])
    for number, column in enumerate(columns):
        points = [(x, value) for x, value in zip(xs, column, strict=False)]
        if cloud:
            canvas.dots(points, number, several)
        else:
            canvas.line(points, number, several)
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
    return [*top, *body, *below]


def positions(x: Sequence[Any]) -> list[float]:
    """Where each x stands: numbers and dates by their size, anything else one after the other."""
    if all(is_number(one) for one in x):
        return [float(one) for one in x]
    days = [_day_of(str(one)) for one in x]
    if len(days) > 1 and all(day is not None for day in days) and len(set(days)) == len(days):
        return [day for day in days if day is not None]
    return [float(place) for place in range(len(x))]


def _day_of(text: str) -> float | None:
    match = _YEAR_FIRST.match(text)
    if match is None:
        return None
    year, second, day, hour, minute = (int(part) if part else None for part in match.groups())
    assert year is not None
    rest = text[4:].lstrip(" -")
    month = second or 1
    if rest[:1] in ("Q", "q"):
        month, day = 3 * month - 2, 1
    elif rest[:1] in ("W", "w"):
        month, day = 1, 7 * month
    try:
        whole = date(year, 1, 1).toordinal() + (day or 1) - 1 if rest[:1] in ("W", "w") else _ordinal(year, month, day)
    except ValueError:
        return None
    return whole + (hour or 0) / 24 + (minute or 0) / 1440


def _ordinal(year: int, month: int, day: int | None) -> int:
    return date(year, month, day or 1).toordinal()


def is_number(value: Any) -> bool:
    """A finite number, which has a place of its own on an axis."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


class _Canvas:
    """Cells between the axes; each holds Braille dots or one mark."""

    def __init__(self, width: int, height: int, left: float, right: float, low: float, high: float) -> None:
        self.width, self.height = width, height
        self._left, self._across = left, (right - left) or 1.0
        self._alone = right == left
        self._low, self._up = low, (high - low) or 1.0
        self._bits = [[0] * width for _ in range(height)]
        self._owner = [[0] * width for _ in range(height)]
        self._marks: dict[tuple[int, int], Cell] = {}

    def column(self, x: float) -> int:
        """The cell that ``x`` stands in."""
        return self._dot_x(x) // 2

    def row(self, y: float) -> int:
        """The line that ``y`` stands in, from the top."""
        return self._dot_y(y) // 4

    def _dot_x(self, x: float) -> int:
        share = 0.5 if self._alone else (x - self._left) / self._across
        return round(share * (self.width * 2 - 1))

    def _dot_y(self, y: float) -> int:
        return round((1 - (y - self._low) / self._up) * (self.height * 4 - 1))

    def _set(self, x: int, y: int, number: int) -> None:
        row, column = y // 4, x // 2
        self._bits[row][column] |= _DOTS[y % 4][x % 2]
        self._owner[row][column] = number

    def line(self, points: Sequence[tuple[float, float | None]], number: int, several: bool) -> None:
        """Join neighbours; a gap parts them, and a point between two gaps is a mark of its own."""
        before: tuple[int, int] | None = None
        alone: tuple[int, int] | None = None
        last_mark = -_MARK_EVERY
        for x, y in points:
            if y is None:
                self._lone(alone, number)
                before = alone = None
                continue
            here = (self._dot_x(x), self._dot_y(y))
            alone = here if before is None else None
            for dot in _between(before or here, here):
                self._set(*dot, number)
            # Marks of different series are moved against each other, so that lines on top of each other both show.
            if several and here[0] // 2 - last_mark >= (_MARK_EVERY if last_mark >= 0 else 1 + number):
                last_mark = here[0] // 2
                self._mark(here, number)
            before = here
        self._lone(alone, number)

    def _lone(self, dot: tuple[int, int] | None, number: int) -> None:
        if dot is not None:
            self._mark(dot, number)

    def _mark(self, dot: tuple[int, int], number: int) -> None:
        self._marks[dot[1] // 4, dot[0] // 2] = (MARKS[number % len(MARKS)], SERIES_ROLES[number % len(SERIES_ROLES)])

    def dots(self, points: Sequence[tuple[float, float | None]], number: int, several: bool) -> None:
        """A mark for each cell with points: the series' own, or one that grows with their number."""
        count: dict[tuple[int, int], int] = {}
        for x, y in points:
            if y is not None:
                cell = (self.row(y), self.column(x))
                count[cell] = count.get(cell, 0) + 1
        role = SERIES_ROLES[number % len(SERIES_ROLES)]
        crowded = max(count.values(), default=0) > 1
        for cell, many in count.items():
            grown = [sign for least, sign in _DENSITY if many >= least][-1] if crowded else "•"
            self._marks[cell] = (MARKS[number % len(MARKS)] if several else grown, role)

    def pieces(self, row: int) -> list[Piece]:
        """One line of the canvas, neighbours of one role together."""
        found: list[tuple[str, Role]] = []
        for column in range(self.width):
            bits = self._bits[row][column]
            role = SERIES_ROLES[self._owner[row][column] % len(SERIES_ROLES)]
            text, role = self._marks.get((row, column), (chr(0x2800 + bits) if bits else " ", role))
            if found and (found[-1][1] == role or text == " "):
                found[-1] = (found[-1][0] + text, found[-1][1])
            else:
                found.append((text, role))
        return [Piece(text, role) for text, role in found]


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
    """The axis and the line of labels below it: as many labels as stand beside each other with a gap of two cells."""
    if numeric and min(xs) != max(xs):
        inside = [tick for tick in ticks(min(xs), max(xs), max(3, canvas.width // 10)) if min(xs) <= tick <= max(xs)]
        texts = tick_figures(inside)
        whole = all(float(one).is_integer() for one in xs)
        if whole and all(1000 <= one <= 2999 for one in xs):
            # Years: 2,025 is none.
            texts = [f"{tick:.0f}" for tick in inside]
        places = [canvas.column(tick) for tick in inside]
    else:
        texts = [str(one) for one in x]
        places = [canvas.column(one) for one in xs]
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
    """Where a label begins that stands in the middle under ``place`` but not outside."""
    return max(0, min(place - cell_len(text) // 2, width - cell_len(text)))
