"""Reads the index of a folder, which other processes may be writing.

Data are cached in memory until a writer commits, for which every call checks (1 ms).
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
from kbtui.text.language import MAX_USED_HAN

if TYPE_CHECKING:
    from kbtui.knowledge.store.vector_view import VectorView

_ATTEMPTS: Final = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStats:
    """The size of an index; ``size_bytes`` is its size on disk, including old versions that are kept for readers."""

    files: int
    chunks: int
    size_bytes: int


class Index:
    """The index of one folder; safe to use from several threads. A folder that was never indexed has an empty one.

    Args:
        directory: Directory of the index; by default that of the folder.
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
        """Whether this version of kbtui has indexed the folder, or begun to."""
        generation = tables.current_generation(self.directory)
        meta = tables.read_meta(generation, tables.Meta) if generation is not None else None
        return generation is not None and (meta is None or meta.schema_version == tables.SCHEMA_VERSION)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the embedder of its vectors; empty where there are none."""
        generation = tables.current_generation(self.directory, "vectors")
        meta = tables.read_meta(generation, tables.VectorMeta) if generation is not None else None
        return meta.fingerprint if meta is not None else ""

    @property
    def version(self) -> str:
        """An identifier that changes with every commit of text; data derived from another version are outdated.

        Added vectors do not change it.
        """
        return self.read(lambda text: text.version, "")

    def files(self) -> list[FileRecord]:
        """The indexed files, by path.

        Raises:
            IndexCorrupt: The index is damaged; all methods below may raise it.
            StorageError: The index may not be read; likewise.
        """
        return self.read(lambda text: [file.record for file in text.committed], [])

    def stored_files(self) -> list[StoredFile]:
        """All rows of ``files``, including those of unreadable files."""
        return self.read(lambda text: list(text.stored), [])

    def chunks(self, paths: Iterable[str] | None = None) -> list[Chunk]:
        """The chunks, of ``paths`` only where given, ordered by path and line."""
        path_list = None if paths is None else list(paths)
        return self.read(lambda text: text.chunks(path_list), [])

    def relations(self) -> list[Relation]:
        """The relations, ordered by path and line."""
        return self.read(lambda text: list(text.relations), [])

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """The rarity of each term, 0 (in every chunk) to 1 (in none); empty without an index."""
        term_tuple = tuple(terms)
        return self.read(lambda text: text.lexicon.rarity(term_tuple), {})

    def chinese_share(self) -> float | None:
        """Share of the chunks that are in Chinese, 0 to 1; None where there are no chunks."""

        def share(text: TextView) -> float | None:
            return text.lexicon.share_with(MAX_USED_HAN) if text.chunk_count else None

        return self.read(share, None)

    def best_terms(self, terms: Sequence[str], k: int) -> list[str]:
        """The tokens, joined by spaces, of each of the ``k`` chunks that match ``terms`` best, best first."""

        def best(text: TextView) -> list[str]:
            return [chunk_terms for _, _, chunk_terms, _ in text.facts_at([row for row, _ in text.matching(terms, k)])]

        return self.read(best, [])

    def search(self, vector: Vectors, k: int) -> list[tuple[Chunk, float]]:
        """The ``k`` chunks nearest to ``vector`` (unit length) with their cosines, best first; ties by path and line.

        Chunks without a vector are left out.
        """

        def nearest(text: TextView) -> list[tuple[Chunk, float]]:
            vectors = self.current_vectors()
            neighbours = vectors.search(text, vector, k) if vectors is not None else []
            chunks = text.chunks_at([row for row, _ in neighbours])
            pairs = [(chunk, cosine) for chunk, (_, cosine) in zip(chunks, neighbours, strict=True)]
            return sorted(pairs, key=lambda pair: (-pair[1], pair[0].path, pair[0].start_line))

        return self.read(nearest, [])

    def matching(self, terms: Sequence[str], k: int) -> list[tuple[Chunk, float]]:
        """The ``k`` chunks that match ``terms`` (tokens of ``terms.chunk_terms``) best, with their BM25 scores."""

        def best(text: TextView) -> list[tuple[Chunk, float]]:
            matches = text.matching(terms, k)
            chunks = text.chunks_at([row for row, _ in matches])
            return [(chunk, score) for chunk, (_, score) in zip(chunks, matches, strict=True)]

        return self.read(best, [])

    def vector_share(self) -> float:
        """Share of the chunks that have a vector, 0 to 1; 0 where the vectors cannot be read."""

        def share(text: TextView) -> float:
            vectors = self.current_vectors()
            return vectors.share_of(text) if vectors is not None else 0.0 if text.chunk_count else 1.0

        try:
            return self.read(share, 0.0)
        except IndexCorrupt:
            return 0.0

    def missing_vectors(self) -> int:
        """Number of distinct texts without a vector."""

        def count(text: TextView) -> int:
            vectors = self.current_vectors()
            if vectors is None:
                # The keys are sorted; to sort them again takes a tenth of a second for 100,000.
                return int(np.count_nonzero(np.diff(text.keys))) + 1 if text.chunk_count else 0
            return 0 if vectors.share_of(text) == 1.0 else len(np.setdiff1d(text.keys, vectors.keys))

        return self.read(count, 0)

    def has_vectors(self) -> bool:
        """Whether there are any vectors."""

        def has_any(_: TextView) -> bool:
            vectors = self.current_vectors()
            return vectors is not None and vectors.count > 0

        return self.read(has_any, False)

    def verify(self) -> None:
        """Read and cache what searches of text need, to find damage.

        Raises:
            IndexCorrupt: The index is damaged.
        """
        self.read(lambda text: text.verify(), None)

    @property
    def chunk_count(self) -> int:
        return self.read(lambda text: text.chunk_count, 0)

    def counts(self) -> tuple[int, int, int]:
        """Numbers of files, chunks and relations."""
        return self.read(lambda text: (len(text.committed), text.chunk_count, text.relation_count), (0, 0, 0))

    def stats(self) -> IndexStats:
        files, chunks, _ = self.counts()
        return IndexStats(files=files, chunks=chunks, size_bytes=_size_of(self.directory))

    def read(self, use: Callable[[TextView], T], empty: T) -> T:
        """The result of ``use`` for the current commit; ``empty`` where there is no index.

        A writer may remove a generation or an old version between two reads; the next attempt then uses its successor.
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
                # The index has the columns of another version of kbtui; the next run rebuilds it.
                self._text = None
                return None
            self._text = TextView(generation)
        return self._text

    def current_vectors(self) -> VectorView | None:
        """The current view of the vectors; None where there are none of this version."""
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
    """Total size of the files below ``directory``, some of which a writer may be deleting."""
    size = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            with contextlib.suppress(OSError):
                size += (Path(folder) / name).stat().st_size
    return size
