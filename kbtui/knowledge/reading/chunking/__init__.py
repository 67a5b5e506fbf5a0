"""Documents cut into passages: small enough to embed, whole enough to be understood, each with its exact lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from kbtui.domain.document import Chunk, Document
from kbtui.knowledge.reading.chunking.packing import CRUMB, STRETCH, Piece, lengths, merged, offsets_of, packed
from kbtui.knowledge.reading.chunking.sections import sections
from kbtui.knowledge.reading.walked import ReadingRules
from kbtui.text.markup import strip_html
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


__all__ = ["chunk", "embedding_text"]

_MARKDOWN_TARGET = re.compile(r"\]\([^()\s]{1,2000}\)")
_RST_TARGET = re.compile(r"\s<(?:https?|mailto|ftp):[^<>\s]{1,2000}>`_")
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")


def chunk(document: Document, settings: ReadingRules) -> list[Chunk]:
    """The passages of ``document`` in order.

    They do not overlap; every line that is not blank is in one; ``text`` is exactly its lines; the first and last line
    of each are not blank. A chunk is about ``settings.chunk_chars`` long (about half as many Chinese characters) and at
    most twice that. A single line that is longer, a paragraph as most editors keep it, becomes several chunks, each
    some sentences of it; only code keeps it whole, and what has no space in it, up to `LONGEST_WHOLE` characters.
    """
    lines = document.text.split("\n")
    offsets = offsets_of(lines)
    pieces: list[Piece] = []
    for section in sections(document, lines):
        pieces += packed(section, lines, offsets, settings.chunk_chars)
    found = []
    for piece in merged(pieces, settings.chunk_chars):
        start, stop = _trimmed(lines, piece.start, piece.stop)
        if start == stop:
            continue
        texts = ["\n".join(lines[start:stop])]
        if (
            stop - start == 1
            and offsets[stop] - offsets[start] > STRETCH * settings.chunk_chars
            and (document.kind != "code" or len(texts[0]) > LONGEST_WHOLE)
        ):
            texts = parts(lines[start], settings.chunk_chars)
        found += [
            Chunk(
                path=document.path,
                start_line=start + 1,
                end_line=stop,
                text=text,
                title=document.title,
                heading_path=piece.path,
                kind=piece.kind,
            )
            for text in texts
        ]
    return found


def embedding_text(chunk: Chunk) -> str:
    """What is embedded and matched for ``chunk``: where it stands, then its words. Never what is cited.

    HTML tags and the targets of links are left out: they are noise to the model and fill its window.
    """
    where = " > ".join(filter(None, (chunk.title, *chunk.heading_path)))
    text = chunk.text
    if "<" in text or "&" in text:
        text = strip_html(text)
        text = _RST_TARGET.sub("`_", text)
    text = _MARKDOWN_TARGET.sub("]", text)
    text = _BLANK_LINES.sub("\n", text).strip()
    return f"{where}\n{text}" if where else text


def _trimmed(lines: list[str], start: int, stop: int) -> tuple[int, int]:
    while start < stop and not lines[start].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    return start, stop
