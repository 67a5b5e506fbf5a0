"""Whether the first answer is sure enough to be given: a calibrated probability, and rules that outweigh it.

The probability is fitted over first readings of databases that the ranker had not seen, wrong ones and questions that
cannot be answered among them (benchmarks/fit_nl2sql.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kbtui.nl2sql.linear import Linear, linear_in
from kbtui.nl2sql.ranker import Answer
from kbtui.nl2sql.trees import Trees, shipped, trees_in

THRESHOLD: Final = 0.7
"""From this confidence on an answer is given instead of a choice."""
_FAR: Final = 10.0
"""Difference of scores beyond which a margin counts no more."""
_BELOW: Final = 0.95
"""Of the threshold, what is left of a confidence that a rule speaks against."""

OBJECTIONS: Final[Mapping[str, str]] = {
    "unread": "words of the question are left out",
    "unread_numbers": "a number is left out",
    "unread_periods": "a date is left out",
    "unread_quoted": "a quoted value is left out",
    "literal_absent": "no row has the value that is asked for",
    "restriction_dropped": "words that restrict are read as a name",
    "period_outside": "the data do not reach the time that is asked for",
    "count_for_amount": "rows are counted where an amount is asked for",
    "count_tied": "several share the highest count",
}
"""Features that forbid an answer when they are above zero, and why."""


@dataclass(frozen=True)
class Gate:
    """Says how probably the first answer of a question is right.

    Attributes:
        trees: Their sum is the log odds.
        linear: Gives log odds too; the two are averaged.
        shift: Added to the log odds; moves the chosen precision to `THRESHOLD`.
    """

    trees: Trees
    linear: Linear | None = None
    shift: float = 0.0

    def probability(self, features: Mapping[str, float]) -> float:
        """0 to 1, before the rules; ``features`` as `gate_features` gives them."""
        odds = self.trees.scores([features])[0]
        if self.linear is not None:
            odds = (odds + self.linear.scores([features])[0]) / 2
        odds += self.shift
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))

    def confidence(self, features: Mapping[str, float]) -> float:
        """The probability, below the threshold where a rule speaks against an answer."""
        probability = self.probability(features)
        return min(probability, _BELOW * THRESHOLD) if objections(features) else probability


def objections(features: Mapping[str, float]) -> tuple[str, ...]:
    """Names of the rules that speak against giving an answer with these features."""
    return tuple(name for name in OBJECTIONS if features.get(name, 0.0) > 0)


def gate_features(
    pool: Sequence[Mapping[str, float]], scores: Sequence[float], answers: Sequence[Answer], place: int = 0
) -> dict[str, float]:
    """Features of an answer and of how it stands among the others.

    Args:
        pool: Features of all candidates, as `kbtui.nl2sql.features.compared` gives them.
        scores: Of the ranker, for each candidate.
        answers: Best first, at least one.
        place: Which of the answers; the gate learns from more than the first one.
    """
    answer = answers[place]
    shares = [each.share for each in answers]
    best = answer.members[0]
    rivals = [scores[each.members[0]] for at, each in enumerate(answers) if at != place]
    margin = scores[best] - max(rivals, default=scores[best] - _FAR)
    return {
        **pool[best],
        "g_share": answer.share,
        "g_margin": max(-_FAR, min(_FAR, margin)),
        "g_score": scores[best],
        "g_place": float(place),
        "g_entropy": -sum(share * math.log(max(share, 1e-9)) for share in shares),
        "g_answers": math.log1p(len(answers)),
        "g_pool": math.log1p(len(pool)),
        "g_members": math.log1p(len(answer.members)),
        "g_member_share": len(answer.members) / len(pool),
        "g_least_unread": min(each.get("unread", 0.0) for each in pool),
    }


@lru_cache(maxsize=1)
def shipped_gate() -> Gate:
    """The gate in the package."""
    arrays = shipped()
    return Gate(trees_in(arrays, "gate"), linear_in(arrays, "gate_linear"), float(arrays["gate_shift"]))
