"""Fits the ranker and the gate of `kbtui.nl2sql` over pools of candidates, and judges them on unseen pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import lightgbm
import numpy as np
from _pools import Pool
from scipy.optimize import minimize

from kbtui.nl2sql.gate import OBJECTIONS, THRESHOLD, Gate, gate_features
from kbtui.nl2sql.linear import Linear
from kbtui.nl2sql.pool import TRIED
from kbtui.nl2sql.ranker import Ranker, answers_of
from kbtui.nl2sql.trees import LEAF, Trees

OFFERED = 4
_BEST = 2
RANKER = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 10,
    "num_leaves": 15,
    "learning_rate": 0.06,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.4,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
}
RANKER_TREES = 200
GATE_ANSWERS = 5
"""Answers of a question that the gate learns from."""
GATE = {
    "objective": "binary",
    "num_leaves": 12,
    "learning_rate": 0.05,
    "min_data_in_leaf": 25,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
}
GATE_TREES = 250
_COMMON = {"verbose": -1, "num_threads": 1, "deterministic": True, "seed": 7, "force_row_wise": True}
_RIDGE_RANKER = 3.0
_RIDGE_GATE = 300.0
INNER_FOLDS = 4
_LEAST_USED = 5
"""Questions in which a feature must be other than 0 to be learned from."""


@dataclass
class Models:
    """A ranker and the gate over its first answers."""

    ranker: Ranker
    gate: Gate


@dataclass
class Judged:
    """What a question gets: ``first``, ``offered`` are about rightness, ``probability`` is the gate's.

    ``others`` holds the features and rightness of the answers behind the first.
    """

    pool: Pool
    features: dict[str, float]
    first: bool
    offered: bool
    probability: float = 0.0
    others: list[tuple[dict[str, float], bool]] = field(default_factory=list)

    @property
    def objected(self) -> bool:
        return any(self.features.get(name, 0.0) > 0 for name in OBJECTIONS)


def weights_of(pools: Sequence[Pool]) -> dict[str, float]:
    """Weight of a question by its source: a large source counts by the square root of its size."""
    sizes = Counter(pool.source for pool in pools)
    raw = {source: 1 / np.sqrt(size) for source, size in sizes.items()}
    mean = sum(raw[pool.source] for pool in pools) / max(1, len(pools))
    return {source: float(value / mean) for source, value in raw.items()}


def feature_names(pools: Sequence[Pool]) -> tuple[str, ...]:
    """Names of the features that occur often enough to be learned from."""
    seen = Counter(name for pool in pools for at, name in enumerate(pool.names) if pool.matrix[:TRIED, at].any())
    return tuple(sorted(name for name, count in seen.items() if count >= _LEAST_USED))


def matrix_of(pool: Pool, names: Sequence[str]) -> np.ndarray:
    """The features of the first candidates of a pool, columns in this order."""
    at = {name: place for place, name in enumerate(pool.names)}
    shown = pool.matrix[:TRIED]
    found = np.zeros((len(shown), len(names)), np.float32)
    for place, name in enumerate(names):
        if name in at:
            found[:, place] = shown[:, at[name]]
    return found


def fit_ranker(pools: Sequence[Pool]) -> Ranker:
    """A ranker from the questions that have right and wrong candidates."""
    names = feature_names(pools)
    usable = [pool for pool in pools if pool.right[:TRIED].any() and not pool.right[:TRIED].all()]
    weights = weights_of(usable)
    matrix = np.concatenate([matrix_of(pool, names) for pool in usable])
    labels = np.concatenate([grades_of(pool) for pool in usable])
    sizes = [len(pool.right[:TRIED]) for pool in usable]
    each = np.repeat([weights[pool.source] for pool in usable], sizes)
    data = lightgbm.Dataset(matrix, labels, group=sizes, weight=each, feature_name=_plain(names))
    booster = lightgbm.train({**RANKER, **_COMMON}, data, RANKER_TREES)
    linear = _conditional_logit(
        matrix, (labels == _BEST).astype(int), sizes, [weights[pool.source] for pool in usable], names
    )
    return Ranker(exported(booster, names), linear)


def grades_of(pool: Pool) -> np.ndarray:
    """0 for a wrong candidate, 2 for a right one, 1 for a right one with figures or columns that others do without.

    Surplus columns are forgiven, so that a total beside another one would be right twice as often as either, and all
    columns of a row instead of the one that is named.
    """
    right = pool.right[:TRIED]
    figures, listed, shown = matrix_of(pool, ("aggregates", "trait_listed", "role_shown")).T
    best = right & (figures <= figures[right].min(initial=np.inf))
    plain = best & ~((listed > 0) & (shown > 0))
    # A list of all columns stands back only where a right one shows the columns that are named.
    if (plain & (shown > 0)).any():
        best = plain
    return np.where(right, np.where(best, _BEST, 1), 0)


def _conditional_logit(
    matrix: np.ndarray, labels: np.ndarray, sizes: Sequence[int], weights: Sequence[float], names: tuple[str, ...]
) -> Linear:
    """Weights under which the right candidates of a question have the most of its probability (McFadden, 1974)."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    linear, rows = _standardised(matrix, names)
    each = np.asarray(weights)

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        scores = rows @ theta.astype(np.float32)
        worth = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        whole, right = np.add.reduceat(worth, starts), np.add.reduceat(worth * labels, starts)
        missed = worth / whole[owner] - worth * labels / right[owner]
        value = (each * (np.log(whole) - np.log(right))).sum() + _RIDGE_RANKER * (theta @ theta) / 2
        return float(value), (rows.T @ (missed * each[owner])).astype(float) + _RIDGE_RANKER * theta

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return replace(linear, weights=found.x.astype(np.float32))


