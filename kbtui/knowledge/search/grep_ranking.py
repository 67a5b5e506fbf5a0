"""Passages that grep found, ranked by BM25 with the folder's own rarities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Hit
from kbtui.knowledge.search.keywords import Term
from kbtui.knowledge.search.passages import Passage
from kbtui.text.tokenise import tokens

K1: Final = 1.2
_NOISE: Final = 0.15
_B: Final = 0.75
_PART_SHARE: Final = 0.35
_COVERAGE_SHARE: Final = 0.3
_EXACT_BONUS: Final = 0.1
_NAMED_BONUS: Final = 0.3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was found, with its text."""

    record: FileRecord
    passage: Passage
    text: str


def ranked(
    candidates: Sequence[Candidate],
    terms: Sequence[Term],
    worth: Sequence[float],
    asked: Sequence[tuple[str, bool]],
    labelled: Mapping[str, set[int]],
    k: int,
) -> list[Hit]:
    """BM25 over the candidates, with the folder's own rarities; noise dropped."""
    if not candidates:
        return []
    from rank_bm25 import BM25Okapi

    names = [_marker(index) for index in range(len(terms))]
    bags = [_bag(candidate, terms, names, labelled.get(candidate.record.path, set())) for candidate in candidates]
    bm25: Any = BM25Okapi(bags, k1=K1, b=_B)
    bm25.idf = dict(zip(names, worth, strict=True))
    for term, value in zip(terms, worth, strict=True):
        if term.whole and not term.token:
            # `DiffExecutor` also speaks of an executor, a little.
            for part in tokens(term.text)[1:]:
                bm25.idf[part] = max(bm25.idf.get(part, 0.0), _PART_SHARE * value)
    scores = bm25.get_scores(list(bm25.idf))
    found: list[Hit] = []
    for position, candidate in enumerate(candidates):
        record, passage = candidate.record, candidate.passage
        present = {index for index, name in enumerate(names) if bm25.doc_freqs[position].get(name)}
        coverage = _coverage(present, terms, len(asked))
        exact = sum(keyword in candidate.text for keyword, _ in asked) / len(asked)
        named = len(labelled.get(record.path, ())) / len(asked) if 1 in passage.matched else 0.0
        score = float(scores[position]) * (1 - _COVERAGE_SHARE + _COVERAGE_SHARE * coverage)
        score *= 1 + _EXACT_BONUS * exact + _NAMED_BONUS * named
        found.append(
            Hit(
                path=record.path,
                start_line=passage.start,
                end_line=passage.end,
                text=candidate.text,
                score=round(score, 6),
                tool="grep_search",
                title=record.title,
                signals={"bm25": round(float(scores[position]), 4), "coverage": coverage, "exact": round(exact, 4)},
                matched_lines=passage.matched,
            )
        )
    found.sort(key=lambda hit: (-hit.score, hit.path, hit.start_line))
    return [hit for hit in found if hit.score >= _NOISE * found[0].score][:k]


def _bag(candidate: Candidate, terms: Sequence[Term], names: Sequence[str], labels: set[int]) -> list[str]:
    """A passage as BM25 sees it: its tokens for its length, and a marker for each time it holds a term.

    Every passage of the file a keyword names holds that keyword, written or not: ``PEP 703`` seldom says ``PEP 703``.
    """
    bag, counted = _counted(candidate.text)
    title = name_tokens(candidate.record.title, candidate.record.path)
    marks: list[str] = []
    for index, term in enumerate(terms):
        number = max(counted.get(term.token, 0) if term.token else 0, candidate.passage.terms.get(index, 0))
        if (number and term.token in title) or (term.whole and term.keyword in labels):
            number += 1
        marks += [names[index]] * number
    return [*bag, *marks]


@lru_cache(maxsize=4096)
def _counted(text: str) -> tuple[tuple[str, ...], Mapping[str, int]]:
    """Tokens of a passage, and how often each is there. The parts of one question meet the same passages again."""
    bag = tuple(tokens(text))
    return bag, Counter(bag)


def _marker(index: int) -> str:
    """A token no text gives."""
    return f"\0{index}"


def _coverage(present: set[int], terms: Sequence[Term], asked: int) -> float:
    """Share of the keywords that are there; of one that is nowhere whole, the share of its parts."""
    by_keyword: dict[int, list[int]] = {}
    for index, term in enumerate(terms):
        by_keyword.setdefault(term.keyword, []).append(index)
    total = 0.0
    for indexes in by_keyword.values():
        parts = [index for index in indexes if not terms[index].whole]
        if any(terms[index].whole and index in present for index in indexes):
            total += 1.0
        elif parts:
            total += (
                sum(index in present for index in parts) / len(parts) * (1.0 if len(parts) == len(indexes) else 0.5)
            )
    return round(total / asked, 4)


NAMES_KEPT: Final = 1 << 17
"""Names of files whose tokens are kept; a question goes through all of them, so that fewer would be none at all."""


@lru_cache(maxsize=NAMES_KEPT)
def name_tokens(title: str, path: str) -> frozenset[str]:
    """The tokens of a title and of a path without its ending."""
    stem = path.rsplit(".", 1)[0].replace("/", " ")
    return frozenset(tokens(f"{title} {stem}"))
