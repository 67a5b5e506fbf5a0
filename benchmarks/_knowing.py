"""Fits when an answer is one: the models and thresholds of `kbtui.reasoning.offline.answering.knowing`.

``subject`` tells questions of a folder from those of others, ``stated`` those that are answered in it from those that
are not. Signs that speak for an answer may not be learned to speak against it, nor the other way round: what a few
folders have by chance would not carry over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

Model = dict[str, float]

PENALTY = 1.0
"""On the squares of the weights, which are those of standardised signs."""

NOT_STATED, NOT_FOUND = 0.1, 0.02
"""Shares of the answerable questions that are said to be not stated, and that are said to be about something else."""

LEAST_SCALE = 0.03

AGAINST = frozenset({"guessed", "unfilled", "unreached"})
WITHOUT = {
    "unmodelled": {"near": 0.0, "cosine": 0.0, "across": 0.0, "foreign": 0.0, "unread": 1.0, "unmodelled": 1.0},
    "unindexed": {"near": 0.0, "coverage": 0.0, "unindexed": 1.0},
    "unsearched": {"search": 0.0, "unsearched": 1.0},
}
"""Signs as they are where no model can be loaded, where the text stands in no index (a first look), and where what
answers was not searched for (a web page).

No question of the sets is like that, so what each is worth is fitted on all of them without what is missing.
"""

EITHER = frozenset({"unread", "foreign"})
"""Signs that say nothing by themselves: what they are worth is what another sign would say."""


@dataclass(frozen=True)
class Known:
    """A part of a question as `knowing` sees it.

    Attributes:
        question: Folder and id of the question; its best part counts.
        kind: ``answerable``, ``unanswerable`` or ``foreign``.
        parts: Number of parts of the question.
    """

    question: tuple[str, str]
    kind: str
    signs: dict[str, float]
    parts: int

    @property
    def corpus(self) -> str:
        return self.question[0]


def fit_knowing(known: Sequence[Known]) -> dict[str, Model]:
    """Both models."""
    from kbtui.reasoning.offline.answering.knowing import STATED, SUBJECT

    own = [one for one in known if one.kind != "foreign"]
    return {
        "subject": _fitted([one for one in known if one.kind != "unanswerable"], SUBJECT),
        "stated": _fitted(own, STATED),
    }


def _fitted(known: Sequence[Known], names: Sequence[str]) -> Model:
    """A logistic model: answerable against the rest, which weigh the same."""
    if len({one.kind for one in known}) < 2:
        return {"intercept": 30.0}
    values = np.array([[one.signs[name] for name in names] for one in known])
    labels = np.array([1.0 if one.kind == "answerable" else -1.0 for one in known])
    weights = _weights(known)
    mean, scale = values.mean(0), values.std(0)
    scale = np.where(scale < 1e-6, np.inf, np.maximum(scale, LEAST_SCALE))
    rows = (values - mean) / scale

    def loss(model: Any) -> tuple[float, Any]:
        margin = labels * (rows @ model[1:] + model[0])
        slope = -weights * labels / (1 + np.exp(margin))
        total = weights @ np.logaddexp(0, -margin) + PENALTY / 2 * model[1:] @ model[1:]
        return float(total), np.concatenate([[slope.sum()], rows.T @ slope + PENALTY * model[1:]])

    bounds = [(None, None), *(_bounds(name) for name in names)]
    model = minimize(loss, np.zeros(len(names) + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
    raw = model[1:] / scale
    result = {name: round(float(value), 4) for name, value in zip(names, raw, strict=True) if abs(value) > 1e-4}
    result["intercept"] = round(float(model[0] - raw @ mean), 4)
    return result | {name: _instead(result, signs, known, labels, weights) for name, signs in WITHOUT.items()}


def _instead(model: Model, signs: Mapping[str, float], known: Sequence[Known], labels: Any, weights: Any) -> float:
    """What the sign that something is missing is worth, all else being as fitted."""
    sums = [{**one.signs, **signs} for one in known]
    totals = np.array([sum(model.get(name, 0.0) * value for name, value in one.items()) for one in sums])

    def loss(worth: Any) -> float:
        return float(weights @ np.logaddexp(0, -labels * (totals + model["intercept"] + worth[0])))

    return round(float(minimize(loss, np.zeros(1)).x[0]), 4)


def _bounds(name: str) -> tuple[float | None, float | None]:
    if name in EITHER:
        return None, None
    return (None, 0.0) if name in AGAINST else (0.0, None)


def _weights(known: Sequence[Known]) -> Any:
    """Of a question's parts together 1, folders by the square root of their questions, both kinds the same."""
    counts: dict[tuple[str, str], float] = defaultdict(float)
    for one in known:
        counts[one.corpus, one.kind] += 1 / one.parts
    weights = np.array([1 / one.parts / np.sqrt(counts[one.corpus, one.kind]) for one in known])
    is_answerable = np.array([one.kind == "answerable" for one in known])
    for rows in (is_answerable, ~is_answerable):
        weights[rows] *= len(known) / 2 / weights[rows].sum()
    return weights


def chances(known: Iterable[Known], models: Mapping[str, Model]) -> dict[tuple[str, str], tuple[str, float, float]]:
    """For each question its kind, and what both models say of its best part."""
    from kbtui.reasoning.offline.answering.knowing import chance

    found: dict[tuple[str, str], tuple[str, float, float]] = {}
    for one in known:
        subject, stated = (chance(models[name], one.signs) for name in ("subject", "stated"))
        _, *before = found.get(one.question, ("", 0.0, 0.0))
        found[one.question] = one.kind, max(subject, before[0]), max(stated, before[1])
    return found


def thresholds(known: Sequence[Known]) -> Model:
    """The least chances of both models, by what they say of folders that they have not seen."""
    said: list[tuple[str, float, float]] = []
    for name in sorted({one.corpus for one in known}):
        # A single folder can only be judged by itself.
        models = fit_knowing([one for one in known if one.corpus != name] or known)
        said += chances([one for one in known if one.corpus == name], models).values()
    yes = [(subject, stated) for kind, subject, stated in said if kind == "answerable"]
    least = [sorted(one[at] for one in yes)[int(len(yes) * share)] for at, share in ((0, NOT_FOUND), (1, NOT_STATED))]
    return {"subject": round(least[0], 4), "stated": round(least[1], 4)}


def declined(known: Sequence[Known], weights: Mapping[str, Model]) -> list[tuple[str, list[bool]]]:
    """For each question its kind, and whether it is not answered and not found."""
    least = weights["thresholds"]
    return [
        (kind, [subject < least["subject"] or stated < least["stated"], subject < least["subject"]])
        for kind, subject, stated in chances(known, weights).values()
    ]
