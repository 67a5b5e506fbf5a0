"""Lines that are too long for one chunk, cut between sentences.

Whoever does not wrap has a paragraph on a line, and exported chats and reports have pages on one. A model reads about a
thousand characters: of a line left whole it would know nothing but the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from kbtui.knowledge.chunking.packing import CRUMB, STRETCH, lengths
from kbtui.text.sentences import sentence_ends

LONGEST_WHOLE: Final = 4000
"""Characters up to which a line of code stays whole, and a run without a gap."""

_GAP = re.compile(r"\s+|(?<=[，、：；,;:])")


def parts(line: str, target: int) -> list[str]:
    """``line`` in parts of about ``target`` (as `lengths` counts), none above `STRETCH` times that that can be cut.

    The parts are in order and leave out nothing but the white space between them. Of embedded data, which is ASCII
    without a gap, they hold the first `LONGEST_WHOLE` characters: nobody looks for a picture by its Base64.
    """
    found: list[tuple[int, int]] = []
    size = 0
    for start, stop in _units(line, target):
        more = _size(line[start:stop])
        if found and size + more <= target:
            found[-1] = (found[-1][0], stop)
            size += more
        else:
            found.append((start, stop))
            size = more
    if len(found) > 1 and size < CRUMB * target and _size(line[found[-2][0] : stop]) <= STRETCH * target:
        found[-2:] = [(found[-2][0], stop)]
    return [part for start, stop in found if (part := line[start:stop].strip())]


def _units(line: str, target: int) -> Iterator[tuple[int, int]]:
    """Sentences; of one that is longer than ``target``, what stands between its gaps."""
    for start, stop in pairwise((0, *sentence_ends(line), len(line))):
        if _size(line[start:stop]) <= target:
            yield start, stop
            continue
        gaps = [match.end() for match in _GAP.finditer(line, start, stop) if start < match.end() < stop]
        for first, last in pairwise((start, *gaps, stop)):
            yield from _within(line, first, last, max(LONGEST_WHOLE, target + 1))


def _within(line: str, start: int, stop: int, longest: int) -> Iterator[tuple[int, int]]:
    """A run without a gap, in parts where it is too long for one."""
    if stop - start <= longest:
        yield start, stop
    elif line[start:stop].isascii():
        yield start, start + longest
    else:
        yield from pairwise((*range(start, stop, longest // 2), stop))


def _size(text: str) -> int:
    return lengths([text])[0] - 1
