"""Pictures of the area between the axes of a chart, for terminals that show pictures; texts stay in cells."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from kbtui.view.drawing.plane import Plane
from kbtui.view.drawing.svg import polylines, shape

if TYPE_CHECKING:
    from PIL.Image import Image

_MAX_MARKED = 40
"""Points of a line that are marked, at most; more marks would hide the line."""
_BAND = 6
"""Rows of pixels in a row of sixels."""
_SIXEL_COLOURS = 32


class Colours(NamedTuple):
    """Colours as ``#rrggbb``."""

    ground: str
    rule: str
    series: Sequence[str]


def png(plane: Plane, cell: tuple[int, int], colours: Colours) -> bytes:
    """The picture of the area between the axes as PNG.

    Args:
        plane: The drawing in cells, which the picture covers.
        cell: Width and height of a cell in pixels.
        colours: Colours of ground, rules and series.

    Raises:
        ImportError: resvg-py is not installed.
        ValueError: The picture cannot be drawn.
    """
    from resvg_py import svg_to_bytes

    width, height = plane.width * cell[0], plane.height * cell[1]
    body = "".join(_parts(plane, width, height, cell, colours))
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"{body}</svg>"
    )
    return bytes(svg_to_bytes(svg_string=document, background=colours.ground, skip_system_fonts=True))


def _parts(plane: Plane, width: int, height: int, cell: tuple[int, int], colours: Colours) -> Iterator[str]:
    """The rules, lines and marks; the ends of an axis are the middles of its outer cells, where the labels stand."""

    def at(x: float, y: float) -> tuple[float, float]:
        return cell[0] / 2 + x * (width - cell[0]), cell[1] / 2 + y * (height - cell[1])

    for rule in plane.rules:
        y = round(at(0, rule)[1]) + 0.5
        yield f'<line x1="0" y1="{y}" x2="{width}" y2="{y}" stroke="{colours.rule}"/>'
    for number, points in enumerate(plane.series):
        places = [at(*point) if point is not None else None for point in points]
        if plane.is_joined:
            yield from polylines(places, number, colours.series)
        marked = [place for place in places if place is not None]
        if not plane.is_joined or len(marked) <= _MAX_MARKED:
            yield from (shape(number, *place, colours.series) for place in marked)


def sixel(picture: bytes) -> str:
    """A PNG as the escape sequence of sixel terminals, in at most 32 colours.

    Raises:
        ImportError: Pillow is not installed.
    """
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        pixels = image.convert("RGB").quantize(_SIXEL_COLOURS, dither=Image.Dither.NONE)
    width, height = pixels.size
    palette = (pixels.getpalette() or [])[: 3 * _SIXEL_COLOURS]
    # The second parameter leaves pixels that are in no colour as they are; all are in one.
    head = f'\x1bP0;1q"1;1;{width};{height}'
    for number in range(len(palette) // 3):
        red, green, blue = (round(value / 2.55) for value in palette[3 * number : 3 * number + 3])
        head += f"#{number};2;{red};{green};{blue}"
    return head + "-".join(_band(pixels, top) for top in range(0, height, _BAND)) + "\x1b\\"


def _band(pixels: Image, top: int) -> str:
    """Six rows of pixels: for each colour in them a character a column, whose bits are the rows of that colour."""
    import numpy as np

    rows = np.asarray(pixels.crop((0, top, pixels.width, min(top + _BAND, pixels.height))))
    weights = (1 << np.arange(len(rows), dtype=np.uint8))[:, None]
    layers = []
    for colour in np.unique(rows):
        bits = ((rows == colour) * weights).sum(axis=0)
        runs = ((chr(63 + int(value)), len(list(run))) for value, run in groupby(bits.tolist()))
        layers.append(f"#{colour}" + "".join(f"!{count}{text}" if count > 3 else text * count for text, count in runs))
    return "$".join(layers)
