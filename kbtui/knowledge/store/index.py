"""Reads the index of a folder, while others may be writing it.

What has been read is kept in memory and thrown away when a writer commits; every call looks (1 ms).
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from kbtui.domain.document import Chunk, FileRecord, Relation
from kbtui.errors import IndexCorrupt
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_rows import StoredFile
from kbtui.knowledge.store.index_view import TextView
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.text.language import MOST_USED_HAN

if TYPE_CHECKING:
    from kbtui.knowledge.store.vector_view import VectorView

_ATTEMPTS: Final = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStats:
    """How large the index is; ``size_bytes`` on disk, with the old versions that are kept for readers."""

    files: int
    chunks: int
    size_bytes: int


class Index:
    """The index of one folder. Safe to use from several threads; a folder that was never indexed reads as empty.

    Args:
        directory: Where it is; the place of the folder's own index by default.
    """

    def __init__(self, root: Path, settings: Settings, directory: Path | None = None) -> None:
        self.root = root
        self.directory = directory or paths.index_dir(root)
        self._settings = settings
        self._lock = threading.RLock()
        self._text: TextView | None = None
        self._vectors: VectorView | None = None

    @property
    def exists(self) -> bool:
        """True once this version of kbtui has indexed the folder, or begun to."""
        generation = tables.current_generation(self.directory)
        meta = tables.read_meta(generation, tables.Meta) if generation is not None else None
        return generation is not None and (meta is None or meta.schema_version == tables.SCHEMA_VERSION)

    @property
    def fingerprint(self) -> str:
        """Of the embedder its vectors were made with; empty when there are none."""
        generation = tables.current_generation(self.directory, "vectors")
        meta = tables.read_meta(generation, tables.VectorMeta) if generation is not None else None
        return meta.fingerprint if meta is not None else ""

    @property
    def version(self) -> str:
        """Changes with every commit: what was derived from the index is out of date when this differs.

        Vectors that are added change nothing else, and do not change this.
        """
        return self.read(lambda text: text.version, "")

    def files(self) -> list[FileRecord]:
        """The files in it, by path.

        Raises:
            IndexCorrupt: The index cannot be read. So do all methods below.
            StorageError: The system does not let it be read.
        """
        return self.read(lambda text: [file.record for file in text.committed], [])

    def stored_files(self) -> list[StoredFile]:
        """Rows of ``files`` as they are, those of unreadable files too."""
        return self.read(lambda text: list(text.stored), [])

    def chunks(self, paths: Iterable[str] | None = None) -> list[Chunk]:
        """Chunks by path and line; of ``paths`` only, when given."""
        wanted = None if paths is None else list(paths)
        return self.read(lambda text: text.chunks(wanted), [])

    def relations(self) -> list[Relation]:
        """Relations by path and line."""
        return self.read(lambda text: list(text.relations), [])

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """How rare each term is, 0 (every chunk holds it) to 1 (none does); empty without an index."""
        wanted = tuple(terms)
        return self.read(lambda text: text.lexicon.rarity(wanted), {})

    def chinese_share(self) -> float | None:
        """How many of the chunks are in Chinese, 0 to 1; None without any chunk."""

        def share(text: TextView) -> float | None:
            return text.lexicon.share_with(MOST_USED_HAN) if text.chunk_count else None

        return self.read(share, None)

    def best_terms(self, terms: Sequence[str], k: int) -> list[str]:
        """The tokens, joined by spaces, of each of the ``k`` chunks that match ``terms`` best, best first."""

        def best(text: TextView) -> list[str]:
            return [held for _, _, held, _ in text.facts_at([row for row, _ in text.matching(terms, k)])]

        return self.read(best, [])

    def search(self, vector: Vectors, k: int) -> list[tuple[Chunk, float]]:
        """The ``k`` chunks nearest to ``vector`` (unit length) with their cosines, best first; ties by path and line.

        Chunks that have no vector yet are not among them.
        """

        def nearest(text: TextView) -> list[tuple[Chunk, float]]:
            vectors = self.current_vectors()
            found = vectors.search(text, vector, k) if vectors is not None else []
            chunks = text.chunks_at([row for row, _ in found])
            pairs = [(chunk, cosine) for chunk, (_, cosine) in zip(chunks, found, strict=True)]
            return sorted(pairs, key=lambda pair: (-pair[1], pair[0].path, pair[0].start_line))

        return self.read(nearest, [])

    def matching(self, terms: Sequence[str], k: int) -> list[tuple[Chunk, float]]:
        """The ``k`` chunks that match ``terms`` (tokens, as ``terms.chunk_terms`` makes them) best, with their BM25."""

        def best(text: TextView) -> list[tuple[Chunk, float]]:
            found = text.matching(terms, k)
            chunks = text.chunks_at([row for row, _ in found])
            return [(chunk, score) for chunk, (_, score) in zip(chunks, found, strict=True)]

        return self.read(best, [])

    def vector_share(self) -> float:
        """How many of the chunks have a vector, 0 to 1; 0 when the vectors cannot be read."""

        def share(text: TextView) -> float:
            vectors = self.current_vectors()
            return vectors.share_of(text) if vectors is not None else 0.0 if text.chunk_count else 1.0

        try:
            return self.read(share, 0.0)
        except IndexCorrupt:
            return 0.0

    def missing_vectors(self) -> int:
        """How many different texts have no vector."""

        def count(text: TextView) -> int:
            vectors = self.current_vectors()
            return len(np.setdiff1d(text.keys, vectors.keys) if vectors is not None else np.unique(text.keys))

        return self.read(count, 0)

    def has_vectors(self) -> bool:
        def any_there(_: TextView) -> bool:
            vectors = self.current_vectors()
            return vectors is not None and vectors.count > 0

        return self.read(any_there, False)

    def verify(self) -> None:
        """Read what all searches of text read, which is kept for them.

        Raises:
            IndexCorrupt: Something is damaged.
        """
        self.read(lambda text: text.verify(), None)

    @property
    def chunk_count(self) -> int:
        return self.read(lambda text: text.chunk_count, 0)

    def counts(self) -> tuple[int, int, int]:
        """Files, chunks and relations."""
        return self.read(lambda text: (len(text.committed), text.chunk_count, text.relation_count), (0, 0, 0))

    def stats(self) -> IndexStats:
        files, chunks, _ = self.counts()
        return IndexStats(files=files, chunks=chunks, size_bytes=_size_of(self.directory))

    def read(self, use: Callable[[TextView], T], empty: T) -> T:
        """``use`` on what is committed now.

        A writer may remove a generation or an old version between two reads; then the next attempt sees its successor.
        """
        with self._lock:
            for attempt in range(_ATTEMPTS):
                try:
                    with tables.lance_errors(self.directory):
                        text = self._current_text()
                        return empty if text is None else use(text)
                except IndexCorrupt:
                    self._text = self._vectors = None
                    if attempt == _ATTEMPTS - 1:
                        raise
            raise AssertionError("the last attempt returns or raises")

    def _current_text(self) -> TextView | None:
        generation = tables.current_generation(self.directory)
        if generation is None:
            self._text = None
            return None
        if self._text is None or self._text.generation != generation or self._text.is_outdated():
            meta = tables.read_meta(generation, tables.Meta)
            if meta is None:
                raise ValueError("the mark of the generation is broken")
            if meta.schema_version != tables.SCHEMA_VERSION:
                # Made by another version of kbtui, whose columns are not ours; the next run makes it anew.
                self._text = None
                return None
            self._text = TextView(generation)
        return self._text

    def current_vectors(self) -> VectorView | None:
        generation = tables.current_generation(self.directory, "vectors")
        meta = tables.read_meta(generation, tables.VectorMeta) if generation is not None else None
        if generation is None or meta is None or meta.schema_version != tables.SCHEMA_VERSION:
            self._vectors = None
            return None
        if self._vectors is None or self._vectors.generation != generation or self._vectors.is_outdated():
            from kbtui.knowledge.store.vector_view import VectorView

            self._vectors = VectorView(generation, meta)
        return self._vectors


def _size_of(directory: Path) -> int:
    """Bytes of the files below ``directory``; a writer may be removing some of them."""
    size = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            with contextlib.suppress(OSError):
                size += (Path(folder) / name).stat().st_size
    return size
