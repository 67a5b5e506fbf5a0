"""The text of a folder as one commit of its index shows it: what is read is kept until the next commit.

Rows that belong to no committed file are never seen (``index_tables`` says why): each file is seen whole, old or new.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from kbtui.domain.document import Chunk, Relation
from kbtui.knowledge.store import index_rows as rows
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_rows import Keys
from kbtui.knowledge.store.lexicon import K1, Lexicon, idf
from kbtui.knowledge.store.lexicon_store import up_to_date
from kbtui.knowledge.store.seal import check_seal

if TYPE_CHECKING:
    import pyarrow as pa


RowIds = npt.NDArray[np.uint64]
"""Places of rows in one version of ``chunks``."""

_FILTER_SIZE: Final = 500
_OPENING_ATTEMPTS: Final = 5


class TextView:
    """One commit of ``files`` and what it makes visible.

    Raises:
        ValueError: Something is damaged (as LanceDB's own errors say too); so do all methods.
    """

    def __init__(self, generation: Path) -> None:
        self.generation = generation
        # Before anything is opened: what is committed from here on makes a difference.
        self._seen = tables.versions(generation, tables.FILES)
        check_seal(generation)
        database = tables.connect(generation)
        self._files: Any = database.open_table(tables.FILES)
        for _ in range(_OPENING_ATTEMPTS):
            self._version: int = self._files.version
            stored = self._files.to_arrow()
            self._chunks: Any = database.open_table(tables.CHUNKS)
            self._relations: Any = database.open_table(tables.RELATIONS)
            # A writer sweeps what it has replaced: only what nobody replaced meanwhile is certain to be all there.
            if not self.is_outdated():
                break
        else:
            raise ValueError("the index never stood still")
        self.stored = sorted(rows.stored_files(stored), key=lambda file: file.record.path)
        self.committed = [file for file in self.stored if not file.error]
        self.chunk_count = sum(file.record.chunk_count for file in self.committed)
        self._best: dict[str, float] = {}

    @property
    def version(self) -> str:
        return f"{self.generation.name}:{self._version}"

    def is_outdated(self) -> bool:
        """True when something was committed since; then this view is of no further use."""
        seen = tables.versions(self.generation, tables.FILES)
        if seen == self._seen:
            return False
        self._seen = seen
        self._files.checkout_latest()
        return bool(self._files.version != self._version)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The words of the documents; counted where the file beside the index does not know them."""
        stamps = frozenset(file.stamp for file in self.committed if file.record.chunk_count)
        return up_to_date(self.generation / "lexicon.npz", stamps, self._terms_under)

    def _terms_under(self, stamps: Collection[str]) -> pa.Table:
        columns = [rows.TERMS, "stamp"]
        if len(stamps) > _FILTER_SIZE:
            return self._visible(self._columns(*columns), stamps)
        query = self._chunks.search().where(one_of("stamp", sorted(stamps)))
        return query.select(columns).to_arrow()

    # Chunks ---------------------------------------------------------------------------------------------------------

    def chunks(self, paths: Iterable[str] | None = None) -> list[Chunk]:
        """Chunks by path and line; of ``paths`` only, when given."""
        found = []
        for group in [None] if paths is None else groups(sorted(set(paths))):
            query = self._chunks.search().select([*rows.CHUNK_COLUMNS, "stamp"])
            if group is not None:
                query = query.where(one_of("path", group))
            found += rows.chunks_of(self._in_order(self._visible(query.to_arrow())))
        return found

    def keyed_chunks(self, paths: Iterable[str]) -> list[tuple[Chunk, int]]:
        """The chunks of a few files by path and line, each with its key."""
        ids, keys = self.placed
        spans = (self._span_of(path) for path in sorted(set(paths)))
        places = np.concatenate([np.empty(0, dtype=np.intp), *(np.arange(start, end) for start, end in spans)])
        return list(zip(self.chunks_at(ids[places]), keys[places].tolist(), strict=True))

    def _span_of(self, path: str) -> tuple[int, int]:
        """Where the chunks of a file stand among all by path and line; an empty span for a file that is not there."""
        place = self.place_of.get(path)
        if place is None:
            return 0, 0
        end = int(self._chunk_ends[place])
        return end - self.committed[place].record.chunk_count, end

    @cached_property
    def _chunk_ends(self) -> npt.NDArray[np.intp]:
        return np.cumsum([file.record.chunk_count for file in self.committed], dtype=np.intp)

    def chunks_at(self, ids: Sequence[int] | RowIds) -> list[Chunk]:
        """The chunks in these rows, in this order."""
        if not len(ids):
            return []
        wanted = np.asarray(ids, dtype=np.uint64).tolist()
        return rows.chunks_of(tables.taken(self._chunks, wanted, rows.CHUNK_COLUMNS))

    @cached_property
    def placed(self) -> tuple[RowIds, Keys]:
        """Row and key of every chunk, by path and line."""
        table = self._in_order(self._visible(self._columns("path", "start_line", "embed_key", "stamp", row_id=True)))
        self._check_count(table.num_rows)
        return table["_rowid"].to_numpy(), table["embed_key"].to_numpy()

    @cached_property
    def keys(self) -> Keys:
        """Key of every chunk, in no order of theirs."""
        return self._rows_by_key[0]

    @cached_property
    def _rows_by_key(self) -> tuple[Keys, RowIds]:
        table = self._visible(self._columns("embed_key", "stamp", row_id=True))
        self._check_count(table.num_rows)
        keys = table["embed_key"].to_numpy()
        order = np.argsort(keys, kind="stable")
        return keys[order], table["_rowid"].to_numpy()[order]

    def rows_with(self, keys: Keys) -> tuple[RowIds, Keys]:
        """Rows whose text has one of these keys, and the key of each: from memory, 16 MB for a million chunks."""
        known, ids = self._rows_by_key
        starts, ends = np.searchsorted(known, keys, "left"), np.searchsorted(known, keys, "right")
        places = [np.arange(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        found = np.concatenate(places) if places else np.empty(0, dtype=np.intp)
        return ids[found], known[found]

    def matching(self, terms: Sequence[str], k: int, paths: Collection[str] = ()) -> list[tuple[int, float]]:
        """The ``k`` rows that match ``terms`` best, with their BM25, best first; ties by path and line.

        Args:
            paths: Look in these files alone, which are few; in all where none are given.
        """
        from lancedb.query import MatchQuery

        if not terms or k <= 0:
            return []
        query = MatchQuery(" ".join(terms), rows.TERMS)
        # Rows that are not visible are found too; more are asked for until k remain.
        limit = k + min(self._dead, k)
        while True:
            search = self._chunks.search(query, query_type="fts").limit(limit).with_row_id(True)
            search = search.select(["path", "start_line", "stamp", "_score"])
            if paths:
                search = search.where(one_of("path", sorted(paths)))
            found = search.to_arrow()
            best = [
                (-score, path, line, row)
                for path, line, stamp, score, row in zip(
                    *(found[name].to_pylist() for name in ("path", "start_line", "stamp", "_score", "_rowid")),
                    strict=True,
                )
                if stamp in self._stamps
            ]
            if len(best) >= k or found.num_rows < limit:
                break
            limit *= 4
        return [(row, -score) for score, _, _, row in sorted(best)[:k]]

    @cached_property
    def _dead(self) -> int:
        """Rows that are not visible: superseded and not swept yet, or of a run that is going on."""
        return int(self._chunks.count_rows()) - self.chunk_count

    def best_of(self, term: str) -> float:
        """The highest BM25 that any chunk has for this term alone; what it would have, were there one with it."""
        if term not in self._best:
            found = self.matching([term], 1)
            # What a term that one chunk holds would be worth: BM25's rarity, times k1 + 1.
            absent = idf(0, self.chunk_count) * (K1 + 1)
            self._best[term] = found[0][1] if found else absent
        return self._best[term]

    @cached_property
    def place_of(self) -> dict[str, int]:
        """The place of each committed file by its path."""
        return {file.record.path: place for place, file in enumerate(self.committed)}

    @cached_property
    def _lexicon_places(self) -> npt.NDArray[np.intp]:
        """For each committed file its place in the lexicon; one behind the last for a file without a passage."""
        places = self.lexicon.places
        return np.array([places.get(file.stamp, len(places)) for file in self.committed], dtype=np.intp)

    def document_shares(self, terms: Sequence[str]) -> npt.NDArray[np.float32]:
        """BM25 of each committed file as a share of the most that any could have, by path ``(files,)``."""
        return np.append(self.lexicon.shares(terms), np.float32(0.0))[self._lexicon_places]

    @cached_property
    def several_passages(self) -> float:
        """The share of the files with a passage that have several, 0 to 1: how far documents are more than those."""
        counts = [file.record.chunk_count for file in self.committed if file.record.chunk_count]
        return sum(count > 1 for count in counts) / max(len(counts), 1)

    def facts_at(self, ids: Sequence[int]) -> list[tuple[str, int, str, int]]:
        """Path, first line, terms and key of the chunks in these rows, in this order."""
        if not ids:
            return []
        names = ["path", "start_line", rows.TERMS, "embed_key"]
        taken = tables.taken(self._chunks, ids, names)
        return list(zip(*(taken[name].to_pylist() for name in names), strict=True))

    # Relations ------------------------------------------------------------------------------------------------------

    @cached_property
    def relations(self) -> list[Relation]:
        """Relations by path and line."""
        table = self._relations.to_arrow()
        table.validate(full=True)
        return rows.relations_of(self._in_order(self._visible(table), "source_path", "line"))

    @cached_property
    def relation_count(self) -> int:
        return int(self._visible(self._relations.search().select(["stamp"]).to_arrow()).num_rows)

    def links_to(self) -> dict[str, int]:
        """How many relations point at each file that has any."""
        table = self._visible(self._relations.search().select(["target_path", "stamp"]).to_arrow())
        counted = table["target_path"].value_counts().to_pylist()
        return {entry["values"]: entry["counts"] for entry in counted if entry["values"]}

    # Checks ---------------------------------------------------------------------------------------------------------

    def verify(self) -> None:
        """Read enough to know that searches will not fail: the places of all chunks, all relations, the word index."""
        _ = self.keys, self.relations, self._is_word_index_there

    @cached_property
    def _is_word_index_there(self) -> bool:
        return self.matching(["-"], 1) == []

    def _check_count(self, count: int) -> None:
        if count != self.chunk_count:
            raise ValueError("chunks are missing")

    # Reading --------------------------------------------------------------------------------------------------------

    @cached_property
    def _stamps(self) -> frozenset[str]:
        return frozenset(file.stamp for file in self.committed)

    def _columns(self, *names: str, row_id: bool = False) -> pa.Table:
        return self._chunks.search().select(list(names)).with_row_id(row_id).to_arrow()

    def _visible(self, table: pa.Table, stamps: Collection[str] | None = None) -> pa.Table:
        """The rows under ``stamps``; of all committed files, unless given."""
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = pa.array(sorted(self._stamps if stamps is None else stamps), type=pa.string())
        visible = pc.is_in(table["stamp"], value_set=wanted)
        return table if pc.all(visible, min_count=0).as_py() else table.filter(visible)

    def _in_order(self, table: pa.Table, *columns: str) -> pa.Table:
        """Sorted by path and line; stable, so chunks that share a line stay in the order in which they were cut."""
        import pyarrow.compute as pc

        keys = [(name, "ascending") for name in columns or ("path", "start_line")]
        positions = pc.sort_indices(table, sort_keys=keys)
        in_order = np.array_equal(positions.to_numpy(), np.arange(table.num_rows))
        return table if in_order else table.take(positions)


def one_of(column: str, values: Iterable[str]) -> str:
    """The SQL condition that ``column`` is one of ``values``."""
    quoted = ("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({', '.join(quoted)})"


def groups(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """``values`` in groups that fit in one condition."""
    return (values[start : start + _FILTER_SIZE] for start in range(0, len(values), _FILTER_SIZE))
