"""The postings of terms in the documents of a folder, for BM25 over whole documents.

A passage may contain only half of the terms of a question, and its document the other half. The same counts give the
rarity of terms, and the vocabulary of the folder for spelling corrections.

The postings are a few arrays: 0.4 million postings and 5 MB for 25,000 passages. They are stored next to the index
(`lexicon_store`) and updated by document, which is identified by its stamp.
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
"""Parameters of BM25, as LanceDB uses them for passages."""

_COLUMNS: Final = 7
"""Arrays that `_postings` returns."""

Integers = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """The postings of one version of the text, ordered by term and then by document.

    Attributes:
        terms: Sorted tokens, as ``terms.chunk_terms`` returns them.
        starts: Index of the first posting of each term, and the number of postings ``(terms + 1,)``.
        documents: Document of each posting, as an index of ``stamps``.
        counts: Occurrences of the term in the document of each posting.
        passages: Passages of the document of each posting that contain the term.
        stamps: Stamp of the write of each document, which identifies one state of one file.
        lengths: Number of tokens of each document.
        sizes: Number of passages of each document.
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
        """Index of each document, by its stamp."""
        return {stamp: place for place, stamp in enumerate(self.stamps)}

    def _span(self, term: str) -> slice:
        """The slice of the postings of a term; empty where no document contains it."""
        place = bisect_left(self.terms, term)
        if place == len(self.terms) or self.terms[place] != term:
            return slice(0, 0)
        return slice(int(self.starts[place]), int(self.starts[place + 1]))

    def __contains__(self, term: str) -> bool:
        span = self._span(term)
        return bool(span.stop > span.start)

    def passages_with(self, term: str) -> int:
        """Number of passages that contain ``term``."""
        return int(self.passages[self._span(term)].sum())

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """The rarity of each term, 0 (in every passage) to 1 (in none); empty where there are no passages."""
        count = self.passage_count
        if not count:
            return {}
        return {term: idf(self.passages_with(term), count) / idf(0, count) for term in dict.fromkeys(terms)}

    def share_with(self, terms: Iterable[str]) -> float:
        """Share (0 to 1) of the passages in documents in which half of the passages contain one of ``terms``."""
        is_document_with = np.zeros(len(self.stamps), dtype=bool)
        for span in map(self._span, terms):
            documents = self.documents[span]
            is_document_with[documents] |= 2 * self.passages[span] >= self.sizes[documents]
        return float(self.sizes[is_document_with].sum()) / max(self.passage_count, 1)

    def shares(self, terms: Sequence[str]) -> Scores:
        """BM25 of ``terms`` for each document, as a share of the greatest possible score ``(documents,)``.

        A repeated term counts each time.
        """
        scores = np.zeros(len(self.stamps), dtype=np.float32)
        if not len(scores):
            return scores
        norm = K1 * (1 - B + B * self.lengths / max(float(self.lengths.mean()), 1.0))
        max_score = 0.0
        for term in terms:
            span = self._span(term)
            weight = idf(span.stop - span.start, len(scores)) * (K1 + 1)
            max_score += weight
            documents, counts = self.documents[span], self.counts[span]
            scores[documents] += weight * counts / (counts + norm[documents])
        return scores / max_score if max_score else scores


def idf(containing: int, count: int) -> float:
    """The Robertson-Spärck Jones weight in the variant of Lucene, which is never negative."""
    return math.log(1 + (count - containing + 0.5) / (containing + 0.5))


