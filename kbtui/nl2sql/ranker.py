"""Ranks the candidates of a question, and groups them to answers with probabilities."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache

from msgspec import Struct

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.trees import Linear, Trees, linear_in, shipped, trees_in


class Ranker(Struct, frozen=True):
    """Scores the candidates of one question.

    Attributes:
        trees: Trees over the features of `kbtui.nl2sql.features.with_comparisons`.
        linear: A linear model over the same features; both scores are added.
    """

    trees: Trees
    linear: Linear | None = None

    def scores(self, pool: FeatureTable) -> list[float]:
        """A score for each candidate; only comparable within a question."""
        scores = self.trees.scores(pool)
        if self.linear is not None:
            scores = scores + self.linear.scores(pool)
        return [float(score) for score in scores]


@lru_cache(maxsize=1)
def shipped_ranker() -> Ranker:
    """The ranker of the package."""
    arrays = shipped()
    return Ranker(trees_in(arrays, "ranker"), linear_in(arrays, "ranker_linear"))


class Answer(Struct, frozen=True):
    """Candidates with the same rows.

    Attributes:
        members: Their indexes in the pool, the most likely first.
        share: Share of the probability of all answers, 0 to 1.
    """

    members: tuple[int, ...]
    share: float


def answers_of(scores: Sequence[float], rows: Sequence[Hashable]) -> list[Answer]:
    """Candidates grouped by their rows, the most likely first.

    An answer is ranked by its best candidate: several ways to write it do not make it more likely.

    Args:
        scores: Score of each candidate.
        rows: A key of the rows of each candidate; equal for candidates that are one answer.
    """
    if not scores:
        return []
    members: dict[Hashable, list[int]] = {}
    for index in sorted(range(len(scores)), key=lambda index: -scores[index]):
        members.setdefault(rows[index], []).append(index)
    shares = softmax([scores[indexes[0]] for indexes in members.values()])
    answers = [Answer(tuple(indexes), share) for indexes, share in zip(members.values(), shares, strict=True)]
    return sorted(answers, key=lambda answer: -answer.share)


def softmax(scores: Sequence[float]) -> list[float]:
    """The softmax of at least one score: shares with the sum 1."""
    maximum = max(scores)
    weights = [math.exp(score - maximum) for score in scores]
    total = sum(weights)
    return [weight / total for weight in weights]
