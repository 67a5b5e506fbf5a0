"""Units packed into pieces of about the wanted length, and crumbs swept up with their neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.document import ChunkKind
from kbtui.knowledge.reading.chunking.sections import Section, Unit
from kbtui.text.language import CJK

STRETCH: Final = 1.5
"""How far beyond the target a piece may go rather than be cut in a bad place."""

CRUMB: Final = 0.25
"""Share of the target below which a piece is a crumb, better joined to a neighbour."""

_DUST: Final = 0.1
_CJK_CHAR = re.compile(f"[{CJK}]")


class Piece(Struct, frozen=True):
    """Lines ``start`` up to ``stop`` (exclusive) that become a chunk; ``size`` as `lengths` counts.

    Attributes:
        bare: It is nothing but a heading (or the first line of a class).
        whole: It is all of its section.
    """

    start: int
    stop: int
    size: int
    path: tuple[str, ...]
    kind: ChunkKind
    bare: bool = False
    whole: bool = False


def lengths(lines: Sequence[str]) -> list[int]:
    """What each line counts for, its end included: its characters, those of scripts without spaces twice.

    A Chinese character says about as much as half an English word, and is a token of its own to most models.
    """
    return [len(line) + 1 + (0 if line.isascii() else sum(1 for _ in _CJK_CHAR.finditer(line))) for line in lines]


def offsets_of(lines: Sequence[str]) -> list[int]:
    """Where each line begins, as `lengths` counts, and where the last one ends."""
    return [0, *accumulate(lengths(lines))]


def packed(section: Section, lines: Sequence[str], offsets: Sequence[int], target: int) -> list[Piece]:
    """The units of one section in pieces of about ``target``, at most `STRETCH` times that but for one longer line."""
    pieces: list[Piece] = []
    group: list[Unit] = []
    size = 0
    for atom in _atoms(_kept_whole(section.units, offsets, target), lines, offsets, target):
        more = sum(_size(offsets, unit) for unit in atom)
        limit = STRETCH * target if size < CRUMB * target else target
        if group and size + more > limit:
            pieces.append(_piece(group, offsets, section.path))
            group, size = [], 0
        group += atom
        size += more
    if group:
        pieces.append(_piece(group, offsets, section.path))
    if len(pieces) > 1 and pieces[-1].size < CRUMB * target and pieces[-1].size + pieces[-2].size <= STRETCH * target:
        pieces[-2:] = [_joined(pieces[-2], pieces[-1], pieces[-2].path)]
    return [replace(pieces[0], whole=True)] if len(pieces) == 1 else pieces


def merged(pieces: Sequence[Piece], target: int) -> list[Piece]:
    """``pieces`` with crumbs joined to a neighbour under the same heading, while the two fit."""
    found: list[Piece] = []
    for piece in pieces:
        if found and (path := _common(found[-1], piece, target)) is not None:
            found[-1] = _joined(found[-1], piece, path)
        else:
            found.append(piece)
    return found


def _common(one: Piece, two: Piece, target: int) -> tuple[str, ...] | None:
    """The heading path two neighbours would have as one; None when they should stay apart."""
    below = two.path[: len(one.path)] == one.path
    if "header" in (one.kind, two.kind) or (two.bare and not one.bare):
        return None
    if one.bare and below and one.size + two.size <= STRETCH * target:
        return two.path
    smaller = min(one.size, two.size)
    # For the smallest crumbs (an opening bracket, one import) a stretch is better than a chunk of their own.
    most = STRETCH * target if smaller < _DUST * target else target
    if one.size + two.size > most or smaller >= CRUMB * target:
        return None
    if below:
        return two.path if 2 * one.size < two.size else one.path
    # The end of a long section has nothing to do with the next one.
    siblings = len(one.path) == len(two.path) and one.path[:-1] == two.path[:-1]
    return one.path[:-1] if siblings and one.whole and two.whole else None


def _joined(one: Piece, two: Piece, path: tuple[str, ...]) -> Piece:
    larger = two if two.size > one.size or one.bare else one
    return Piece(one.start, two.stop, one.size + two.size, path, larger.kind, one.bare and two.bare, two.whole)


def _piece(units: Sequence[Unit], offsets: Sequence[int], path: tuple[str, ...]) -> Piece:
    kinds: Counter[ChunkKind] = Counter()
    for unit in units:
        kinds[unit.kind] += _size(offsets, unit)
    bare = len(units) == 1 and units[0].glued and units[0].kind in ("prose", "definition")
    kind = kinds.most_common(1)[0][0]
    # Rows say little without the names of their columns.
    if kind == "table" and units[0].columns:
        path = (*path, units[0].columns)
    return Piece(units[0].start, units[-1].stop, kinds.total(), path, kind, bare)


def _kept_whole(units: Sequence[Unit], offsets: Sequence[int], target: int) -> Sequence[Unit]:
    """``units`` with those of a table or list glued together where all of it fits into a piece."""
    if not any(unit.group for unit in units):
        return units
    sizes: Counter[int] = Counter()
    for unit in units:
        sizes[unit.group] += _size(offsets, unit)
    return [
        replace(unit, glued=True)
        if unit.group and unit.group == following.group and sizes[unit.group] <= STRETCH * target
        else unit
        for unit, following in zip(units, (*units[1:], Unit(0, 0, "prose")), strict=True)
    ]


def _atoms(units: Sequence[Unit], lines: Sequence[str], offsets: Sequence[int], target: int) -> Iterator[list[Unit]]:
    """Units that must not be parted, together; units that are too long, in parts."""
    most = STRETCH * target
    atom: list[Unit] = []
    size = 0
    for unit in units:
        parts = list(_parts(unit, lines, offsets, target))
        for part in parts:
            length = _size(offsets, part)
            if atom and size + length > most:
                yield atom
                atom, size = [], 0
            atom.append(part)
            size += length
            if not part.glued:
                yield atom
                atom, size = [], 0
    if atom:
        yield atom


def _parts(unit: Unit, lines: Sequence[str], offsets: Sequence[int], target: int) -> Iterator[Unit]:
    """A unit longer than may be, cut at blank lines where it has them, else between lines."""
    if _size(offsets, unit) <= STRETCH * target or unit.stop - unit.start == 1:
        yield unit
        return
    start = unit.start
    size = 0
    blank = 0
    for index in range(unit.start, unit.stop):
        length = offsets[index + 1] - offsets[index]
        if index > start and size + length > target:
            cut = blank if blank > start else index
            yield replace(unit, start=start, stop=cut, glued=False)
            size = offsets[index] - offsets[cut]
            start = cut
            # Where a blank line was chosen, the rest may already be too long for the line at hand.
            if size and size + length > target:
                yield replace(unit, start=start, stop=index, glued=False)
                start, size = index, 0
        if not lines[index].strip():
            blank = index + 1
        size += length
    yield replace(unit, start=start, stop=unit.stop, glued=unit.glued)


def _size(offsets: Sequence[int], unit: Unit) -> int:
    return offsets[unit.stop] - offsets[unit.start]
