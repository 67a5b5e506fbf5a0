"""Merging what several searches found by rank, as spec 003 has it.

`knowledge.search.ranking` is the way that `hybrid_search` takes by itself; ``retrieval.fusion`` chooses this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from kbtui.domain.evidence import Hit

RRF_K: Final = 60
"""The constant of Cormack, Clarke and Büttcher (2009)."""

_Place = tuple[str, int, int, str]


@dataclass(slots=True)
class _Merged:
    hit: Hit
    score: float = 0.0
    best_rank: int = 1 << 30
    signals: dict[str, float] = field(default_factory=dict)


def rrf(lists: Sequence[Sequence[Hit]], k: int = RRF_K) -> list[Hit]:
    """Reciprocal rank fusion: a passage scores the sum of ``1 / (k + rank)`` over the lists, ranks from 1.

    Source: Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009; spec 003, D2.
    """
    found: dict[_Place, _Merged] = {}
    for position, hits in enumerate(lists):
        for rank, hit in enumerate(hits, 1):
            merged = found.setdefault((hit.path, hit.start_line, hit.end_line, hit.text), _Merged(hit))
            side = hit.tool.split("_", 1)[0] or str(position)
            if f"rank_{side}" in merged.signals:  # the same passage once more, worse
                continue
            part = 1.0 / (k + rank)
            merged.score += part
            merged.best_rank = min(merged.best_rank, rank)
            merged.signals |= {
                **hit.signals,
                f"rank_{side}": float(rank),
                f"weight_{side}": 1.0,
                f"part_{side}": round(part, 9),
            }
    ordered = sorted(found.values(), key=lambda one: (-one.score, one.best_rank, one.hit.path, one.hit.start_line))
    return [replace(one.hit, score=round(one.score, 9), signals=one.signals) for one in ordered]
