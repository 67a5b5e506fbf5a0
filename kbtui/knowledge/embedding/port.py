"""What the rest of the knowledge room asks of an embedding model, whichever library runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from kbtui.domain.ports import CancelToken

Vectors = npt.NDArray[np.float32]
"""Row vectors of length 1: the dot product of two is their cosine."""

LEAST_TRUST: Final = 0.3
"""A text that a model reads less well (`Embedder.trust`) is left to the words."""

Notify = Callable[[str], None]
"""Told, in one plain sentence, about work that takes seconds."""

OnBatch = Callable[[int], None]
"""Told how many more texts have been encoded since it was last called."""


Span = tuple[int, int]
"""Part of a text: the first character, and the one after the last."""


class Embedder(Protocol):
    """Texts to unit vectors. Made cheaply; the model itself is loaded by ``load`` or by the first text."""

    @property
    def fingerprint(self) -> str:
        """Names the vector space: changes with weights, precision and pooling. Known without loading the model."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def trust(self, text: str) -> float:
        """How well the model tells texts like this one apart, 0 (its ranking of them is noise) to 1."""

    def load(self, notify: Notify | None = None) -> None:
        """Load the model now; does nothing when it is loaded.

        Raises:
            EmbeddingError: There is no such model, or it is not the one expected.
        """

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        """Vectors of passages: ``(len(texts), dimension)``, float32, in the order given.

        Raises:
            Cancelled: ``cancel`` was set; checked between batches.
        """

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        """Vectors of passages, and of parts of each: what ``encode`` gives, and ``(len(spans[n]), dimension)`` a text.

        A part that lies beyond what the model reads of a text has the vector of the whole.

        Raises:
            Cancelled: ``cancel`` was set; checked between batches.
        """

    def query(self, text: str, *, to_cjk: bool | None = None) -> Vectors:
        """The vector of a question: ``(dimension,)``.

        Args:
            to_cjk: The question is put to texts in Chinese, Japanese or Korean, rather than to others; as the question
                is itself, unless given. A model with one space for all languages need not know.
        """

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """How well each text answers a question: its cosine, and the logit of the cross-encoder.

        Both ``(len(texts),)``; the cross-encoder reads English and the first `TEXT_TOKENS` of a text.
        """

    def across_languages(self, question: str, texts: Sequence[str]) -> Vectors:
        """Cosines ``(len(texts),)`` of a question to texts of which either may be in Chinese, Japanese or Korean."""

    def knows_word(self, word: str) -> bool:
        """Whether ``word``, in lower case, is one piece to the model, as the words are that it has learned."""
