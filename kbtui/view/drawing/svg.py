"""Charts as self-contained SVG pictures without scripts; series have marks and textures besides colours."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from rich.cells import cell_len

from kbtui.domain.events import Chart
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.view.drawing.numbers import number_formatter, tick_labels, ticks
from kbtui.view.drawing.pieces import fitted
from kbtui.view.drawing.plane import is_number, positions

_WIDTH: Final = 880
_PAD: Final = 24
_CELL: Final = 7.4
"""Approximate width in px of a Latin letter at 13 px; a Chinese character takes two."""
_ROW: Final = 22
_PLOT_HEIGHT: Final = 320
_LABEL_CELLS: Final = 34
_TITLE_CELLS: Final = 104
_INK, _QUIET, _RULE, _GROUND = "#1d1b16", "#5c564a", "#d9d2c3", "#ffffff"
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#8a5a00", "#a0417f", "#2a2a2a")
"""Okabe and Ito's palette for all kinds of colour vision, with light tones darkened for a white background."""
_DASHES: Final = ("", "7 4", "2 3", "10 3 2 3", "4 2", "1 3")
_SHAPES: Final = ("circle", "triangle", "square", "diamond", "ring", "cross")
_CORNERS: Final[dict[str, tuple[tuple[float, float], ...]]] = {
    "triangle": ((0, -4.5), (4.5, 3.5), (-4.5, 3.5)),
    "diamond": ((0, -5), (5, 0), (0, 5), (-5, 0)),
    "cross": (
        *((-4.0, -1.0), (-1.0, -1.0), (-1.0, -4.0), (1.0, -4.0), (1.0, -1.0), (4.0, -1.0)),
        *((4.0, 1.0), (1.0, 1.0), (1.0, 4.0), (-1.0, 4.0), (-1.0, 1.0), (-4.0, 1.0)),
    ),
}
_ID_PREFIX: Final = "\0"
_FONT = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', 'DejaVu Sans', sans-serif"


def svg(chart: Chart, title: str = "") -> str:
    """The SVG document, 880 px wide."""
    # Pictures of one page share its ids, so the patterns of each picture get ids of their own.
    digest = f"{zlib.crc32(repr((chart, title)).encode('utf-8', 'replace')):08x}"
    return _document(chart, title).replace(_ID_PREFIX, f"h{digest}-")


def _document(chart: Chart, title: str) -> str:
    heading, top = _heading(title, chart)
    body, height = _plane(chart, top) if chart.type in ("line", "scatter") else _bars(chart, top)
    name = escape(one_line(title) or chart.type, quote=True)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:g}" width="{_WIDTH}" '
            f'height="{height:g}" role="img" aria-label="{name}" font-size="13" '
            f'font-family="{escape(_FONT, quote=True)}">',
            f"<title>{name}</title>",
            *([f"<defs>{''.join(_patterns())}</defs>"] if len(chart.series) > 1 else []),
            f'<rect width="{_WIDTH}" height="{height:g}" fill="{_GROUND}"/>',
            *heading,
            *body,
            "</svg>",
            "",
        ]
    )


def _heading(title: str, chart: Chart) -> tuple[list[str], float]:
    """The elements of the title, its notes and the legend, and the y coordinate below them."""
    parts: list[str] = []
    y = float(_PAD)
    first, *notes = [one_line(part) for part in title.split(" · ")]
    if first:
        parts.append(_text(_PAD, y + 6, fitted(first, min(cell_len(first), _TITLE_CELLS)), size=16, weight=600))
        y += 24
    if notes:
        parts.append(_text(_PAD, y + 4, " · ".join(notes), fill=_QUIET))
        y += 22
    if len(chart.series) > 1:
        x = float(_PAD)
        for number, name in enumerate(chart.series):
            label = fitted(one_line(name), min(cell_len(one_line(name)), 24))
            dotted = chart.type in ("line", "scatter")
            parts.append(shape(number, x + 6, y) if dotted else _rect(x, y - 6, 12, 12, number))
            parts.append(_text(x + 18, y + 5, label))
            x += 34 + cell_len(label) * _CELL
        y += 22
    return parts, y + 4


