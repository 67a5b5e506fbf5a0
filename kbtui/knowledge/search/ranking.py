"""What a passage is worth for a question: five reasons, each from 0 to 1, weighed.

Scores of a list are usually scaled to its own best and worst. That makes the best of ten bad passages look like the
best of ten good ones, and weak keywords as loud as telling ones. Here each reason is a share of the most it could be
(Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023, call it theoretical scaling):
so the weight of words and of meaning follows from the question by itself. Where keywords are rare and met in full, the
lexical side leads; where they are common or missing, meaning does; where the model knows nothing, it adds nothing.

Of the words' share the root counts: the first half of the keywords that a passage meets tells more than the other half.

Meaning counts more where it singles out a passage: its weight grows by how far the best cosine is above the tenth best.
Many passages that are all about as near say that the question's subject is met everywhere, and not where the answer is.
It also counts more where the question names nothing, by a capital, a figure or the spelling of code: then its words are
its own, and a text that answers it need not share them.

Two reasons are of the document around the passage: its words and its mean vector. They count by the share of the
documents that have several passages; where each is one, they would say the same once more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.search.made_vectors import MADE_AT_MOST
from kbtui.text.language import cjk_share
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.domain.document import Chunk
    from kbtui.knowledge.search.made_vectors import MadeVectors
    from kbtui.knowledge.store.index import Index
    from kbtui.knowledge.store.index_view import TextView
    from kbtui.knowledge.store.vector_view import VectorView

_REASONS: Final = ("vector", "lexical", "phrase", "document_lexical", "document_vector")
_NAMED: Final = "named"
_PLAIN: Final = "plain"
_NAMES_SOMETHING: Final = re.compile(
    # A figure, code by its signs or its capitals, a path, a flag, or a capital behind the first word of a sentence.
    r"\d|`|[a-z][A-Z]|[^\W_]_|_[^\W_]|\w[./\\]\w|::|\(\)|(?<!\S)--?[a-z]|(?<![.?!:;。？！\s])[\s\"'(]+[A-Z](?![\s'’]|$)"
)
_FEW_FILES: Final = 8
_CROWD: Final = 10
"""Passages, the last of which tells how near the crowd is. Five or twenty tell the same on the development sets."""
_NEAR: Final = 3
"""Tokens from one keyword to the next, either way round: code says ``class Error`` where people ask for the Error
class, and an identifier is a token whole as well as its parts (Metzler and Croft's unordered windows, SIGIR 2005)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A chunk that one of the searches found.

    Attributes:
        row: Its place in the index, to fetch it by.
        path: Of its file.
        start_line: Its first line.
        terms: Its tokens, joined by spaces.
        bm25: 0 where the full-text search did not bring it.
        cosine: Of its best window and the question; None where no vector says.
        chunk_cosine: Of all of it and the question.
        lexical_rank: Its place among what the full-text search found, from 1; None where it is not among them.
        vector_rank: The same for the vectors.
        document_share: BM25 of its whole document as a share of the most that any document could have.
        document_cosine: Of the mean vector of its document and the question; None where no vector says.
    """

    row: int
    path: str
    start_line: int
    terms: str
    bm25: float = 0.0
    cosine: float | None = None
    chunk_cosine: float | None = None
    lexical_rank: int | None = None
    vector_rank: int | None = None
    document_share: float = 0.0
    document_cosine: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A candidate with its score, 0 to about 1, and what that is made of (`domain.explanation` reads the signals)."""

    candidate: Candidate
    score: float
    signals: Mapping[str, float]


def ranked(
    index: Index,
    vector: Vectors | None,
    terms: Sequence[str],
    depth: int,
    k: int,
    trust: float = 1.0,
    named: Mapping[str, Collection[str]] | None = None,
    *,
    plain: bool = False,
    weights: Mapping[str, float] | None = None,
    made: MadeVectors | None = None,
) -> list[tuple[Chunk, Ranked]]:
    """The ``k`` best of the ``depth`` chunks nearest to ``vector`` and the ``depth`` that match ``terms`` best.

    Args:
        vector: Of the question, unit length; None leaves it to the terms.
        terms: Tokens of the keywords, in their order; none leaves it to the vector.
        trust: How much of the question the model can read, 0 to 1.
        named: Paths of the files that keywords name, with the terms of those.
        plain: The question names nothing (`names_something`).
        weights: Of each reason; those that are fitted, unless given.
        made: Makes vectors of the best passages that have none.

    Raises:
        IndexCorrupt: The index cannot be read.
        EmbeddingError: The model cannot be loaded.
    """

    def best(text: TextView) -> list[tuple[Chunk, Ranked]]:
        vectors = index.current_vectors() if vector is not None else None
        candidates = gathered(text, vectors, vector, terms, depth, named or (), made)
        several = text.several_passages
        found = rank(candidates, terms, text.best_of, trust, weights, named, plain=plain, several=several)[:k]
        return list(zip(text.chunks_at([one.candidate.row for one in found]), found, strict=True))

    return index.read(best, [])


def gathered(
    text: TextView,
    vectors: VectorView | None,
    vector: Vectors | None,
    terms: Sequence[str],
    depth: int,
    named: Collection[str] = (),
    made: MadeVectors | None = None,
) -> list[Candidate]:
    """What the two searches find, the ``depth`` best of each, and what each has to say of all of them.

    Of a few files that the question names, passages are looked at wherever they rank in the folder.
    """
    words = dict(text.matching(terms, depth))
    if 0 < len(named) <= _FEW_FILES:
        words |= text.matching(terms, depth, frozenset(named))
    near = vectors.search(text, vector, depth) if vectors is not None and vector is not None else []
    ids = list(dict.fromkeys([*words, *(row for row, _ in near)]))
    facts = text.facts_at(ids)
    keys = np.unique(np.array([key for *_, key in facts], dtype=np.int64))
    cosines = vectors.compare(keys, vector) if vectors is not None and vector is not None else {}
    if made is not None and vector is not None:
        cosines |= _made_cosines(text, made, vector, ids, [key for *_, key in facts], cosines)
    lexical_ranks = {row: rank for rank, row in enumerate(words, 1)}
    vector_ranks = {row: rank for rank, (row, _) in enumerate(near, 1)}
    shares = text.document_shares(terms)
    means = vectors.document_cosines(text, vector) if vectors is not None and vector is not None else None
    found = []
    for row, (path, line, held, key) in zip(ids, facts, strict=True):
        whole, best = cosines.get(key, (None, None))
        found.append(
            Candidate(
                row=row,
                path=path,
                start_line=line,
                terms=held,
                bm25=words.get(row, 0.0),
                # A text without windows has its own vector.
                cosine=whole if best == -1.0 else best,
                chunk_cosine=whole,
                lexical_rank=lexical_ranks.get(row),
                vector_rank=vector_ranks.get(row),
                document_share=float(shares[text.place_of[path]]),
                document_cosine=_said(means, text.place_of[path]),
            )
        )
    return found


def _made_cosines(
    text: TextView,
    made: MadeVectors,
    vector: Vectors,
    ids: Sequence[int],
    keys: Sequence[int],
    known: Collection[int],
) -> dict[int, tuple[float, float]]:
    """By key, the cosines of the first passages that have no vector; made for this question."""
    missing = list({key: row for row, key in zip(ids, keys, strict=True) if key not in known}.items())[:MADE_AT_MOST]
    if not missing:
        return {}
    return made.compare([key for key, _ in missing], text.chunks_at([row for _, row in missing]), vector)


def _said(cosines: npt.NDArray[np.float32] | None, place: int) -> float | None:
    return None if cosines is None or math.isnan(cosines[place]) else float(cosines[place])


@cache
def fitted_weights() -> Mapping[str, float]:
    """The weights of ``ranking.toml``."""
    loaded = toml_in(__package__, "ranking.toml")
    return {reason: float(loaded[reason]) for reason in (*_REASONS, _NAMED, _PLAIN)}


def names_something(question: str) -> bool:
    """Whether a question names a thing as it is written: by a capital, a figure, or the spelling of code."""
    return _NAMES_SOMETHING.search(question) is not None


def rank(
    candidates: Sequence[Candidate],
    terms: Sequence[str],
    best_of: Callable[[str], float],
    trust: float = 1.0,
    weights: Mapping[str, float] | None = None,
    named: Mapping[str, Collection[str]] | None = None,
    *,
    plain: bool = False,
    several: float = 0.0,
) -> list[Ranked]:
    """The candidates, best first; ties by path and line.

    A candidate that no vector speaks for (they are still being made, or the search did not reach it) counts as just
    below those it speaks for, so that its words decide.

    Args:
        terms: Tokens of the keywords, in their order.
        best_of: The highest BM25 that any chunk has for one term alone: what the term is worth at most.
        trust: How much of the question the model can read, 0 to 1.
        weights: Of each reason; those that are fitted, unless given. Those of the sides that take part are scaled to
            sum to 1. That of ``named`` is added where the file is one of those.
        named: Paths of the files that keywords name, with the terms of those: a file need not call itself by name,
            so its passages count as if they held them.
        plain: The question names nothing; then meaning counts ``plain`` times as much.
        several: The share of the documents that have several passages.
    """
    named = named or {}
    names = {term for terms_of_file in named.values() for term in terms_of_file}
    known = [candidate.cosine for candidate in candidates if candidate.cosine is not None]
    weights = weights or fitted_weights()
    means = [candidate.document_cosine for candidate in candidates if candidate.document_cosine is not None]
    sides = {
        "vector": trust * bool(known) * (1.0 + _lead(known)) * (weights.get(_PLAIN, 1.0) if plain else 1.0),
        "lexical": 1.0 * bool(terms),
        "phrase": 1.0 * bool(terms),
        "document_lexical": several * bool(terms),
        "document_vector": several * trust * bool(means) * bool(terms),
    }
    bonus = weights.get(_NAMED, 0.0)
    weights = _scaled(weights, sides)
    worth = {term: best_of(term) for term in dict.fromkeys(terms)}
    most = sum(worth[term] for term in terms)
    pairs = {
        pair: min(worth[pair[0]], worth[pair[1]])
        for pair in pairwise(terms)
        if pair[0] != pair[1] and not _is_cjk(pair) and names.isdisjoint(pair)
    }
    all_pairs = sum(pairs.values())
    near = _Near(pairs)
    floor, mean_floor = max(min(known, default=0.0), 0.0), max(min(means, default=0.0), 0.0)
    found: list[Ranked] = []
    for candidate in candidates:
        own = _unsaid(named[candidate.path], candidate.terms, worth) if candidate.path in named else 0.0
        share = min((candidate.bm25 + own) / most, 1.0) if most else 0.0
        parts = {
            "vector": max(floor if candidate.cosine is None else candidate.cosine, 0.0),
            "lexical": math.sqrt(share),
            "phrase": near.worth(candidate.terms) / all_pairs if all_pairs else 0.0,
            "document_lexical": candidate.document_share,
            "document_vector": max(candidate.document_cosine or mean_floor, 0.0),
        }
        adds = {reason: weights[reason] * part for reason, part in parts.items()}
        signals = _signals(candidate, share, parts["phrase"], weights, adds)
        if candidate.path in named:
            signals |= {_NAMED: 1.0, f"weight_{_NAMED}": bonus, f"part_{_NAMED}": bonus}
        score = sum(adds.values()) + signals.get(f"part_{_NAMED}", 0.0)
        found.append(Ranked(candidate=candidate, score=round(score, 9), signals=signals))
    found.sort(key=lambda ranked: (-ranked.score, ranked.candidate.path, ranked.candidate.start_line))
    return found


def _lead(cosines: Sequence[float]) -> float:
    """How far the best is above the crowd; 0 where there is no crowd to compare it with."""
    ordered = sorted(cosines, reverse=True)
    return ordered[0] - ordered[_CROWD - 1] if len(ordered) >= _CROWD else 0.0


def _unsaid(names: Collection[str], terms: str, worth: Mapping[str, float]) -> float:
    """What the names of its file are worth that a passage does not hold itself."""
    held = frozenset(terms.split())
    return sum(worth[name] for name in names if name in worth and name not in held)


def _scaled(weights: Mapping[str, float], sides: Mapping[str, float]) -> dict[str, float]:
    shares = {reason: weights.get(reason, 0.0) * sides[reason] for reason in _REASONS}
    total = sum(shares.values()) or 1.0
    return {reason: share / total for reason, share in shares.items()}


def _signals(
    candidate: Candidate, share: float, phrase: float, weights: Mapping[str, float], adds: Mapping[str, float]
) -> dict[str, float]:
    signals: dict[str, float] = {}
    if candidate.vector_rank is not None:
        signals["rank_vector"] = float(candidate.vector_rank)
    if candidate.lexical_rank is not None:
        signals["rank_lexical"] = float(candidate.lexical_rank)
    if candidate.cosine is not None:
        signals |= {"cosine": candidate.cosine, "chunk_cosine": candidate.chunk_cosine or 0.0}
    if candidate.bm25:
        signals |= {"bm25": candidate.bm25, "bm25_share": share}
    if phrase:
        signals["phrase"] = phrase
    if candidate.document_share:
        signals["document_share"] = candidate.document_share
    if candidate.document_cosine is not None:
        signals["document_cosine"] = candidate.document_cosine
    for reason in _REASONS:
        if adds[reason]:
            signals |= {f"weight_{reason}": weights[reason], f"part_{reason}": round(adds[reason], 9)}
    return signals


class _Near:
    """Finds pairs of keywords that stand within `_NEAR` tokens of each other.

    Args:
        pairs: Each with what it is worth.
    """

    def __init__(self, pairs: Mapping[tuple[str, str], float]) -> None:
        # Most passages hold no pair: what is looked for in each is made once.
        self._pairs = [(pair, f" {pair[0]} ", f" {pair[1]} ", worth) for pair, worth in pairs.items()]

    def worth(self, terms: str) -> float:
        """What the pairs are worth that are near each other in ``terms``."""
        padded = f" {terms} "
        held = [(pair, worth) for pair, first, second, worth in self._pairs if first in padded and second in padded]
        if not held:
            return 0.0
        wanted = {term for pair, _ in held for term in pair}
        places: dict[str, set[int]] = {term: set() for term in wanted}
        for place, term in enumerate(terms.split(" ")):
            if term in wanted:
                places[term].add(place)
        return sum(worth for (one, other), worth in held if _are_near(places[one], places[other]))


def _are_near(ones: Collection[int], others: Collection[int]) -> bool:
    return any(one + step in others or one - step in others for one in ones for step in range(1, _NEAR + 1))


def _is_cjk(pair: tuple[str, str]) -> bool:
    """Characters and pairs of one run already say which characters stand together."""
    return cjk_share(pair[0]) > 0 or cjk_share(pair[1]) > 0
