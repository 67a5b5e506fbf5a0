"""Brings the text of an index up to date: changed files are read, cut and committed in batches, deleted ones removed.

The indexer decides when and where a run writes. This module decides for each file whether it is kept, compared by
content, cut again, recorded as unreadable, or removed. A batch bounds the memory, and the work that is lost when the
run is killed.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.domain.document import FileRecord, Relation
from kbtui.domain.ports import CancelToken
from kbtui.errors import FolderNotFound, StorageError
from kbtui.knowledge.reading import extraction as reading
from kbtui.knowledge.reading.cutting import Cut, Cutting, Failure
from kbtui.knowledge.reading.folder_worker import digests, reading_rules
from kbtui.knowledge.reading.formats import format_of
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.store.freshness import is_settled, same_content
from kbtui.knowledge.store.index_report import Meter
from kbtui.knowledge.store.index_rows import ChunkRow, StoredFile
from kbtui.knowledge.store.index_writer import IndexWriter
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walk_types import Walk, WalkedFile

log = logging.getLogger(__name__)

BATCH_CHUNKS: Final = 8192
"""Chunks written between two commits: a second or two of work, which is lost when the run is killed."""
_BYTES_PER_CHARACTER: Final = 4
"""Disk space for a character of a chunk: its text, its terms, and the full-text index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestionResult:
    """The result of an ingestion.

    Attributes:
        chunks: Number of written chunks.
        deleted: Number of files removed because they are no longer in the folder.
        vanished: Paths of files that were deleted between the walk and their reading.
        unreadable: Paths of files that could not be read.
    """

    chunks: int = 0
    deleted: int = 0
    vanished: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A file that was read but is not committed yet."""

    stored: StoredFile
    chunks: Sequence[ChunkRow] = ()
    relations: Sequence[Relation] = ()


class Ingestion:
    """Brings the text of one generation up to date, once.

    Args:
        walk: The walk over the folder.
        writer: Writer of the generation; its creator holds the lock of the folder.
        known: The rows of ``files`` of the generation.
        settings: Settings of reading and cutting.
        cut: Reads and cuts files.
        check_room: Called with the number of bytes to be written; raises StorageError where they will not fit.
        meter: Receives the progress of the stages ``read`` and ``write``.
        cancel: Checked between files; committed files are kept.
        texts: Stores extracted texts.
    """

    def __init__(
        self,
        walk: Walk,
        writer: IndexWriter,
        known: Iterable[StoredFile],
        settings: IndexSettings,
        cut: Callable[[Sequence[WalkedFile]], Iterable[Cutting]],
        check_room: Callable[[int], None],
        meter: Meter,
        cancel: CancelToken,
        texts: TextStore | None = None,
    ) -> None:
        self._walk = walk
        self._texts = texts
        self._writer = writer
        self._stored = {file.record.path: file for file in known}
        self._recipe = reading.recipe(reading_rules(settings))
        self._commands = settings.commands
        self._cut = cut
        self._check_room = check_room
        self._meter = meter
        self._cancel = cancel
        self._batch: list[_Pending] = []
        self._batch_chunks = 0
        self._written_chunks = 0
        self._superseded: list[str] = []
        self._vanished: list[str] = []
        self._unreadable: list[str] = []

    def run(self, *, patient: bool) -> IngestionResult:
        """Index changed files, and remove deleted ones.

        Args:
            patient: False postpones work for which a question need not wait.

        Raises:
            FolderNotFound: The folder no longer exists.
            IndexCorrupt: The tables cannot be read.
            StorageError: The disk is full or not writable.
            Cancelled: ``cancel`` was set.
        """
        deleted_paths = self._stored.keys() - {file.path for file in self._walk.files}
        self._remove(deleted_paths)
        self._ingest(
            [file for file in self._walk.files if not is_settled(file, self._stored.get(file.path), self._recipe)]
        )
        self._meter.report("write", 0, 1)
        self._remove(self._stored.keys() & self._vanished)
        self._writer.sweep(self._superseded)
        if self._texts is not None:
            self._texts.sweep(
                (file.path, file.size, file.mtime_ns)
                for file in self._walk.files
                if format_of(file.path, self._commands)
            )
        try:
            self._writer.tidy(patient=patient)
            self._writer.seal()
        except StorageError as error:
            log.info("the index was not compacted or sealed: %s", error.message)
        self._meter.report("write", 1, 1)
        return IngestionResult(
            chunks=self._written_chunks,
            deleted=sum(not self._stored[path].error for path in deleted_paths),
            vanished=tuple(self._vanished),
            unreadable=tuple(self._unreadable),
        )

    def _remove(self, paths: Collection[str]) -> None:
        self._writer.remove(paths)
        self._superseded += [self._stored[path].stamp for path in paths]

    def _ingest(self, todo: Sequence[WalkedFile]) -> None:
        """Read and commit each file that still exists."""
        if todo:
            self._meter.report("read", 0, len(todo))
        for done, pending in enumerate(self._read_files(todo), 1):
            self._batch.append(pending)
            self._batch_chunks += len(pending.chunks)
            self._meter.report("read", done, len(todo), pending.stored.record.path)
            if self._batch_chunks >= BATCH_CHUNKS:
                self._commit()
        self._commit()

    def _read_files(self, todo: Sequence[WalkedFile]) -> Iterator[_Pending]:
        """Yield the rows of each file, in any order; files that no longer exist are skipped."""
        to_cut = []
        checked_ns = time.time_ns()
        unchanged = same_content(todo, self._stored, self._recipe, lambda files: digests(files, self._cancel))
        for file in todo:
            stored = self._stored.get(file.path)
            if stored is not None and file.path in unchanged:
                record = replace(stored.record, size=file.size, mtime_ns=file.mtime_ns)
                yield _Pending(stored=replace(stored, record=record, checked_ns=checked_ns))
            else:
                to_cut.append(file)
        for file, cut in self._cut(to_cut):
            if isinstance(cut, Cut):
                yield self._cut_rows(cut, checked_ns)
                continue
            self._check_folder()
            if file.absolute.exists():
                log.info("%r cannot be read: %s", file.path, cut.reason)
                self._unreadable.append(file.path)
                yield self._failure_row(file, cut, checked_ns)
            else:
                self._vanished.append(file.path)

    def _cut_rows(self, cut: Cut, checked_ns: int) -> _Pending:
        stamp = _new_stamp()
        result = cut.reading
        if self._texts is not None and result.extracted is not None:
            record = result.record
            self._texts.keep(record.path, record.size, record.mtime_ns, result.extracted)
        return _Pending(
            stored=StoredFile(record=result.record, stamp=stamp, recipe=self._recipe, checked_ns=checked_ns),
            chunks=[
                ChunkRow(chunk=chunk, embed_key=key, terms=terms, stamp=stamp)
                for chunk, key, terms in zip(result.chunks, cut.keys, cut.terms, strict=True)
            ],
            relations=result.relations,
        )

    def _failure_row(self, file: WalkedFile, failure: Failure, checked_ns: int) -> _Pending:
        """A row that records the failure, so that the file is not read again before every question."""
        record = FileRecord(
            path=file.path, kind="text", title=Path(file.path).stem, size=file.size, mtime_ns=file.mtime_ns
        )
        return _Pending(
            stored=StoredFile(
                record=record, stamp=_new_stamp(), recipe=self._recipe, checked_ns=checked_ns, error=failure.reason
            )
        )

    def _check_folder(self) -> None:
        """Raise `FolderNotFound` where the folder no longer exists, so that its files do not count as deleted."""
        if not self._walk.root.is_dir():
            raise FolderNotFound(
                f"The folder {one_line(str(self._walk.root), 200)} went away while it was indexed.",
                "The index stays as it was; index again when the folder is back.",
            )

    def _commit(self) -> None:
        """Append the chunks of the batch, then make its files visible."""
        if not self._batch:
            return
        chunks = [row for pending in self._batch for row in pending.chunks]
        self._check_room(sum(_BYTES_PER_CHARACTER * len(row.chunk.text) for row in chunks))
        for start in range(0, len(chunks), BATCH_CHUNKS):
            self._writer.append(chunks[start : start + BATCH_CHUNKS])
        self._writer.commit([pending.stored for pending in self._batch], [pending.relations for pending in self._batch])
        for pending in self._batch:
            stored = self._stored.get(pending.stored.record.path)
            if stored is not None and stored.stamp != pending.stored.stamp:
                self._superseded.append(stored.stamp)
        self._written_chunks += len(chunks)
        self._batch.clear()
        self._batch_chunks = 0


def _new_stamp() -> str:
    return uuid.uuid4().hex[:16]
