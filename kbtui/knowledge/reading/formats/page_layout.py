"""Arranges text segments of a page into lines in reading order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, NamedTuple

_SAME_LINE: Final = 0.5
"""Least vertical overlap of segments of one line, as a share of the lower height."""
_CELL_GAP: Final = 1.6
"""Least gap between cells of a row, in line heights; the gap between words is about a quarter."""
_PARAGRAPH_GAP: Final = 0.55
"""Distance beyond the usual one at which a new paragraph begins, in line heights."""
_MIN_COLUMN_SHARE: Final = 0.2
"""Least width of the lines of a text column, as a share of the page; cells of tables are narrower."""
_MIN_COLUMN_LINES: Final = 4
_MIN_GUTTER: Final = 6.0
"""Least width of the space between two columns, in points."""


class Segment(NamedTuple):
    """A text segment in one font, with its bounds in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text.

    Attributes:
        height: Height of its tallest segment, in points.
        starts_paragraph: Whether the space above it is larger than between lines of a paragraph.
        is_row: Whether it has cells, which are separated by ``|``.
    """

    text: str
    height: float
    starts_paragraph: bool = False
    is_row: bool = False


class _SegmentLine(NamedTuple):
    """The segments of one line, from left to right."""

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
    """The lines of a page in reading order; of two columns, the left one comes before the right one."""
    segment_lines = _segment_lines(segments)
    gutter = _gutter_position(segment_lines, width)
    if gutter is None:
        return _to_lines(segment_lines)
    lines: list[Line] = []
    left: list[_SegmentLine] = []
    right: list[_SegmentLine] = []
    for line in segment_lines:
        parts = _split_at(line, gutter)
        if parts is None:
            lines += _to_lines(left) + _to_lines(right) + _to_lines([line])
            left, right = [], []
        else:
            left += parts[:1] if parts[0].pieces else []
            right += parts[1:] if parts[1].pieces else []
    return lines + _to_lines(left) + _to_lines(right)


def typical_height(lines: Sequence[Line]) -> float:
    """The height of running text: the median height of all characters."""
    char_counts: Counter[float] = Counter()
    for line in lines:
        char_counts[round(line.height, 1)] += len(line.text)
    return median(char_counts.elements()) if char_counts else 0.0


def _segment_lines(segments: Sequence[Segment]) -> list[_SegmentLine]:
    """Segments grouped into lines, from the top of the page to its bottom."""
    rows: list[list[Segment]] = []
    for segment in sorted(segments, key=lambda segment: (-(segment.top + segment.bottom), segment.left)):
        row = rows[-1] if rows else None
        if row is not None and _is_on_line_of(row[0], segment):
            row.append(segment)
        else:
            rows.append([segment])
    return [_SegmentLine(tuple(sorted(row))) for row in rows]


def _is_on_line_of(first: Segment, second: Segment) -> bool:
    common = min(first.top, second.top) - max(first.bottom, second.bottom)
    return common >= _SAME_LINE * min(first.top - first.bottom, second.top - second.bottom)


def _gutter_position(lines: Sequence[_SegmentLine], width: float) -> float | None:
    """The horizontal middle of the space between two columns of text; None on a page with one column."""
    wide = [
        run
        for line in lines
        for run in _cells(line.pieces)
        if run[-1].right - run[0].left >= _MIN_COLUMN_SHARE * width and run[-1].right - run[0].left < 0.6 * width
    ]
    lefts = [run[-1].right for run in wide if run[-1].right < 0.62 * width]
    rights = [run[0].left for run in wide if run[0].left > 0.38 * width]
    if len(lefts) < _MIN_COLUMN_LINES or len(rights) < _MIN_COLUMN_LINES:
        return None
    inner, outer = max(lefts), min(rights)
    if outer - inner < _MIN_GUTTER:
        return None
    return (inner + outer) / 2


def _cells(pieces: Sequence[Segment]) -> list[list[Segment]]:
    """Segments grouped into cells: a gap as wide as between cells separates them."""
    cells = [[pieces[0]]]
    for previous, piece in pairwise(pieces):
        if piece.left - previous.right > _CELL_GAP * (piece.top - piece.bottom):
            cells.append([piece])
        else:
            cells[-1].append(piece)
    return cells


def _split_at(line: _SegmentLine, gutter: float) -> tuple[_SegmentLine, _SegmentLine] | None:
    """The parts of a line on either side of the gutter; None for a line across it."""
    if any(piece.left < gutter < piece.right for piece in line.pieces):
        return None
    left = tuple(piece for piece in line.pieces if piece.right <= gutter)
    right = tuple(piece for piece in line.pieces if piece.left >= gutter)
    return _SegmentLine(left), _SegmentLine(right)


def _to_lines(lines: Sequence[_SegmentLine]) -> list[Line]:
    """The lines of one column as text; adjacent lines with several cells are rows of a table."""
    if not lines:
        return []
    pitches = [above.bottom - below.bottom for above, below in pairwise(lines)]
    pitch = median(pitches) if pitches else 0.0
    cells_of_lines = [_cells(line.pieces) for line in lines]
    result = []
    for index, line in enumerate(lines):
        neighbours = [cells_of_lines[other] for other in (index - 1, index + 1) if 0 <= other < len(lines)]
        is_row = len(cells_of_lines[index]) > 1 and any(len(other) > 1 for other in neighbours)
        cells = [_cell_text(run) for run in cells_of_lines[index]]
        gap = lines[index - 1].bottom - line.bottom if index else 0.0
        result.append(
            Line(
                text=f"| {' | '.join(cells)} |" if is_row else " ".join(cells),
                height=line.height,
                starts_paragraph=index == 0 or gap > pitch + _PARAGRAPH_GAP * line.height,
                is_row=is_row,
            )
        )
    return result


def _cell_text(cell: Sequence[Segment]) -> str:
    text = cell[0].text
    for previous, piece in pairwise(cell):
        is_apart = piece.left - previous.right > 0.12 * (piece.top - piece.bottom)
        text += f" {piece.text}" if is_apart else piece.text
    return text
