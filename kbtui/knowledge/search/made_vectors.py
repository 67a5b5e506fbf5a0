"""Vectors of passages that have none yet, made for a question and kept in memory.

A folder of half a million passages waits hours for its vectors, and words alone rank worse than both. Of the passages
that words find, the best few are embedded when they are asked for: as many as take a tenth of a second or two.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np

from kbtui.domain.document import Chunk
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import Embedder, Vectors
from kbtui.knowledge.store.embedding_run import encode_texts
from kbtui.knowledge.store.windows import dots

MADE_AT_MOST: Final = 32
_KEPT: Final = 2048
"""Passages whose vectors are kept: 20 MB with those of their windows."""


class MadeVectors:
    """Embeds passages, and compares them with a question; safe to use from several threads one after the other."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._made: OrderedDict[int, tuple[Vectors, Vectors]] = OrderedDict()

    def compare(self, keys: Sequence[int], chunks: Sequence[Chunk], vector: Vectors) -> dict[int, tuple[float, float]]:
        """By key, the cosines of ``vector`` (unit length) to a passage and to its best window.

        Passages that the model cannot read are left out.

        Raises:
            EmbeddingError: The model cannot be loaded.
        """
        from kbtui.knowledge.reading.chunking import embedding_text

        new = {key: chunk for key, chunk in zip(keys, chunks, strict=True) if key not in self._made}
        if new:
            texts = list(map(embedding_text, new.values()))
            vectors, windows = encode_texts(texts, self._embedder, lambda _: None, CancelToken())
            self._made |= zip(new, zip(vectors, windows, strict=True), strict=True)
        compared = {}
        for key in keys:
            self._made.move_to_end(key)
            whole, windows_of_text = self._made[key]
            if np.any(whole):
                best = dots(windows_of_text, vector).max(initial=-1.0)
                compared[key] = (min(float(whole @ vector), 1.0), min(float(best), 1.0))
        while len(self._made) > _KEPT:
            self._made.popitem(last=False)
        return compared
