"""Combines the grades of a model with those of the offline grader.

The model understands text better than the offline grader, but can be manipulated by a passage or please the user. So it
may lower a grade without limit, but raise it only

- if it discriminates: a model that finds all passages good says nothing about any (`trust`);
- within a factor of the odds of the offline grade (`MAX_ODDS`): a passage unrelated to the question stays worthless.

A passage with instructions (`suspicion`) may have manipulated the model: its own grade is never raised, and if the
model prefers it, no other grade is lowered.

``benchmarks/joined_grades.py`` measures the effect with a good and an obedient model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MODEL_WEIGHT: Final = 0.7
"""Weight of the model's grade; the offline grade breaks ties between equal grades of the model."""
MAX_ODDS: Final = 20.0
"""Largest factor on the odds of an offline grade: .02 becomes at most .29, which is still dropped."""

_TRUSTED: Final = 0.5
_UNTRUSTED: Final = 0.85
_TYPICAL_GRADE: Final = 0.3
_TYPICAL_COUNT: Final = 2
_MIN_GRADE: Final = 0.001


def join_grades(
    offline: Sequence[float], model: Sequence[float | None], ordering: Sequence[bool] | None = None
) -> list[float]:
    """One combined grade per passage, 0 to 1.

    Args:
        offline: Offline grades of all passages that were graded together.
        model: Grades of the model for the same passages; None for a missing grade.
        ordering: Whether each passage contains instructions to a model; None for no passage.
    """
    is_suspicious = ordering or [False] * len(offline)
    trusted = trust([grade for grade in model if grade is not None])
    is_manipulated = any(
        has_instructions and (grade or 0.0) > offline_grade
        for has_instructions, grade, offline_grade in zip(is_suspicious, model, offline, strict=True)
    )
    grades = []
    for offline_grade, grade, has_instructions in zip(offline, model, is_suspicious, strict=True):
        combined = offline_grade if grade is None else _combine(offline_grade, grade, trusted)
        grades.append(
            min(offline_grade, combined)
            if has_instructions
            else max(offline_grade, combined)
            if is_manipulated
            else combined
        )
    return grades


def trust(grades: Sequence[float]) -> float:
    """How much grades of a model may raise offline grades, 1 (fully) to 0 (not at all), by their mean.

    Most retrieved passages do not help, so a high mean is suspicious. A short list may deserve high grades, so two
    typical grades are added to the mean.
    """
    mean = (sum(grades) + _TYPICAL_GRADE * _TYPICAL_COUNT) / (len(grades) + _TYPICAL_COUNT)
    return min(1.0, max(0.0, (_UNTRUSTED - mean) / (_UNTRUSTED - _TRUSTED)))


def _combine(offline_grade: float, grade: float, trust_level: float) -> float:
    combined = MODEL_WEIGHT * grade + (1 - MODEL_WEIGHT) * offline_grade
    if combined <= offline_grade:
        return combined
    bounded = min(1 - _MIN_GRADE, max(_MIN_GRADE, offline_grade))
    odds = bounded / (1 - bounded) * MAX_ODDS
    return offline_grade + trust_level * (max(offline_grade, min(combined, odds / (1 + odds))) - offline_grade)
