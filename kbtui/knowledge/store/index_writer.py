"""Writes the text of a folder into its index; the creator of a writer must hold the lock of the folder.

The index stays readable wherever the process is killed: chunks and relations are appended first, invisibly; the rows of
their files commit them atomically; superseded rows are deleted last.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from kbtui.domain.document import Relation
from kbtui.errors import IndexCorrupt, StorageError
from kbtui.knowledge.store import index_rows as rows
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_rows import ChunkRow, StoredFile
from kbtui.knowledge.store.index_tables import Meta
from kbtui.knowledge.store.index_view import TextView, groups, one_of
from kbtui.knowledge.store.seal import check_seal, is_sealed, seal, unseal
from kbtui.memory import release_memory

_OLD_VERSIONS_KEPT: Final = timedelta(minutes=10)
_COMPACT_FROM_FRAGMENTS: Final = 20
_COMPACT_AT_ONCE_FROM: Final = 200
"""Fragments that slow down reads so much that they are merged even before a question."""
_UNINDEXED_SHARE: Final = 0.05
_UNINDEXED_AT_ONCE: Final = 4000
"""Rows that are not in the full-text index yet; scanning a thousand of them takes 4 ms."""
_SCALAR_INDEX_FROM: Final = 100_000
"""Chunks from which a scan for a path, stamp or key costs more than 10 ms."""
_MANY: Final = 100_000
"""Chunks from which memory counts more than the seconds that two cores save."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """The generation that a run writes.

    Attributes:
        path: Its folder.
        reason: Why a new one was made for an indexed folder; empty otherwise.
    """

    path: Path
    reason: str = ""


def choose_generation(directory: Path, wanted: Meta, *, rebuild: bool, damaged: bool = False) -> Generation:
    """The generation to bring up to date: the current one, or a new one.

    Readers use a new one at once, except for a rebuild, during which the current one is used until `make_current`.

    Args:
        directory: The existing index directory of the folder.
        wanted: The required metadata of the generation.
        rebuild: Whether the user asked to index everything anew.
        damaged: Whether the current generation cannot be read.

    Raises:
        StorageError: The disk is full or not writable.
    """
    with tables.lance_errors(directory):
        current = tables.current_generation(directory)
        meta = tables.read_meta(current, Meta) if current is not None else None
        is_usable = current is not None and meta == wanted and not damaged
        if current is not None and is_usable and not rebuild:
            tables.remove_others(directory, "text", current)
            return Generation(path=current)
        reason = ""
        if rebuild:
            reason = "a rebuild was asked for"
        elif current is not None:
            reason = "the index is damaged" if damaged or meta is None else _difference(meta, wanted)
        generation = tables.new_generation(directory)
        tables.create_tables(generation, wanted)
        if not is_usable:
            tables.make_current(directory, generation)
        return Generation(path=generation, reason=reason)


class IndexWriter:
    """Appends to one generation, commits, and deletes superseded rows.

    Raises:
        IndexCorrupt: The tables cannot be opened; all methods may raise it.
        StorageError: The disk is full or not writable; all methods may raise it.
    """

    def __init__(self, generation: Path) -> None:
        self._directory = generation.parent
        self._generation = generation
        with tables.lance_errors(self._directory):
            check_seal(generation)
            self.was_interrupted = not is_sealed(generation)
            if self.was_interrupted:
                tables.remove_drafts(generation.parent, generation)
            database = tables.connect(generation)
            self._chunks: Any = database.open_table(tables.CHUNKS)
            self._files: Any = database.open_table(tables.FILES)
            self._relations: Any = database.open_table(tables.RELATIONS)

    def stored_files(self) -> list[StoredFile]:
        """All rows of ``files``."""
        with tables.lance_errors(self._directory):
            return rows.stored_files(self._files.to_arrow())

    def append(self, chunks: Sequence[ChunkRow]) -> None:
        """Add chunks, which are invisible until their file is committed."""
        if chunks:
            with self._writing():
                self._chunks.add(rows.chunk_table(chunks))

    def commit(self, files: Sequence[StoredFile], relations: Sequence[Sequence[Relation]]) -> None:
        """Make files visible in place of their older rows, with these relations and the chunks with their stamps."""
        if not files:
            return
        stamped_relations = [
            (relation, file.stamp) for file, group in zip(files, relations, strict=True) for relation in group
        ]
        with self._writing():
            if stamped_relations:
                self._relations.add(
                    rows.relation_table(
                        [pair[0] for pair in stamped_relations], [pair[1] for pair in stamped_relations]
                    )
                )
            merge = self._files.merge_insert("path").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(rows.file_table(files))

    def remove(self, paths: Collection[str]) -> None:
        """Remove files from the index; `sweep` deletes their chunks."""
        if paths:
            with self._writing():
                for group in groups(sorted(paths)):
                    self._files.delete(one_of("path", group))

    def sweep(self, superseded: Collection[str] = ()) -> None:
        """Delete superseded chunks and relations; after a killed run, all rows that belong to no file."""
        if not superseded and not self.was_interrupted:
            return
        with self._writing():
            if not self.was_interrupted:
                for table in (self._chunks, self._relations):
                    for group in groups(sorted(superseded)):
                        table.delete(one_of("stamp", group))
                return
            live_stamps = {file.stamp for file in self.stored_files()}
            for table in (self._chunks, self._relations):
                stored_stamps = set(table.search().select(["stamp"]).to_arrow()["stamp"].unique().to_pylist())
                for group in groups(sorted(stored_stamps - live_stamps)):
                    table.delete(one_of("stamp", group))

    def tidy(self, *, patient: bool) -> None:
        """Update the full-text index, merge small files, and delete old versions.

        Args:
            patient: False postpones work for which a question need not wait.
        """
        with tables.lance_errors(self._directory):
            oldest_kept = datetime.now() - _OLD_VERSIONS_KEPT
            for table in (self._chunks, self._files, self._relations):
                fragments = table.stats()["fragment_stats"]["num_fragments"]
                is_scattered = fragments > (_COMPACT_FROM_FRAGMENTS if patient else _COMPACT_AT_ONCE_FROM)
                is_old = patient and any(version["timestamp"] < oldest_kept for version in table.list_versions()[:-1])
                if is_scattered or is_old:
                    unseal(self._generation)
                    # With the lock held there is no other writer, so unreferenced files are those of a killed one.
                    table.optimize(cleanup_older_than=_OLD_VERSIONS_KEPT, delete_unverified=True)
            self._tidy_indexes(patient)

    def _tidy_indexes(self, patient: bool) -> None:
        indexes = {index.name: index for index in self._chunks.list_indices()}
        full_text_index = indexes.get(f"{rows.TERMS}_idx")
        unindexed_rows = (
            full_text_index.num_unindexed_rows if full_text_index is not None else self._chunks.count_rows()
        )
        indexed_rows = full_text_index.num_indexed_rows if full_text_index is not None else 0
        if full_text_index is None or unindexed_rows > indexed_rows:
            unseal(self._generation)
            with ThreadPoolExecutor(1) as executor:
                lexicon = executor.submit(self._build_lexicon)
                if unindexed_rows >= _MANY:
                    # At the same time the two would take twice the memory, which is much for so many passages.
                    lexicon.result()
                    release_memory()
                # Indexing all rows takes half the time of adding so many to an existing index.
                self._chunks.create_index(rows.TERMS, config=tables.full_text_config(), replace=True)
            if unindexed_rows >= _MANY:
                release_memory()
        elif unindexed_rows > (_UNINDEXED_SHARE * indexed_rows if patient else _UNINDEXED_AT_ONCE):
            unseal(self._generation)
            self._chunks.optimize(cleanup_older_than=_OLD_VERSIONS_KEPT, delete_unverified=True)
        if patient and self._chunks.count_rows() >= _SCALAR_INDEX_FROM:
            from lancedb.index import BTree

            for column in ("path", "embed_key", "stamp"):
                if f"{column}_idx" not in indexes:
                    unseal(self._generation)
                    self._chunks.create_index(column, config=BTree())

    def _build_lexicon(self) -> None:
        """Build the lexicon, which the first question needs."""
        # Where that fails, the first reader of the index builds it.
        with contextlib.suppress(IndexCorrupt, StorageError), tables.lance_errors(self._directory):
            _ = TextView(self._generation).lexicon

    def seal(self) -> None:
        """Record the checksums of the files, so that damage is detected."""
        with tables.lance_errors(self._directory):
            seal(self._generation)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with tables.lance_errors(self._directory):
            unseal(self._generation)
            yield


def _difference(meta: Meta, wanted: Meta) -> str:
    if meta.schema_version != wanted.schema_version:
        return "it was made by another version of kbtui"
    return "it was made for another folder"
