"""Gives every text of an index its vector, the texts that are asked for most likely first.

The chunks are read from the index, not from the files: this goes on behind questions and behind edits, and whatever was
cut meanwhile is taken up in the next round. A run may be killed anywhere; the vectors it had committed are found.
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
from kbtui.knowledge.store.index_rows import Keys
from kbtui.knowledge.store.index_view import RowIds, TextView
from kbtui.knowledge.store.meter import Meter
from kbtui.knowledge.store.vector_writer import VectorWriter
from kbtui.knowledge.store.windows import window_spans

EmbeddingText = Callable[[Chunk], str]

BATCH_AT_LEAST: Final = 256
"""Texts embedded between two commits: one to three seconds of work, which is what a kill can cost."""
BATCH_AT_MOST: Final = 4096
BATCH_SHARE: Final = 1 / 32
"""Of what is there already: so many small writes would leave a large index in pieces."""
ROUND: Final = 8192
"""Texts between two looks at what has changed."""


def embed_missing(
    current_text: Callable[[], Path],
    writer: VectorWriter,
    embedder: Embedder,
    embedding_text: EmbeddingText,
    check_room: Callable[[int], None],
    meter: Meter,
    cancel: CancelToken,
) -> int:
    """Embed until no text is without a vector; how many that were.

    Args:
        current_text: The text store whose chunks to embed, asked before each round.
        writer: Of the store that takes the vectors.
        embedding_text: What is embedded for a chunk.
        check_room: Given how many vectors are to come; raises StorageError when they will not fit.

    Raises:
        IndexCorrupt: The index cannot be read, or has been replaced.
        StorageError: The disk is full or not writable.
        EmbeddingError: The model cannot be loaded.
        Cancelled: ``cancel`` was set; checked between texts.
    """
    embedded = 0
    known = writer.keys()
    while True:
        generation = current_text()
        with tables.lance_errors(generation.parent):
            view = TextView(generation)
            wanted = len(np.unique(view.keys))
            ids, keys = missing(view, known)
        if not len(ids):
            writer.tidy(view.keys)
            return embedded
        check_room(len(ids))
        if not embedded:
            meter.report("model", 0, 1, "loading the embedding model")
            embedder.load(lambda message: meter.report("model", 0, 1, message))
            meter.report("model", 1, 1)
        start, stop = 0, min(ROUND, len(ids))
        while start < stop:
            size = int(min(max(BATCH_AT_LEAST, len(known) * BATCH_SHARE), BATCH_AT_MOST))
            batch = slice(start, min(start + size, stop))
            with tables.lance_errors(generation.parent):
                chunks = view.chunks_at(ids[batch])
            done = wanted - len(ids) + start

            def advance(count: int, path: str = chunks[0].path, total: int = wanted) -> None:
                nonlocal done, embedded
                done += count
                embedded += count
                meter.report("embed", done, total, path)

            advance(0)
            writer.append(keys[batch].tolist(), *encoded(list(map(embedding_text, chunks)), embedder, advance, cancel))
            known = np.concatenate([known, keys[batch]])
            start = batch.stop
        writer.keep_indexed()


def encoded(
    texts: Sequence[str], embedder: Embedder, advance: Callable[[int], None], cancel: CancelToken
) -> tuple[Vectors, list[Vectors]]:
    """The vectors of ``texts`` and of their windows; zeros and none for texts in a script that the model cannot read.

    Those would be as near to one question as to another, and take the model twice as long as others.
    """
    read = [at for at, text in enumerate(texts) if embedder.trust(text) >= LEAST_TRUST]
    vectors = np.zeros((len(texts), embedder.dimension), dtype=np.float32)
    windows: list[Vectors] = [vectors[:0]] * len(texts)
    if len(read) < len(texts):
        advance(len(texts) - len(read))
    own = [texts[at] for at in read]
    found, found_windows = embedder.encode_with_windows(own, list(map(window_spans, own)), advance, cancel)
    vectors[read] = found
    for at, parts in zip(read, found_windows, strict=True):
        windows[at] = parts
    return vectors, windows


def missing(view: TextView, known: Keys) -> tuple[RowIds, Keys]:
    """Rows of texts that have no vector, each text once, and their keys: recent and much linked files first."""
    ids, keys = view.placed
    new = np.flatnonzero(~np.isin(keys, known))
    if not len(new):
        return ids[new], keys[new]
    ranks = np.repeat(_ranks(view), [file.record.chunk_count for file in view.committed])
    new = new[np.argsort(ranks[new], kind="stable")]
    _, first = np.unique(keys[new], return_index=True)
    new = new[np.sort(first)]
    return ids[new], keys[new]


def _ranks(view: TextView) -> npt.NDArray[np.float64]:
    """For each file, by path, its turn: its place by age and its place by links to it, added up."""
    links = view.links_to()
    age = np.array([-file.record.mtime_ns for file in view.committed], dtype=np.int64)
    linked = np.array([-links.get(file.record.path, 0) for file in view.committed], dtype=np.int64)
    return _place(age) + _place(linked)


def _place(values: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The place of each value among the different ones, from 0 to 1."""
    different, places = np.unique(values, return_inverse=True)
    return places.astype(np.float64) / max(len(different) - 1, 1)
