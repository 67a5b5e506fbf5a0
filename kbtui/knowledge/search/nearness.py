"""How near each place of a few documents is to a question, by the vectors of their windows that the index keeps.

Nothing is encoded but the question, so whole documents can be compared where encoding their sentences would take
seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kbtui.domain.evidence import NearPlace
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.reading.chunking import embedding_text
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.index_view import TextView
from kbtui.knowledge.store.windows import window_spans


def near_places(index: Index, vector: Vectors, paths: Sequence[str]) -> Mapping[str, Sequence[NearPlace]]:
    """The windows of the documents at ``paths`` with their cosines to ``vector`` (unit length), in order of lines.

    Documents without vectors are left out.

    Raises:
        IndexCorrupt: The index cannot be read.
    """

    def compared(text: TextView) -> Mapping[str, Sequence[NearPlace]]:
        vectors = index.current_vectors()
        if vectors is None:
            return {}
        chunks = text.keyed_chunks(paths)
        cosines = vectors.compare_windows(np.unique(np.array([key for _, key in chunks], dtype=np.int64)), vector)
        found: dict[str, list[NearPlace]] = {}
        for chunk, key in chunks:
            own = cosines.get(key)
            if own is None or not len(own):
                continue
            embedded = embedding_text(chunk)
            spans = window_spans(embedded)
            if len(spans) != len(own):
                # The vector is of a text that was cut otherwise.
                spans, own = [(0, len(embedded))], own.max(keepdims=True)
            found.setdefault(chunk.path, []).extend(
                NearPlace(
                    start_line=chunk.start_line,
                    end_line=chunk.end_line,
                    text=embedded[start:end],
                    cosine=float(cosine),
                )
                for (start, end), cosine in zip(spans, own, strict=True)
            )
        return found

    return index.read(compared, {})