def _bars(chart: Chart, top: float) -> tuple[list[str], float]:
    columns = list(chart.series.values())
    labels = [fitted(one_line(str(x)), min(cell_len(one_line(str(x))), _LABEL_CELLS)) for x in chart.x]
    values = [value for column in columns for value in column if value is not None]
    if not labels or not values:
        return [_text(_PAD, top + 14, _("nothing to draw"), fill=_QUIET)], top + 40
    format_number = number_formatter(values)
    stacked = chart.type == "stacked_bar" and min(values) >= 0
    totals = [sum(column[index] or 0 for column in columns) for index in range(len(labels))]
    low, high = min([0.0, *values]), max([0.0, *(totals if stacked else values)])
    left = _PAD + max(map(cell_len, labels)) * _CELL + 10
    room = _WIDTH - _PAD - left - 110
    unit = room / ((high - low) or 1.0)
    zero = left - low * unit
    total = sum(values)
    parts = []
    y = top
    for index, label in enumerate(labels):
        row_top = y
        if stacked:
            x = zero
            for number, column in enumerate(columns):
                size = (column[index] or 0) * unit
                parts.append(_rect(x, y + 3, size, _ROW - 6, number))
                x += size
            parts.append(_text(x + 6, y + 16, format_number(totals[index]), fill=_QUIET))
            y += _ROW
        else:
            for number, column in enumerate(columns):
                value = column[index]
                y += _ROW
                if value is None:
                    parts.append(_text(zero + 6, y - 6, _("no value"), fill=_QUIET))
                    continue
                parts.append(_rect(min(zero, zero + value * unit), y - _ROW + 3, abs(value) * unit, _ROW - 6, number))
                text = format_number(value)
                if chart.type == "pie" and total:
                    text = f"{value / total:.1%} · {text}"
                parts.append(_text(max(zero, zero + value * unit) + 6, y - 6, text, fill=_QUIET))
        parts.append(_text(left - 8, (row_top + y) / 2 + 5, label, anchor="end"))
        if len(columns) > 1 and not stacked:
            y += 8
    parts.append(f'<line x1="{zero:g}" y1="{top:g}" x2="{zero:g}" y2="{y:g}" stroke="{_QUIET}"/>')
    if chart.y and len(columns) == 1:
        parts.append(_text(left, y + 18, one_line(chart.y), fill=_QUIET))
    return parts, y + _PAD + 12


def _plane(chart: Chart, top: float) -> tuple[list[str], float]:
    columns = list(chart.series.values())
    values = [value for column in columns for value in column if value is not None]
    xs = positions(chart.x)
    if not values or not xs:
        return [_text(_PAD, top + 14, _("nothing to draw"), fill=_QUIET)], top + 40
    low, high = min(values), max(values)
    y_ticks = ticks(0.0 if chart.type == "line" and 0 <= low <= 0.6 * high else low, high, 7)
    y_texts = tick_labels(y_ticks)
    left = _PAD + max(map(cell_len, y_texts)) * _CELL + 10
    right = _WIDTH - _PAD - 10
    top += 14 if chart.y and len(columns) == 1 else 0
    bottom = top + _PLOT_HEIGHT
    span, across = y_ticks[-1] - y_ticks[0], max(xs) - min(xs)

    def at(x: float, y: float) -> tuple[float, float]:
        share = (x - min(xs)) / across if across else 0.5
        return left + 8 + share * (right - left - 16), bottom - (y - y_ticks[0]) / span * (bottom - top)

    parts = []
    if chart.y and len(columns) == 1:
        parts.append(_text(_PAD, top - 10, one_line(chart.y), fill=_QUIET))
    for tick, text in zip(y_ticks, y_texts, strict=True):
        y = at(min(xs), tick)[1]
        parts.append(f'<line x1="{left:g}" y1="{y:.1f}" x2="{right:g}" y2="{y:.1f}" stroke="{_RULE}"/>')
        parts.append(_text(left - 6, y + 4, text, anchor="end", fill=_QUIET))
    for place, text in _x_labels(chart.x, xs, lambda x: at(x, y_ticks[0])[0]):
        parts.append(_text(place, bottom + 18, text, anchor="middle", fill=_QUIET))
    if chart.x_name:
        parts.append(_text(right, bottom + 36, one_line(chart.x_name), anchor="end", fill=_QUIET))
    for number, column in enumerate(columns):
        points = [(at(x, value) if value is not None else None) for x, value in zip(xs, column, strict=False)]
        if chart.type == "line":
            parts += polylines(points, number)
        marked = [point for point in points if point is not None]
        if chart.type == "scatter" or len(marked) <= 40:
            parts += [shape(number, x, y) for x, y in marked]
    return parts, bottom + _PAD + 20


