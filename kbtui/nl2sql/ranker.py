"""Which candidate of a question is meant: scores within the question, and how the answers share its probability."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache

from msgspec import Struct

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.linear import Linear, linear_in
from kbtui.nl2sql.trees import Trees, shipped, trees_in


class Ranker(Struct, frozen=True):
    """Scores the candidates of one question against one another.

    Attributes:
        trees: Fitted over `kbtui.nl2sql.features.with_comparisons`.
        linear: Fitted over the same; the two are added.
    """

    trees: Trees
    linear: Linear | None = None

    def scores(self, pool: FeatureTable) -> list[float]:
        """Log odds of each candidate, in no common unit across questions."""
        scores = self.trees.scores(pool)
        if self.linear is not None:
            scores = scores + self.linear.scores(pool)
        return [float(score) for score in scores]


@lru_cache(maxsize=1)
def shipped_ranker() -> Ranker:
    """The ranker in the package."""
    arrays = shipped()
    return Ranker(trees_in(arrays, "ranker"), linear_in(arrays, "ranker_linear"))


class Answer(Struct, frozen=True):
    """Candidates that bring the same rows.

    Attributes:
        members: Their places in the pool, the likeliest first.
        share: Of the probability of all candidates, 0 to 1.
    """

    members: tuple[int, ...]
    share: float


def answers_of(scores: Sequence[float], rows: Sequence[Hashable]) -> list[Answer]:
    """Candidates grouped by their rows, the likeliest first.

    An answer is ranked by its best candidate: many ways to write the same thing do not make it likelier, but they do
    not compete with one another either.

    Args:
        scores: Log odds of each candidate.
        rows: What identifies the rows of each; the same for candidates that are one answer.
    """
    if not scores:
        return []
    members: dict[Hashable, list[int]] = {}
    for at in sorted(range(len(scores)), key=lambda at: -scores[at]):
        members.setdefault(rows[at], []).append(at)
    shares = softmax([scores[places[0]] for places in members.values()])
    answers = [Answer(tuple(places), share) for places, share in zip(members.values(), shares, strict=True)]
    return sorted(answers, key=lambda answer: -answer.share)


def softmax(scores: Sequence[float]) -> list[float]:
    """Log odds as shares of 1; at least one is given."""
    most = max(scores)
    worth = [math.exp(score - most) for score in scores]
    whole = sum(worth)
    return [each / whole for each in worth]
