"""Finer vectors than a chunk's: windows of about two sentences, half overlapping, each with a vector of its own.

A chunk holds several thoughts and its vector is their mean, so a passage that answers in one sentence is hidden by the
others. The vectors of its windows come from the same pass of the model as its own (the means of the tokens in each:
"late chunking", Günther et al. 2024, arXiv:2409.04701), so they cost no time; as bytes they cost a quarter of the
space. The best of them ranks better than the chunk's own (docs/retrieval.md has the figures).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from kbtui.knowledge.embedding.port import Span, Vectors

WINDOW_CHARS: Final = 200
_SCALE: Final = 127.0
_TINY: Final = 1e-9
_END = re.compile(r"([.!?。！？；\n])(?:(?<=[.!?])[\"')\]]*\s+|(?<=[。！？；])|(?<=\n)\n*)")
"""What ends a unit, with the sign that belongs to it: a pattern that begins with a set of characters skips the others,
one that begins by looking back tries each."""


def window_spans(text: str) -> list[Span]:
    """Where the windows of an embedding text are, in characters; at least one.

    Windows begin and end at sentences and lines. The first line, which names the place in the document, belongs to all
    and is in none.
    """
    begin = text.find("\n") + 1
    units = _units(text, begin) or _units(text, 0)
    found: list[Span] = []
    first = 0
    while first < len(units):
        last = first
        while last + 1 < len(units) and units[last][1] - units[first][0] < WINDOW_CHARS:
            last += 1
        found.append((units[first][0], units[last][1]))
        if last == len(units) - 1:
            break
        half = (units[first][0] + units[last][1]) / 2
        first += 1
        while first < last and units[first][0] < half:
            first += 1
    return found or [(0, len(text))]


def _units(text: str, begin: int) -> list[Span]:
    """Sentences and lines from ``begin`` on, without the space around them."""
    found: list[Span] = []
    for match in _END.finditer(text, begin):
        end = match.start() if match[1] == "\n" else match.end(1)
        if text[begin:end].strip():
            found.append((begin, end))
        begin = match.end()
    if text[begin:].strip():
        found.append((begin, len(text)))
    return found


def packed(windows: Vectors) -> bytes:
    """Vectors ``(n, dimension)`` as one byte a number, the largest of each being all of the byte."""
    largest: Vectors = np.maximum(np.abs(windows).max(axis=1, keepdims=True, initial=0.0), _TINY)
    return np.round(windows * (_SCALE / largest)).astype(np.int8).tobytes()


def best_cosines(packs: Sequence[bytes], vector: Vectors) -> list[float]:
    """For each text's windows the highest cosine to ``vector`` (unit length); -1 where it has none.

    Each is measured by its own length, so no scale has to be kept. Of 384 numbers the cosine is .0003 off on the mean,
    .002 at most; with one scale for all it was six times as much, for the largest number of most is a sixth.
    """
    return [float(found.max(initial=-1.0)) for found in window_cosines(packs, vector)]


def window_cosines(packs: Sequence[bytes], vector: Vectors) -> list[Vectors]:
    """For each text the cosines of its windows, in order, to ``vector`` (unit length)."""
    counts = [len(pack) // len(vector) for pack in packs]
    if not sum(counts):
        return [np.zeros(0, np.float32) for _ in packs]
    matrix = np.frombuffer(b"".join(packs), dtype=np.int8).reshape(-1, len(vector)).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    cosines = np.minimum(dots(matrix, vector) / np.maximum(lengths, _TINY), 1.0)
    ends = np.cumsum(counts)
    return [cosines[end - count : end] for count, end in zip(counts, ends, strict=True)]


def dots(matrix: Vectors, vector: Vectors) -> Vectors:
    """The dot product of ``vector`` ``(d,)`` with each row of ``matrix`` ``(n, d)``, in this thread alone.

    Not ``@``: for so small a product BLAS wakes a thread a core and waits for all of them. On two idle cores that is no
    faster (0.3 ms for 10,000 rows either way), and where others work too it takes ten times as long.
    """
    products: Vectors = np.einsum("ij,j->i", matrix, vector)
    return products