def polylines(
    points: Sequence[tuple[float, float] | None], number: int, colours: Sequence[str] = _COLOURS
) -> Iterator[str]:
    """A polyline for each sequence of points of series ``number`` without a gap."""
    run: list[str] = []
    for point in [*points, None]:
        if point is not None:
            run.append(f"{point[0]:.1f},{point[1]:.1f}")
            continue
        if len(run) > 1:
            dash = f' stroke-dasharray="{_DASHES[number % 6]}"' if number % 6 else ""
            stroke = f'stroke="{colours[number % 6]}" stroke-width="2"{dash}'
            yield f'<polyline points="{" ".join(run)}" fill="none" {stroke}/>'
        run = []


def _x_labels(x: Sequence[Any], xs: Sequence[float], place: Any) -> list[tuple[float, str]]:
    if all(is_number(value) for value in x) and min(xs) != max(xs):
        inside = [tick for tick in ticks(min(xs), max(xs), 9) if min(xs) <= tick <= max(xs)]
        years = all(float(value).is_integer() and 1000 <= value <= 2999 for value in xs)
        texts = [f"{tick:.0f}" for tick in inside] if years else tick_labels(inside)
        return [(place(tick), text) for tick, text in zip(inside, texts, strict=True)]
    texts = [fitted(one_line(str(value)), min(cell_len(one_line(str(value))), 20)) for value in x]
    longest = max(map(cell_len, texts)) * _CELL + 14
    stride = max(1, -(-len(texts) * int(longest) // (_WIDTH - 140)))
    return [(place(xs[index]), texts[index]) for index in range(0, len(texts), stride)]


def _text(x: float, y: float, text: str, *, anchor: str = "", fill: str = _INK, size: int = 0, weight: int = 0) -> str:
    more = f' text-anchor="{anchor}"' if anchor else ""
    more += f' font-size="{size}"' if size else ""
    more += f' font-weight="{weight}"' if weight else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}"{more}>{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, number: int) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.5, width):.1f}" height="{height:g}" fill="{_fill(number)}"/>'


def _fill(number: int) -> str:
    return _COLOURS[0] if number % 6 == 0 else f"url(#{_ID_PREFIX}{number % 6})"


def _patterns() -> Iterator[str]:
    """Hatch patterns, so that bars are distinguishable without colour."""
    angles = {1: 45, 2: 0, 3: 135, 4: 90, 5: 20}
    for number, angle in angles.items():
        colour = _COLOURS[number]
        yield (
            f'<pattern id="{_ID_PREFIX}{number}" width="6" height="6" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate({angle})">'
            f'<rect width="6" height="6" fill="{colour}" fill-opacity=".35"/>'
            f'<rect width="{2 if number != 5 else 4}" height="6" fill="{colour}"/></pattern>'
        )


def shape(number: int, x: float, y: float, colours: Sequence[str] = _COLOURS) -> str:
    """The mark of series ``number`` at a point."""
    colour, name = colours[number % 6], _SHAPES[number % 6]
    if name in ("circle", "ring"):
        fill = colour if name == "circle" else "none"
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
    if name == "square":
        return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"/>'
    corners = _CORNERS[name]
    return f'<polygon points="{" ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners)}" fill="{colour}"/>'
