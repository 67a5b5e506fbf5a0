"""What is shown of a passage: the sentences that the question is about, at most `MOST_CHARS` characters of them.

A chunk is cut before anybody asks; where it is cut says nothing about what will be asked. When the question is there,
the passage is moved to where its words stand: over the ends of its chunk, and narrower than it. Windows of whole
sentences (of code and other short lines, whole lines) around each of the first hits compete; the best that overlap
little stay. A window's worth is its hit's score mixed with the BM25 of its own words, whose rarity is counted among the
hits, where it says more than in the whole folder: what all hits have in common does not tell them apart.

Which files come in which order stays as it was; only which passages of a file stand for it is decided anew.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError
from kbtui.knowledge.reading.loaders import kind_of
from kbtui.knowledge.reading.terms import query_terms
from kbtui.text.sentences import sentence_ends
from kbtui.text.tokenise import tokens

MOST_CHARS: Final = 800

_DEPTH: Final = 12
POOL: Final = 2 * _DEPTH
"""How many hits it takes to tell how rare a word is among them."""

_MARGIN: Final = MOST_CHARS // 2
_OWN: Final = 0.5
_OVERLAP: Final = 0.3
_LONG_LINE: Final = 240
_K1: Final = 1.2
_PROBE: Final = 40

ReadLines = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Atom:
    """Columns ``begin`` to ``end`` of a line (from 1), at the offset ``at`` in the text around the hit."""

    line: int
    begin: int
    end: int
    at: int
    terms: tuple[str, ...]

    @property
    def stop(self) -> int:
        return self.at + self.end - self.begin


class _Window(Struct, frozen=True):
    hit: Hit
    worth: float
    words: float
    own: bool = False


def focused(hits: Sequence[Hit], query: str, lines: ReadLines) -> list[Hit]:
    """``hits`` with the first `_DEPTH` narrowed to what ``query`` is about; the rest but for what is shown already.

    Each place in the order keeps its file and its score.

    Args:
        hits: Best first.
        query: The question, with its keywords.
        lines: The lines of a file as they are now. A hit whose text is not there any more stays as it is.
    """
    wanted = tuple(dict.fromkeys(query_terms(query)))
    if not hits or not wanted:
        return list(hits)
    first, rest = hits[:_DEPTH], hits[_DEPTH:]
    rarity = _rarity(wanted, hits[:POOL])
    top = max(hit.score for hit in first) or 1.0
    windows = [window for hit in first for window in _windows(hit, lines, rarity)]
    best = max(window.words for window in windows) or 1.0
    windows = [
        replace(window, worth=_OWN * window.hit.score / top + (1.0 - _OWN) * window.words / best) for window in windows
    ]
    # Sorting is stable: what is worth the same stays in the order of the hits.
    windows.sort(key=lambda window: (-window.worth, not window.own))
    chosen: dict[str, list[Hit]] = {}
    for window in windows:
        others = chosen.setdefault(window.hit.path, [])
        if not any(_overlap(window.hit, other) for other in others):
            others.append(window.hit)
    taken: Counter[str] = Counter()
    result: list[Hit] = []
    for hit in first:
        if taken[hit.path] < len(chosen[hit.path]):
            result.append(replace(chosen[hit.path][taken[hit.path]], score=hit.score))
            taken[hit.path] += 1
    return result + [hit for hit in rest if not any(_overlap(hit, other) for other in chosen.get(hit.path, ()))]


def _rarity(wanted: Sequence[str], hits: Sequence[Hit]) -> dict[str, float]:
    held = [frozenset(_terms(hit.text)) for hit in hits]
    counts = {term: sum(term in terms for terms in held) for term in wanted}
    return {term: math.log(1 + (len(held) - n + 0.5) / (n + 0.5)) for term, n in counts.items()}


def _worth(terms: Counter[str], rarity: dict[str, float]) -> float:
    """BM25 without its norm: windows are about equally long."""
    return sum(rare * n * (_K1 + 1) / (n + _K1) for term, rare in rarity.items() if (n := terms[term]))


def _windows(hit: Hit, lines: ReadLines, rarity: dict[str, float]) -> list[_Window]:
    """The hit itself where it is short enough, and every longest window that shares half of it or is half of it."""
    own = _Window(hit, 0.0, _worth(Counter(_terms(hit.text)), rarity), own=True)
    around = _around(hit, lines) if not hit.note else None
    if around is None:
        return [own]
    source, atoms, begin, stop = around
    found = [own] if stop - begin <= MOST_CHARS else []
    terms: Counter[str] = Counter()
    first = 0
    for last, atom in enumerate(atoms):
        terms.update(atom.terms)
        while atom.stop - atoms[first].at > MOST_CHARS and first < last:
            terms.subtract(atoms[first].terms)
            first += 1
        start, end = atoms[first].at, atom.stop
        longest = last + 1 == len(atoms) or atoms[last + 1].stop - start > MOST_CHARS
        shared = min(end, stop) - max(start, begin)
        if longest and 2 * shared >= min(end - start, stop - begin) and (start, end) != (begin, stop):
            found.append(_Window(_cut(hit, source, atoms[first], atom), 0.0, _worth(terms, rarity)))
    return found or [own]


def _cut(hit: Hit, source: Sequence[str], first: _Atom, last: _Atom) -> Hit:
    body = list(source[first.line - 1 : last.line])
    body[-1] = body[-1][: last.end]
    body[0] = body[0][first.begin :]
    matched = tuple(number for number in hit.matched_lines if first.line <= number <= last.line)
    return replace(hit, start_line=first.line, end_line=last.line, text="\n".join(body).rstrip(), matched_lines=matched)


def _around(hit: Hit, lines: ReadLines) -> tuple[Sequence[str], list[_Atom], int, int] | None:
    """The lines of the file, what stands in and around the hit, and its own place in that; None when it has gone."""
    try:
        source = lines(hit.path)
    except KbtuiError:
        return None
    body = "\n".join(source[hit.start_line - 1 : hit.end_line])
    begin = body.find(hit.text)
    if begin < 0:
        return None
    stop = begin + len(hit.text)
    # Where a definition begins and ends was not chosen by length.
    margin = 0 if kind_of(hit.path) == "code" else _MARGIN
    least, most = begin - margin, stop + margin
    atoms: list[_Atom] = []
    number, at = hit.start_line, 0
    while number > 1 and at > least:
        number -= 1
        at -= len(source[number - 1]) + 1
    while number <= len(source) and at < most:
        line = source[number - 1]
        for start, end in _pieces(line, least - at, most - at):
            if at + start >= least and at + end <= most:
                atoms.append(_Atom(number, start, end, at + start, _terms(line[start:end])))
        at += len(line) + 1
        number += 1
    return source, atoms, begin, stop


def _pieces(line: str, least: int, most: int) -> list[tuple[int, int]]:
    """A short line whole; of a longer one its sentences that touch the columns ``least`` to ``most``."""
    if len(line) <= _LONG_LINE:
        return [(0, len(line))] if line.strip() else []
    # Far enough out to find where the first sentence begins; the line itself may be a megabyte.
    begin, stop = max(0, least - MOST_CHARS), min(len(line), most + MOST_CHARS)
    found = []
    start = begin
    for end in (*(begin + offset for offset in sentence_ends(line[begin:stop])), stop):
        while end - start > MOST_CHARS:
            cut = line.rfind(" ", start + 1, start + MOST_CHARS) + 1 or start + MOST_CHARS
            found.append((start, cut))
            start = cut
        found.append((start, end))
        start = end
    return [(start + _lead(line[start:end]), end) for start, end in found if line[start:end].strip()]


def _lead(text: str) -> int:
    return len(text) - len(text.lstrip())


def _overlap(one: Hit, other: Hit) -> bool:
    """They show much of the same text."""
    if one.path != other.path or one.start_line > other.end_line or other.start_line > one.end_line:
        return False
    if one.note or other.note:
        return one == other
    shorter, longer = sorted((one.text, other.text), key=len)
    if shorter in longer:
        return True
    # One ends in what the other begins with, or they lie in different sentences of one line.
    shared = max(_shared(one.text, other.text), _shared(other.text, one.text))
    return shared > _OVERLAP * len(shorter)


def _shared(one: str, other: str) -> int:
    """How many characters the end of ``one`` has in common with the beginning of ``other``."""
    at = one.find(other[:_PROBE])
    while at >= 0:
        if other.startswith(one[at:]):
            return len(one) - at
        at = one.find(other[:_PROBE], at + 1)
    return 0


@lru_cache(maxsize=8192)
def _terms(text: str) -> tuple[str, ...]:
    return tuple(tokens(text))
