"""Vectors of texts in Chinese, Japanese and Korean, which the English model cannot tell apart.

A deep averaging network over words and groups of two, three and five of them, trained on 16 languages (Yang et al.
2019, "Multilingual Universal Sentence Encoder for Semantic Retrieval"), so a question in English is near its answer in
Chinese too. A text costs a fifth of what it costs in the English model. Made by ``benchmarks/make_multilingual.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from kbtui.knowledge.embedding.model_files import MULTILINGUAL_FOLDER, read_multilingual
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.embedding.runtimes import opened_session

_MAX_CHARS: Final = 4000


@cache
def shared_multilingual() -> MultilingualEncoder:
    """The encoder of this process."""
    return MultilingualEncoder()


class MultilingualEncoder:
    """The model, loaded. Safe to call from several threads.

    Args:
        folder: Where its files are.

    Raises:
        EmbeddingError: A file is missing or damaged.
    """

    def __init__(self, folder: Path = MULTILINGUAL_FOLDER) -> None:
        from tokenizers import Tokenizer

        model = read_multilingual(folder)
        self._session: Any = opened_session(model.onnx)
        self._tokenizer: Any = Tokenizer.from_buffer(model.tokenizer)
        self.dimension = int(self._session.get_outputs()[0].shape[-1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(len(texts), dimension)``; a text has the same whatever is encoded beside it."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for number, encoding in enumerate(self._tokenizer.encode_batch([text[:_MAX_CHARS] for text in texts])):
            ids = np.array([encoding.ids], np.int64)
            vectors[number] = self._session.run(None, {"ids": ids})[0][0]
        return vectors

    def likeness(self, question: str, texts: Sequence[str]) -> Vectors:
        """Cosines of a question to ``texts``: ``(len(texts),)``."""
        cosines: Vectors = self.encode(texts) @ self.encode([question])[0]
        return cosines
