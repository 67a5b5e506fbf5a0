"""The vectors of a folder as they are now: all in memory while they fit there, found through an index beyond.

The scan in memory is exact: 0.5 ms for 15,000 vectors, where LanceDB's flat search takes 9.
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
"""Vectors: 154 MB, and 5 ms a search, as long as one through the index on disk takes whatever the size."""
_PROBES: Final = 96
_REFINE: Final = 4
"""How many partitions of the index are looked into (of 122 at a million vectors), and how many times as many candidates
are compared in full as are wanted."""


class VectorView:
    """One version of a vector store.

    Raises:
        ValueError: Something is damaged (as LanceDB's own errors say too); so do all methods.
    """

    def __init__(self, generation: Path, meta: VectorMeta) -> None:
        self.generation = generation
        self.meta = meta
        # Before anything is opened: what is committed from here on makes a difference.
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
        """True when vectors were added since; then this view is of no further use."""
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
        """How many of the chunks have a vector, 0 to 1; 1 when there are none."""
        if self._share is None or self._share[0] is not text:
            self._share = (text, float(np.isin(text.keys, self.keys).mean()) if text.chunk_count else 1.0)
        return self._share[1]

    def search(self, text: TextView, vector: Vectors, k: int) -> list[tuple[int, float]]:
        """The ``k`` rows of ``chunks`` nearest to ``vector`` with their cosines, best first; ties by path and line."""
        if k <= 0 or not self.count:
            return []
        if max(self.count, text.chunk_count) <= IN_MEMORY_UP_TO:
            return self._exact(text, vector, k)
        return self._nearest(text, vector, k)

    def compare(self, keys: Keys, vector: Vectors) -> dict[int, tuple[float, float]]:
        """The cosine of ``vector`` and each of these texts, and of its best window; none for texts without a vector.

        Args:
            keys: Of texts, each once.
        """
        if not self.count or not len(keys):
            return {}
        places = self._places_of(keys)
        there = np.flatnonzero(places >= 0)
        wanted = self._row_ids[places[there]].tolist()
        in_memory = self.count <= IN_MEMORY_UP_TO
        columns = ["windows"] if in_memory else ["windows", "vector"]
        table = tables.taken(self._table, wanted, columns)
        whole = self._matrix[places[there]] if in_memory else rows.vectors_of(table)
        cosines = np.minimum(dots(whole, vector), 1.0)
        best = best_cosines(table["windows"].to_pylist(), vector)
        said = zip(
            keys[there].tolist(), zip(cosines.tolist(), best, strict=True), np.count_nonzero(whole, axis=1), strict=True
        )
        return {key: pair for key, pair, is_read in said if is_read}

    def compare_windows(self, keys: Keys, vector: Vectors) -> dict[int, Vectors]:
        """The cosines of ``vector`` and the windows of each of these texts, in order; none for texts without a vector.

        Args:
            keys: Of texts, each once.
        """
        if not self.count or not len(keys):
            return {}
        places = self._places_of(keys)
        there = np.flatnonzero(places >= 0)
        table = tables.taken(self._table, self._row_ids[places[there]].tolist(), ["windows"])
        return dict(zip(keys[there].tolist(), window_cosines(table["windows"].to_pylist(), vector), strict=True))

    # In memory ------------------------------------------------------------------------------------------------------

    @cached_property
    def _matrix(self) -> Vectors:
        return rows.vectors_of(self._table.search().select(["vector"]).to_arrow())

    def _slots_of(self, text: TextView) -> npt.NDArray[np.intp]:
        """For each chunk of ``text``, by path and line, the row of its vector; -1 where it has none or zeros."""
        if self._slots is None or self._slots[0] is not text:
            slots = self._places_of(text.placed[1])
            self._slots = (text, np.where(np.count_nonzero(self._matrix, axis=1)[slots] > 0, slots, -1))
        return self._slots[1]

    @cached_property
    def _order(self) -> npt.NDArray[np.intp]:
        return np.argsort(self.keys)

    def _places_of(self, keys: Keys) -> npt.NDArray[np.intp]:
        """The row of the vector of each key; -1 where there is none."""
        places = np.minimum(np.searchsorted(self.keys, keys, sorter=self._order), len(self._order) - 1)
        found: npt.NDArray[np.intp] = self._order[places]
        found[self.keys[found] != keys] = -1
        return found

    def _exact(self, text: TextView, vector: Vectors, k: int) -> list[tuple[int, float]]:
        slots = self._slots_of(text)
        places = np.flatnonzero(slots >= 0)
        if not len(places):
            return []
        scores = self._cosines(vector)[slots[places]]
        best = _best(scores, k)
        return list(zip(text.placed[0][places[best]].tolist(), scores[best].tolist(), strict=True))

    def _cosines(self, vector: Vectors) -> npt.NDArray[np.float32]:
        """Of every vector and ``vector``; those of the last one are kept, which a question asks for twice."""
        if self._last is None or self._last[0] is not vector:
            self._last = (vector, np.minimum(dots(self._matrix, vector), 1.0))
        return self._last[1]

    def document_cosines(self, text: TextView, vector: Vectors) -> npt.NDArray[np.float32] | None:
        """The cosine of ``vector`` and the mean vector of each committed file, by path ``(files,)``.

        NaN where no passage of a file has a vector; None where the vectors are too many to be in memory.
        """
        if not self.count or max(self.count, text.chunk_count) > IN_MEMORY_UP_TO:
            return None
        slots = self._slots_of(text)
        owners, norms = self._means_of(text, slots)
        there = slots >= 0
        sums = np.bincount(owners[there], weights=self._cosines(vector)[slots[there]], minlength=len(norms))
        return (sums / norms).astype(np.float32)

    def _means_of(
        self, text: TextView, slots: npt.NDArray[np.intp]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.float64]]:
        """The file of each chunk, and the length of the sum of the vectors of each file; NaN where there are none."""
        if self._means is None or self._means[0] is not text:
            counts = np.array([file.record.chunk_count for file in text.committed], dtype=np.intp)
            owners = np.repeat(np.arange(len(counts)), counts)
            norms = np.full(len(counts), np.nan)
            ends = np.cumsum(counts)
            for place in np.flatnonzero(counts).tolist():
                own = slots[ends[place] - counts[place] : ends[place]]
                own = own[own >= 0]
                if len(own):
                    norms[place] = max(float(np.linalg.norm(self._matrix[own].sum(axis=0))), 1e-6)
            self._means = (text, owners, norms)
        return self._means[1], self._means[2]

    # On disk --------------------------------------------------------------------------------------------------------

    def _nearest(self, text: TextView, vector: Vectors, k: int) -> list[tuple[int, float]]:
        """Through the table's index. Some vectors are of texts that are gone, so more are asked for until k remain."""
        limit = k + k // 4 + 10
        while True:
            search = self._table.search(vector).distance_type("dot").select(["key", "_distance"])
            found = search.nprobes(_PROBES).refine_factor(_REFINE).limit(limit).to_arrow()
            keys, cosines = found["key"].to_numpy(), 1.0 - found["_distance"].to_numpy()
            # A vector of zeros is that of a text the model cannot read.
            keys, cosines = keys[cosines != 0.0], cosines[cosines != 0.0]
            ids, ids_keys = text.rows_with(keys)
            if len(ids) >= k or found.num_rows < limit:
                return _ranked(ids, ids_keys, keys, cosines, k)
            limit *= 4


def _best(scores: npt.NDArray[np.float32], k: int) -> npt.NDArray[np.intp]:
    """Places of the ``k`` highest scores, best first, those that are equal in their order."""
    count = min(k, len(scores))
    if not count:
        return np.empty(0, dtype=np.intp)
    best = np.argpartition(-scores, count - 1)[:count]
    # The partition cuts through ties at the last place; keep the first of them: one order, always.
    best = np.union1d(best, np.flatnonzero(scores == scores[best].min()))
    ordered: npt.NDArray[np.intp] = best[np.lexsort((best, -scores[best]))][:count]
    return ordered


def _ranked(
    ids: npt.NDArray[np.uint64], ids_keys: Keys, keys: Keys, cosines: npt.NDArray[np.float32], k: int
) -> list[tuple[int, float]]:
    """Rows, which come by path and line, with the cosine of their key, best first."""
    by_key = dict(zip(keys.tolist(), cosines.tolist(), strict=True))
    found = [(row, by_key[key]) for row, key in zip(ids.tolist(), ids_keys.tolist(), strict=True)]
    return sorted(found, key=lambda pair: -pair[1])[:k]
