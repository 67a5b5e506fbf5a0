"""What a drawing in cells is made of: lines of pieces, each with the part it plays; colours are the shower's matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.cells import cell_len, set_cell_size

Role = Literal["label", "value", "axis", "quiet", "series0", "series1", "series2", "series3", "series4", "series5"]
SERIES_ROLES: Final[tuple[Role, ...]] = ("series0", "series1", "series2", "series3", "series4", "series5")

FILLS: Final = ("█", "▒", "╱", "░", "╳", "▓")
"""One texture a series, so that bars are told apart without colour."""
MARKS: Final = ("●", "▲", "■", "◆", "○", "△")
"""One mark a series, for the points of lines and clouds."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text and the part it plays."""

    text: str
    role: Role


Line = tuple[Piece, ...]


def line(*pieces: Piece | None) -> Line:
    return tuple(piece for piece in pieces if piece is not None and piece.text)


def plain(lines: Iterable[Line]) -> list[str]:
    return ["".join(piece.text for piece in one).rstrip() for one in lines]


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """``text`` in exactly ``width`` cells: cut with an ellipsis, or padded."""
    if cell_len(text) > width:
        text = "" if width <= 0 else set_cell_size(text, width - 1).rstrip() + "…"
    gap = " " * (width - cell_len(text))
    return gap + text if right else text + gap


def legend(names: Sequence[str], signs: Sequence[str], width: int) -> list[Line]:
    """``█ North  ░ South``, in as many lines as it takes."""
    lines: list[list[Piece]] = [[]]
    used = 0
    for number, name in enumerate(names):
        sign = signs[number % len(signs)]
        text = fitted(name, min(cell_len(name), max(4, width - 4)))
        need = cell_len(text) + 2 + (2 if used else 0)
        if used and used + need > width:
            lines.append([])
            used, need = 0, need - 2
        if used:
            lines[-1].append(Piece("  ", "label"))
        lines[-1] += [Piece(sign, SERIES_ROLES[number % len(SERIES_ROLES)]), Piece(f" {text}", "label")]
        used += need
    return [tuple(one) for one in lines if one]
