"""Takes the text of a folder into its index: what changed is read, cut and committed in batches, the rest is swept.

The indexer decides when a run writes, and into which generation; what becomes of each file is decided here: kept as it
is, looked at again, cut anew, noted as unreadable, or forgotten. A batch bounds both the memory that is taken and the
work that a kill can cost.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import FileRecord, Relation
from kbtui.domain.ports import CancelToken
from kbtui.errors import FolderNotFound, StorageError
from kbtui.knowledge.reading import extraction as reading
from kbtui.knowledge.reading.cutting import Cut, Cutting, Failure
from kbtui.knowledge.reading.folder_worker import digests, reading_rules
from kbtui.knowledge.reading.formats import format_of
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.store.freshness import is_settled, same_content
from kbtui.knowledge.store.index_rows import ChunkRow, StoredFile
from kbtui.knowledge.store.index_writer import IndexWriter
from kbtui.knowledge.store.meter import Meter
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walk_types import Walk, WalkedFile

log = logging.getLogger(__name__)

BATCH_CHUNKS: Final = 8192
"""Chunks written between two commits: a second or two of work, which is what a kill can cost."""
_BYTES_PER_CHARACTER: Final = 4
"""Of a chunk: its text, its words, its place in the word index."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What was taken in.

    Attributes:
        chunks: How many were written.
        deleted: Files that were in the index and are no longer in the folder.
        vanished: Files that went away between the walk and their reading, by path.
        unreadable: Files that could not be read, by path.
    """

    chunks: int = 0
    deleted: int = 0
    vanished: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A file that was read and is not committed yet."""

    stored: StoredFile
    chunks: Sequence[ChunkRow] = ()
    relations: Sequence[Relation] = ()


class Ingestion:
    """Brings the text of one generation up to date, once.

    Args:
        walk: What the folder holds.
        writer: Of the generation; whoever made it holds the folder's lock.
        known: The rows of ``files`` that the generation has.
        settings: What is read, and how it is cut.
        cut: Reads and cuts files.
        check_room: Given how many bytes are to come; raises StorageError when they will not fit.
        meter: Told of the stages ``read`` and ``write``.
        cancel: Checked between files; what was committed stays.
        texts: Keeps the texts that are taken out of files.
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

    def run(self, *, patient: bool) -> Ingested:
        """Take in what changed, and forget what is gone.

        Args:
            patient: False puts off what a question need not wait for.

        Raises:
            FolderNotFound: The folder has gone.
            IndexCorrupt: The tables cannot be read.
            StorageError: The disk is full or not writable.
            Cancelled: ``cancel`` was set.
        """
        gone = self._stored.keys() - {file.path for file in self._walk.files}
        self._forget(gone)
        self._take_in(
            [file for file in self._walk.files if not is_settled(file, self._stored.get(file.path), self._recipe)]
        )
        self._meter.report("write", 0, 1)
        self._forget(self._stored.keys() & self._vanished)
        self._writer.sweep(self._superseded)
        if self._texts is not None:
            self._texts.sweep(
                (file.path, file.size, file.mtime_ns) for file in self._walk.files if format_of(file.path)
            )
        try:
            self._writer.tidy(patient=patient)
            self._writer.seal()
        except StorageError as error:
            log.info("the index was not compacted or sealed: %s", error.message)
        self._meter.report("write", 1, 1)
        return Ingested(
            chunks=self._written_chunks,
            deleted=sum(not self._stored[path].error for path in gone),
            vanished=tuple(self._vanished),
            unreadable=tuple(self._unreadable),
        )

    def _forget(self, paths: Collection[str]) -> None:
        self._writer.remove(paths)
        self._superseded += [self._stored[path].stamp for path in paths]

    def _take_in(self, todo: Sequence[WalkedFile]) -> None:
        """Commit each file that is still there as what it is now."""
        if todo:
            self._meter.report("read", 0, len(todo))
        for done, pending in enumerate(self._looked_at(todo), 1):
            self._batch.append(pending)
            self._batch_chunks += len(pending.chunks)
            self._meter.report("read", done, len(todo), pending.stored.record.path)
            if self._batch_chunks >= BATCH_CHUNKS:
                self._commit()
        self._commit()

    def _looked_at(self, todo: Sequence[WalkedFile]) -> Iterator[_Pending]:
        """The rows of each file, in any order; what has vanished has none."""
        to_cut = []
        checked_ns = time.time_ns()
        same = same_content(todo, self._stored, self._recipe, lambda files: digests(files, self._cancel))
        for file in todo:
            before = self._stored.get(file.path)
            if before is not None and file.path in same:
                record = replace(before.record, size=file.size, mtime_ns=file.mtime_ns)
                yield _Pending(stored=replace(before, record=record, checked_ns=checked_ns))
            else:
                to_cut.append(file)
        for file, cut in self._cut(to_cut):
            if isinstance(cut, Cut):
                yield self._as_cut(cut, checked_ns)
                continue
            self._check_folder()
            if file.absolute.exists():
                log.info("%r cannot be read: %s", file.path, cut.reason)
                self._unreadable.append(file.path)
                yield self._as_failed(file, cut, checked_ns)
            else:
                self._vanished.append(file.path)

    def _as_cut(self, cut: Cut, checked_ns: int) -> _Pending:
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

    def _as_failed(self, file: WalkedFile, failure: Failure, checked_ns: int) -> _Pending:
        """A row that remembers the failure, so that the file does not look new to every question."""
        record = FileRecord(
            path=file.path, kind="text", title=Path(file.path).stem, size=file.size, mtime_ns=file.mtime_ns
        )
        return _Pending(
            stored=StoredFile(
                record=record, stamp=_new_stamp(), recipe=self._recipe, checked_ns=checked_ns, error=failure.reason
            )
        )

    def _check_folder(self) -> None:
        """A folder that has gone is not one whose files have all been deleted."""
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
            before = self._stored.get(pending.stored.record.path)
            if before is not None and before.stamp != pending.stored.stamp:
                self._superseded.append(before.stamp)
        self._written_chunks += len(chunks)
        self._batch.clear()
        self._batch_chunks = 0


def _new_stamp() -> str:
    return uuid.uuid4().hex[:16]
