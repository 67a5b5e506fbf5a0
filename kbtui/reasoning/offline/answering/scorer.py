"""Scores candidates: a logistic model over readable features, then one beside boosted trees for the few best.

Logistic models hold where few examples were seen, trees find what counts together: their mean is better than either on
folders that neither has seen. ``weights.toml`` and ``trees.npz`` are made by ``benchmarks/fit_answers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from kbtui.errors import EmbeddingError
from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.trees import Trees, trees_in
from kbtui.question.normalise import has_han
from kbtui.question.terms import Rarity, english_text
from kbtui.reasoning.offline.answering.candidates import Candidate, Found
from kbtui.reasoning.offline.answering.features import Asked, beside_best, lexical, with_relevance
from kbtui.reasoning.offline.answering.nearness import Near, nearness
from kbtui.reasoning.offline.grader import Encodes
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.reasoning.offline.answering.features import Floats

ENCODED: Final = 24
"""Candidates that the embedding model and the cross-encoder read: about 3 ms each."""

CONSIDERED: Final = 60
"""Candidates that the second model sees."""

_HEADING_CHARS: Final = 80

TREES: Final = "sentences"
"""Prefix of the arrays of ``trees.npz``."""

Weights = Mapping[str, Mapping[str, float]]
"""The models ``first`` and ``second``: weights by the names of features; and the ``thresholds`` of `knowing`."""

_given: tuple[Weights, Trees | None] | None = None


def use_weights(weights: Weights | None, trees: Trees | None = None) -> None:
    """Score by these models instead of the fitted ones: of a benchmark that leaves a folder out."""
    global _given
    _given = None if weights is None else (weights, trees)


def weights() -> Weights:
    """The weights in use."""
    return _given[0] if _given is not None else _fitted()


def trees() -> Trees | None:
    """The trees in use."""
    return _given[1] if _given is not None else _grown()


@cache
def _fitted() -> Weights:
    return toml_in(__package__, "weights.toml")


@cache
def _grown() -> Trees:
    import numpy as np

    with resources.files(__package__).joinpath("trees.npz").open("rb") as file, np.load(file) as arrays:
        return trees_in(arrays, TREES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The best candidates of a question, best first.

    Attributes:
        scores: Probabilities that each states what is asked, in the order of ``candidates``.
        features: Their features by name, a value for each.
    """

    candidates: tuple[Candidate, ...]
    scores: tuple[float, ...]
    features: Mapping[str, Floats]


def scored(
    asked: Asked,
    candidates: Sequence[Candidate],
    documents: Sequence[Found],
    rarity: Rarity | None,
    embedder: Callable[[], Encodes | None],
    near: Near | None = None,
) -> Scored:
    """The best `CONSIDERED` of ``candidates``, scored."""
    import numpy as np

    if not candidates:
        return Scored(candidates=(), scores=(), features={})
    names, matrix = lexical(asked, candidates, documents, rarity, nearness(asked.part, candidates, documents, near))
    first = applied(weights()["first"], *beside_best(names, matrix))
    kept = np.argsort(-first, kind="stable")[:CONSIDERED]
    chosen = [candidates[at] for at in kept]
    names, matrix = with_relevance(names, matrix[kept], *relevance(asked, chosen, documents, embedder))
    second = beside_trees(applied(weights()["second"], names, matrix), trees(), names, matrix)
    order = np.argsort(-second, kind="stable")
    return Scored(
        candidates=tuple(chosen[at] for at in order),
        scores=tuple(float(second[at]) for at in order),
        features={name: matrix[order, at] for at, name in enumerate(names)},
    )


def applied(model: Mapping[str, float], names: Sequence[str], matrix: Floats) -> Floats:
    """The logistic model over the rows of a matrix."""
    import numpy as np

    vector = np.array([model.get(name, 0.0) for name in names], np.float32)
    total = np.clip(matrix @ vector + np.float32(model["intercept"]), -30, 30)
    result: Floats = (1 / (1 + np.exp(-total))).astype(np.float32)
    return result


def beside_trees(chances: Floats, trees: Trees | None, names: Sequence[str], matrix: Floats) -> Floats:
    """The chances that are the mean, in log-odds, of ``chances`` and of what the trees say of the same rows."""
    import numpy as np

    if trees is None:
        return chances
    kept = np.clip(chances, 1e-6, 1 - 1e-6)
    total = (np.log(kept / (1 - kept)) + trees.scores(FeatureTable(tuple(names), matrix))) / 2
    result: Floats = (1 / (1 + np.exp(-total))).astype(np.float32)
    return result


def relevance(
    asked: Asked, candidates: Sequence[Candidate], documents: Sequence[Found], embedder: Callable[[], Encodes | None]
) -> tuple[Floats | None, Floats | None]:
    """Cosines of the question to each sentence with its heading, and logits of the cross-encoder.

    Those behind the first `ENCODED` get the least of these, as do those that are in Chinese; None where nothing can be
    read.
    """
    import numpy as np

    question = english_text(asked.part)
    readable = [at for at, one in enumerate(candidates) if not has_han(one.unit.text)][:ENCODED]
    if not question.strip() or not readable:
        return None, None
    titles = {document.rank: document.title for document in documents}
    units = [(candidates[at].unit, titles.get(candidates[at].document, "")) for at in readable]
    try:
        model = embedder()
        if model is None:
            return None, None
        read = model.relevance(question, [headed(unit.text, unit.heading or title) for unit, title in units])
    except EmbeddingError:
        return None, None
    every = []
    for values in read:
        spread = np.full(len(candidates), values.min(), np.float32)
        spread[readable] = values
        every.append(spread)
    return every[0], every[1]


def headed(text: str, heading: str) -> str:
    """A sentence with what it stands under, as the models read it."""
    text, heading = text.strip(), heading.strip()[:_HEADING_CHARS]
    return text if not heading or text.startswith(heading) else f"{heading}: {text}"
