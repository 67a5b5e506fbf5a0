"""Cuts documents into chunks that are small enough to embed and large enough to be understood, with exact lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from kbtui.domain.document import Chunk, Document
from kbtui.knowledge.reading.chunking.packing import (
    CRUMB,
    STRETCH,
    Piece,
    lengths,
    merge_crumbs,
    offsets_of,
    pack_section,
)
from kbtui.knowledge.reading.chunking.sections import sections
from kbtui.knowledge.reading.walk_types import ReadingRules
from kbtui.text.markup import strip_html
from kbtui.text.sentences import sentence_ends

MAX_UNCUT_CHARS: Final = 4000
"""Longest line of code, and longest text without a gap, that is not cut."""

_GAP = re.compile(r"\s+|(?<=[，、：；,;:])")


def parts(line: str, target: int) -> list[str]:
    """Cut a line into parts of about ``target`` (as `lengths` counts), and at most `STRETCH` times that where possible.

    The parts are in order and leave out only the white space between them. Of embedded data, which is ASCII without a
    gap, only the first `MAX_UNCUT_CHARS` characters are kept, since nobody searches for Base64.
    """
    spans: list[tuple[int, int]] = []
    size = 0
    for start, stop in _units(line, target):
        length = _size(line[start:stop])
        if spans and size + length <= target:
            spans[-1] = (spans[-1][0], stop)
            size += length
        else:
            spans.append((start, stop))
            size = length
    if len(spans) > 1 and size < CRUMB * target and _size(line[spans[-2][0] : stop]) <= STRETCH * target:
        spans[-2:] = [(spans[-2][0], stop)]
    return [part for start, stop in spans if (part := line[start:stop].strip())]


def _units(line: str, target: int) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence; a sentence longer than ``target`` is cut at its gaps."""
    for start, stop in pairwise((0, *sentence_ends(line), len(line))):
        if _size(line[start:stop]) <= target:
            yield start, stop
            continue
        gaps = [match.end() for match in _GAP.finditer(line, start, stop) if start < match.end() < stop]
        for first, last in pairwise((start, *gaps, stop)):
            yield from _gapless_parts(line, first, last, max(MAX_UNCUT_CHARS, target + 1))


def _gapless_parts(line: str, start: int, stop: int, longest: int) -> Iterator[tuple[int, int]]:
    """Start and end of the parts of a text without a gap, which is cut where it is too long."""
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
    """The chunks of ``document`` in order.

    They do not overlap and contain every line that is not blank; ``text`` is exactly their lines, of which the first
    and last are not blank. A chunk is about ``settings.chunk_chars`` long (about half as many Chinese characters) and
    at most twice that. A longer line, as in a paragraph on one line, becomes several chunks of some sentences each; a
    line of code, and text without spaces, is only cut above `MAX_UNCUT_CHARS` characters.
    """
    lines = document.text.split("\n")
    offsets = offsets_of(lines)
    pieces: list[Piece] = []
    for section in sections(document, lines):
        pieces += pack_section(section, lines, offsets, settings.chunk_chars)
    chunks = []
    for piece in merge_crumbs(pieces, settings.chunk_chars):
        start, stop = _trim_blank_lines(lines, piece.start, piece.stop)
        if start == stop:
            continue
        texts = ["\n".join(lines[start:stop])]
        if (
            stop - start == 1
            and offsets[stop] - offsets[start] > STRETCH * settings.chunk_chars
            and (document.kind != "code" or len(texts[0]) > MAX_UNCUT_CHARS)
        ):
            texts = parts(lines[start], settings.chunk_chars)
        chunks += [
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
    return chunks


def embedding_text(chunk: Chunk) -> str:
    """The text that is embedded for a chunk: title and headings, then its text; it is never cited.

    HTML tags and targets of links are left out, since they are noise to the model and fill its context window.
    """
    breadcrumb = " > ".join(filter(None, (chunk.title, *chunk.heading_path)))
    text = chunk.text
    if "<" in text or "&" in text:
        text = strip_html(text)
        text = _RST_TARGET.sub("`_", text)
    text = _MARKDOWN_TARGET.sub("]", text)
    text = _BLANK_LINES.sub("\n", text).strip()
    return f"{breadcrumb}\n{text}" if breadcrumb else text


def _trim_blank_lines(lines: list[str], start: int, stop: int) -> tuple[int, int]:
    while start < stop and not lines[start].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    return start, stop
