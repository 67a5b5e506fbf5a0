"""Brings the index of a folder up to date: only changed files are read, and only new texts are embedded.

There are two steps. The text is indexed first, in seconds, and can then be searched. The vectors follow, under a lock
of their own, so that an update of the text never waits for them. A run may be killed at any time; the next one ends
with the same chunks (see ``index_tables``).
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import Chunk
from kbtui.domain.events import Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import IndexCorrupt, StorageError
from kbtui.knowledge.embedding import Embedder
from kbtui.knowledge.embedding import open_embedder as open_configured_embedder
from kbtui.knowledge.reading import extraction as reading
from kbtui.knowledge.reading.cutting import CutAll, CuttingAhead, Read, cut_all
from kbtui.knowledge.reading.folder_worker import digests, reading_rules, walk_folder
from kbtui.knowledge.reading.left_out import left_out, nothing_to_read, to_read
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.embedding_run import embed_missing
from kbtui.knowledge.store.freshness import Staleness, is_trusted_by_stat, unchanged_paths
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.index_report import IndexReport, Meter
from kbtui.knowledge.store.index_tables import Meta, make_current
from kbtui.knowledge.store.index_writer import IndexWriter, choose_generation
from kbtui.knowledge.store.ingestion import Ingestion, IngestionResult
from kbtui.knowledge.store.locks import LockTimeout, check_room, exclusive_lock
from kbtui.knowledge.store.vector_writer import VectorWriter, choose_vectors
from kbtui.settings.model import EmbeddingSettings, Settings
from kbtui.settings.private import private_folder

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walk_types import Walk

__all__ = ["IndexReport", "Indexer", "Staleness"]

log = logging.getLogger(__name__)

_BYTES_PER_NUMBER: Final = 4


@dataclass(slots=True, kw_only=True)
class _Tally:
    walk: Walk | None = None
    ahead: CuttingAhead | None = None
    text: IngestionResult = field(default_factory=IngestionResult)
    embedded: int = 0
    rebuilt: str = ""


class Indexer:
    """Indexes one folder.

    Args:
        root: The folder.
        settings: The settings, of which ``index`` and ``embedding`` are used.
        open_embedder: Returns the embedder, whose model is loaded only where there is a text to embed.
        read: Reads a file in this process; by default a worker does.
        embedding_text: Returns the text to embed for a chunk.
        index: The index to bring up to date, whose cached data are used; by default that of the folder.
        cut: Reads and cuts files elsewhere; by default workers of this machine do.
        texts_at_once: Texts to embed between two commits, where they are more than is usual on one machine.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        open_embedder: Callable[[EmbeddingSettings], Embedder] = open_configured_embedder,
        read: Read | None = None,
        embedding_text: Callable[[Chunk], str] | None = None,
        index: Index | None = None,
        cut: CutAll | None = None,
        texts_at_once: int = 0,
    ) -> None:
        self._root = root.resolve()
        self._settings = settings
        self._open_embedder = open_embedder
        self._read = read
        self._embedding_text = embedding_text
        self._cut = cut
        self._texts_at_once = texts_at_once
        self._index = index or Index(root, settings)
        self._directory = self._index.directory
        self._room = partial(check_room, self._directory)
        self._recipe = reading.recipe(reading_rules(settings.index))

    def staleness(self, *, ahead: bool = False) -> Staleness:
        """Compare folder and index; only recently changed files are read.

        Args:
            ahead: Begin to cut the files of a folder without an index; the caller must end it.

        Raises:
            FolderNotFound: The folder no longer exists.
            StorageError: The index may not be read.
        """
        walk = self._walk()
        state = self._compare(walk)
        return replace(
            state,
            left_out=left_out(walk, self._settings.index, self._failures(walk)),
            nothing_to_read=nothing_to_read(walk),
            to_read=to_read(walk),
            walk=walk,
            ahead=CuttingAhead(walk.files, self._settings.index) if ahead and state.never_indexed else None,
        )

    def _failures(self, walk: Walk) -> Mapping[str, str]:
        """Reasons why files of the folder could not be read at the last attempt, by path."""
        with contextlib.suppress(IndexCorrupt):
            present = {file.path for file in walk.files}
            stored = self._index.stored_files()
            return {file.record.path: file.error for file in stored if file.error and file.record.path in present}
        return {}

    def _compare(self, walk: Walk) -> Staleness:
        generation = tables.current_generation(self._directory)
        meta = tables.read_meta(generation, Meta) if generation is not None else None
        if meta is None:
            return Staleness(never_indexed=True, added=len(walk.files), vector_share=0.0)
        if meta != self._expected_meta():
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
        present = [file for file in walk.files if file.path in stored]
        changed = len(present) - len(unchanged_paths(present, stored, self._recipe, digests))
        removed = len(stored.keys() - {file.path for file in walk.files})
        return Staleness(
            never_indexed=False, added=added, changed=changed, removed=removed, vector_share=self._vector_share()
        )

    def _vector_share(self) -> float:
        return 0.0 if self._has_vectors_of_another_model() else self._index.vector_share()

    def _has_vectors_of_another_model(self) -> bool:
        return self._index.fingerprint not in ("", self._open_embedder(self._settings.embedding).fingerprint)

    def run(self, emit: Emit, cancel: CancelToken, rebuild: bool = False) -> IndexReport:
        """Bring text and vectors up to date, after waiting for another process that is doing so.

        Args:
            emit: Receives `Progress` at most 20 times a second: stages ``walk``, ``read`` and ``write``, then ``ready``
                when the text can be searched and vectors follow, ``model`` and ``embed``; and `Warned` when something
                is indexed anew.
            cancel: Checked between files and between texts; what was committed is kept.
            rebuild: Index everything anew; the current index is used until that is done.

        Raises:
            FolderNotFound: The folder no longer exists.
            StorageError: The disk is full or not writable; the index is still usable.
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
                self._update_vectors(meter, cancel, tally)
        return self._report(tally, started)

    def update(
        self, emit: Emit, cancel: CancelToken, seen: Staleness | None = None, at_most_s: float | None = None
    ) -> IndexReport:
        """Bring the text up to date, but not the vectors.

        Args:
            emit: As in `run`.
            cancel: As in `run`.
            seen: A comparison that was just made, whose walk is used.
            at_most_s: Time limit of the wait for another process, in seconds.

        Raises:
            LockTimeout: Another process held the lock for longer than ``at_most_s``.
            FolderNotFound: The folder no longer exists.
            StorageError: The disk is full or not writable; the index is still usable.
            Cancelled: ``cancel`` was set.
        """
        started = time.monotonic()
        tally = _Tally(walk=seen.walk, ahead=seen.ahead) if seen is not None else _Tally()
        self._update(Meter(emit), cancel, tally, patient=False, at_most_s=at_most_s)
        return self._report(tally, started)

    def embed_few(self, emit: Emit, cancel: CancelToken, at_most: int) -> int:
        """Embed missing texts, unless they are many or another process does so; returns the number of embedded texts.

        Raises:
            KbtuiError: As `run`.
        """
        if self._has_vectors_of_another_model() or not 0 < self._index.missing_vectors() <= at_most:
            return 0
        tally = _Tally()
        with contextlib.suppress(LockTimeout), self._lock("vectors.lock", lambda: None, cancel, at_most_s=0.0):
            self._update_vectors(Meter(emit), cancel, tally)
        return tally.embedded

    @contextlib.contextmanager
    def _lock(
        self, name: str, on_wait: Callable[[], None], cancel: CancelToken, at_most_s: float | None = None
    ) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            with tables.lance_errors(self._directory):
                private_folder(self._directory)
                stack.enter_context(exclusive_lock(self._directory / name, on_wait, cancel, at_most_s))
            yield

    def _expected_meta(self) -> Meta:
        return Meta(
            schema_version=tables.SCHEMA_VERSION,
            root=str(self._root).encode("utf-8", "backslashreplace").decode("utf-8"),
        )

    def _walk(self, cancel: CancelToken | None = None) -> Walk:
        known = {}
        with contextlib.suppress(IndexCorrupt):
            # Opening ten thousand files takes longer than everything else in an update after one edit.
            known = {
                file.record.path: (file.record.size, file.record.mtime_ns)
                for file in self._index.stored_files()
                if is_trusted_by_stat(file, self._recipe)
            }
        return walk_folder(self._root, self._settings.index, cancel, known)

    def _report(self, tally: _Tally, started: float) -> IndexReport:
        files, chunks, relations = self._index.counts()
        assert tally.walk is not None
        return IndexReport(
            files=files,
            chunks=chunks,
            relations=relations,
            embedded=tally.embedded,
            reused=max(0, tally.text.chunks - tally.embedded),
            deleted_files=tally.text.deleted,
            skipped=tally.walk.skipped,
            unreadable=(*tally.text.vanished, *tally.text.unreadable),
            duration_s=time.monotonic() - started,
            rebuilt=tally.rebuilt,
            left_out=left_out(tally.walk, self._settings.index, self._failures(tally.walk)),
            binary=tally.walk.binary,
            nothing_to_read=nothing_to_read(tally.walk),
        )

    # The two steps --------------------------------------------------------------------------------------------------

    def _update(
        self, meter: Meter, cancel: CancelToken, tally: _Tally, *, patient: bool, at_most_s: float | None = None
    ) -> None:
        """Bring the text up to date: read, cut and commit changed files."""

        def wait() -> None:
            # The folder may change during the wait.
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
        tally.walk = tally.walk or self._walk_with_progress(meter, cancel)
        generation = choose_generation(self._directory, self._expected_meta(), rebuild=False, damaged=damaged)
        if generation.reason and not damaged:
            meter.emit(Warned(message=f"Indexing everything anew: {generation.reason}.", where="index"))
        tally.rebuilt = generation.reason
        if patient and not generation.reason:
            self._index.verify()
        tally.text = self._ingest(generation.path, tally, meter, cancel, patient=patient)

    def _update_vectors(self, meter: Meter, cancel: CancelToken, tally: _Tally) -> None:
        """Bring the vectors up to date: embed texts without one."""
        embedder = self._open_embedder(self._settings.embedding)
        for damaged in (False, True):
            try:
                self._embed(embedder, meter, cancel, tally, damaged=damaged)
                break
            except IndexCorrupt:
                # Another process may have replaced the text store meanwhile, which the next attempt reads.
                if damaged:
                    raise

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

        self._embed_into(text_store, generation.path, embedder, meter, cancel, tally)
        tables.make_current(self._directory, generation.path, "vectors")

    def _rebuild(self, meter: Meter, cancel: CancelToken, tally: _Tally) -> None:
        """Index text and vectors into new generations, which readers use when both are complete."""
        tally.walk = self._walk_with_progress(meter, cancel)
        embedder = self._open_embedder(self._settings.embedding)
        text = choose_generation(self._directory, self._expected_meta(), rebuild=True)
        meter.emit(Warned(message=f"Indexing everything anew: {text.reason}.", where="index"))
        tally.rebuilt = text.reason
        tally.text = self._ingest(text.path, tally, meter, cancel, patient=True)
        if tally.text.chunks:
            vectors = choose_vectors(self._directory, embedder, rebuild=True)
            self._embed_into(lambda: text.path, vectors.path, embedder, meter, cancel, tally)
            tables.make_current(self._directory, vectors.path, "vectors")
        make_current(self._directory, text.path)

    def _walk_with_progress(self, meter: Meter, cancel: CancelToken) -> Walk:
        meter.report("walk", 0)
        walk = self._walk(cancel)
        meter.report("walk", len(walk.files), len(walk.files))
        cancel.check()
        return walk

    def _ingest(
        self, generation: Path, tally: _Tally, meter: Meter, cancel: CancelToken, *, patient: bool
    ) -> IngestionResult:
        assert tally.walk is not None
        writer = IndexWriter(generation)
        is_current = tables.current_generation(self._directory) == generation
        known = self._index.stored_files() if is_current else writer.stored_files()
        settings = self._settings.index
        cut = self._cut or partial(cut_all, read=self._read, ahead=tally.ahead)
        cut = partial(cut, settings=settings, cancel=cancel)
        texts = TextStore(self._directory, settings.commands)
        ingestion = Ingestion(tally.walk, writer, known, settings, cut, self._room, meter, cancel, texts)
        return ingestion.run(patient=patient)

    def _embed_into(
        self,
        text_store: Callable[[], Path],
        vector_store: Path,
        embedder: Embedder,
        meter: Meter,
        cancel: CancelToken,
        tally: _Tally,
    ) -> None:
        from kbtui.knowledge.reading.chunking import embedding_text

        writer = VectorWriter(vector_store)

        def check_room(texts: int) -> None:
            self._room(_BYTES_PER_NUMBER * embedder.dimension * texts)

        tally.embedded += embed_missing(
            text_store,
            writer,
            embedder,
            self._embedding_text or embedding_text,
            check_room,
            meter,
            cancel,
            self._texts_at_once,
        )
        try:
            writer.seal()
        except StorageError as error:
            log.info("the vectors were not sealed: %s", error.message)
