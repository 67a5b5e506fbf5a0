"""A cross-encoder: how well each text answers a question, read together rather than compared as two vectors.

The lower layers are those of the bundled model, run over question and texts apart; three upper layers with weights of
their own read both at once (MacAvaney et al. 2020, "PreTTR"). One pass over a text thus gives its vector and what the
cross-encoder begins with. The upper layers are fitted by ``benchmarks/fit_cross.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kbtui.knowledge.embedding.model_files import read_cross, read_model
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.embedding.runner import Runner
from kbtui.knowledge.embedding.runtimes import opened_session

if TYPE_CHECKING:
    from kbtui.knowledge.embedding.runtimes import States

QUESTION_TOKENS: Final = 32
TEXT_TOKENS: Final = 72

_KEPT: Final = 128
"""Texts whose early states are kept, 110 KB of a long one: the parts of a question read many of the same sentences."""

INPUTS: Final = ("question", "text")
"""Early states ``(1, tokens, dimension)`` of the question and of one text; the output is one number, a logit."""


@cache
def shared_cross() -> CrossEncoder:
    """A cross-encoder with a runner of its own, for embedders that are not the bundled model."""
    return CrossEncoder(Runner(read_model()))


class CrossEncoder:
    """The upper layers over the early states of a runner. Safe to call from several threads.

    Args:
        runner: Of the bundled model.

    Raises:
        EmbeddingError: The upper layers are missing or damaged.
    """

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._early = lru_cache(maxsize=_KEPT)(runner.early)
        self._session: Any = opened_session(read_cross())

    def read(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """Unit vectors of ``texts``, ``(len(texts), dimension)``, and a logit for each, higher for better answers.

        A text has the same result whatever is read beside it.
        """
        asked = self._early(question, QUESTION_TOKENS)[1]

        def one(text: str) -> tuple[Vectors, float]:
            vector, states = self._early(text, TEXT_TOKENS)
            return vector, self._score(asked, states)

        with ThreadPoolExecutor(self._runner.threads, thread_name_prefix="cross") as pool:
            found = list(pool.map(one, texts))
        if not found:
            return np.empty((0, self._runner.dimension), np.float32), np.empty(0, np.float32)
        return np.stack([vector for vector, _ in found]), np.array([score for _, score in found], np.float32)

    def _score(self, question: States, text: States) -> float:
        (score,) = self._session.run(None, dict(zip(INPUTS, (question[None], text[None]), strict=True)))
        return float(np.ravel(score)[0])
