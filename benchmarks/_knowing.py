"""Fits whether an answer is stated: the model and the threshold of `kbtui.reasoning.offline.answering.knowing`.

``stated`` tells questions that are answered in their folder from those that are not. Signs that speak for an answer may
not be learned to speak against it, nor the other way round: what a few folders have by chance would not carry over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

Model = dict[str, float]

PENALTY = 1.0
"""On the squares of the weights, which are those of standardised signs."""

NOT_STATED = 0.1
"""Share of the answerable questions that are said to be not stated."""

LEAST_SCALE = 0.03

AGAINST = frozenset({"unreached", "unmet", "unnamed"})
WITHOUT = {
    "unmodelled": {"near": 0.0, "across": 0.0, "foreign": 0.0, "unread": 1.0},
    "unindexed": {"near": 0.0},
}
"""Signs as they are where no model can be loaded, and where the text stands in no index (a first look, a web page).

No question of the sets is like that, so what each is worth is fitted on all of them without what is missing.
"""

EITHER = frozenset({"unread", "foreign"})
"""Signs that say nothing by themselves: what they are worth is what another sign would say."""


@dataclass(frozen=True)
class Known:
    """A part of a question as `knowing` sees it.

    Attributes:
        question: Folder and id of the question; its best part counts.
        is_answerable: Whether the folder answers it.
        parts: Number of parts of the question.
    """

    question: tuple[str, str]
    is_answerable: bool
    signs: dict[str, float]
    parts: int

    @property
    def corpus(self) -> str:
        return self.question[0]


def fit_stated(known: Sequence[Known]) -> Model:
    """The model."""
    from kbtui.reasoning.offline.answering.knowing import STATED

    if len({one.is_answerable for one in known}) < 2:
        return {"intercept": 30.0}
    signs = [one.signs for one in known]
    labels = np.array([1.0 if one.is_answerable else -1.0 for one in known])
    weights = _weights(known)
    model = fitted(signs, labels, weights, STATED, AGAINST)
    return model | {name: worth_of(missing, model, signs, labels, weights) for name, missing in WITHOUT.items()}


def fitted(
    signs: Sequence[Mapping[str, float]], labels: Any, weights: Any, names: Sequence[str], against: Collection[str]
) -> Model:
    """A logistic model.

    Args:
        labels: 1 and -1 for each row of signs.
        names: The signs that are looked at.
        against: Those that may only lower the chance; of the others, all but `EITHER` may only raise it.
    """
    values = np.array([[one[name] for name in names] for one in signs])
    mean, scale = values.mean(0), values.std(0)
    scale = np.where(scale < 1e-6, np.inf, np.maximum(scale, LEAST_SCALE))
    rows = (values - mean) / scale

    def loss(model: Any) -> tuple[float, Any]:
        margin = labels * (rows @ model[1:] + model[0])
        slope = -weights * labels / (1 + np.exp(margin))
        total = weights @ np.logaddexp(0, -margin) + PENALTY / 2 * model[1:] @ model[1:]
        return float(total), np.concatenate([[slope.sum()], rows.T @ slope + PENALTY * model[1:]])

    bounds = [(None, None), *(_bounds(name, against) for name in names)]
    model = minimize(loss, np.zeros(len(names) + 1), jac=True, bounds=bounds, method="L-BFGS-B").x
    raw = model[1:] / scale
    result = {name: round(float(value), 4) for name, value in zip(names, raw, strict=True) if abs(value) > 1e-4}
    return {"intercept": round(float(model[0] - raw @ mean), 4), **result}


def worth_of(
    missing: Mapping[str, float], model: Model, signs: Sequence[Mapping[str, float]], labels: Any, weights: Any
) -> float:
    """What the sign that others are missing is worth, all else being as fitted.

    Args:
        missing: Those signs, as they are then.
    """
    sums = [{**one, **missing} for one in signs]
    totals = np.array([sum(model.get(name, 0.0) * value for name, value in one.items()) for one in sums])

    def loss(worth: Any) -> float:
        return float(weights @ np.logaddexp(0, -labels * (totals + model["intercept"] + worth[0])))

    return round(float(minimize(loss, np.zeros(1)).x[0]), 4)


def _bounds(name: str, against: Collection[str]) -> tuple[float | None, float | None]:
    if name in EITHER:
        return None, None
    return (None, 0.0) if name in against else (0.0, None)


def _weights(known: Sequence[Known]) -> Any:
    """Of a question's parts together 1, folders by the square root of their questions, both kinds the same."""
    counts: dict[tuple[str, bool], float] = defaultdict(float)
    for one in known:
        counts[one.corpus, one.is_answerable] += 1 / one.parts
    weights = np.array([1 / one.parts / np.sqrt(counts[one.corpus, one.is_answerable]) for one in known])
    is_answerable = np.array([one.is_answerable for one in known])
    for rows in (is_answerable, ~is_answerable):
        weights[rows] *= len(known) / 2 / weights[rows].sum()
    return weights


def chances(known: Iterable[Known], model: Model) -> dict[tuple[str, str], tuple[bool, float]]:
    """For each question whether it can be answered, and what the model says of its best part."""
    from kbtui.reasoning.offline.answering.subject import chance

    found: dict[tuple[str, str], tuple[bool, float]] = {}
    for one in known:
        _, before = found.get(one.question, (False, 0.0))
        found[one.question] = one.is_answerable, max(chance(model, one.signs), before)
    return found


def threshold(known: Sequence[Known]) -> float:
    """The least chance, by what the model says of folders that it has not seen."""
    said: list[tuple[bool, float]] = []
    for name in sorted({one.corpus for one in known}):
        # A single folder can only be judged by itself.
        model = fit_stated([one for one in known if one.corpus != name] or known)
        said += chances([one for one in known if one.corpus == name], model).values()
    stated = sorted(chance for is_answerable, chance in said if is_answerable)
    return round(stated[int(len(stated) * NOT_STATED)], 4)


def declined(known: Sequence[Known], weights: Mapping[str, Model]) -> list[tuple[bool, bool]]:
    """For each question whether it can be answered, and whether it is said to be not stated."""
    least = weights["thresholds"]["stated"]
    return [(is_answerable, stated < least) for is_answerable, stated in chances(known, weights["stated"]).values()]
