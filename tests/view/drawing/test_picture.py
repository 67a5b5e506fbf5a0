"""Pictures of charts: what is in them, and sixels that are read back by a reader of their own."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from kbtui.domain.events import Chart
from kbtui.view.drawing.picture import Colours, png, sixel
from kbtui.view.drawing.plane import Plane
from kbtui.view.drawing.text import draw, plane_of

COLOURS = Colours("#101418", "#303438", ("#ff0000", "#00ff00", "#0000ff", "#ffff00", "#ff00ff", "#00ffff"))
CHART = Chart(type="line", x=(1, 2, 3), x_name="week", series={"sales": (0.0, 10.0, 5.0)})


def plane(chart: Chart = CHART) -> Plane:
    drawing = plane_of(chart, 60, 12)
    assert drawing is not None
    return drawing


def pixels(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def read_sixel(text: str) -> Image.Image:
    """What a terminal draws: colours are in hundredths, each row of sixels has six rows of pixels."""
    match = re.fullmatch(r'\x1bP0;1q"1;1;(\d+);(\d+)(.*)\x1b\\', text)
    assert match is not None
    image = Image.new("RGB", (int(match[1]), int(match[2])), (1, 2, 3))
    palette: dict[int, tuple[int, int, int]] = {}
    x = y = colour = 0
    for number, mix, count, sign, other in re.findall(r"#(\d+)((?:;\d+){4})?|!(\d+)([?-~])|([?-~$-])", match[3]):
        if number:
            colour = int(number)
            if mix:
                red, green, blue = (round(int(part) * 2.55) for part in mix.split(";")[2:])
                palette[colour] = (red, green, blue)
        elif other == "$":
            x = 0
        elif other == "-":
            x, y = 0, y + 6
        else:
            for _column in range(int(count or 1)):
                for row in range(6):
                    if (ord(sign or other) - 63) >> row & 1:
                        image.putpixel((x, y + row), palette[colour])
                x += 1  # noqa: SIM113  (a column of sixels, which starts anew)
    return image


def test_a_picture_covers_the_cells_between_the_axes_and_has_the_line_where_the_labels_say() -> None:
    drawing = plane()
    image = pixels(png(drawing, (8, 16), COLOURS))
    assert image.size == (drawing.width * 8, drawing.height * 16)
    assert image.getpixel((2, image.height // 3)) == (0x10, 0x14, 0x18)
    top, bottom, middle = 8, image.height - 8, (image.width - 8) / 2 + 4
    assert image.getpixel((4, bottom)) == (255, 0, 0)
    assert image.getpixel((round(middle), top)) == (255, 0, 0)
    half_way = image.getpixel((image.width - 4, (top + bottom) // 2))
    assert half_way == (255, 0, 0)


def test_the_area_of_the_picture_holds_nothing_but_the_drawing_of_the_points() -> None:
    drawing = plane()
    lines = ["".join(piece.text for piece in line) for line in draw(CHART, 60, 12)]
    inside = [line[drawing.left :] for line in lines[drawing.top : drawing.top + drawing.height]]
    assert all(set(line) <= {" ", *map(chr, range(0x2800, 0x2900))} for line in inside)
    assert any(line.strip() for line in inside)
    assert {line[drawing.left - 1] for line in lines[drawing.top : drawing.top + drawing.height]} == {"┤", "│"}


def test_gaps_are_not_joined_and_points_are_not_either() -> None:
    gap = Chart(type="line", x=(1, 2, 3), series={"a": (4.0, None, 4.0)})
    scattered = Chart(type="scatter", x=(1, 2, 3), series={"a": (4.0, 1.0, 4.0)})
    for chart in (gap, scattered):
        image = pixels(png(plane(chart), (8, 16), COLOURS))
        reds = {x for x in range(image.width) for y in range(image.height) if image.getpixel((x, y)) == (255, 0, 0)}
        assert reds
        assert not reds & set(range(image.width // 8, image.width // 3))


@pytest.mark.parametrize("cell", [(8, 16), (7, 13)])
def test_sixels_are_the_picture(cell: tuple[int, int]) -> None:
    picture = png(plane(), cell, COLOURS)
    expected, got = pixels(picture), read_sixel(sixel(picture))
    assert got.size == expected.size
    pairs = list(zip(expected.get_flattened_data(), got.get_flattened_data(), strict=True))
    near = sum(all(abs(a - b) <= 24 for a, b in zip(*pair, strict=True)) for pair in pairs)
    assert near > 0.99 * len(pairs)
    assert (1, 2, 3) not in set(got.get_flattened_data())


def test_bars_have_no_picture() -> None:
    assert plane_of(Chart(type="bar", x=("a", "b"), series={"n": (1.0, 2.0)}), 60) is None
