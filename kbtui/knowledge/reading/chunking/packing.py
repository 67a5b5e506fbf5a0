"""Packs units into pieces of about the target length, and merges crumbs with their neighbours."""

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
"""Factor of the target up to which a piece may grow rather than be cut in a bad place."""

CRUMB: Final = 0.25
"""Share of the target below which a piece is a crumb, which is merged with a neighbour."""

_DUST: Final = 0.1
_CJK_CHAR = re.compile(f"[{CJK}]")


class Piece(Struct, frozen=True):
    """Lines ``start`` to ``stop`` (exclusive) that become a chunk; ``size`` as `lengths` counts.

    Attributes:
        bare: Whether it is only a heading, or the first line of a class.
        whole: Whether it is its whole section.
    """

    start: int
    stop: int
    size: int
    path: tuple[str, ...]
    kind: ChunkKind
    bare: bool = False
    whole: bool = False


def lengths(lines: Sequence[str]) -> list[int]:
    """The length of each line with its line end, in which characters of scripts without spaces count twice.

    A Chinese character carries about as much meaning as half an English word, and is a token of its own in most models.
    """
    return [len(line) + 1 + (0 if line.isascii() else sum(1 for _ in _CJK_CHAR.finditer(line))) for line in lines]


def offsets_of(lines: Sequence[str]) -> list[int]:
    """The offset of each line, as `lengths` counts, and the end of the last one."""
    return [0, *accumulate(lengths(lines))]


def pack_section(section: Section, lines: Sequence[str], offsets: Sequence[int], target: int) -> list[Piece]:
    """Pack the units of a section into pieces of about ``target``; only a longer line exceeds `STRETCH` times that."""
    pieces: list[Piece] = []
    group: list[Unit] = []
    size = 0
    for atom in _atoms(_glue_groups(section.units, offsets, target), lines, offsets, target):
        atom_size = sum(_size(offsets, unit) for unit in atom)
        limit = STRETCH * target if size < CRUMB * target else target
        if group and size + atom_size > limit:
            pieces.append(_piece(group, offsets, section.path))
            group, size = [], 0
        group += atom
        size += atom_size
    if group:
        pieces.append(_piece(group, offsets, section.path))
    if len(pieces) > 1 and pieces[-1].size < CRUMB * target and pieces[-1].size + pieces[-2].size <= STRETCH * target:
        pieces[-2:] = [_merge(pieces[-2], pieces[-1], pieces[-2].path)]
    return [replace(pieces[0], whole=True)] if len(pieces) == 1 else pieces


def merge_crumbs(pieces: Sequence[Piece], target: int) -> list[Piece]:
    """``pieces`` with crumbs merged with a neighbour under the same heading where both fit."""
    result: list[Piece] = []
    for piece in pieces:
        if result and (path := _common_path(result[-1], piece, target)) is not None:
            result[-1] = _merge(result[-1], piece, path)
        else:
            result.append(piece)
    return result


def _common_path(first: Piece, second: Piece, target: int) -> tuple[str, ...] | None:
    """The heading path of two neighbours merged to one piece; None where they must not be merged."""
    is_below = second.path[: len(first.path)] == first.path
    if "header" in (first.kind, second.kind) or (second.bare and not first.bare):
        return None
    if first.bare and is_below and first.size + second.size <= STRETCH * target:
        return second.path
    smaller = min(first.size, second.size)
    # For the smallest crumbs (an opening bracket, one import), a longer piece is better than a chunk of their own.
    limit = STRETCH * target if smaller < _DUST * target else target
    if first.size + second.size > limit or smaller >= CRUMB * target:
        return None
    if is_below:
        return second.path if 2 * first.size < second.size else first.path
    # The end of a long section is not related to the next one.
    siblings = len(first.path) == len(second.path) and first.path[:-1] == second.path[:-1]
    return first.path[:-1] if siblings and first.whole and second.whole else None


def _merge(first: Piece, second: Piece, path: tuple[str, ...]) -> Piece:
    larger = second if second.size > first.size or first.bare else first
    return Piece(
        first.start, second.stop, first.size + second.size, path, larger.kind, first.bare and second.bare, second.whole
    )


def _piece(units: Sequence[Unit], offsets: Sequence[int], path: tuple[str, ...]) -> Piece:
    kinds: Counter[ChunkKind] = Counter()
    for unit in units:
        kinds[unit.kind] += _size(offsets, unit)
    bare = len(units) == 1 and units[0].glued and units[0].kind in ("prose", "definition")
    kind = kinds.most_common(1)[0][0]
    # Rows are hard to understand without the names of their columns.
    if kind == "table" and units[0].columns:
        path = (*path, units[0].columns)
    return Piece(units[0].start, units[-1].stop, kinds.total(), path, kind, bare)


def _glue_groups(units: Sequence[Unit], offsets: Sequence[int], target: int) -> Sequence[Unit]:
    """``units`` with those of a table or list glued together where the whole group fits into a piece."""
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
    """Group glued units, which must not be separated, and split units that are too long."""
    max_size = STRETCH * target
    atom: list[Unit] = []
    size = 0
    for unit in units:
        parts = list(_parts(unit, lines, offsets, target))
        for part in parts:
            length = _size(offsets, part)
            if atom and size + length > max_size:
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
    """Split a unit that is too long, at blank lines where possible, else between lines."""
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
            # After a cut at a blank line, the rest may already be too long for the current line.
            if size and size + length > target:
                yield replace(unit, start=start, stop=index, glued=False)
                start, size = index, 0
        if not lines[index].strip():
            blank = index + 1
        size += length
    yield replace(unit, start=start, stop=unit.stop, glued=unit.glued)


def _size(offsets: Sequence[int], unit: Unit) -> int:
    return offsets[unit.stop] - offsets[unit.start]
