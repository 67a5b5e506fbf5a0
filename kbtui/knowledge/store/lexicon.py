"""Which words stand in which documents of a folder, and how often: the level above passages.

A passage may hold half of what a question asks for and its document the other half; BM25 over whole documents tells.
The same counts tell how rare a word is, whether the folder knows it at all, and which known words are near it.

All of it is a handful of arrays: 0.4 million postings and 5 MB for 25,000 passages. They are kept beside the index
(`lexicon_store`) and brought up to date by document, told by its stamp.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa

K1: Final = 1.2
B: Final = 0.75
"""Of BM25, as LanceDB has them for passages."""

Integers = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """The postings of one version of the text, ordered by term and then by document.

    Attributes:
        terms: Tokens, as ``terms.chunk_terms`` makes them, sorted.
        starts: Where the postings of each term begin, and behind the last one their number ``(terms + 1,)``.
        documents: Of each posting, its place in ``stamps``.
        counts: Of each posting, how often the term stands in the document.
        passages: Of each posting, in how many passages of the document it stands.
        stamps: Of the write of each document, which names one state of one file.
        lengths: Tokens of each document.
        sizes: Passages of each document.
    """

    terms: Sequence[str]
    starts: npt.NDArray[np.int64]
    documents: Integers
    counts: Integers
    passages: Integers
    stamps: tuple[str, ...]
    lengths: Integers
    sizes: Integers

    @cached_property
    def passage_count(self) -> int:
        return int(self.sizes.sum())

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each document by its stamp."""
        return {stamp: place for place, stamp in enumerate(self.stamps)}

    def _span(self, term: str) -> slice:
        """The postings of a term; empty where no document holds it."""
        place = bisect_left(self.terms, term)
        if place == len(self.terms) or self.terms[place] != term:
            return slice(0, 0)
        return slice(int(self.starts[place]), int(self.starts[place + 1]))

    def __contains__(self, term: str) -> bool:
        span = self._span(term)
        return bool(span.stop > span.start)

    def passages_with(self, term: str) -> int:
        """How many passages hold ``term``."""
        return int(self.passages[self._span(term)].sum())

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """For each term 0 (every passage holds it) to 1 (none does); empty when there is no passage."""
        count = self.passage_count
        if not count:
            return {}
        return {term: idf(self.passages_with(term), count) / idf(0, count) for term in dict.fromkeys(terms)}

    def share_with(self, terms: Iterable[str]) -> float:
        """How many of the passages are in documents half of whose passages hold one of ``terms``, 0 to 1."""
        held = np.zeros(len(self.stamps), dtype=bool)
        for span in map(self._span, terms):
            found = self.documents[span]
            held[found] |= 2 * self.passages[span] >= self.sizes[found]
        return float(self.sizes[held].sum()) / max(self.passage_count, 1)

    def shares(self, terms: Sequence[str]) -> Scores:
        """Of each document, the BM25 of ``terms`` as a share of the most that any document could have ``(documents,)``.

        A term counts as often as it is given.
        """
        found = np.zeros(len(self.stamps), dtype=np.float32)
        if not len(found):
            return found
        norm = K1 * (1 - B + B * self.lengths / max(float(self.lengths.mean()), 1.0))
        most = 0.0
        for term in terms:
            span = self._span(term)
            rare = idf(span.stop - span.start, len(found)) * (K1 + 1)
            most += rare
            held, times = self.documents[span], self.counts[span]
            found[held] += rare * times / (times + norm[held])
        return found / most if most else found


def idf(held: int, count: int) -> float:
    """Robertson and Spärck Jones's weight in the form of Lucene, which is never negative."""
    return math.log(1 + (count - held + 0.5) / (held + 0.5))


