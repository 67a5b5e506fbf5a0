"""A view of the text of a folder at one commit of its index; what has been read is cached until the next commit.

Rows that belong to no committed file are invisible (see ``index_tables``), so each file is complete, in its old or new
state.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
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
from kbtui.knowledge.store.lexicon_store import updated_lexicon
from kbtui.knowledge.store.seal import check_seal
from kbtui.memory import release_memory

if TYPE_CHECKING:
    import pyarrow as pa

RowIds = npt.NDArray[np.uint64]
"""Row ids in one version of ``chunks``."""

_FILTER_SIZE: Final = 500
_TERMS_AT_ONCE: Final = 16_384
"""Passages whose terms are held at a time while the lexicon is built: 150 MB with what is made of them."""
_OPENING_ATTEMPTS: Final = 5
_MANY_RELATIONS: Final = 100_000


class TextView:
    """One commit of ``files``, with the rows that it makes visible.

    Raises:
        ValueError: The index is damaged, for which LanceDB raises other errors too; all methods may raise it.
    """

    def __init__(self, generation: Path) -> None:
        self.generation = generation
        # Read before anything is opened, so that any later commit is noticed.
        self._seen = tables.versions(generation, tables.FILES)
        check_seal(generation)
        database = tables.connect(generation)
        self._files: Any = database.open_table(tables.FILES)
        for _ in range(_OPENING_ATTEMPTS):
            self._version: int = self._files.version
            stored = self._files.to_arrow()
            self._chunks: Any = database.open_table(tables.CHUNKS)
            self._relations: Any = database.open_table(tables.RELATIONS)
            # A writer deletes superseded rows, so the tables are only consistent if nothing was committed meanwhile.
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
        """Whether something was committed since, so that a new view is needed."""
        seen = tables.versions(self.generation, tables.FILES)
        if seen == self._seen:
            return False
        self._seen = seen
        self._files.checkout_latest()
        return bool(self._files.version != self._version)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The lexicon of the documents, from its stored file as far as possible."""
        stamps = frozenset(file.stamp for file in self.committed if file.record.chunk_count)
        return updated_lexicon(self.generation / "lexicon.npz", stamps, self._terms_under)

    def _terms_under(self, stamps: Collection[str]) -> Iterator[pa.Table]:
        """Terms and stamp of the passages with these stamps, in batches."""
        import pyarrow as pa

        query = self._chunks.search().select([rows.TERMS, "stamp"])
        if len(stamps) <= _FILTER_SIZE:
            query = query.where(one_of("stamp", sorted(stamps)))
        for batch in query.to_batches(_TERMS_AT_ONCE):
            yield self._visible(pa.Table.from_batches([batch]), stamps)

    # Chunks ---------------------------------------------------------------------------------------------------------

    def chunks(self, paths: Iterable[str] | None = None) -> list[Chunk]:
        """The chunks, of ``paths`` only where given, ordered by path and line."""
        result = []
        for group in [None] if paths is None else groups(sorted(set(paths))):
            query = self._chunks.search().select([*rows.CHUNK_COLUMNS, "stamp"])
            if group is not None:
                query = query.where(one_of("path", group))
            result += rows.chunks_of(self._in_order(self._visible(query.to_arrow())))
        return result

    def keyed_chunks(self, paths: Iterable[str]) -> list[tuple[Chunk, int]]:
        """The chunks of a few files with their keys, ordered by path and line."""
        ids, keys = self.ordered_rows
        spans = (self._span_of(path) for path in sorted(set(paths)))
        places = np.concatenate([np.empty(0, dtype=np.intp), *(np.arange(start, end) for start, end in spans)])
        return list(zip(self.chunks_at(ids[places]), keys[places].tolist(), strict=True))

    def _span_of(self, path: str) -> tuple[int, int]:
        """Range of the chunks of a file among all chunks by path and line; empty for an unknown file."""
        place = self.place_of.get(path)
        if place is None:
            return 0, 0
        end = int(self._chunk_ends[place])
        return end - self.committed[place].record.chunk_count, end

    @cached_property
    def _chunk_ends(self) -> npt.NDArray[np.intp]:
        return np.cumsum([file.record.chunk_count for file in self.committed], dtype=np.intp)

    def chunks_at(self, ids: Sequence[int] | RowIds) -> list[Chunk]:
        """The chunks with these row ids, in this order."""
        if not len(ids):
            return []
        row_ids = np.asarray(ids, dtype=np.uint64).tolist()
        return rows.chunks_of(tables.take_rows(self._chunks, row_ids, rows.CHUNK_COLUMNS))

    @cached_property
    def ordered_rows(self) -> tuple[RowIds, Keys]:
        """Row ids and keys of all chunks, ordered by path and line."""
        table = self._in_order(self._visible(self._columns("path", "start_line", "embed_key", "stamp", row_id=True)))
        self._check_count(table.num_rows)
        return table["_rowid"].to_numpy(), table["embed_key"].to_numpy()

    @cached_property
    def keys(self) -> Keys:
        """The keys of all chunks, sorted."""
        return self._rows_by_key[0]

    @cached_property
    def _rows_by_key(self) -> tuple[Keys, RowIds]:
        table = self._visible(self._columns("embed_key", "stamp", row_id=True))
        self._check_count(table.num_rows)
        keys = table["embed_key"].to_numpy()
        order = np.argsort(keys, kind="stable")
        return keys[order], table["_rowid"].to_numpy()[order]

    def rows_with(self, keys: Keys) -> tuple[RowIds, Keys]:
        """Ids and keys of the rows with one of these keys, from a cache of 16 MB for a million chunks."""
        sorted_keys, ids = self._rows_by_key
        starts, ends = np.searchsorted(sorted_keys, keys, "left"), np.searchsorted(sorted_keys, keys, "right")
        places = [np.arange(start, end) for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        indexes = np.concatenate(places) if places else np.empty(0, dtype=np.intp)
        return ids[indexes], sorted_keys[indexes]

    def matching(self, terms: Sequence[str], k: int, paths: Collection[str] = ()) -> list[tuple[int, float]]:
        """Ids and BM25 scores of the ``k`` rows that match ``terms`` best, best first; ties are ordered by path and
        line.

        Args:
            paths: A few files to search only; all files where empty.
        """
        from lancedb.query import MatchQuery

        if not terms or k <= 0:
            return []
        query = MatchQuery(" ".join(terms), rows.TERMS)
        # The search also returns invisible rows, so the limit is raised until k visible ones remain.
        limit = k + min(self._invisible_count, k)
        while True:
            search = self._chunks.search(query, query_type="fts").limit(limit).with_row_id(True)
            search = search.select(["path", "start_line", "stamp", "_score"])
            if paths:
                search = search.where(one_of("path", sorted(paths)))
            table = search.to_arrow()
            best = [
                (-score, path, line, row)
                for path, line, stamp, score, row in zip(
                    *(table[name].to_pylist() for name in ("path", "start_line", "stamp", "_score", "_rowid")),
                    strict=True,
                )
                if stamp in self._stamps
            ]
            if len(best) >= k or table.num_rows < limit:
                break
            limit *= 4
        return [(row, -score) for score, _, _, row in sorted(best)[:k]]

    @cached_property
    def _invisible_count(self) -> int:
        """Number of invisible rows: superseded and not deleted yet, or of a run in progress."""
        return int(self._chunks.count_rows()) - self.chunk_count

    def best_of(self, term: str) -> float:
        """The highest BM25 of any chunk for this term alone; for an unknown term, that of a single chunk with it."""
        if term not in self._best:
            best_match = self.matching([term], 1)
            # The weight of a term that occurs in one chunk: its idf times k1 + 1.
            absent = idf(0, self.chunk_count) * (K1 + 1)
            self._best[term] = best_match[0][1] if best_match else absent
        return self._best[term]

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Index of each committed file, by path."""
        return {file.record.path: place for place, file in enumerate(self.committed)}

    @cached_property
    def _lexicon_places(self) -> npt.NDArray[np.intp]:
        """Index of each committed file in the lexicon; for a file without a passage, the number of documents."""
        places = self.lexicon.places
        return np.array([places.get(file.stamp, len(places)) for file in self.committed], dtype=np.intp)

    def document_shares(self, terms: Sequence[str]) -> npt.NDArray[np.float32]:
        """BM25 of each committed file as a share of the greatest possible score, by path ``(files,)``."""
        return np.append(self.lexicon.shares(terms), np.float32(0.0))[self._lexicon_places]

    @cached_property
    def several_passages(self) -> float:
        """Share of the files with passages that have several, 0 to 1."""
        counts = [file.record.chunk_count for file in self.committed if file.record.chunk_count]
        return sum(count > 1 for count in counts) / max(len(counts), 1)

    def facts_at(self, ids: Sequence[int]) -> list[tuple[str, int, str, int]]:
        """Path, first line, terms and key of the chunks with these row ids, in this order."""
        if not ids:
            return []
        names = ["path", "start_line", rows.TERMS, "embed_key"]
        table = tables.take_rows(self._chunks, ids, names)
        return list(zip(*(table[name].to_pylist() for name in names), strict=True))

    # Relations ------------------------------------------------------------------------------------------------------

    @cached_property
    def relations(self) -> list[Relation]:
        """The relations, ordered by path and line."""
        return self.read_relations()

    def read_relations(self) -> list[Relation]:
        """As `relations`, for a caller that keeps them in its own form."""
        relations = rows.relations_of(self._in_order(self._visible(self._checked_relations()), "source_path", "line"))
        if len(relations) > _MANY_RELATIONS:
            # Their columns took several times the memory.
            release_memory()
        return relations

    def _checked_relations(self) -> pa.Table:
        table = self._relations.to_arrow()
        table.validate(full=True)
        return table

    @cached_property
    def _has_whole_relations(self) -> bool:
        return bool(self._checked_relations().num_rows >= 0)

    @cached_property
    def relation_count(self) -> int:
        return int(self._visible(self._relations.search().select(["stamp"]).to_arrow()).num_rows)

    def links_to(self) -> dict[str, int]:
        """Number of relations to each file that is the target of any."""
        table = self._visible(self._relations.search().select(["target_path", "stamp"]).to_arrow())
        counts = table["target_path"].value_counts().to_pylist()
        return {entry["values"]: entry["counts"] for entry in counts if entry["values"]}

    # Checks ---------------------------------------------------------------------------------------------------------

    def verify(self) -> None:
        """Read what searches need, to find damage: keys of all chunks, all relations, and the full-text index."""
        _ = self.keys, self._has_whole_relations, self._has_full_text_index

    @cached_property
    def _has_full_text_index(self) -> bool:
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
        """The rows with one of ``stamps``; by default those of all committed files."""
        import pyarrow as pa
        import pyarrow.compute as pc

        visible_stamps = pa.array(sorted(self._stamps if stamps is None else stamps), type=pa.string())
        visible = pc.is_in(table["stamp"], value_set=visible_stamps)
        return table if pc.all(visible, min_count=0).as_py() else table.filter(visible)

    def _in_order(self, table: pa.Table, *columns: str) -> pa.Table:
        """``table`` sorted by path and line; the sort is stable, so chunks of one line keep their order."""
        import pyarrow.compute as pc

        keys = [(name, "ascending") for name in columns or ("path", "start_line")]
        positions = pc.sort_indices(table, sort_keys=keys)
        in_order = np.array_equal(positions.to_numpy(), np.arange(table.num_rows))
        return table if in_order else table.take(positions)


def one_of(column: str, values: Iterable[str]) -> str:
    """The SQL condition that ``column`` has one of ``values``."""
    quoted = ("'" + value.replace("'", "''") + "'" for value in values)
    return f"{column} IN ({', '.join(quoted)})"


def groups(values: Sequence[Any]) -> Iterable[Sequence[Any]]:
    """``values`` in groups that fit into one SQL condition."""
    return (values[start : start + _FILTER_SIZE] for start in range(0, len(values), _FILTER_SIZE))
