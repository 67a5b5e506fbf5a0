"""Decides whether the first answer is given: a calibrated probability, and rules that override it.

The probability is fitted over first answers on databases that the ranker had not seen, including wrong answers and
unanswerable questions (benchmarks/fit_nl2sql.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.trees import Trees, shipped, trees_in

THRESHOLD: Final = 0.7
"""Confidence from which an answer is given instead of offered."""
_OFFERED_SHARE: Final = 0.95
"""Share of the threshold that a confidence gets if a rule objects."""

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
    "asked_missing": "something that is asked for is not shown",
    "both_as_or": "either of two is taken where both are asked for",
    "fragment": "it changes an earlier question, and none was answered",
    "asks_to_write": "data are read here and never changed",
    "asks_ahead": "rows say what has been and not what will be",
}
"""Features that forbid an answer if they are positive, with the reason."""


class Gate(Struct, frozen=True):
    """The calibrated probability that the first answer of a question is right.

    Attributes:
        trees: Trees whose sum is the log odds.
        shift: Added to the log odds so that the precision at `THRESHOLD` is as chosen.
    """

    trees: Trees
    shift: float = 0.0

    def probability(self, features: Mapping[str, float]) -> float:
        """The probability before the rules, 0 to 1; for ``features`` see `kbtui.nl2sql.reranker.reranked`."""
        odds = float(self.trees.scores(FeatureTable.of([features]))[0]) + self.shift
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))

    def confidence(self, features: Mapping[str, float]) -> float:
        """The probability, lowered below the threshold if a rule objects."""
        probability = self.probability(features)
        return min(probability, _OFFERED_SHARE * THRESHOLD) if objections(features) else probability


def objections(features: Mapping[str, float]) -> tuple[str, ...]:
    """Names of the rules that object to an answer with these features."""
    return tuple(name for name in OBJECTIONS if features.get(name, 0.0) > 0)


@lru_cache(maxsize=1)
def shipped_gate() -> Gate:
    """The gate of the package."""
    arrays = shipped()
    return Gate(trees_in(arrays, "gate"), float(arrays["gate_shift"]))
