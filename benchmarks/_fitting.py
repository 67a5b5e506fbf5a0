"""Fits the ranker and the gate of `kbtui.nl2sql` over pools of candidates, and judges them on unseen pools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import lightgbm
import numpy as np
from _empty_answers import empty_answers
from _pools import Pool
from msgspec.structs import replace
from scipy.optimize import minimize

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.gate import THRESHOLD, Gate, objections
from kbtui.nl2sql.pool import TRIED
from kbtui.nl2sql.ranker import Answer, Ranker, answers_of
from kbtui.nl2sql.reranker import CONSIDERED, JUDGED, first_answers, reranked, with_distances
from kbtui.nl2sql.trees import LEAF, Linear, Trees

T = TypeVar("T")

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
RERANKER = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 6,
    "label_gain": [0, 6, 7],
    "num_leaves": 12,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 10.0,
}
RERANKER_TREES = 400
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
INNER_FOLDS = 4
_LEAST_USED = 5
"""Questions in which a feature must be other than 0 to be learned from."""


@dataclass
class Models:
    """The two passes of the ranker, and the gate over the first answers.

    Attributes:
        cases: The questions they were fitted on, each judged by models that had not learned from its database.
    """

    ranker: Ranker
    reranker: Trees
    gate: Gate
    cases: list[Judged] = field(default_factory=list)


@dataclass
class Judged:
    """What a question gets: ``first``, ``offered`` are about rightness, ``probability`` is the gate's.

    Attributes:
        table: Of the first answers, as the ranker leaves them.
        answers: In the order of the last pass.
        features: Of the first answers behind the second pass; None before it.
    """

    pool: Pool
    table: FeatureTable
    answers: Sequence[Answer]
    first: bool = False
    offered: bool = False
    features: FeatureTable | None = None
    probability: float = 0.0

    def __post_init__(self) -> None:
        self.ordered(self.answers)

    def ordered(self, answers: Sequence[Answer]) -> None:
        """Take the answers in this order."""
        self.answers = answers
        self.first, self.offered = self.right[0], any(self.right[:OFFERED])

    @property
    def right(self) -> list[bool]:
        """Of each answer."""
        return [bool(self.pool.right[answer.members[0]]) for answer in self.answers]

    @property
    def objected(self) -> bool:
        return self.features is not None and bool(objections(self.features.row(0)))


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
    return table_of(pool).columns(names)


def table_of(pool: Pool) -> FeatureTable:
    """The first candidates of a pool."""
    return FeatureTable(pool.names, pool.matrix[:TRIED])


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
    """The first answers of questions by the first pass; those without a candidate are left out."""
    cases = []
    for pool in pools:
        if len(pool.right):
            table = table_of(pool)
            scores = ranker.scores(table)
            answers = answers_of(scores, [int(answer) for answer in pool.answers[:TRIED]])
            cases.append(Judged(pool, first_answers(table, scores, answers), answers))
    return cases


def fit_reranker(cases: Sequence[Judged]) -> Trees:
    """The second pass, from the first answers of a ranker that had not learned from the questions."""
    usable = [case for case in cases if any(right := case.right[:CONSIDERED]) and not all(right)]
    weights = weights_of([case.pool for case in usable])
    tables = [with_distances(case.table, [answer.share for answer in case.answers[:CONSIDERED]]) for case in usable]
    names = names_in(tables)
    sizes = [len(table.values) for table in tables]
    labels = np.concatenate(
        [grades_of(case.pool)[[answer.members[0] for answer in case.answers[:CONSIDERED]]] for case in usable]
    )
    each = np.repeat([weights[case.pool.source] for case in usable], sizes)
    matrix = np.concatenate([table.columns(names) for table in tables])
    data = lightgbm.Dataset(matrix, labels, group=sizes, weight=each, feature_name=_plain(names))
    return exported(lightgbm.train({**RERANKER, **_COMMON}, data, RERANKER_TREES), names)


def names_in(tables: Sequence[FeatureTable]) -> tuple[str, ...]:
    """Names of the columns of all tables."""
    return tuple(sorted({name for names in {table.names for table in tables} for name in names}))


def second_pass(cases: Sequence[Judged], reranker: Trees) -> None:
    """Order the answers of each case anew."""
    for case in cases:
        ranking = reranked(case.table, case.answers, reranker)
        case.features = ranking.features
        case.ordered(ranking.answers)


def fit_gate(cases: Sequence[Judged]) -> Gate:
    """A gate from the first answers, and those behind them, of passes that had not learned from the questions."""
    weights = weights_of([case.pool for case in cases])
    tables = [case.features for case in cases if case.features is not None]
    names = names_in(tables)
    matrix = np.concatenate([table.columns(names) for table in tables])
    labels = [right for case in cases for right in case.right[:JUDGED]]
    each = np.repeat([weights[case.pool.source] for case in cases], [len(table.values) for table in tables])
    data = lightgbm.Dataset(matrix, np.array(labels, int), weight=each, feature_name=_plain(names))
    return Gate(exported(lightgbm.train({**GATE, **_COMMON}, data, GATE_TREES), names))


def scored(cases: Sequence[Judged], gate: Gate) -> None:
    """Give each first answer the gate's probability."""
    for case in cases:
        if case.features is not None:
            case.probability = gate.probability(case.features.row(0))


def folds_of(pools: Sequence[Pool], count: int) -> list[list[Pool]]:
    """Pools in folds of whole databases, each source spread over the folds, its largest databases first."""
    sizes = Counter(pool.database for pool in pools)
    order = sorted(sizes, key=lambda name: (name.split("/")[0], -sizes[name], name))
    fold = {database: place % count for place, database in enumerate(order)}
    return [[pool for pool in pools if fold[pool.database] == place] for place in range(count)]


def fit_models(pools: Sequence[Pool], precision: float) -> Models:
    """Ranker, second pass and gate from these pools alone; the threshold brings ``precision`` out of fold.

    They learn from questions that nothing answers as well (see `_empty_answers`), and are not judged by these.
    """
    folds = folds_of(pools, INNER_FOLDS)
    wider = [fold + empty_answers(fold) for fold in folds]
    rankers = [fit_ranker(_but(wider, fold)) for fold in wider]
    learned = [judged(fold, ranker) for fold, ranker in zip(wider, rankers, strict=True)]
    rerankers = [fit_reranker(_but(learned, fold)) for fold in learned]
    reranker = fit_reranker(_but(learned))
    for fold, of_others in zip(learned, rerankers, strict=True):
        second_pass(fold, of_others)
    for fold in learned:
        scored(fold, fit_gate(_but(learned, fold)))
    real = {id(pool) for pool in pools}
    every = [case for case in _but(learned) if id(case.pool) in real]
    shift = shift_for(every, precision)
    for case in every:
        case.probability = float(1 / (1 + np.exp(-_odds(case.probability) - shift)))
    gate = replace(fit_gate(_but(learned)), shift=shift)
    return Models(fit_ranker(_but(wider)), reranker, gate, every)


def _but(folds: Sequence[list[T]], left_out: list[T] | None = None) -> list[T]:
    """What is in all folds but one."""
    return [each for fold in folds if fold is not left_out for each in fold]


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