def counted(terms: pa.ChunkedArray, stamps: pa.ChunkedArray) -> Lexicon:
    """The lexicon of passages.

    Args:
        terms: The tokens of each passage, joined by spaces.
        stamps: Of the write of the document that each passage belongs to.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(terms):
        return EMPTY
    lists = pa.chunked_array(pc.split_pattern(terms, " ")).combine_chunks()
    sizes = pc.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    words = lists.flatten().dictionary_encode()
    owners = pa.chunked_array(stamps).combine_chunks().dictionary_encode()
    known = words.dictionary.to_pylist()
    order = np.array(sorted(range(len(known)), key=known.__getitem__), dtype=np.int64)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    owner = owners.indices.to_numpy()
    # Passages in the order of their documents, so that one sort brings both levels together.
    passage = np.empty(len(owner), dtype=np.int64)
    by_owner = np.argsort(owner, kind="stable")
    passage[by_owner] = np.arange(len(owner))
    keys = rank[words.indices.to_numpy()] * len(owner) + np.repeat(passage, sizes)
    keys.sort()
    # One entry a term and passage, then one a term and document.
    firsts = _firsts(keys)
    times = np.diff(np.append(firsts, len(keys)))
    term, document = keys[firsts] // len(owner), owner[by_owner][keys[firsts] % len(owner)]
    pairs = term * len(owners.dictionary) + document
    firsts = _firsts(pairs)
    held = term[firsts]
    documents = len(owners.dictionary)
    return Lexicon(
        terms=[known[place] for place in order],
        starts=np.searchsorted(held, np.arange(len(known) + 1)),
        documents=document[firsts].astype(np.int32),
        counts=np.add.reduceat(times, firsts).astype(np.int32),
        passages=np.diff(np.append(firsts, len(pairs))).astype(np.int32),
        stamps=tuple(owners.dictionary.to_pylist()),
        lengths=np.bincount(owner, weights=sizes, minlength=documents).astype(np.int32),
        sizes=np.bincount(owner, minlength=documents).astype(np.int32),
    )


def joined(one: Lexicon, other: Lexicon, kept: frozenset[str]) -> Lexicon:
    """The documents of both whose stamps are ``kept``; no stamp is in both."""
    terms = sorted({*one.terms, *other.terms})
    place = {term: at for at, term in enumerate(terms)}
    columns: list[tuple[npt.NDArray[np.int64], ...]] = []
    stamps: list[str] = []
    lengths, sizes = [], []
    for lexicon in (one, other):
        stays = np.array([stamp in kept for stamp in lexicon.stamps], dtype=bool)
        moved = np.cumsum(stays) - 1 + len(stamps)
        held = np.repeat([place[term] for term in lexicon.terms], np.diff(lexicon.starts)).astype(np.int64)
        alive = stays[lexicon.documents] if len(lexicon.documents) else np.empty(0, dtype=bool)
        own = (held, moved[lexicon.documents] if len(alive) else held, lexicon.counts, lexicon.passages)
        columns.append(tuple(column[alive] for column in own))
        stamps += [stamp for stamp, stay in zip(lexicon.stamps, stays.tolist(), strict=True) if stay]
        lengths.append(lexicon.lengths[stays])
        sizes.append(lexicon.sizes[stays])
    held, documents, counts, passages = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((documents, held))
    # A term that nothing holds any more is no term of the folder.
    there = np.unique(held)
    return Lexicon(
        terms=[terms[at] for at in there.tolist()],
        starts=np.append(np.searchsorted(held[order], there), len(held)),
        documents=documents[order].astype(np.int32),
        counts=counts[order].astype(np.int32),
        passages=passages[order].astype(np.int32),
        stamps=tuple(stamps),
        lengths=np.concatenate(lengths).astype(np.int32),
        sizes=np.concatenate(sizes).astype(np.int32),
    )


def _firsts(ordered: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Where each value of a sorted array first stands."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


_NONE: Final = np.empty(0, dtype=np.int32)
EMPTY: Final = Lexicon(
    terms=(), starts=np.zeros(1, dtype=np.int64), documents=_NONE, counts=_NONE, passages=_NONE, stamps=(),
    lengths=_NONE, sizes=_NONE,
)  # fmt: skip
