"""How a model's grades and the offline grader's become one.

The model reads better than the offline grader does, and it can be talked into anything: by a passage that praises
itself, or by its own wish to please. So it may lower a grade as far as it likes and raise it only so far

- as it tells passages apart: one that finds all of them good has said nothing about any (`trust`);
- as the odds of the offline grade go (`MOST_ODDS`): what shares nothing with the question stays worthless.

A passage that gives orders (`suspicion`) may have talked the model into its grades: it is raised by none of them, and
beside one that the model prefers no other is lowered.

``benchmarks/joined_grades.py`` measures what that keeps of a good model and stops of an obedient one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MODEL_WEIGHT: Final = 0.7
"""Of the model's grade; the rest is the offline grader's, which leaves an order where the model's are all alike."""
MOST_ODDS: Final = 20.0
"""By how much the model can multiply the odds of an offline grade: .02 becomes .29 at most, which is dropped."""

_TRUSTED: Final = 0.5
_UNTRUSTED: Final = 0.85
_USUAL: Final = 0.3
_USUAL_GRADES: Final = 2
_LEAST: Final = 0.001


def joined(
    offline: Sequence[float], model: Sequence[float | None], ordering: Sequence[bool] | None = None
) -> list[float]:
    """One grade a passage, 0 to 1.

    Args:
        offline: The offline grader's, of all passages that were graded together.
        model: The model's for the same passages; None where it gave none.
        ordering: Which of the passages give orders to a model; none where it is not told.
    """
    orders = ordering or [False] * len(offline)
    trusted = trust([grade for grade in model if grade is not None])
    is_talked_into = any(
        is_order and (grade or 0.0) > own for is_order, grade, own in zip(orders, model, offline, strict=True)
    )
    found = []
    for own, grade, is_order in zip(offline, model, orders, strict=True):
        mixed = own if grade is None else _joined(own, grade, trusted)
        found.append(min(own, mixed) if is_order else max(own, mixed) if is_talked_into else mixed)
    return found


def trust(grades: Sequence[float]) -> float:
    """How far grades may raise others, 1 (all the way) to 0 (not at all), by how high they are on the whole.

    A search finds some passages that help and more that do not. A few high grades are what a good model gives a short
    list, so the mean is taken together with two usual ones.
    """
    mean = (sum(grades) + _USUAL * _USUAL_GRADES) / (len(grades) + _USUAL_GRADES)
    return min(1.0, max(0.0, (_UNTRUSTED - mean) / (_UNTRUSTED - _TRUSTED)))


def _joined(own: float, grade: float, trusted: float) -> float:
    mixed = MODEL_WEIGHT * grade + (1 - MODEL_WEIGHT) * own
    if mixed <= own:
        return mixed
    known = min(1 - _LEAST, max(_LEAST, own))
    odds = known / (1 - known) * MOST_ODDS
    return own + trusted * (max(own, min(mixed, odds / (1 + odds))) - own)
