"""A view of the vectors of a folder: in memory where they fit, else searched through an index on disk.

The search in memory is exact and takes 0.5 ms for 15,000 vectors; the flat search of LanceDB takes 9 ms.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.store import index_rows as rows
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_rows import Keys
from kbtui.knowledge.store.index_tables import VectorMeta
from kbtui.knowledge.store.index_view import RowIds, TextView
from kbtui.knowledge.store.seal import check_seal
from kbtui.knowledge.store.windows import best_cosines, dots, window_cosines

IN_MEMORY_UP_TO: Final = 100_000
"""Vectors in memory: 154 MB and 5 ms for a search, as long as a search through the index on disk at any size."""
_PROBES: Final = 96
_REFINE: Final = 4
"""Number of partitions of the index that are searched (of 122 for a million vectors), and the factor of candidates that
are compared in full precision."""


class VectorView:
    """One version of a vector store.

    Raises:
        ValueError: The store is damaged, for which LanceDB raises other errors too; all methods may raise it.
    """

    def __init__(self, generation: Path, meta: VectorMeta) -> None:
        self.generation = generation
        self.meta = meta
        # Read before anything is opened, so that any later commit is noticed.
        self._seen = tables.versions(generation, tables.VECTORS)
        check_seal(generation)
        self._table: Any = tables.connect(generation).open_table(tables.VECTORS)
        self._version: int = self._table.version
        self.count: int = self._table.count_rows()
        self._slots: tuple[TextView, npt.NDArray[np.intp]] | None = None
        self._share: tuple[TextView, float] | None = None
        self._last: tuple[Vectors, npt.NDArray[np.float32]] | None = None
        self._means: tuple[TextView, npt.NDArray[np.intp], npt.NDArray[np.float64]] | None = None

    def is_outdated(self) -> bool:
        """Whether vectors were added since, so that a new view is needed."""
        seen = tables.versions(self.generation, tables.VECTORS)
        if seen == self._seen:
            return False
        self._seen = seen
        self._table.checkout_latest()
        return bool(self._table.version != self._version)

    @cached_property
    def _keys_and_row_ids(self) -> tuple[Keys, RowIds]:
        table = self._table.search().select(["key"]).with_row_id(True).to_arrow()
        return table["key"].to_numpy(), table["_rowid"].to_numpy()

    @property
    def keys(self) -> Keys:
        """The key of each vector, in the order of rows."""
        return self._keys_and_row_ids[0]

    @property
    def _row_ids(self) -> RowIds:
        return self._keys_and_row_ids[1]

    def share_of(self, text: TextView) -> float:
        """Share of the chunks that have a vector, 0 to 1; 1 where there are no chunks."""
        if self._share is None or self._share[0] is not text:
            self._share = (text, float(np.isin(text.keys, self.keys).mean()) if text.chunk_count else 1.0)
        return self._share[1]

    def search(self, text: TextView, vector: Vectors, k: int) -> list[tuple[int, float]]:
        """Row ids and cosines of the ``k`` chunks nearest to ``vector``, best first; ties by path and line."""
        if k <= 0 or not self.count:
            return []
        if max(self.count, text.chunk_count) <= IN_MEMORY_UP_TO:
            return self._exact(text, vector, k)
        return self._nearest(text, vector, k)

    def compare(self, keys: Keys, vector: Vectors) -> dict[int, tuple[float, float]]:
        """By key, the cosines of ``vector`` to a text and to its best window; texts without a vector are left out.

        Args:
            keys: Keys of texts, without duplicates.
        """
        if not self.count or not len(keys):
            return {}
        vector_rows = self._rows_of_keys(keys)
        existing = np.flatnonzero(vector_rows >= 0)
        row_ids = self._row_ids[vector_rows[existing]].tolist()
        in_memory = self.count <= IN_MEMORY_UP_TO
        columns = ["windows"] if in_memory else ["windows", "vector"]
        table = tables.take_rows(self._table, row_ids, columns)
        vectors = self._matrix[vector_rows[existing]] if in_memory else rows.vectors_of(table)
        cosines = np.minimum(dots(vectors, vector), 1.0)
        best = best_cosines(table["windows"].to_pylist(), vector)
        compared = zip(
            keys[existing].tolist(),
            zip(cosines.tolist(), best, strict=True),
            np.count_nonzero(vectors, axis=1),
            strict=True,
        )
        return {key: pair for key, pair, is_read in compared if is_read}

    def compare_windows(self, keys: Keys, vector: Vectors) -> dict[int, Vectors]:
        """By key, the cosines of ``vector`` to the windows of a text, in order; texts without a vector are left out.

        Args:
            keys: Keys of texts, without duplicates.
        """
        if not self.count or not len(keys):
            return {}
        vector_rows = self._rows_of_keys(keys)
        existing = np.flatnonzero(vector_rows >= 0)
        table = tables.take_rows(self._table, self._row_ids[vector_rows[existing]].tolist(), ["windows"])
        return dict(zip(keys[existing].tolist(), window_cosines(table["windows"].to_pylist(), vector), strict=True))

    # In memory ------------------------------------------------------------------------------------------------------

    @cached_property
    def _matrix(self) -> Vectors:
        return rows.vectors_of(self._table.search().select(["vector"]).to_arrow())

    def _slots_of(self, text: TextView) -> npt.NDArray[np.intp]:
        """The row of the vector of each chunk, by path and line; -1 where it has none, or a zero vector."""
        if self._slots is None or self._slots[0] is not text:
            slots = self._rows_of_keys(text.ordered_rows[1])
            self._slots = (text, np.where(np.count_nonzero(self._matrix, axis=1)[slots] > 0, slots, -1))
        return self._slots[1]

    @cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        return np.argsort(self.keys)

    def _rows_of_keys(self, keys: Keys) -> npt.NDArray[np.intp]:
        """The row of the vector of each key; -1 where there is none."""
        places = np.minimum(np.searchsorted(self.keys, keys, sorter=self._order), len(self._order) - 1)
        vector_rows: npt.NDArray[np.intp] = self._order[places]
        vector_rows[self.keys[vector_rows] != keys] = -1
        return vector_rows

    def _exact(self, text: TextView, vector: Vectors, k: int) -> list[tuple[int, float]]:
        slots = self._slots_of(text)
        places = np.flatnonzero(slots >= 0)
        if not len(places):
            return []
        scores = self._cosines(vector)[slots[places]]
        best = _best(scores, k)
        return list(zip(text.ordered_rows[0][places[best]].tolist(), scores[best].tolist(), strict=True))

    def _cosines(self, vector: Vectors) -> npt.NDArray[np.float32]:
        """The cosine of each vector to ``vector``; the last result is cached, since a question needs it twice."""
        if self._last is None or self._last[0] is not vector:
            self._last = (vector, np.minimum(dots(self._matrix, vector), 1.0))
        return self._last[1]

    def document_cosines(self, text: TextView, vector: Vectors) -> npt.NDArray[np.float32] | None:
        """The cosine of ``vector`` to the mean vector of each committed file, by path ``(files,)``.

        NaN for a file without vectors; None where the vectors are too many for memory.
        """
        if not self.count or max(self.count, text.chunk_count) > IN_MEMORY_UP_TO:
            return None
        slots = self._slots_of(text)
        owners, norms = self._means_of(text, slots)
        has_vector = slots >= 0
        sums = np.bincount(owners[has_vector], weights=self._cosines(vector)[slots[has_vector]], minlength=len(norms))
        return (sums / norms).astype(np.float32)

    def _means_of(
        self, text: TextView, slots: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """The file index of each chunk, and the norm of the sum of the vectors of each file; NaN where it has none."""
        if self._means is None or self._means[0] is not text:
            counts = np.array([file.record.chunk_count for file in text.committed], dtype=np.intp)
            owners = np.repeat(np.arange(len(counts)), counts)
            norms = np.full(len(counts), np.nan)
            ends = np.cumsum(counts)
            for file_index in np.flatnonzero(counts).tolist():
                rows_of_file = slots[ends[file_index] - counts[file_index] : ends[file_index]]
                rows_of_file = rows_of_file[rows_of_file >= 0]
                if len(rows_of_file):
                    norms[file_index] = max(float(np.linalg.norm(self._matrix[rows_of_file].sum(axis=0))), 1e-6)
            self._means = (text, owners, norms)
        return self._means[1], self._means[2]

    # On disk --------------------------------------------------------------------------------------------------------

    def _nearest(self, text: TextView, vector: Vectors, k: int) -> list[tuple[int, float]]:
        """Search through the index of the table.

        Some vectors are of deleted texts, so the limit is raised until k rows remain.
        """
        limit = k + k // 4 + 10
        while True:
            search = self._table.search(vector).distance_type("dot").select(["key", "_distance"])
            table = search.nprobes(_PROBES).refine_factor(_REFINE).limit(limit).to_arrow()
            keys, cosines = table["key"].to_numpy(), 1.0 - table["_distance"].to_numpy()
            # Texts that the model cannot read have zero vectors.
            keys, cosines = keys[cosines != 0.0], cosines[cosines != 0.0]
            ids, ids_keys = text.rows_with(keys)
            if len(ids) >= k or table.num_rows < limit:
                return _rank(ids, ids_keys, keys, cosines, k)
            limit *= 4


def _best(scores: npt.NDArray[np.float32], k: int) -> npt.NDArray[np.intp]:
    """Indexes of the ``k`` highest scores, best first; equal scores keep their order."""
    count = min(k, len(scores))
    if not count:
        return np.empty(0, dtype=np.intp)
    best = np.argpartition(-scores, count - 1)[:count]
    # The partition may cut through ties at the last rank; the first of them are kept, so that the order is stable.
    best = np.union1d(best, np.flatnonzero(scores == scores[best].min()))
    ordered: npt.NDArray[np.intp] = best[np.lexsort((best, -scores[best]))][:count]
    return ordered


def _rank(
    ids: npt.NDArray[np.uint64], ids_keys: Keys, keys: Keys, cosines: npt.NDArray[np.float32], k: int
) -> list[tuple[int, float]]:
    """Row ids, given by path and line, with the cosines of their keys, best first."""
    by_key = dict(zip(keys.tolist(), cosines.tolist(), strict=True))
    scored = [(row, by_key[key]) for row, key in zip(ids.tolist(), ids_keys.tolist(), strict=True)]
    return sorted(scored, key=lambda pair: -pair[1])[:k]
