"""Merging what several searches found, by rank or by score scaled to each list: the two textbook ways.

`knowledge.ranking` is the way that `hybrid_search` takes by itself; these can be chosen with ``retrieval.fusion``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from kbtui.domain.evidence import Hit

RRF_K: Final = 60
"""The constant of Cormack, Clarke and Büttcher (2009)."""


def rrf(lists: Sequence[Sequence[Hit]], k: int = RRF_K) -> list[Hit]:
    """Reciprocal rank fusion: a passage scores the sum of ``1 / (k + rank)`` over the lists, ranks from 1.

    Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009; spec 003, D2.
    """
    return _fused(lists, [lambda _, rank: 1.0 / (k + rank)] * len(lists), [1.0] * len(lists))


def convex(vector_hits: Sequence[Hit], lexical_hits: Sequence[Hit], weight: float) -> list[Hit]:
    """``weight`` times the vector score plus ``1 - weight`` times the lexical one, each scaled to 0..1 over its list.

    Min-max over the list; the lexical side is scaled from 0, its least possible score, because its list ends where
    noise begins and not where relevance does. Source: Bruch, Gai, Ingber, "An Analysis of Fusion Functions for Hybrid
    Retrieval", TOIS 2023.
    """
    return _fused(
        [vector_hits, lexical_hits],
        [_scaled(vector_hits, weight), _scaled(lexical_hits, 1.0 - weight, lowest=0.0)],
        [weight, 1.0 - weight],
    )


_Worth = Callable[[Hit, int], float]
_Place = tuple[str, int, int, str]


def _scaled(hits: Sequence[Hit], weight: float, lowest: float | None = None) -> _Worth:
    low = min((hit.score for hit in hits), default=0.0) if lowest is None else lowest
    span = max((hit.score for hit in hits), default=0.0) - low
    return lambda hit, _: weight * ((hit.score - low) / span if span > 0 else 1.0)


@dataclass(slots=True)
class _Merged:
    hit: Hit
    score: float = 0.0
    best_rank: int = 1 << 30
    signals: dict[str, float] = field(default_factory=dict)


def _fused(lists: Sequence[Sequence[Hit]], worth: Sequence[_Worth], weights: Sequence[float]) -> list[Hit]:
    found: dict[_Place, _Merged] = {}
    for position, hits in enumerate(lists):
        for rank, hit in enumerate(hits, 1):
            merged = found.setdefault((hit.path, hit.start_line, hit.end_line, hit.text), _Merged(hit))
            side = hit.tool.split("_", 1)[0] or str(position)
            if f"rank_{side}" in merged.signals:  # the same passage once more, worse
                continue
            part = worth[position](hit, rank)
            merged.score += part
            merged.best_rank = min(merged.best_rank, rank)
            merged.signals |= {
                **hit.signals,
                f"rank_{side}": float(rank),
                f"weight_{side}": weights[position],
                f"part_{side}": round(part, 9),
            }
    ordered = sorted(found.values(), key=lambda one: (-one.score, one.best_rank, one.hit.path, one.hit.start_line))
    return [replace(one.hit, score=round(one.score, 9), signals=one.signals) for one in ordered]
