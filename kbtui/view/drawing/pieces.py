"""Parts of a drawing in terminal cells: lines of text pieces with roles, which the display maps to colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len, set_cell_size

Role = Literal["label", "value", "axis", "quiet", "series0", "series1", "series2", "series3", "series4", "series5"]
SERIES_ROLES: Final[tuple[Role, ...]] = ("series0", "series1", "series2", "series3", "series4", "series5")

FILLS: Final = ("█", "▒", "╱", "░", "╳", "▓")
"""Textures of series, so that bars are distinguishable without colour."""
MARKS: Final = ("●", "▲", "■", "◆", "○", "△")
"""Marks of series, for the points of line and scatter charts."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A text with its role in the drawing."""

    text: str
    role: Role


Line = tuple[Piece, ...]


def line(*pieces: Piece | None) -> Line:
    return tuple(piece for piece in pieces if piece is not None and piece.text)


def plain(lines: Iterable[Line]) -> list[str]:
    return ["".join(piece.text for piece in pieces).rstrip() for pieces in lines]


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """``text`` in exactly ``width`` cells, truncated with an ellipsis or padded."""
    if cell_len(text) > width:
        text = "" if width <= 0 else set_cell_size(text, width - 1).rstrip() + "…"
    gap = " " * (width - cell_len(text))
    return gap + text if right else text + gap


def legend(names: Sequence[str], signs: Sequence[str], width: int) -> list[Line]:
    """The legend, such as ``█ North  ░ South``, wrapped to ``width`` cells."""
    lines: list[list[Piece]] = [[]]
    used = 0
    for number, name in enumerate(names):
        sign = signs[number % len(signs)]
        text = fitted(name, min(cell_len(name), max(4, width - 4)))
        cells = cell_len(text) + 2 + (2 if used else 0)
        if used and used + cells > width:
            lines.append([])
            used, cells = 0, cells - 2
        if used:
            lines[-1].append(Piece("  ", "label"))
        lines[-1] += [Piece(sign, SERIES_ROLES[number % len(SERIES_ROLES)]), Piece(f" {text}", "label")]
        used += cells
    return [tuple(pieces) for pieces in lines if pieces]