def _logistic(matrix: np.ndarray, labels: np.ndarray, weights: np.ndarray, names: tuple[str, ...]) -> Linear:
    """Weights of a logistic regression held small."""
    linear, rows = _standardised(matrix, names)

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        odds = rows @ theta[:-1] + theta[-1]
        probability = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        value = (weights * (np.logaddexp(0, odds) - labels * odds)).sum() + _RIDGE_GATE * (theta[:-1] @ theta[:-1]) / 2
        missed = weights * (probability - labels)
        return float(value), np.append(rows.T @ missed + _RIDGE_GATE * theta[:-1], missed.sum())

    found = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return replace(linear, weights=found.x[:-1].astype(np.float32), bias=float(found.x[-1]))


def _standardised(matrix: np.ndarray, names: tuple[str, ...]) -> tuple[Linear, np.ndarray]:
    """A linear model without weights, and the rows as it sees them."""
    mean, scale = matrix.mean(0), matrix.std(0) + 1e-6
    linear = Linear(names, mean.astype(np.float32), scale.astype(np.float32), np.zeros(len(names), np.float32))
    return linear, np.clip((matrix - mean) / scale, -5, 5).astype(np.float32)


def exported(booster: lightgbm.Booster, names: Sequence[str]) -> Trees:
    """The trees of a booster as plain arrays."""
    nodes: list[tuple[int, float, int, int, float]] = []

    def add(node: dict[str, Any]) -> int:
        place = len(nodes)
        if "leaf_value" in node:
            nodes.append((LEAF, 0.0, 0, 0, node["leaf_value"]))
            return place
        nodes.append((0, 0.0, 0, 0, 0.0))
        left, right = add(node["left_child"]), add(node["right_child"])
        nodes[place] = (node["split_feature"], node["threshold"], left, right, 0.0)
        return place

    roots = [add(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    feature, threshold, left, right, value = zip(*nodes, strict=True)
    used = sorted({at for at in feature if at != LEAF})
    place = {at: new for new, at in enumerate(used)} | {LEAF: LEAF}
    return Trees(
        names=tuple(names[at] for at in used),
        roots=np.array(roots, np.int32),
        feature=np.array([place[at] for at in feature], np.int16),
        threshold=np.array(threshold, np.float32),
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        value=np.array(value, np.float32),
    )


def judged(pools: Sequence[Pool], ranker: Ranker) -> list[Judged]:
    """The first answers of questions; those without a candidate are left out."""
    found = []
    for pool in pools:
        if not len(pool.right):
            continue
        raw = ranker.trees.evaluate(matrix_of(pool, ranker.trees.names))
        if ranker.linear is not None:
            raw = raw + ranker.linear.evaluate(matrix_of(pool, ranker.linear.names))
        scores = [float(score) for score in raw]
        answers = answers_of(scores, [int(answer) for answer in pool.answers[:TRIED]])
        rows = [dict(zip(pool.names, map(float, row), strict=True)) for row in pool.matrix[: len(scores)]]
        right = [bool(pool.right[answer.members[0]]) for answer in answers]
        features = [gate_features(rows, scores, answers, place) for place in range(min(GATE_ANSWERS, len(answers)))]
        others = list(zip(features[1:], right[1:], strict=False))
        found.append(Judged(pool, features[0], right[0], any(right[:OFFERED]), others=others))
    return found


def fit_gate(cases: Sequence[Judged]) -> Gate:
    """A gate from the first answers, and those behind them, of a ranker that had not learned from the questions."""
    names = tuple(sorted({name for case in cases for name in case.features}))
    weights = weights_of([case.pool for case in cases])
    answers = [(case, *each) for case in cases for each in ((case.features, case.first), *case.others)]
    matrix = np.array([[features.get(name, 0.0) for name in names] for _, features, _ in answers], np.float32)
    labels = np.array([right for *_, right in answers], int)
    each = np.array([weights[case.pool.source] for case, *_ in answers])
    data = lightgbm.Dataset(matrix, labels, weight=each, feature_name=_plain(names))
    booster = lightgbm.train({**GATE, **_COMMON}, data, GATE_TREES)
    return Gate(exported(booster, names), _logistic(matrix, labels, each, names))


def scored(cases: Sequence[Judged], gate: Gate) -> None:
    """Give each first answer the gate's probability."""
    for case in cases:
        case.probability = gate.probability(case.features)


def folds_of(pools: Sequence[Pool], count: int) -> list[list[Pool]]:
    """Pools in folds of whole databases, each source spread over the folds, its largest databases first."""
    sizes = Counter(pool.database for pool in pools)
    order = sorted(sizes, key=lambda name: (name.split("/")[0], -sizes[name], name))
    fold = {database: place % count for place, database in enumerate(order)}
    return [[pool for pool in pools if fold[pool.database] == place] for place in range(count)]


def out_of_fold(pools: Sequence[Pool], count: int, fit: Callable[[list[Pool]], Ranker]) -> list[list[Judged]]:
    """First answers by rankers that were fitted on the other folds."""
    folds = folds_of(pools, count)
    return [judged(fold, fit([pool for other in folds if other is not fold for pool in other])) for fold in folds]


def fit_models(pools: Sequence[Pool], precision: float) -> Models:
    """Ranker and gate from these pools alone; the threshold brings ``precision`` out of fold."""
    folds = out_of_fold(pools, INNER_FOLDS, fit_ranker)
    for fold in folds:
        scored(fold, fit_gate([case for other in folds if other is not fold for case in other]))
    cases = [case for fold in folds for case in fold]
    shift = shift_for(cases, precision)
    gate = fit_gate(cases)
    return Models(fit_ranker(pools), replace(gate, shift=shift))


def shift_for(cases: Sequence[Judged], precision: float) -> float:
    """What must be added to the log odds so that answers from `THRESHOLD` on have this precision, sources weighted."""
    weights = weights_of([case.pool for case in cases])
    open_cases = sorted((case for case in cases if not case.objected), key=lambda case: -case.probability)
    right = wrong = 0.0
    least = 1.0
    for case in open_cases:
        weight = weights[case.pool.source]
        right, wrong = right + weight * case.first, wrong + weight * (not case.first)
        if right >= precision * (right + wrong):
            least = case.probability
    return float(_odds(THRESHOLD) - _odds(least))


def _odds(probability: float) -> float:
    bounded = min(1 - 1e-6, max(1e-6, probability))
    return float(np.log(bounded / (1 - bounded)))


def _plain(names: Sequence[str]) -> list[str]:
    """Names that LightGBM takes."""
    return [f"f{at}" for at in range(len(names))]
