"""The first answers of a question, each compared with the others: the ranker's second pass, and what the gate sees.

The ranker scores every candidate by itself; which of two good ones is meant shows in what one has and the other lacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.ranker import Answer, softmax
from kbtui.nl2sql.trees import Trees, shipped, trees_in

CONSIDERED: Final = 8
"""Answers that are compared."""
JUDGED: Final = 3
"""Answers that the gate learns from."""
_FAR: Final = 10.0
"""Difference of scores beyond which a margin counts no more."""
_APART: Final = 50.0
"""Difference of a feature beyond which it counts no more."""
_LEAST: Final = 1e-4
"""Share that the others have at least, so that a mean over them exists."""


class Ranking(Struct, frozen=True):
    """The answers of a question after the second pass.

    Attributes:
        answers: The likeliest first; those that were not considered follow as they were.
        features: Of the first answers, `JUDGED` at most, as the gate takes them.
    """

    answers: tuple[Answer, ...]
    features: FeatureTable


def first_answers(pool: FeatureTable, scores: Sequence[float], answers: Sequence[Answer]) -> FeatureTable:
    """Features of the first answers, `CONSIDERED` at most: of the best candidate of each, and of its rank.

    Args:
        pool: Features of all candidates, as `kbtui.nl2sql.features.with_comparisons` gives them.
        scores: Of the ranker, for each candidate.
        answers: Best first, at least one.
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
            "g_score": best[place],
            "g_place": float(place),
            "g_members": math.log1p(len(answer.members)),
            "g_member_share": len(answer.members) / len(scores),
        }
        for place, (answer, margin) in enumerate(zip(first, _margins(best), strict=False))
    ]
    return pool.take([answer.members[0] for answer in first]).with_columns(ranks)


def beside_others(table: FeatureTable, shares: Sequence[float]) -> FeatureTable:
    """The features of each answer, and how far they are from the mean of the others.

    Args:
        shares: Weight of each answer in the mean.
    """
    import numpy

    weights = numpy.array(shares, numpy.float32)[:, None]
    weighted = table.values * weights
    others = numpy.maximum(weights.sum() - weights, _LEAST)
    apart = table.values - (weighted.sum(axis=0) - weighted) / others
    apart = numpy.clip(apart, -_APART, _APART) if len(shares) > 1 else numpy.zeros_like(apart)
    names = (*table.names, *(f"apart_{name}" for name in table.names))
    return FeatureTable(names, numpy.hstack([table.values, apart]))


def reranked(first: FeatureTable, answers: Sequence[Answer], reranker: Trees) -> Ranking:
    """The answers in the order of the second pass.

    Args:
        first: As `first_answers` gives them.
        answers: The same, and those behind them.
    """
    considered = answers[: len(first.values)]
    compared = beside_others(first, [answer.share for answer in considered])
    scores = reranker.scores(compared)
    order = sorted(range(len(considered)), key=lambda at: -scores[at])
    unread = first.columns(("unread",))[:, 0]
    if len(order) > 1 and unread[order[0]] > 0 and not unread[order[1]]:
        # An answer that leaves words unread is never given; the next one may be.
        order[:2] = order[1], order[0]
    ordered = [float(scores[at]) for at in order]
    shares = softmax(ordered)
    whole = sum(answer.share for answer in considered)
    moved = [replace(considered[at], share=share * whole) for at, share in zip(order, shares, strict=True)]
    entropy = _entropy(shares)
    ranks = [
        {"r_share": share, "r_score": score, "r_margin": margin, "r_place": float(place), "r_entropy": entropy}
        for place, (share, score, margin) in enumerate(zip(shares, ordered, _margins(ordered), strict=True))
    ]
    features = beside_others(first.take(order), shares).with_columns(ranks)
    return Ranking((*moved, *answers[len(considered) :]), features.take(range(min(JUDGED, len(order)))))


def _margins(scores: Sequence[float]) -> Iterator[float]:
    """How far each score is above the best of the others; scores are best first."""
    for place, score in enumerate(scores):
        rivals = scores[1:2] if place == 0 else scores[:1]
        yield max(-_FAR, min(_FAR, score - (rivals[0] if rivals else score - _FAR)))


def _entropy(shares: Sequence[float]) -> float:
    return -sum(share * math.log(max(share, 1e-9)) for share in shares)


@lru_cache(maxsize=1)
def shipped_reranker() -> Trees:
    """The second pass in the package."""
    return trees_in(shipped(), "reranker")
