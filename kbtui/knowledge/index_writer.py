"""Writes the index of a folder. Whoever makes a writer holds the folder's lock.

Every method leaves the index readable wherever the process dies: chunks and relations are appended first, unseen; the
rows of their files commit them in one step; what is superseded is swept last.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

from kbtui.domain.document import Relation
from kbtui.errors import IndexCorrupt
from kbtui.knowledge import index_tables as tables
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.index_tables import ChunkRow, Meta, StoredFile
from kbtui.knowledge.seal import check_seal, seal

_OLD_VERSIONS_KEPT: Final = timedelta(minutes=10)
_COMPACT_FROM_FRAGMENTS: Final = 20
_FILTER_SIZE: Final = 500


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
    """The generation to bring up to date: the current one, an unfinished rebuild, or a new one.

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
        meta = tables.read_meta(current) if current is not None else None
        if current is not None and meta == wanted and not rebuild and not damaged:
            _remove_others(directory, current)
            return Generation(path=current)
        reason = ""
        if rebuild:
            reason = "a rebuild was asked for"
        elif current is not None:
            reason = "the index is damaged" if damaged or meta is None else _difference(meta, wanted)
        unfinished = None if rebuild else _unfinished(directory, wanted, current)
        if unfinished is None or damaged:
            unfinished = _new_name(directory)
            tables.create_tables(unfinished, wanted)
        # An index that can still be read serves until its successor is complete.
        if current is None or meta is None or damaged:
            make_current(directory, unfinished)
        else:
            _remove_others(directory, current, unfinished)
        return Generation(path=unfinished, reason=reason)


def make_current(directory: Path, generation: Path) -> None:
    """Let readers use ``generation`` from now on, and remove the others."""
    current = tables.current_generation(directory)
    if current != generation:
        with tables.lance_errors(directory):
            tables.write_text(directory / tables.CURRENT_FILE, generation.name)
    _remove_others(directory, generation)


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
            database = tables.connect(generation)
            self._chunks: Any = database.open_table(tables.CHUNKS)
            self._files: Any = database.open_table(tables.FILES)
            self._relations: Any = database.open_table(tables.RELATIONS)

    def stored_files(self) -> list[StoredFile]:
        """Every row of ``files``."""
        with self._guarded():
            return tables.stored_files(self._files.to_arrow())

    def known_vectors(self) -> dict[str, Vectors]:
        """Every vector in the generation by its ``embed_hash``, those of files that were never committed too.

        Reading all of it is also the check that the index is whole: a damaged one is found before it is built upon.

        Raises:
            IndexCorrupt: A table cannot be read, or a committed file lacks chunks.
        """
        with self._guarded():
            chunks = self._chunks.to_arrow()
            chunks.validate(full=True)
            self._relations.to_arrow().validate(full=True)
            stamps, counts = np.unique(chunks["stamp"].to_numpy(), return_counts=True)
            found = dict(zip(stamps.tolist(), counts.tolist(), strict=True))
            for file in self.stored_files():
                if found.get(file.stamp, 0) != file.record.chunk_count:
                    raise ValueError(f"chunks of {file.record.path!r} are missing")
            return dict(zip(chunks["embed_hash"].to_pylist(), tables.vectors_of(chunks), strict=True))

    def append(self, rows: Sequence[ChunkRow], vectors: Vectors) -> None:
        """Add chunks that no reader sees until their file is committed."""
        if rows:
            with self._guarded():
                self._chunks.add(tables.chunk_table(rows, vectors))

    def commit(self, files: Sequence[StoredFile], relations: Sequence[Sequence[Relation]]) -> None:
        """Make files visible in place of older rows, with these relations and the chunks under their stamps."""
        if not files:
            return
        stated = [(relation, file.stamp) for file, group in zip(files, relations, strict=True) for relation in group]
        with self._guarded():
            if stated:
                self._relations.add(tables.relation_table([pair[0] for pair in stated], [pair[1] for pair in stated]))
            merge = self._files.merge_insert("path").when_matched_update_all().when_not_matched_insert_all()
            merge.execute(tables.file_table(files))

    def remove(self, paths: Collection[str]) -> None:
        """Take files out of the index; their chunks are swept later."""
        with self._guarded():
            for group in _groups(sorted(paths)):
                self._files.delete(f"path IN ({', '.join(map(_quoted, group))})")

    def sweep(self) -> int:
        """Delete chunks and relations that belong to no committed file; the number of chunks deleted."""
        with self._guarded():
            live = {file.stamp for file in self.stored_files()}
            swept = 0
            for table in (self._chunks, self._relations):
                stamps = table.search().select(["stamp"]).to_arrow()["stamp"].to_pylist()
                dead = set(stamps) - live
                if table is self._chunks:
                    swept = sum(stamp in dead for stamp in stamps)
                for group in _groups(sorted(dead)):
                    table.delete(f"stamp IN ({', '.join(map(_quoted, group))})")
            return swept

    def tidy(self) -> None:
        """Merge small fragments once there are many, and drop versions that no reader can still be using."""
        with self._guarded():
            oldest_kept = datetime.now() - _OLD_VERSIONS_KEPT
            for table in (self._chunks, self._files, self._relations):
                is_scattered = table.stats()["fragment_stats"]["num_fragments"] > _COMPACT_FROM_FRAGMENTS
                if is_scattered or any(version["timestamp"] < oldest_kept for version in table.list_versions()[:-1]):
                    # Whoever holds the lock is the only writer: files of no version are a killed writer's.
                    table.optimize(cleanup_older_than=_OLD_VERSIONS_KEPT, delete_unverified=True)

    def seal(self) -> None:
        """Note what the files are, so that damage to them is found out."""
        with self._guarded():
            seal(self._generation)

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        with tables.lance_errors(self._directory):
            yield


def _difference(meta: Meta, wanted: Meta) -> str:
    if meta.fingerprint != wanted.fingerprint:
        return "it was made with another embedding model"
    if meta.schema_version != wanted.schema_version:
        return "it was made by another version of kbtui"
    return "it was made for another folder"


def _generations(directory: Path) -> list[Path]:
    return [path for path in directory.glob("g*") if path.name[1:].isdigit()]


def _unfinished(directory: Path, wanted: Meta, current: Path | None) -> Path | None:
    """A generation that an interrupted rebuild left behind and that can be gone on with."""
    for generation in _generations(directory):
        if generation != current and tables.read_meta(generation) == wanted:
            with contextlib.suppress(IndexCorrupt):
                IndexWriter(generation).known_vectors()
                return generation
    return None


def _new_name(directory: Path) -> Path:
    return directory / f"g{max((int(path.name[1:]) for path in _generations(directory)), default=0) + 1}"


def _remove_others(directory: Path, *kept: Path) -> None:
    for generation in _generations(directory):
        if generation not in kept:
            shutil.rmtree(generation, ignore_errors=True)


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _groups(values: Sequence[str]) -> Iterable[Sequence[str]]:
    return (values[start : start + _FILTER_SIZE] for start in range(0, len(values), _FILTER_SIZE))