def build_lexicon(batches: Iterable[pa.Table]) -> Lexicon:
    """Build the lexicon of passages.

    The memory that it takes grows with the postings and not with the passages, of which one batch is held at a time.

    Args:
        batches: Passages, each batch with the columns ``terms``, the tokens of a passage joined by spaces, and
            ``stamp``, the stamp of its document. A document may be in several batches.
    """
    words: dict[str, int] = {}
    stamps: dict[str, int] = {}
    parts = [_postings(batch, words, stamps) for batch in batches if batch.num_rows]
    if not parts:
        return EMPTY
    # The arrays of the batches are freed column by column: half of the memory is one more copy of them.
    owner, size, length, word, document, count, passage = (
        np.concatenate([part.pop(0) for part in parts]) for _ in range(_COLUMNS)
    )
    terms = sorted(words)
    rank = np.empty(len(terms), dtype=np.int32)
    rank[[words[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    pairs = rank[word] * np.int64(len(stamps)) + document
    order = np.argsort(pairs)
    pairs = pairs[order]
    firsts = _first_indexes(pairs)
    pairs = pairs[firsts]
    documents = len(stamps)
    return Lexicon(
        terms=terms,
        starts=np.searchsorted(pairs, np.arange(len(terms) + 1, dtype=np.int64) * documents),
        documents=(pairs % documents).astype(np.int32),
        counts=np.add.reduceat(count[order], firsts, dtype=np.int32),
        passages=np.add.reduceat(passage[order], firsts, dtype=np.int32),
        stamps=tuple(stamps),
        lengths=np.bincount(owner, weights=length, minlength=documents).astype(np.int32),
        sizes=np.bincount(owner, weights=size, minlength=documents).astype(np.int32),
    )


def _postings(batch: pa.Table, words: dict[str, int], stamps: dict[str, int]) -> list[Integers]:
    """The postings of a batch of passages; new terms and stamps are numbered.

    Returns:
        Of each document of the batch its number, passages and tokens; of each posting the numbers of the term and of
        the document, the occurrences and the passages with the term.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    lists = pa.chunked_array(pc.split_pattern(batch["terms"], " ")).combine_chunks()
    lengths = pc.list_value_length(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    tokens = lists.flatten().dictionary_encode()
    owners = pa.chunked_array(batch["stamp"]).combine_chunks().dictionary_encode()
    owner = owners.indices.to_numpy()
    # Passages are numbered by document, so that one sort groups by term, document and passage.
    passages = len(owner)
    passage = np.empty(passages, dtype=np.int64)
    by_owner = np.argsort(owner, kind="stable")
    passage[by_owner] = np.arange(passages)
    keys = tokens.indices.to_numpy().astype(np.int64) * passages + np.repeat(passage, lengths)
    keys.sort()
    # One entry for each term and passage, then one for each term and document.
    firsts = _first_indexes(keys)
    occurrences = np.diff(np.append(firsts, len(keys)))
    pairs = keys[firsts] // passages * len(owners.dictionary) + owner[by_owner][keys[firsts] % passages]
    firsts = _first_indexes(pairs)
    term, document = np.divmod(pairs[firsts], len(owners.dictionary))
    words_here = _numbers(tokens.dictionary.to_pylist(), words)
    stamps_here = _numbers(owners.dictionary.to_pylist(), stamps)
    columns = (
        stamps_here,
        np.bincount(owner),
        np.bincount(owner, weights=lengths),
        words_here[term],
        stamps_here[document],
        np.add.reduceat(occurrences, firsts),
        np.diff(np.append(firsts, len(pairs))),
    )
    return [column.astype(np.int32) for column in columns]


def _numbers(values: Iterable[str], numbers: dict[str, int]) -> Integers:
    """The number of each value in ``numbers``, to which new values are added."""
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int32)


def merge_lexicons(first: Lexicon, second: Lexicon, kept: frozenset[str]) -> Lexicon:
    """Merge the documents of two lexicons whose stamps are ``kept``; no stamp may be in both."""
    terms = sorted({*first.terms, *second.terms})
    place = {term: index for index, term in enumerate(terms)}
    columns: list[tuple[npt.NDArray[np.int64], ...]] = []
    stamps: list[str] = []
    lengths, sizes = [], []
    for lexicon in (first, second):
        is_kept = np.array([stamp in kept for stamp in lexicon.stamps], dtype=bool)
        new_indexes = np.cumsum(is_kept) - 1 + len(stamps)
        term_indexes = np.repeat([place[term] for term in lexicon.terms], np.diff(lexicon.starts)).astype(np.int64)
        kept_postings = is_kept[lexicon.documents] if len(lexicon.documents) else np.empty(0, dtype=bool)
        postings = (
            term_indexes,
            new_indexes[lexicon.documents] if len(kept_postings) else term_indexes,
            lexicon.counts,
            lexicon.passages,
        )
        columns.append(tuple(column[kept_postings] for column in postings))
        stamps += [stamp for stamp, keep in zip(lexicon.stamps, is_kept.tolist(), strict=True) if keep]
        lengths.append(lexicon.lengths[is_kept])
        sizes.append(lexicon.sizes[is_kept])
    term_indexes, documents, counts, passages = (np.concatenate(column) for column in zip(*columns, strict=True))
    order = np.lexsort((documents, term_indexes))
    # Terms without postings are dropped.
    present_terms = np.unique(term_indexes)
    return Lexicon(
        terms=[terms[index] for index in present_terms.tolist()],
        starts=np.append(np.searchsorted(term_indexes[order], present_terms), len(term_indexes)),
        documents=documents[order].astype(np.int32),
        counts=counts[order].astype(np.int32),
        passages=passages[order].astype(np.int32),
        stamps=tuple(stamps),
        lengths=np.concatenate(lengths).astype(np.int32),
        sizes=np.concatenate(sizes).astype(np.int32),
    )


def _first_indexes(ordered: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """Index of the first occurrence of each value in a sorted array."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


_NONE: Final = np.empty(0, dtype=np.int32)
EMPTY: Final = Lexicon(
    terms=(), starts=np.zeros(1, dtype=np.int64), documents=_NONE, counts=_NONE, passages=_NONE, stamps=(),
    lengths=_NONE, sizes=_NONE,
)  # fmt: skip
