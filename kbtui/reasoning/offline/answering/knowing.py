"""Whether what was found answers a question at all: answered, near but not stated, or not found.

The best grade of a passage decides. Thirty features of the selection (scores, margins, coverage, filled slots) in one
logistic model told answerable questions from others no better on folders that it had not seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kbtui.reasoning.offline.answering.candidates import Found
from kbtui.reasoning.offline.answering.scorer import weights

Verdict = Literal["answered", "near", "none"]


def verdict(documents: Sequence[Found]) -> Verdict:
    """What is said of an answer from these documents, by the ``thresholds`` of ``weights.toml``."""
    best = max((document.grade for document in documents), default=0.0)
    least = weights()["thresholds"]
    if best >= least["answered"]:
        return "answered"
    return "near" if best >= least["near"] else "none"
