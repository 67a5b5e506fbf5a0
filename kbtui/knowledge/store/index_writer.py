"""Writes the text of a folder into its index. Whoever makes a writer holds the folder's lock.

Every method leaves the index readable wherever the process dies: chunks and relations are appended first, unseen; the
rows of their files commit them in one step; what is superseded is swept last.
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

_OLD_VERSIONS_KEPT: Final = timedelta(minutes=10)
_COMPACT_FROM_FRAGMENTS: Final = 20
_COMPACT_AT_ONCE_FROM: Final = 200
"""Fragments that slow every read so much that even a question waits for them to be merged."""
_UNINDEXED_SHARE: Final = 0.05
_UNINDEXED_AT_ONCE: Final = 4000
"""Rows the word index does not know yet: they are scanned, at 4 ms a thousand."""
_SCALAR_INDEX_FROM: Final = 100_000
"""Chunks from which a scan for a path, stamp or key costs more than 10 ms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """Where a run writes.

    Attributes:
        path: Its folder.
        reason: Why it is new although the folder had been indexed; empty when it is not.
    """

    path: Path
    reason: str = ""


def choose_generation(directory: Path, wanted: Meta, *, rebuild: bool, damaged: bool = False) -> Generation:
    """The generation to bring up to date: the current one, or a new one.

    Readers use a new one at once, unless it is made for a rebuild: then the present one serves until `make_current`.

    Args:
        directory: The folder's index directory; exists.
        wanted: What the generation must have been made with.
        rebuild: The user wants everything made anew.
        damaged: The current generation cannot be read.

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
    """Appends to one generation, commits and sweeps.

    Raises:
        IndexCorrupt: The tables cannot be opened; so do all methods.
        StorageError: The disk is full or not writable; so do all methods.
    """

    def __init__(self, generation: Path) -> None:
        self._directory = generation.parent
        self._generation = generation
        with self._guarded():
            check_seal(generation)
            self.was_interrupted = not is_sealed(generation)
            if self.was_interrupted:
                tables.remove_drafts(generation.parent, generation)
            database = tables.connect(generation)
            self._chunks: Any = database.open_table(tables.CHUNKS)
            self._files: Any = database.open_table(tables.FILES)
            self._relations: Any = database.open_table(tables.RELATIONS)

    def stored_files(self) -> list[StoredFile]:
        """Every row of ``files``."""
        with self._guarded():
            return rows.stored_files(self._files.to_arrow())

    def append(self, chunks: Sequence[ChunkRow]) -> None:
        """Add chunks that no reader sees until their file is committed."""
        if chunks:
            with self._writing():
                self._chunks.add(rows.chunk_table(chunks))

    def commit(self, files: Sequence[StoredFile], relations: Sequence[Sequence[Relation]]) -> None:
        """Make files visible in place of older rows, with these relations and the chunks under their stamps."""
        if not files:
            return
        stated = [(relation, file.stamp) for file, group in zip(files, relations, strict=True) for relation in group]
        with self._writing():
            if stated:
                self._relations.add(rows.relation_table([pair[0] for pair in stated], [pair[1] for pair in stated]))
            merge = self._files.merge_insert("path").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(rows.file_table(files))

    def remove(self, paths: Collection[str]) -> None:
        """Take files out of the index; their chunks are swept later."""
        if paths:
            with self._writing():
                for group in groups(sorted(paths)):
                    self._files.delete(one_of("path", group))

    def sweep(self, superseded: Collection[str] = ()) -> None:
        """Delete chunks and relations of writes that were superseded; after a killed run, whatever no file owns."""
        if not superseded and not self.was_interrupted:
            return
        with self._writing():
            if not self.was_interrupted:
                for table in (self._chunks, self._relations):
                    for group in groups(sorted(superseded)):
                        table.delete(one_of("stamp", group))
                return
            live = {file.stamp for file in self.stored_files()}
            for table in (self._chunks, self._relations):
                found = set(table.search().select(["stamp"]).to_arrow()["stamp"].unique().to_pylist())
                for group in groups(sorted(found - live)):
                    table.delete(one_of("stamp", group))

    def tidy(self, *, patient: bool) -> None:
        """Keep the word index and the number of files in order as the tables grow, and drop old versions.

        Args:
            patient: False puts off what a question need not wait for.
        """
        with self._guarded():
            oldest_kept = datetime.now() - _OLD_VERSIONS_KEPT
            for table in (self._chunks, self._files, self._relations):
                fragments = table.stats()["fragment_stats"]["num_fragments"]
                is_scattered = fragments > (_COMPACT_FROM_FRAGMENTS if patient else _COMPACT_AT_ONCE_FROM)
                is_old = patient and any(version["timestamp"] < oldest_kept for version in table.list_versions()[:-1])
                if is_scattered or is_old:
                    unseal(self._generation)
                    # Whoever holds the lock is the only writer: files of no version are a killed writer's.
                    table.optimize(cleanup_older_than=_OLD_VERSIONS_KEPT, delete_unverified=True)
            self._tidy_indexes(patient)

    def _tidy_indexes(self, patient: bool) -> None:
        known = {index.name: index for index in self._chunks.list_indices()}
        words = known.get(f"{rows.TERMS}_idx")
        missing = words.num_unindexed_rows if words is not None else self._chunks.count_rows()
        have = words.num_indexed_rows if words is not None else 0
        if words is None or missing > have:
            unseal(self._generation)
            with ThreadPoolExecutor(1) as beside:
                if missing < _SCALAR_INDEX_FROM:
                    beside.submit(self._count_words)
                # To index all of it at once takes half the time of adding so much to what there is.
                self._chunks.create_index(rows.TERMS, config=tables.full_text_config(), replace=True)
        elif missing > (_UNINDEXED_SHARE * have if patient else _UNINDEXED_AT_ONCE):
            unseal(self._generation)
            self._chunks.optimize(cleanup_older_than=_OLD_VERSIONS_KEPT, delete_unverified=True)
        if patient and self._chunks.count_rows() >= _SCALAR_INDEX_FROM:
            from lancedb.index import BTree

            for column in ("path", "embed_key", "stamp"):
                if f"{column}_idx" not in known:
                    unseal(self._generation)
                    self._chunks.create_index(column, config=BTree())

    def _count_words(self) -> None:
        """Make the lexicon that the first question needs, while LanceDB is busy on a core of its own."""
        # One that cannot be made now is made by whoever reads the index.
        with contextlib.suppress(IndexCorrupt, StorageError), self._guarded():
            _ = TextView(self._generation).lexicon

    def seal(self) -> None:
        """Note what the files are, so that damage to them is found out."""
        with self._guarded():
            seal(self._generation)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        with tables.lance_errors(self._directory):
            yield

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with self._guarded():
            unseal(self._generation)
            yield


def _difference(meta: Meta, wanted: Meta) -> str:
    if meta.schema_version != wanted.schema_version:
        return "it was made by another version of kbtui"
    return "it was made for another folder"
