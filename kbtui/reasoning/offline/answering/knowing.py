"""Whether the best candidates answer a question at all: answered, near but not stated, or not found.

One logistic model over what was selected; its weights and the two thresholds stand in ``weights.toml``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from kbtui.reasoning.offline.answering.candidates import Found
from kbtui.reasoning.offline.answering.features import WANTS, Asked
from kbtui.reasoning.offline.answering.scorer import Scored, weights

Verdict = Literal["answered", "near", "none"]

_LOOKED_AT: Final = 5
_BEST: Final = (
    "cov", "cov_inside", "cov_around", "cov_block", "cov_soft", "rarest", "known", "named", "named_document", "run",
    "cosine", "cosine_headed", "no_cosine", "passage_grade", "passage_share", "in_passage", "document_first",
    "cov_title", "cov_heading", "length",
)  # fmt: skip
_MOST: Final = (
    "cov",
    "cov_around",
    "cov_section",
    "rarest",
    "cosine",
    "cosine_headed",
    "passage_grade",
    "passage_cosine",
)
_SLOTS: Final = ("number", "when", "who", "where", "why")
"""Kinds whose answer can be told by the look of the sentence."""


def seen(asked: Asked, scored: Scored, documents: Sequence[Found]) -> dict[str, float]:
    """The features of a selection, empty without candidates."""
    if not scored.scores:
        return {}
    columns, scores = scored.features, [*scored.scores, 0.0, 0.0][: max(3, len(scored.scores))]
    found = {
        "best": scores[0],
        "best_odds": _odds(scores[0]),
        "second": scores[1],
        "margin": scores[0] - scores[1],
        "third": scores[2],
        "search": max((document.score for document in documents), default=0.0),
        "grade": max((document.grade for document in documents), default=0.0),
        "same_document": float(len({candidate.document for candidate in scored.candidates[:_LOOKED_AT]}) <= 2),
        "asks_nothing": float(not asked.kinds),
    }
    for name in _BEST:
        found[f"best:{name}"] = float(columns[name][0])
    for name in _MOST:
        found[f"most:{name}"] = float(columns[name][:_LOOKED_AT].max())
    for kind in _SLOTS:
        clear = asked.kinds.get(kind, 0.0)
        slots = [columns[f"has_{sign}"] for sign in WANTS[kind]]
        filled = max(float(slot[0]) for slot in slots)
        beside = max(float((slot[:_LOOKED_AT] * columns["cov_block"][:_LOOKED_AT]).max()) for slot in slots)
        found[f"{kind}:asked"] = clear
        found[f"{kind}:open"] = clear * (1.0 - filled)
        found[f"{kind}:beside"] = clear * beside
    return found


def _odds(probability: float) -> float:
    bounded = min(1 - 1e-4, max(1e-4, probability))
    return math.log(bounded / (1 - bounded))


def probability(features: Mapping[str, float]) -> float:
    """The probability that the selection answers the question; 0 without one."""
    if not features:
        return 0.0
    model = weights()["knowing"]
    total = model["intercept"] + sum(model.get(name, 0.0) * value for name, value in features.items())
    return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


def verdict(features: Mapping[str, float]) -> Verdict:
    """What is said of a selection."""
    likely, thresholds = probability(features), weights()["thresholds"]
    if likely >= thresholds["answered"]:
        return "answered"
    return "near" if likely >= thresholds["near"] else "none"
