"""Embeds every text of an index that has no vector, in the order in which texts are most likely needed.

The chunks are read from the index, not from the files. The run continues while questions are answered and files are
indexed, and each round includes new chunks. It may be killed at any time; committed vectors are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from kbtui.domain.document import Chunk
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import Embedder, Vectors
from kbtui.knowledge.embedding.port import LEAST_TRUST
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_report import Meter
from kbtui.knowledge.store.index_rows import Keys
from kbtui.knowledge.store.index_view import RowIds, TextView
from kbtui.knowledge.store.vector_writer import VectorWriter
from kbtui.knowledge.store.windows import window_spans

EmbeddingText = Callable[[Chunk], str]

BATCH_AT_LEAST: Final = 256
"""Texts embedded between two commits: one to three seconds of work, which is lost when the run is killed."""
BATCH_AT_MOST: Final = 4096
BATCH_SHARE: Final = 1 / 32
"""Batch size as a share of the existing vectors, since many small writes would fragment a large index."""
ROUND: Final = 8192
"""Texts embedded between two reads of the index."""


def embed_missing(
    current_text: Callable[[], Path],
    writer: VectorWriter,
    embedder: Embedder,
    embedding_text: EmbeddingText,
    check_room: Callable[[int], None],
    meter: Meter,
    cancel: CancelToken,
    at_least: int = 0,
) -> int:
    """Embed until every text has a vector, and return the number of embedded texts.

    Args:
        current_text: Returns the text store whose chunks are embedded; called before each round.
        writer: Writer of the vector store.
        embedding_text: Returns the text to embed for a chunk.
        check_room: Called with the number of vectors to be written; raises StorageError where they will not fit.
        at_least: Texts to embed between two commits, where they are more than here by default.

    Raises:
        IndexCorrupt: The index cannot be read, or has been replaced.
        StorageError: The disk is full or not writable.
        EmbeddingError: The model cannot be loaded.
        Cancelled: ``cancel`` was set; checked between texts.
    """
    embedded = 0
    known_keys = writer.keys()
    while True:
        generation = current_text()
        with tables.lance_errors(generation.parent):
            view = TextView(generation)
            text_count = len(np.unique(view.keys))
            ids, keys = rows_without_vectors(view, known_keys)
        if not len(ids):
            writer.tidy(view.keys)
            return embedded
        check_room(len(ids))
        if not embedded:
            meter.report("model", 0, 1, "loading the embedding model")
            embedder.load(lambda message: meter.report("model", 0, 1, message))
            meter.report("model", 1, 1)
        start, stop = 0, min(max(ROUND, at_least), len(ids))
        while start < stop:
            size = max(at_least, int(min(max(BATCH_AT_LEAST, len(known_keys) * BATCH_SHARE), BATCH_AT_MOST)))
            batch = slice(start, min(start + size, stop))
            with tables.lance_errors(generation.parent):
                chunks = view.chunks_at(ids[batch])
            done = text_count - len(ids) + start

            def advance(count: int, path: str = chunks[0].path, total: int = text_count) -> None:
                nonlocal done, embedded
                done += count
                embedded += count
                meter.report("embed", done, total, path)

            advance(0)
            writer.append(
                keys[batch].tolist(), *encode_texts(list(map(embedding_text, chunks)), embedder, advance, cancel)
            )
            known_keys = np.concatenate([known_keys, keys[batch]])
            start = batch.stop
        writer.update_index()


def encode_texts(
    texts: Sequence[str], embedder: Embedder, advance: Callable[[int], None], cancel: CancelToken
) -> tuple[Vectors, list[Vectors]]:
    """The vectors of ``texts`` and of their windows; zeros and no windows for texts in an unsupported script.

    The vectors of such texts would be meaningless, and take the model twice as long.
    """
    readable = [index for index, text in enumerate(texts) if embedder.trust(text) >= LEAST_TRUST]
    vectors = np.zeros((len(texts), embedder.dimension), dtype=np.float32)
    windows: list[Vectors] = [vectors[:0]] * len(texts)
    if len(readable) < len(texts):
        advance(len(texts) - len(readable))
    readable_texts = [texts[index] for index in readable]
    readable_vectors, readable_windows = embedder.encode_with_windows(
        readable_texts, list(map(window_spans, readable_texts)), advance, cancel
    )
    vectors[readable] = readable_vectors
    for index, parts in zip(readable, readable_windows, strict=True):
        windows[index] = parts
    return vectors, windows


def rows_without_vectors(view: TextView, known: Keys) -> tuple[RowIds, Keys]:
    """Row ids and keys of texts without a vector, without duplicates; recent and frequently linked files first."""
    ids, keys = view.ordered_rows
    new = np.flatnonzero(~np.isin(keys, known))
    if not len(new):
        return ids[new], keys[new]
    ranks = np.repeat(_ranks(view), [file.record.chunk_count for file in view.committed])
    new = new[np.argsort(ranks[new], kind="stable")]
    _, first = np.unique(keys[new], return_index=True)
    new = new[np.sort(first)]
    return ids[new], keys[new]


def _ranks(view: TextView) -> npt.NDArray[np.float64]:
    """The rank of each file by path: the sum of its rank by age and its rank by links to it."""
    links = view.links_to()
    age = np.array([-file.record.mtime_ns for file in view.committed], dtype=np.int64)
    linked = np.array([-links.get(file.record.path, 0) for file in view.committed], dtype=np.int64)
    return _relative_rank(age) + _relative_rank(linked)


def _relative_rank(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The rank of each value among the distinct ones, scaled to 0 to 1."""
    distinct, places = np.unique(values, return_inverse=True)
    return places.astype(np.float64) / max(len(distinct) - 1, 1)
