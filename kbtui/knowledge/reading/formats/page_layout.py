"""Pieces of text with their places on a page, put into lines in the order in which a reader takes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

_SAME_LINE: Final = 0.5
"""Share of the lower of two heights that pieces of one line have in common."""
_CELL_GAP: Final = 1.6
"""Heights of a line between cells of a row: words are a quarter of it apart."""
_PARAGRAPH_GAP: Final = 0.55
"""Heights beyond the usual distance of lines at which a paragraph ends."""
_COLUMN_SHARE: Final = 0.2
"""Of the width of the page that the lines of a column have at least: cells of tables are narrower."""
_LEAST_COLUMN_LINES: Final = 4
_GUTTER: Final = 6.0
"""Points between two columns, at least."""


class Segment(NamedTuple):
    """A piece of text in one font; points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is read.

    Attributes:
        height: Of its tallest piece, in points.
        starts_paragraph: More room is above it than between the lines of a paragraph.
        is_row: It has cells, which stand between ``|``.
    """

    text: str
    height: float
    starts_paragraph: bool = False
    is_row: bool = False


class _Drawn(NamedTuple):
    """Pieces of one line, from left to right."""

    pieces: tuple[Segment, ...]

    @property
    def left(self) -> float:
        return self.pieces[0].left

    @property
    def right(self) -> float:
        return max(piece.right for piece in self.pieces)

    @property
    def bottom(self) -> float:
        return min(piece.bottom for piece in self.pieces)

    @property
    def top(self) -> float:
        return max(piece.top for piece in self.pieces)

    @property
    def height(self) -> float:
        return max(piece.top - piece.bottom for piece in self.pieces)


def lines_in_order(segments: Sequence[Segment], width: float) -> list[Line]:
    """The lines of a page: of two columns the left one first, above and below what spans both."""
    drawn = _drawn_lines(segments)
    gutter = _gutter(drawn, width)
    if gutter is None:
        return _written(drawn)
    found: list[Line] = []
    left: list[_Drawn] = []
    right: list[_Drawn] = []
    for line in drawn:
        sides = _parted(line, gutter)
        if sides is None:
            found += _written(left) + _written(right) + _written([line])
            left, right = [], []
        else:
            left += sides[:1] if sides[0].pieces else []
            right += sides[1:] if sides[1].pieces else []
    return found + _written(left) + _written(right)


def typical_height(lines: Sequence[Line]) -> float:
    """Of running text, by the characters that have it."""
    counted: Counter[float] = Counter()
    for line in lines:
        counted[round(line.height, 1)] += len(line.text)
    return median(counted.elements()) if counted else 0.0


def _drawn_lines(segments: Sequence[Segment]) -> list[_Drawn]:
    """Pieces that stand beside each other, from the top of the page to its bottom."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda one: (-(one.top + one.bottom), one.left)):
        row = rows[-1] if rows else None
        if row is not None and _is_beside(row[0], segment):
            row.append(segment)
        else:
            rows.append([segment])
    return [_Drawn(tuple(sorted(row))) for row in rows]


def _is_beside(first: Segment, second: Segment) -> bool:
    common = min(first.top, second.top) - max(first.bottom, second.bottom)
    return common >= _SAME_LINE * min(first.top - first.bottom, second.top - second.bottom)


def _gutter(lines: Sequence[_Drawn], width: float) -> float | None:
    """The middle of the empty stripe between two columns of text; None on a page of one column."""
    wide = [
        run
        for line in lines
        for run in _runs(line.pieces)
        if run[-1].right - run[0].left >= _COLUMN_SHARE * width and run[-1].right - run[0].left < 0.6 * width
    ]
    lefts = [run[-1].right for run in wide if run[-1].right < 0.62 * width]
    rights = [run[0].left for run in wide if run[0].left > 0.38 * width]
    if len(lefts) < _LEAST_COLUMN_LINES or len(rights) < _LEAST_COLUMN_LINES:
        return None
    inner, outer = max(lefts), min(rights)
    if outer - inner < _GUTTER:
        return None
    return (inner + outer) / 2


def _runs(pieces: Sequence[Segment]) -> list[list[Segment]]:
    """Pieces without a gap as wide as between cells."""
    runs = [[pieces[0]]]
    for before, piece in pairwise(pieces):
        if piece.left - before.right > _CELL_GAP * (piece.top - piece.bottom):
            runs.append([piece])
        else:
            runs[-1].append(piece)
    return runs


def _parted(line: _Drawn, gutter: float) -> tuple[_Drawn, _Drawn] | None:
    """What stands on either side of the gutter; None for a line that crosses it."""
    if any(piece.left < gutter < piece.right for piece in line.pieces):
        return None
    left = tuple(piece for piece in line.pieces if piece.right <= gutter)
    right = tuple(piece for piece in line.pieces if piece.left >= gutter)
    return _Drawn(left), _Drawn(right)


def _written(lines: Sequence[_Drawn]) -> list[Line]:
    """Lines of one column as text; those with cells that stand one below the other are rows of a table."""
    if not lines:
        return []
    pitches = [above.bottom - below.bottom for above, below in pairwise(lines)]
    pitch = median(pitches) if pitches else 0.0
    runs = [_runs(line.pieces) for line in lines]
    found = []
    for at, line in enumerate(lines):
        neighbours = [runs[near] for near in (at - 1, at + 1) if 0 <= near < len(lines)]
        is_row = len(runs[at]) > 1 and any(len(near) > 1 for near in neighbours)
        cells = [_joined(run) for run in runs[at]]
        gap = lines[at - 1].bottom - line.bottom if at else 0.0
        found.append(
            Line(
                text=f"| {' | '.join(cells)} |" if is_row else " ".join(cells),
                height=line.height,
                starts_paragraph=at == 0 or gap > pitch + _PARAGRAPH_GAP * line.height,
                is_row=is_row,
            )
        )
    return found


def _joined(run: Sequence[Segment]) -> str:
    text = run[0].text
    for before, piece in pairwise(run):
        is_apart = piece.left - before.right > 0.12 * (piece.top - piece.bottom)
        text += f" {piece.text}" if is_apart else piece.text
    return text
