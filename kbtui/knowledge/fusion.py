"""Merging what several searches found, by rank or by score.

A passage of grep and a chunk of the vector side are the same candidate when their lines overlap; a passage of ten
lines around a match and the chunk that holds the match would otherwise compete with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kbtui.domain.evidence import Hit
from kbtui.domain.explanation import PART, WEIGHT

RRF_K: Final = 60
"""The constant of Cormack, Clarke and Büttcher (2009)."""


def rrf(lists: Sequence[Sequence[Hit]], k: int = RRF_K) -> list[Hit]:
    """Reciprocal rank fusion: a candidate scores the sum of ``1 / (k + rank)`` over the lists, ranks from 1.

    Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009; spec 003, D2.
    """
    return _fused(lists, [lambda _, rank: 1.0 / (k + rank)] * len(lists))


def convex(vector_hits: Sequence[Hit], grep_hits: Sequence[Hit], weight: float) -> list[Hit]:
    """``weight`` times the vector score plus ``1 - weight`` times the lexical one, each scaled to 0..1 over its list.

    Min-max over the list; the lexical side is scaled from 0, its least possible score, because its list ends where
    noise begins and not where relevance does. Source: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
    Retrieval", TOIS 2023.
    """
    return _fused(
        [vector_hits, grep_hits],
        [_scaled(vector_hits, weight), _scaled(grep_hits, 1.0 - weight, lowest=0.0)],
        weights=[weight, 1.0 - weight],
    )


_Worth = Callable[[Hit, int], float]


def _scaled(hits: Sequence[Hit], weight: float, lowest: float | None = None) -> _Worth:
    low = min((hit.score for hit in hits), default=0.0) if lowest is None else lowest
    span = max((hit.score for hit in hits), default=0.0) - low
    return lambda hit, _: weight * ((hit.score - low) / span if span > 0 else 1.0)


@dataclass(slots=True)
class _Candidate:
    hit: Hit
    # What each list adds, by its position: the best of the hits that were merged.
    parts: dict[int, float] = field(default_factory=dict)
    best_rank: int = 1 << 30


def _fused(
    lists: Sequence[Sequence[Hit]], worth: Sequence[_Worth], weights: Sequence[float] | None = None
) -> list[Hit]:
    candidates: list[_Candidate] = []
    by_path: dict[str, list[_Candidate]] = {}
    for position, hits in enumerate(lists):
        fresh: list[_Candidate] = []
        for rank, hit in enumerate(hits, 1):
            value = worth[position](hit, rank)
            ranked = replace(hit, signals={**hit.signals, f"rank_{_side(hit.tool, position)}": float(rank)})
            targets = _same(by_path.get(hit.path, ()), hit)
            if not targets:
                targets = [(_Candidate(ranked), 1.0)]
                fresh.append(targets[0][0])
            for target, share in targets:
                target.hit = _merged(target.hit, ranked)
                target.parts[position] = max(value * share, target.parts.get(position, 0.0))
                target.best_rank = min(target.best_rank, rank)
        # Only now: the hits of one list are different passages, even where they overlap.
        for candidate in fresh:
            candidates.append(candidate)
            by_path.setdefault(candidate.hit.path, []).append(candidate)
    scored = [(sum(candidate.parts.values()), candidate) for candidate in candidates]
    scored.sort(key=lambda item: (-item[0], item[1].best_rank, item[1].hit.path, item[1].hit.start_line))
    sides = [_side(hits[0].tool, position) if hits else "" for position, hits in enumerate(lists)]

    def explained(candidate: _Candidate) -> dict[str, float]:
        told = dict(candidate.hit.signals)
        for position, part in candidate.parts.items():
            told[PART + sides[position]] = round(part, 6)
            if weights is not None:
                told[WEIGHT + sides[position]] = round(weights[position], 4)
        return told

    return [replace(candidate.hit, score=round(score, 9), signals=explained(candidate)) for score, candidate in scored]


def _side(tool: str, position: int) -> str:
    return tool.split("_", 1)[0] or str(position)


def _same(known: Sequence[_Candidate], hit: Hit) -> list[tuple[_Candidate, float]]:
    """The candidates that overlap, and the share of the hit's worth each is due.

    A passage of grep may reach over several chunks: the one that holds most of its matching lines is due all of it,
    another one less, and one without any matching line nothing.
    """
    overlapping = [
        candidate
        for candidate in known
        if candidate.hit.start_line <= hit.end_line and hit.start_line <= candidate.hit.end_line
    ]
    if len(overlapping) < 2:
        return [(candidate, 1.0) for candidate in overlapping]
    matching = [
        sum(candidate.hit.start_line <= line <= candidate.hit.end_line for line in hit.matched_lines)
        for candidate in overlapping
    ]
    if most := max(matching):
        return [(candidate, held / most) for candidate, held in zip(overlapping, matching, strict=True) if held]
    return [(max(overlapping, key=lambda candidate: _shared(candidate.hit, hit)), 1.0)]


def _shared(one: Hit, other: Hit) -> int:
    return min(one.end_line, other.end_line) - max(one.start_line, other.start_line) + 1


def _merged(old: Hit, new: Hit) -> Hit:
    """The tighter passage, with the signals of both and the matching lines that it holds."""
    if old is new:
        return old
    tight, other = (old, new) if old.end_line - old.start_line <= new.end_line - new.start_line else (new, old)
    ranks = {
        name: min(old.signals[name], new.signals[name])
        for name in old.signals.keys() & new.signals.keys()
        if name.startswith("rank_")
    }
    # A second hit of the same list on this candidate is a worse one; what the first said stays.
    first_wins = {**new.signals, **old.signals}
    lines = sorted({*old.matched_lines, *new.matched_lines})
    return replace(
        tight,
        title=tight.title or other.title,
        heading_path=tight.heading_path or other.heading_path,
        signals={**first_wins, **ranks},
        matched_lines=tuple(line for line in lines if tight.start_line <= line <= tight.end_line),
        note=tight.note or other.note,
    )
