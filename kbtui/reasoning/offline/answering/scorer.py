"""Scores candidates: a logistic model over readable features, then one beside boosted trees for the few best.

Logistic models hold where few examples were seen, trees find what counts together: their mean is better than either on
folders that neither has seen. ``weights.toml`` and ``trees.npz`` are made by ``benchmarks/fit_answers.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import TYPE_CHECKING, Final

from kbtui.errors import EmbeddingError
from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.trees import Trees, trees_in
from kbtui.question.normalise import has_han
from kbtui.question.terms import Rarity, english_text
from kbtui.reasoning.offline.answering.candidates import Candidate, Found
from kbtui.reasoning.offline.answering.features import (
    Asked,
    as_matrix,
    beside_best,
    plain,
    sign_columns,
    with_relevance,
    with_signs,
)
from kbtui.reasoning.offline.answering.nearness import Near, nearness
from kbtui.reasoning.offline.grader import Encodes
from kbtui.text.word_lists import toml_once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kbtui.reasoning.offline.answering.features import Columns, Floats

_fitted = partial(toml_once, __package__, "weights.toml")

ENCODED: Final = 24
"""Candidates that the embedding model and the cross-encoder read: about 3 ms each."""

SEARCHED: Final = 256
"""Candidates whose text is searched for signs, the best without them: 17 patterns take as long as to cut a text into
tokens five times. Of 334 answers 2 read otherwise than with a search of all; none states more or less."""

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
    columns = plain(asked, candidates, documents, rarity, nearness(asked.part, candidates, documents, near))
    kept = shortlist(weights()["first"], asked, candidates, columns)
    chosen = [candidates[at] for at in kept]
    columns = with_signs({name: values[kept] for name, values in columns.items()}, asked, chosen)
    names, matrix = with_relevance(*as_matrix(columns), *relevance(asked, chosen, documents, embedder))
    second = beside_trees(applied(weights()["second"], names, matrix), trees(), names, matrix)
    order = np.argsort(-second, kind="stable")
    return Scored(
        candidates=tuple(chosen[at] for at in order),
        scores=tuple(float(second[at]) for at in order),
        features={name: matrix[order, at] for at, name in enumerate(names)},
    )


def shortlist(
    model: Mapping[str, float], asked: Asked, candidates: Sequence[Candidate], columns: Columns
) -> NDArray[np.intp]:
    """Rows of the best candidates by the first model, best first.

    Args:
        columns: Of `plain`.
    """
    import numpy as np

    names, matrix = beside_best(*as_matrix(columns))
    known = matrix @ np.array([model.get(name, 0.0) for name in names], np.float32)
    rows = np.sort(np.argsort(-known, kind="stable")[:SEARCHED])
    signs = sign_columns(asked, [candidates[row] for row in rows], columns["cov_block"][rows])
    scores = known[rows] + sum(model.get(name, 0.0) * values for name, values in signs.items())
    return rows[np.argsort(-scores, kind="stable")[:CONSIDERED]]


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
) -> tuple[Floats | None, Floats | None, Floats | None]:
    """What three models say of each sentence with its heading: cosines, logits of the cross-encoder, and cosines across
    languages.

    The first two are of English text; those behind the first `ENCODED` get the least of these, as do those in Chinese.
    The third is where question or sentence is in Chinese. None where nothing can be read.
    """
    titles = {document.rank: document.title for document in documents}
    texts = [headed(one.unit.text, one.unit.heading or titles.get(one.document, "")) for one in candidates]
    question, given = english_text(asked.part), asked.part.semantic_intent
    english = [at for at, one in enumerate(candidates) if not has_han(one.unit.text)]
    across = list(range(len(texts))) if has_han(given) else sorted(set(range(len(texts))) - set(english))
    readable = english[:ENCODED] if question.strip() else []
    cosines = logits = foreign = None
    try:
        model = embedder() if readable or across else None
        if model is None:
            return None, None, None
        if readable:
            read = model.relevance(question, [texts[at] for at in readable])
            cosines, logits = (_spread(values, readable, len(texts)) for values in read)
        if across:
            likeness = model.across_languages(given, [texts[at] for at in across])
            foreign = _spread(likeness, across, len(texts))
    except EmbeddingError:
        return None, None, None
    return cosines, logits, foreign


def _spread(values: Floats, places: Sequence[int], count: int) -> Floats:
    """``values`` at ``places``, and the least of them elsewhere."""
    import numpy as np

    spread = np.full(count, values.min(), np.float32)
    spread[list(places)] = values
    return spread


def headed(text: str, heading: str) -> str:
    """A sentence with what it stands under, as the models read it."""
    text, heading = text.strip(), heading.strip()[:_HEADING_CHARS]
    return text if not heading or text.startswith(heading) else f"{heading}: {text}"
