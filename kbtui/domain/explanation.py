"""Explains the score of a passage: the signals of a hit or of graded evidence, one line each.

Signals are a flat mapping of names to numbers, so that a new signal is explained without a change here:

* ``rank_S``: the rank of the passage in search ``S``; ``weight_S`` and ``part_S``: the weight of that search, and what
it
  added to the merged score, which is possible without a rank among its best.
* ``feature_F`` and ``coefficient_F``: a feature of the grader and its coefficient, in log-odds;
  ``coefficient_intercept`` is the intercept, ``probability`` the result before the other rules of the grader.
* ``llm``: the score of a chat model, and ``offline`` the score without it; the final score combines both.
* anything else: a number of a search, such as ``cosine`` or ``bm25``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from kbtui.i18n import N_, _

RANK: Final = "rank_"
WEIGHT: Final = "weight_"
PART: Final = "part_"
FEATURE: Final = "feature_"
COEFFICIENT: Final = "coefficient_"
INTERCEPT: Final = "intercept"
PROBABILITY: Final = "probability"
BY_MODEL: Final = "llm"
WITHOUT_MODEL: Final = "offline"

_SEARCHES: Final = {
    "vector": N_("by meaning"),
    "lexical": N_("by its words"),
    "phrase": N_("by words near each other"),
    "named": N_("by the name of its file"),
    "document_lexical": N_("by the words of its document"),
    "document_vector": N_("by the meaning of its document"),
    "grep": N_("by grep"),
    "graph": N_("by relations"),
    "local": N_("among the files"),
}
_SIGNALS: Final = {
    "cosine": N_("likeness of meaning (cosine)"),
    "chunk_cosine": N_("likeness of the passage as a whole"),
    "bm25": N_("words in common, rare ones more (BM25)"),
    "bm25_share": N_("of the most that they could be"),
    "phrase": N_("share of neighbouring words near each other"),
    "document_share": N_("words in common with its document, of the most that they could be"),
    "document_cosine": N_("likeness of meaning of its document (cosine)"),
    "coverage": N_("share of the words asked for"),
    "exact": N_("stands there as asked"),
    "relation": N_("states a relation"),
    "direct": N_("states the relation asked for"),
    "reverse": N_("states it the other way round"),
    "declared": N_("likeness of the question to what its tool answers"),
    "file": N_("the file answers to the name"),
}
_FEATURES: Final = {
    "coverage": N_("share of the words asked for"),
    "window": N_("words asked for, within a few sentences"),
    "order": N_("words asked for, side by side"),
    "frequency": N_("rare words in common (share of BM25)"),
    "characters": N_("Chinese characters beside each other"),
    "dense": N_("Chinese characters within a sentence or two"),
    "title": N_("words asked for, in title and headings"),
    "cosine": N_("likeness of meaning (cosine)"),
    "no_cosine": N_("likeness is not known"),
    "names_missing": N_("names asked for that are missing"),
    "named": N_("names asked for that are there"),
    "both": N_("likeness and words together"),
    "plain": N_("all tokens of a Chinese question"),
    "thin": N_("the question gives little to go by"),
    "length": N_("the question gives much to go by"),
}

_GRADERS: Final = {BY_MODEL: N_("graded by the model"), WITHOUT_MODEL: N_("graded by rules, without it")}

Kind = Literal["search", "signal", "grade", "grader"]


class Reason(Struct, frozen=True, kw_only=True):
    """One line of an explanation.

    Attributes:
        kind: A ``search`` that found the passage, a number of a search (``signal``), a feature of the grader
            (``grade``), or the score of one of two graders (``grader``), where a chat model graded too.
        name: Name in the signals, without its prefix.
        value: The rank (None where it was not among the best), the number, or the feature.
        weight: Weight of a search, or coefficient of a feature; None for a signal that only informs.
        adds: What it added to the merged score (``search``) or to the log-odds (``grade``).
    """

    kind: Kind
    name: str
    value: float | None
    weight: float | None = None
    adds: float | None = None

    @property
    def label(self) -> str:
        """Its name in words; a name without words is returned as it is."""
        words = {"search": _SEARCHES, "signal": _SIGNALS, "grade": _FEATURES, "grader": _GRADERS}[self.kind]
        if self.kind == "grade" and self.name == INTERCEPT:
            return _("where every passage starts")
        if self.name in words:
            return _(words[self.name])
        plain_name = self.name.replace("_", " ")
        return _("by {name}", name=plain_name) if self.kind == "search" else plain_name

    @property
    def figures(self) -> str:
        """Its numbers as text: ``rank 3 · weight 0.60 · adds 0.31``, ``0.6100``, ``0.80 × 1.66 = +1.33``."""
        if self.kind == "search":
            parts = [_("rank {n:.0f}", n=self.value)] if self.value is not None else []
            parts += [_("weight {n:.2f}", n=self.weight)] if self.weight is not None else []
            parts += [_("adds {n:.4g}", n=self.adds)] if self.adds is not None else []
            return " · ".join(parts)
        if self.value is None:
            return ""
        if self.kind == "grader":
            return f"{self.value:.2f}"
        if self.weight is None or self.adds is None:
            return f"{self.value:.4g}"
        if self.name == INTERCEPT:
            return f"{self.adds:+.2f}"
        return f"{self.value:.2f} × {self.weight:.2f} = {self.adds:+.2f}"


def reasons(signals: Mapping[str, float]) -> tuple[Reason, ...]:
    """The explanation of ``signals``, in order: searches by rank, their numbers, features of the grader by their
    effect, and the scores with and without a chat model."""
    searches = dict.fromkeys(
        name.removeprefix(prefix) for prefix in (RANK, PART) for name in signals if name.startswith(prefix)
    )
    search_reasons = [
        Reason(
            kind="search",
            name=name,
            value=signals.get(RANK + name),
            weight=signals.get(WEIGHT + name),
            adds=signals.get(PART + name),
        )
        for name in searches
    ]
    search_reasons.sort(
        key=lambda reason: (reason.value is None, reason.value or 0.0, -(reason.adds or 0.0), reason.name)
    )
    prefixes = (RANK, WEIGHT, PART, FEATURE, COEFFICIENT)
    signal_reasons = [
        Reason(kind="signal", name=name, value=value)
        for name, value in signals.items()
        if not name.startswith(prefixes) and name not in (PROBABILITY, *_GRADERS)
    ]
    grader_reasons = [Reason(kind="grader", name=name, value=signals[name]) for name in _GRADERS if name in signals]
    feature_reasons = []
    for name, weight in signals.items():
        feature = name.removeprefix(COEFFICIENT)
        if name.startswith(COEFFICIENT):
            feature_value = 1.0 if feature == INTERCEPT else signals.get(FEATURE + feature, 0.0)
            feature_reasons.append(
                Reason(kind="grade", name=feature, value=feature_value, weight=weight, adds=feature_value * weight)
            )
    feature_reasons.sort(key=lambda reason: (reason.name == INTERCEPT, -abs(reason.adds or 0.0), reason.name))
    return (*search_reasons, *signal_reasons, *feature_reasons, *(grader_reasons if BY_MODEL in signals else ()))


def verdict(signals: Mapping[str, float], score: float) -> str:
    """How the sum of the grader led to ``score``, in one line; empty where there is no sum.

    Where a chat model graded too, the sum led to the score without it.
    """
    if PROBABILITY not in signals:
        return ""
    if BY_MODEL in signals:
        score = signals.get(WITHOUT_MODEL, signals[PROBABILITY])
    total = sum(reason.adds or 0.0 for reason in reasons(signals) if reason.kind == "grade")
    probability = signals[PROBABILITY]
    if abs(probability - score) < 0.005:
        return _("sum {total:+.2f}, a probability of {probability:.2f}", total=total, probability=probability)
    return _(
        "sum {total:+.2f}, a probability of {probability:.2f}; other rules make it {score:.2f}",
        total=total,
        probability=probability,
        score=score,
    )


def combined_score(signals: Mapping[str, float], score: float) -> str:
    """The score combined from those of a chat model and of rules, in one line; empty where no model graded."""
    if BY_MODEL not in signals or abs(signals[BY_MODEL] - score) < 0.005:
        return ""
    return _("together {score:.2f}", score=score)
