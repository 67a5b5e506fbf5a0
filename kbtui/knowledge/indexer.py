"""Brings the index of a folder up to date: only what changed is read, only what is new is embedded.

In two steps. The text comes first and takes seconds: from then on the folder can be asked. The vectors follow, under a
lock of their own, so that an edit never waits for them. A run may be killed anywhere; the next one ends with the same
chunks as if nothing had happened (``index_tables`` says how rows become visible).
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import Chunk, FileRecord, Relation
from kbtui.domain.events import Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import FolderNotFound, IndexCorrupt, StorageError
from kbtui.knowledge import index_tables as tables
from kbtui.knowledge import reading
from kbtui.knowledge.cutting import Cut, Failure, Read, cut_all
from kbtui.knowledge.embedding import Embedder
from kbtui.knowledge.embedding import open_embedder as open_configured_embedder
from kbtui.knowledge.embedding_run import embed_missing
from kbtui.knowledge.index import Index
from kbtui.knowledge.index_rows import ChunkRow, StoredFile
from kbtui.knowledge.index_tables import Meta
from kbtui.knowledge.index_writer import IndexWriter, choose_generation, make_current
from kbtui.knowledge.left_out import left_out, nothing_to_read
from kbtui.knowledge.locks import HeldError, exclusive
from kbtui.knowledge.meter import Meter
from kbtui.knowledge.vector_writer import VectorWriter, choose_vectors
from kbtui.knowledge.vector_writer import make_current as make_vectors_current
from kbtui.settings import paths
from kbtui.settings.model import EmbeddingSettings, Settings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.walker import Walk, WalkedFile

log = logging.getLogger(__name__)

BATCH_CHUNKS: Final = 8192
"""Chunks written between two commits: a second or two of work, which is what a kill can cost."""
_RACY_NS: Final = 2_000_000_000
"""A file changed this shortly before it was looked at may change again within the same tick of its clock."""
_SPARE_BYTES: Final = 4 << 20
_BYTES_PER_CHARACTER: Final = 4
"""Of a chunk: its text, its words, its place in the word index."""
_BYTES_PER_NUMBER: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """How far the index is behind the folder, by size and modification time.

    Attributes:
        never_indexed: There is no index that could be used.
        changed: Files to look at again, among them those that another version of kbtui has cut.
        rebuild_reason: Why everything has to be indexed anew; else empty.
        vector_share: How many of the indexed chunks have a vector of the model that is set, 0 to 1.
        left_out: What the folder holds that is not indexed and should be told of.
        nothing_to_read: Message and hint when there is no file to index; else empty.
        walk: What the folder held, so that an update need not look again.
    """

    never_indexed: bool
    added: int = 0
    changed: int = 0
    removed: int = 0
    rebuild_reason: str = ""
    vector_share: float = 1.0
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()
    walk: Walk | None = field(default=None, compare=False, repr=False)

    @property
    def is_stale(self) -> bool:
        """True when the text is behind: a file would be found as it was, or not at all."""
        return self.never_indexed or bool(self.added or self.changed or self.removed or self.rebuild_reason)

    @property
    def is_complete(self) -> bool:
        """True when a run would find nothing to do."""
        return not self.is_stale and self.vector_share == 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a run did.

    Attributes:
        files: Files in the index now.
        chunks: Chunks in the index now.
        relations: Relations in the index now.
        embedded: Texts embedded by this run.
        reused: Chunks of new, changed or renamed files whose vectors were there already, or come with an equal text.
        deleted_files: Files that were in the index and are no longer in the folder.
        skipped: Files the walk left out, counted by reason.
        unreadable: Files that could not be read, by path.
        rebuilt: Why everything was made anew; else empty.
        left_out: What the folder holds that is not indexed and should be told of.
        nothing_to_read: Message and hint when there is no file to index; else empty.
        problem: What loading the model met; see `Embedder.problem`.
    """

    files: int
    chunks: int
    relations: int
    embedded: int
    reused: int
    deleted_files: int
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    duration_s: float
    rebuilt: str = ""
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A file that was read and is not committed yet."""

    stored: StoredFile
    chunks: Sequence[ChunkRow] = ()
    relations: Sequence[Relation] = ()


@dataclass(slots=True, kw_only=True)
class _Tally:
    appended: int = 0
    embedded: int = 0
    deleted: int = 0
    rebuilt: str = ""
    problem: str = ""
    walk: Walk | None = None
    vanished: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


class Indexer:
    """Indexes one folder.

    Args:
        root: The folder.
        settings: All of them; ``index`` and ``embedding`` matter here.
        open_embedder: Called once; the model is loaded only when there is a text to embed.
        read: Reads and cuts a file.
        embedding_text: What is embedded for a chunk.
        index: Of the folder, when it is open already: what it has read need not be read again.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        open_embedder: Callable[[EmbeddingSettings], Embedder] = open_configured_embedder,
        read: Read = reading.read,
        embedding_text: Callable[[Chunk], str] | None = None,
        index: Index | None = None,
    ) -> None:
        self._root = root.resolve()
        self._settings = settings
        self._open_embedder = open_embedder
        self._read = read
        self._embedding_text = embedding_text
        self._index = index or Index.open(root, settings)
        self._directory = paths.index_dir(root)
        self._recipe = reading.recipe(settings.index)

    def staleness(self) -> Staleness:
        """Compare folder and index without reading any file that did not just change.

        Raises:
            FolderNotFound: The folder has gone.
            StorageError: The index may not be read.
        """
        walk = self._walk()
        return replace(
            self._compared(walk),
            left_out=left_out(walk, self._settings.index),
            nothing_to_read=nothing_to_read(walk),
            walk=walk,
        )

    def _compared(self, walk: Walk) -> Staleness:
        generation = tables.current_generation(self._directory)
        meta = tables.read_meta(generation, Meta) if generation is not None else None
        if meta is None:
            return Staleness(never_indexed=True, added=len(walk.files), vector_share=0.0)
        if meta != self._wanted():
            return Staleness(
                never_indexed=not self._index.exists,
                changed=len(walk.files),
                rebuild_reason="it was made by another version of kbtui",
                vector_share=0.0,
            )
        try:
            stored = {file.record.path: file for file in self._index.stored_files()}
        except IndexCorrupt:
            return Staleness(
                never_indexed=True, added=len(walk.files), rebuild_reason="the index is damaged", vector_share=0.0
            )
        added = sum(file.path not in stored for file in walk.files)
        changed = sum(file.path in stored and not self._is_unchanged(file, stored[file.path]) for file in walk.files)
        removed = len(stored.keys() - {file.path for file in walk.files})
        return Staleness(
            never_indexed=False, added=added, changed=changed, removed=removed, vector_share=self._vector_share()
        )

    def _vector_share(self) -> float:
        same_model = self._index.fingerprint == self._open_embedder(self._settings.embedding).fingerprint
        return self._index.vector_share() if same_model or not self._index.fingerprint else 0.0

    def run(self, emit: Emit, cancel: CancelToken, rebuild: bool = False) -> IndexReport:
        """Bring text and vectors up to date, waiting for another process that is doing so.

        Args:
            emit: Gets `Progress` at most 20 times a second: stages ``walk``, ``read``, ``write``, then ``ready`` when
                the text can be searched and vectors follow, ``model`` and ``embed``; and `Warned` when something is
                made anew.
            cancel: Checked between files and between texts; what was committed stays.
            rebuild: Make everything anew; the present index serves until that is done.

        Raises:
            FolderNotFound: The folder has gone.
            StorageError: The disk is full or not writable; the index is as good as before.
            EmbeddingError: The model cannot be loaded; the text is up to date.
            Cancelled: ``cancel`` was set.
        """
        started, meter, tally = time.monotonic(), Meter(emit), _Tally()
        if rebuild:
            with self._lock("lock", meter.waiting, cancel), self._lock("vectors.lock", meter.waiting, cancel):
                self._rebuild(meter, cancel, tally)
        else:
            self._update(meter, cancel, tally, patient=True)
            if self._vector_share() < 1.0:
                meter.report("ready", 1, 1)
            with self._lock("vectors.lock", meter.waiting, cancel):
                self._follow(meter, cancel, tally)
        return self._report(tally, started)

    def update(
        self, emit: Emit, cancel: CancelToken, walk: Walk | None = None, at_most_s: float | None = None
    ) -> IndexReport:
        """Bring the text alone up to date; what it finds of vectors stays as it is.

        Args:
            emit: As in `run`.
            cancel: As in `run`.
            walk: What the folder held a moment ago, when somebody has just looked.
            at_most_s: Longest wait for another process.

        Raises:
            HeldError: Another process was at it for longer than ``at_most_s``.
            FolderNotFound: The folder has gone.
            StorageError: The disk is full or not writable; the index is as good as before.
            Cancelled: ``cancel`` was set.
        """
        started, tally = time.monotonic(), _Tally(walk=walk)
        self._update(Meter(emit), cancel, tally, patient=False, at_most_s=at_most_s)
        return self._report(tally, started)

    def embed_few(self, emit: Emit, cancel: CancelToken, at_most: int) -> int:
        """Make the vectors that are missing, unless they are many or another process is at it; how many it made.

        Raises:
            KbtuiError: As `run`.
        """
        same_model = self._index.fingerprint == self._open_embedder(self._settings.embedding).fingerprint
        if (self._index.fingerprint and not same_model) or not 0 < self._index.missing_vectors() <= at_most:
            return 0
        tally = _Tally()
        with contextlib.suppress(HeldError), self._lock("vectors.lock", lambda: None, cancel, at_most_s=0.0):
            self._follow(Meter(emit), cancel, tally)
        return tally.embedded

    @contextlib.contextmanager
    def _lock(
        self, name: str, on_wait: Callable[[], None], cancel: CancelToken, at_most_s: float | None = None
    ) -> Iterator[None]:
        with contextlib.ExitStack() as held:
            with tables.lance_errors(self._directory):
                self._directory.mkdir(parents=True, exist_ok=True)
                held.enter_context(exclusive(self._directory / name, on_wait, cancel, at_most_s))
            yield

    def _wanted(self) -> Meta:
        return Meta(
            schema_version=tables.SCHEMA_VERSION,
            root=str(self._root).encode("utf-8", "backslashreplace").decode("utf-8"),
        )

    def _walk(self, cancel: CancelToken | None = None) -> Walk:
        from kbtui.knowledge.walker import walk

        known = {}
        with contextlib.suppress(IndexCorrupt):
            # To look into ten thousand files takes longer than all else that is done for one edit.
            known = {
                file.record.path: (file.record.size, file.record.mtime_ns)
                for file in self._index.stored_files()
                if not file.error and file.recipe == self._recipe and file.record.mtime_ns < file.checked_ns - _RACY_NS
            }
        return walk(self._root, self._settings.index, cancel, known)

    def _report(self, tally: _Tally, started: float) -> IndexReport:
        files, chunks, relations = self._index.counts()
        assert tally.walk is not None
        return IndexReport(
            files=files,
            chunks=chunks,
            relations=relations,
            embedded=tally.embedded,
            reused=max(0, tally.appended - tally.embedded),
            deleted_files=tally.deleted,
            skipped=tally.walk.skipped,
            unreadable=(*tally.vanished, *tally.unreadable),
            duration_s=time.monotonic() - started,
            rebuilt=tally.rebuilt,
            left_out=left_out(tally.walk, self._settings.index),
            nothing_to_read=nothing_to_read(tally.walk),
            problem=tally.problem,
        )

    # The two steps --------------------------------------------------------------------------------------------------

    def _update(
        self, meter: Meter, cancel: CancelToken, tally: _Tally, *, patient: bool, at_most_s: float | None = None
    ) -> None:
        """Text: read, cut and commit what changed."""

        def wait() -> None:
            # The folder may change meanwhile.
            tally.walk = None
            meter.waiting()

        with self._lock("lock", wait, cancel, at_most_s):
            try:
                self._choose_and_write(meter, cancel, tally, patient=patient)
            except IndexCorrupt:
                meter.emit(Warned(message="The index of this folder is damaged; it is made anew.", where="index"))
                self._choose_and_write(meter, cancel, tally, patient=patient, damaged=True)

    def _choose_and_write(
        self, meter: Meter, cancel: CancelToken, tally: _Tally, *, patient: bool, damaged: bool = False
    ) -> None:
        tally.walk = tally.walk or self._walked(meter, cancel)
        generation = choose_generation(self._directory, self._wanted(), rebuild=False, damaged=damaged)
        if generation.reason and not damaged:
            meter.emit(Warned(message=f"Indexing everything anew: {generation.reason}.", where="index"))
        tally.rebuilt = generation.reason
        if patient and not generation.reason:
            self._index.verify()
        self._write(generation.path, tally.walk, meter, cancel, tally, patient=patient)

    def _follow(self, meter: Meter, cancel: CancelToken, tally: _Tally) -> None:
        """Vectors: embed what has none."""
        embedder = self._open_embedder(self._settings.embedding)
        for damaged in (False, True):
            try:
                self._embed(embedder, meter, cancel, tally, damaged=damaged)
                break
            except IndexCorrupt:
                # The text may have been made anew by another process meanwhile, which the next attempt sees.
                if damaged:
                    raise
        tally.problem = embedder.problem

    def _embed(self, embedder: Embedder, meter: Meter, cancel: CancelToken, tally: _Tally, *, damaged: bool) -> None:
        if not self._index.chunk_count:
            return
        generation = choose_vectors(self._directory, embedder, rebuild=False, damaged=damaged)
        if generation.reason:
            meter.emit(Warned(message=f"Making all vectors anew: {generation.reason}.", where="index"))

        def text_store() -> Path:
            current = tables.current_generation(self._directory)
            if current is None:
                raise IndexCorrupt("The index of this folder has gone.", tables.REBUILD_HINT)
            return current

        self._fill(text_store, generation.path, embedder, meter, cancel, tally)
        make_vectors_current(self._directory, generation.path)

    def _rebuild(self, meter: Meter, cancel: CancelToken, tally: _Tally) -> None:
        """Both, aside; readers change over when all is done."""
        tally.walk = self._walked(meter, cancel)
        embedder = self._open_embedder(self._settings.embedding)
        text = choose_generation(self._directory, self._wanted(), rebuild=True)
        meter.emit(Warned(message=f"Indexing everything anew: {text.reason}.", where="index"))
        tally.rebuilt = text.reason
        self._write(text.path, tally.walk, meter, cancel, tally, patient=True)
        if tally.appended:
            vectors = choose_vectors(self._directory, embedder, rebuild=True)
            self._fill(lambda: text.path, vectors.path, embedder, meter, cancel, tally)
            make_vectors_current(self._directory, vectors.path)
            tally.problem = embedder.problem
        make_current(self._directory, text.path)

    def _walked(self, meter: Meter, cancel: CancelToken) -> Walk:
        meter.report("walk", 0)
        walk = self._walk(cancel)
        meter.report("walk", len(walk.files), len(walk.files))
        cancel.check()
        return walk

    # What changed ---------------------------------------------------------------------------------------------------

    def _is_settled(self, file: WalkedFile, stored: StoredFile | None) -> bool:
        """True when nothing about the file has to be written."""
        return (
            stored is not None
            and not stored.error
            and stored.recipe == self._recipe
            and (stored.record.size, stored.record.mtime_ns) == (file.size, file.mtime_ns)
            and file.mtime_ns < stored.checked_ns - _RACY_NS
        )

    def _is_unchanged(self, file: WalkedFile, stored: StoredFile) -> bool:
        """As ``_is_settled``, but content decides about a file that changed just before it was indexed.

        A file that could not be read is left alone until it changes, lest every question tries again.
        """
        if (stored.record.size, stored.record.mtime_ns) != (file.size, file.mtime_ns):
            return False
        if stored.error:
            return True
        if stored.recipe != self._recipe:
            return False
        if file.mtime_ns < stored.checked_ns - _RACY_NS:
            return True
        try:
            return _sha256(file.absolute) == stored.record.sha256
        except OSError:
            return False

    def _is_same(self, file: WalkedFile, stored: StoredFile) -> bool:
        """True when the content is what was indexed, by the same recipe."""
        try:
            return not stored.error and stored.recipe == self._recipe and _sha256(file.absolute) == stored.record.sha256
        except OSError:
            return False

    # Text -----------------------------------------------------------------------------------------------------------

    def _write(
        self, generation: Path, walk: Walk, meter: Meter, cancel: CancelToken, tally: _Tally, *, patient: bool
    ) -> None:
        writer = IndexWriter(generation)
        is_current = tables.current_generation(self._directory) == generation
        known = self._index.stored_files() if is_current else writer.stored_files()
        stored = {file.record.path: file for file in known}
        gone = stored.keys() - {file.path for file in walk.files}
        writer.remove(gone)
        tally.deleted = sum(not stored[path].error for path in gone)
        superseded = [stored[path].stamp for path in gone]
        superseded += self._take_in(
            [file for file in walk.files if not self._is_settled(file, stored.get(file.path))],
            stored, writer, meter, cancel, tally,
        )  # fmt: skip
        meter.report("write", 0, 1)
        vanished = stored.keys() & tally.vanished
        writer.remove(vanished)
        writer.sweep([*superseded, *(stored[path].stamp for path in vanished)])
        try:
            writer.tidy(patient=patient)
            writer.seal()
        except StorageError as error:
            log.info("the index was not compacted or sealed: %s", error.message)
        meter.report("write", 1, 1)

    def _take_in(
        self,
        todo: Sequence[WalkedFile],
        stored: Mapping[str, StoredFile],
        writer: IndexWriter,
        meter: Meter,
        cancel: CancelToken,
        tally: _Tally,
    ) -> list[str]:
        """Read what changed and commit it in batches; the stamps it replaces."""
        batch: list[_Pending] = []
        replaced: list[str] = []
        size = done = 0

        def take(pending: _Pending) -> None:
            nonlocal size, done
            batch.append(pending)
            size += len(pending.chunks)
            done += 1
            meter.report("read", done, len(todo), pending.stored.record.path)
            if size >= BATCH_CHUNKS:
                flush()

        def flush() -> None:
            nonlocal size
            self._commit(batch, writer, tally)
            replaced.extend(
                before.stamp
                for pending in batch
                if (before := stored.get(pending.stored.record.path)) and before.stamp != pending.stored.stamp
            )
            batch.clear()
            size = 0

        if todo:
            meter.report("read", 0, len(todo))
        to_cut = []
        checked_ns = time.time_ns()
        for file in todo:
            cancel.check()
            before = stored.get(file.path)
            if before is not None and self._is_same(file, before):
                record = replace(before.record, size=file.size, mtime_ns=file.mtime_ns)
                take(_Pending(stored=replace(before, record=record, checked_ns=checked_ns)))
            else:
                to_cut.append(file)
        for file, cut in cut_all(to_cut, self._settings.index, self._read, cancel):
            if isinstance(cut, Failure):
                self._check_still_there()
                if not file.absolute.exists():
                    tally.vanished.append(file.path)
                    continue
                log.info("%r cannot be read: %s", file.path, cut.reason)
                tally.unreadable.append(file.path)
                take(_Pending(stored=self._unreadable(file, cut.reason, checked_ns)))
            else:
                take(self._pending(cut, checked_ns))
        flush()
        return replaced

    def _pending(self, cut: Cut, checked_ns: int) -> _Pending:
        stamp = uuid.uuid4().hex[:16]
        result = cut.reading
        return _Pending(
            stored=StoredFile(record=result.record, stamp=stamp, recipe=self._recipe, checked_ns=checked_ns),
            chunks=[
                ChunkRow(chunk=chunk, embed_key=key, terms=terms, stamp=stamp)
                for chunk, key, terms in zip(result.chunks, cut.keys, cut.terms, strict=True)
            ],
            relations=result.relations,
        )

    def _unreadable(self, file: WalkedFile, reason: str, checked_ns: int) -> StoredFile:
        """A row that remembers the failure, so that the file does not look new to every question."""
        return StoredFile(
            record=FileRecord(
                path=file.path, kind="text", title=Path(file.path).stem, size=file.size, mtime_ns=file.mtime_ns
            ),
            stamp=uuid.uuid4().hex[:16],
            recipe=self._recipe,
            checked_ns=checked_ns,
            error=reason,
        )

    def _check_still_there(self) -> None:
        if not self._root.is_dir():
            raise FolderNotFound(
                f"The folder {one_line(str(self._root), 200)} went away while it was indexed.",
                "The index stays as it was; index again when the folder is back.",
            )

    def _commit(self, batch: Sequence[_Pending], writer: IndexWriter, tally: _Tally) -> None:
        """Append the chunks of the batch, then make its files visible."""
        if not batch:
            return
        chunks = [row for pending in batch for row in pending.chunks]
        self._check_room(sum(_BYTES_PER_CHARACTER * len(row.chunk.text) for row in chunks))
        for start in range(0, len(chunks), BATCH_CHUNKS):
            writer.append(chunks[start : start + BATCH_CHUNKS])
        writer.commit([pending.stored for pending in batch], [pending.relations for pending in batch])
        tally.appended += len(chunks)

    # Vectors --------------------------------------------------------------------------------------------------------

    def _fill(
        self,
        text_store: Callable[[], Path],
        vector_store: Path,
        embedder: Embedder,
        meter: Meter,
        cancel: CancelToken,
        tally: _Tally,
    ) -> None:
        from kbtui.knowledge.chunking import embedding_text

        writer = VectorWriter(vector_store)

        def check_room(texts: int) -> None:
            self._check_room(_BYTES_PER_NUMBER * embedder.dimension * texts)

        tally.embedded += embed_missing(
            text_store, writer, embedder, self._embedding_text or embedding_text, check_room, meter, cancel
        )
        try:
            writer.seal()
        except StorageError as error:
            log.info("the vectors were not sealed: %s", error.message)

    def _check_room(self, needed: int) -> None:
        """Refuse before the first byte what will not fit: others keep their disk, and the message is exact."""
        needed += _SPARE_BYTES
        free = shutil.disk_usage(self._directory).free
        if free < needed:
            raise StorageError(
                f"The index needs {needed / 1e6:.0f} MB in {self._directory}, where {free / 1e6:.0f} MB are free.",
                "Free some space, or set XDG_CACHE_HOME to a folder on another disk. The documents are untouched.",
            )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
