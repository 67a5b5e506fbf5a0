"""The second pass of ranking: compares the first answers with each other, and gives the gate its features.

The ranker scores candidates independently; what distinguishes two good ones is a feature that only one of them has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.gate import OBJECTIONS
from kbtui.nl2sql.ranker import Answer, softmax
from kbtui.nl2sql.trees import Trees, shipped, trees_in

_OF_READINGS: Final = tuple(name for name in OBJECTIONS if name != "count_tied")
"""Objections to how a question is read, not to the rows that are found."""
CONSIDERED: Final = 8
"""Answers that are compared, at most."""
JUDGED: Final = 3
"""Answers whose features the gate gets, at most."""
_MAX_MARGIN: Final = 10.0
"""Margin of scores to which larger ones are clipped."""
_MAX_DISTANCE: Final = 50.0
"""Distance of a feature to which larger ones are clipped."""
_MIN_WEIGHT: Final = 1e-4
"""Minimum weight of the other answers, so that their mean is defined."""


class Ranking(Struct, frozen=True):
    """The answers of a question after the second pass.

    Attributes:
        answers: The most likely first; those that were not compared follow in their old order.
        features: Features of the first answers, at most `JUDGED`, for the gate.
    """

    answers: tuple[Answer, ...]
    features: FeatureTable


def first_answers(pool: FeatureTable, scores: Sequence[float], answers: Sequence[Answer]) -> FeatureTable:
    """Features of the first answers, at most `CONSIDERED`: those of the best candidate, and of the rank.

    Args:
        pool: Features of all candidates, see `kbtui.nl2sql.features.with_comparisons`.
        scores: Score of the ranker for each candidate.
        answers: Best first, at least one.

    Returns:
        Shape (first answers, features).
    """
    first = answers[:CONSIDERED]
    shares = [answer.share for answer in answers]
    best = [scores[answer.members[0]] for answer in answers]
    shared = {
        "g_entropy": _entropy(shares),
        "g_answers": math.log1p(len(answers)),
        "g_pool": math.log1p(len(scores)),
        "g_least_unread": float(pool.columns(("unread",)).min()),
    }
    ranks = [
        shared
        | {
            "g_share": answer.share,
            "g_margin": margin,
            "g_score": best[rank],
            "g_place": float(rank),
            "g_members": math.log1p(len(answer.members)),
            "g_member_share": len(answer.members) / len(scores),
        }
        for rank, (answer, margin) in enumerate(zip(first, _margins(best), strict=False))
    ]
    return pool.take([answer.members[0] for answer in first]).with_columns(ranks)


def with_distances(table: FeatureTable, shares: Sequence[float]) -> FeatureTable:
    """The features of each answer, and their distances from the weighted mean of the other answers.

    Args:
        shares: Weight of each answer in the mean.
    """
    import numpy

    weights = numpy.array(shares, numpy.float32)[:, None]
    weighted = table.values * weights
    other_weights = numpy.maximum(weights.sum() - weights, _MIN_WEIGHT)
    distances = table.values - (weighted.sum(axis=0) - weighted) / other_weights
    distances = numpy.clip(distances, -_MAX_DISTANCE, _MAX_DISTANCE) if len(shares) > 1 else numpy.zeros_like(distances)
    names = (*table.names, *(f"apart_{name}" for name in table.names))
    return FeatureTable(names, numpy.hstack([table.values, distances]))


def reranked(first: FeatureTable, answers: Sequence[Answer], reranker: Trees) -> Ranking:
    """The answers in the order of the second pass.

    Args:
        first: The table of `first_answers`.
        answers: All answers, in the order of the ranker.
    """
    considered = answers[: len(first.values)]
    compared = with_distances(first, [answer.share for answer in considered])
    scores = reranker.scores(compared)
    order = sorted(range(len(considered)), key=lambda index: -scores[index])
    # An answer with an objection is never given, but one of the next may be.
    objected = [max(row) > 0 for row in first.columns(_OF_READINGS).tolist()]
    givable = next((index for index in order[:JUDGED] if not objected[index]), order[0])
    order.remove(givable)
    order.insert(0, givable)
    ordered = [float(scores[index]) for index in order]
    shares = softmax(ordered)
    total = sum(answer.share for answer in considered)
    reordered = [replace(considered[index], share=share * total) for index, share in zip(order, shares, strict=True)]
    entropy = _entropy(shares)
    ranks = [
        {"r_share": share, "r_score": score, "r_margin": margin, "r_place": float(rank), "r_entropy": entropy}
        for rank, (share, score, margin) in enumerate(zip(shares, ordered, _margins(ordered), strict=True))
    ]
    features = with_distances(first.take(order), shares).with_columns(ranks)
    return Ranking((*reordered, *answers[len(considered) :]), features.take(range(min(JUDGED, len(order)))))


def _margins(scores: Sequence[float]) -> Iterator[float]:
    """How far each score is above the best of the others; scores are sorted, best first."""
    for rank, score in enumerate(scores):
        rivals = scores[1:2] if rank == 0 else scores[:1]
        yield max(-_MAX_MARGIN, min(_MAX_MARGIN, score - (rivals[0] if rivals else score - _MAX_MARGIN)))


def _entropy(shares: Sequence[float]) -> float:
    return -sum(share * math.log(max(share, 1e-9)) for share in shares)


@lru_cache(maxsize=1)
def shipped_reranker() -> Trees:
    """The second pass of the package."""
    return trees_in(shipped(), "reranker")
