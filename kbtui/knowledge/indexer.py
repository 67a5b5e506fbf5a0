"""Brings the index of a folder up to date: only what changed is read, only what is new is embedded.

A run may be killed anywhere. What it had committed stays, what it had appended is found again by its hash, and the next
run ends with the same chunks as if nothing had happened (``index_tables`` says how rows become visible).
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

import numpy as np

from kbtui.domain.document import FileRecord
from kbtui.domain.events import Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import FolderNotFound, IndexCorrupt, StorageError
from kbtui.knowledge import index_tables as tables
from kbtui.knowledge import reading
from kbtui.knowledge.batches import Pending, batches, row_only
from kbtui.knowledge.embedding import Embedder, Vectors
from kbtui.knowledge.embedding import open_embedder as open_configured_embedder
from kbtui.knowledge.index import Index
from kbtui.knowledge.index_tables import Meta, StoredFile
from kbtui.knowledge.index_writer import IndexWriter, choose_generation, make_current
from kbtui.knowledge.left_out import left_out, nothing_to_read
from kbtui.knowledge.locks import exclusive
from kbtui.knowledge.meter import Meter
from kbtui.settings import paths
from kbtui.settings.model import EmbeddingSettings, IndexSettings, Settings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.walker import Walk, WalkedFile

log = logging.getLogger(__name__)

_WAVE_CHUNKS: Final = 20_000
"""Chunks held in memory before they are embedded; a folder with more is indexed in several waves."""
_RACY_NS: Final = 2_000_000_000
"""A file changed this shortly before it was looked at may change again within the same tick of its clock."""
_SPARE_BYTES: Final = 4 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """How far the index is behind the folder, by size and modification time.

    Attributes:
        never_indexed: There is no index that could be used.
        changed: Files to look at again, among them those that another version of kbtui has cut.
        rebuild_reason: Why everything has to be indexed anew; else empty.
        left_out: What the folder holds that is not indexed and should be told of.
        nothing_to_read: Message and hint when there is no file to index; else empty.
    """

    never_indexed: bool
    added: int = 0
    changed: int = 0
    removed: int = 0
    rebuild_reason: str = ""
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()

    @property
    def is_stale(self) -> bool:
        """True when a run would find something to do."""
        return self.never_indexed or bool(self.added or self.changed or self.removed or self.rebuild_reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a run did.

    Attributes:
        files: Files in the index now.
        chunks: Chunks in the index now.
        relations: Relations in the index now.
        embedded: Chunks embedded by this run.
        reused: Chunks of changed, renamed or copied files whose vectors were there already.
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


@dataclass(slots=True, kw_only=True)
class _Tally:
    embedded: int = 0
    reused: int = 0
    to_embed: int = 0
    read_share: float = 1.0
    model_loaded: bool = False
    vanished: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


class Indexer:
    """Indexes one folder.

    Args:
        root: The folder.
        settings: All of them; ``index`` and ``embedding`` matter here.
        open_embedder: Called once a run for the fingerprint; the model is loaded only when there is a text to embed.
    """

    def __init__(
        self,
        root: Path,
        settings: Settings,
        open_embedder: Callable[[EmbeddingSettings], Embedder] = open_configured_embedder,
        read: Callable[[WalkedFile, IndexSettings], reading.Reading] = reading.read,
    ) -> None:
        self._root = root.resolve()
        self._settings = settings
        self._open_embedder = open_embedder
        self._read = read
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
        )

    def _compared(self, walk: Walk) -> Staleness:
        generation = tables.current_generation(self._directory)
        meta = tables.read_meta(generation) if generation is not None else None
        if meta is None:
            return Staleness(never_indexed=True, added=len(walk.files))
        if meta != self._wanted(self._open_embedder(self._settings.embedding), meta.dimension):
            return Staleness(
                never_indexed=False, changed=len(walk.files), rebuild_reason="it was made with other settings"
            )
        try:
            stored = {file.record.path: file for file in Index.open(self._root, self._settings).stored_files()}
        except IndexCorrupt:
            return Staleness(never_indexed=True, added=len(walk.files), rebuild_reason="the index is damaged")
        added = sum(file.path not in stored for file in walk.files)
        changed = sum(file.path in stored and not self._is_unchanged(file, stored[file.path]) for file in walk.files)
        removed = len(stored.keys() - {file.path for file in walk.files})
        return Staleness(never_indexed=False, added=added, changed=changed, removed=removed)

    def run(self, emit: Emit, cancel: CancelToken, rebuild: bool = False) -> IndexReport:
        """Bring the index up to date, waiting for another process that is doing so.

        Args:
            emit: Gets `Progress` (stages ``walk``, ``read``, ``model``, ``embed``, ``write``) at most 20 times a
                second, and `Warned` when something is made anew.
            cancel: Checked between files and between texts; what was committed stays.
            rebuild: Make everything anew; the present index serves until that is done.

        Raises:
            FolderNotFound: The folder has gone.
            StorageError: The disk is full or not writable; the index is as good as before.
            EmbeddingError: The model cannot be loaded.
            Cancelled: ``cancel`` was set.
        """
        started = time.monotonic()
        meter = Meter(emit)
        with contextlib.ExitStack() as held:
            with tables.lance_errors(self._directory):
                self._directory.mkdir(parents=True, exist_ok=True)
                held.enter_context(exclusive(self._directory / "lock", meter.waiting, cancel))
            try:
                return self._run(meter, cancel, started, rebuild=rebuild)
            except IndexCorrupt:
                emit(Warned(message="The index of this folder is damaged; it is made anew.", where="index"))
                return self._run(meter, cancel, started, rebuild=rebuild, damaged=True)

    def _run(
        self, meter: Meter, cancel: CancelToken, started: float, *, rebuild: bool, damaged: bool = False
    ) -> IndexReport:
        meter.report("walk", 0)
        walk = self._walk(cancel)
        meter.report("walk", len(walk.files), len(walk.files))
        cancel.check()
        embedder = self._open_embedder(self._settings.embedding)
        wanted = self._wanted(embedder, self._dimension(embedder))
        generation = choose_generation(self._directory, wanted, rebuild=rebuild, damaged=damaged)
        if generation.reason and not damaged:
            meter.emit(Warned(message=f"Indexing everything anew: {generation.reason}.", where="index"))
        writer = IndexWriter(generation.path)
        stored = {file.record.path: file for file in writer.stored_files()}
        known = writer.known_vectors()

        gone = stored.keys() - {file.path for file in walk.files}
        if gone:
            writer.remove(gone)
        todo = [file for file in walk.files if not self._is_settled(file, stored.get(file.path))]
        tally = _Tally()
        for wave in self._waves(todo, stored, wanted.fingerprint, meter, cancel, tally):
            self._write(wave, writer, known, embedder, meter, cancel, tally)
        meter.report("write", 0, 1)
        writer.remove(stored.keys() & tally.vanished)
        make_current(self._directory, generation.path)
        writer.sweep()
        try:
            writer.tidy()
            writer.seal()
        except StorageError as error:
            log.info("the index was not compacted or sealed: %s", error.message)
        meter.report("write", 1, 1)
        stats = Index.open(self._root, self._settings).stats()
        return IndexReport(
            files=stats.files,
            chunks=stats.chunks,
            relations=stats.relations,
            embedded=tally.embedded,
            reused=tally.reused,
            deleted_files=sum(not stored[path].error for path in gone),
            skipped=walk.skipped,
            unreadable=(*tally.vanished, *tally.unreadable),
            duration_s=time.monotonic() - started,
            rebuilt="the index was damaged" if damaged else generation.reason,
            left_out=left_out(walk, self._settings.index),
            nothing_to_read=nothing_to_read(walk),
            problem=embedder.problem,
        )

    def _walk(self, cancel: CancelToken | None = None) -> Walk:
        from kbtui.knowledge.walker import walk

        return walk(self._root, self._settings.index, cancel)

    def _dimension(self, embedder: Embedder) -> int:
        """As the index has it when it is of this model, since some models have to be loaded to be asked."""
        generation = tables.current_generation(self._directory)
        meta = tables.read_meta(generation) if generation is not None else None
        return meta.dimension if meta is not None and meta.fingerprint == embedder.fingerprint else embedder.dimension

    def _wanted(self, embedder: Embedder, dimension: int) -> Meta:
        return Meta(
            schema_version=tables.SCHEMA_VERSION,
            fingerprint=embedder.fingerprint,
            dimension=dimension,
            root=str(self._root).encode("utf-8", "backslashreplace").decode("utf-8"),
        )

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

    # Reading --------------------------------------------------------------------------------------------------------

    def _waves(
        self,
        todo: Sequence[WalkedFile],
        stored: Mapping[str, StoredFile],
        fingerprint: str,
        meter: Meter,
        cancel: CancelToken,
        tally: _Tally,
    ) -> Iterator[list[Pending]]:
        """Read what changed, in groups that fit in memory."""
        wave: list[Pending] = []
        size = 0
        for done, file in enumerate(todo, start=1):
            cancel.check()
            meter.report("read", done - 1, len(todo), file.path)
            pending = self._pending(file, stored.get(file.path), fingerprint, tally)
            if pending is not None:
                wave.append(pending)
                size += len(pending.chunks)
            tally.read_share = done / len(todo)
            if size >= _WAVE_CHUNKS:
                yield wave
                wave, size = [], 0
        if todo:
            meter.report("read", len(todo), len(todo))
            yield wave

    def _pending(self, file: WalkedFile, stored: StoredFile | None, fingerprint: str, tally: _Tally) -> Pending | None:
        """The file as it is to be written: cut anew, or only its row when its content is what it was.

        None when it has gone since the walk.
        """
        checked_ns = time.time_ns()
        try:
            if (
                stored is not None
                and not stored.error
                and stored.recipe == self._recipe
                and _sha256(file.absolute) == stored.record.sha256
            ):
                record = replace(stored.record, size=file.size, mtime_ns=file.mtime_ns)
                return row_only(replace(stored, record=record, checked_ns=checked_ns))
            result = self._read(file, self._settings.index)
            hashes = [_embed_hash(text, fingerprint) for text in result.embedding_texts]
            _check_encodable(result)
        except Exception as error:
            # One broken file must not cost the others; it is counted and named.
            if not self._root.is_dir():
                raise FolderNotFound(
                    f"The folder {one_line(str(self._root), 200)} went away while it was indexed.",
                    "The index stays as it was; index again when the folder is back.",
                ) from error
            if not file.absolute.exists():
                tally.vanished.append(file.path)
                return None
            log.info("%r cannot be read: %s", file.path, error)
            tally.unreadable.append(file.path)
            return row_only(self._unreadable(file, error, checked_ns))
        stamp = uuid.uuid4().hex[:16]
        return Pending(
            stored=StoredFile(record=result.record, stamp=stamp, recipe=self._recipe, checked_ns=checked_ns),
            chunks=result.chunks,
            hashes=hashes,
            texts=result.embedding_texts,
            relations=result.relations,
        )

    def _unreadable(self, file: WalkedFile, error: Exception, checked_ns: int) -> StoredFile:
        """A row that remembers the failure, so that the file does not look new to every question."""
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        return StoredFile(
            record=FileRecord(
                path=file.path, kind="text", title=Path(file.path).stem, size=file.size, mtime_ns=file.mtime_ns
            ),
            stamp=uuid.uuid4().hex[:16],
            recipe=self._recipe,
            checked_ns=checked_ns,
            error=reason.encode("utf-8", "replace").decode("utf-8")[:200],
        )

    # Writing --------------------------------------------------------------------------------------------------------

    def _write(
        self,
        wave: Sequence[Pending],
        writer: IndexWriter,
        known: dict[str, Vectors],
        embedder: Embedder,
        meter: Meter,
        cancel: CancelToken,
        tally: _Tally,
    ) -> None:
        """Embed what no vector is known for, append, and commit each file when all its chunks are there."""
        self._check_room(wave, embedder.dimension)
        new = {text_hash for pending in wave for text_hash in pending.hashes} - known.keys()
        tally.to_embed += len(new)
        if new and not tally.model_loaded:
            meter.report("model", 0, 1, "loading the embedding model")
            embedder.load(lambda message: meter.report("model", 0, 1, message))
            meter.report("model", 1, 1)
            tally.model_loaded = True
        expected = round(tally.to_embed / tally.read_share)

        for pieces in batches(wave, known):
            texts = {
                text_hash: text
                for piece in pieces
                for text_hash, text in zip(piece.hashes, piece.texts, strict=True)
                if text_hash not in known
            }
            name = pieces[0].pending.stored.record.path

            def advance(count: int, name: str = name) -> None:
                tally.embedded += count
                meter.report("embed", tally.embedded, expected, name)

            if texts:
                meter.report("embed", tally.embedded, expected, name)
                vectors = embedder.encode(list(texts.values()), advance, cancel)
                known.update(zip(texts, vectors, strict=True))
            rows = [row for piece in pieces for row in piece.rows]
            if rows:
                writer.append(rows, np.stack([known[row.embed_hash] for row in rows]))
            tally.reused += len(rows) - len(texts)
            done = [piece.pending for piece in pieces if piece.is_last]
            writer.commit([pending.stored for pending in done], [pending.relations for pending in done])

    def _check_room(self, wave: Sequence[Pending], dimension: int) -> None:
        """Refuse before the first byte what will not fit: others keep their disk, and the message is exact."""
        needed = _SPARE_BYTES + sum(4 * dimension + 3 * len(chunk.text) for pending in wave for chunk in pending.chunks)
        free = shutil.disk_usage(self._directory).free
        if free < needed:
            raise StorageError(
                f"The index needs {needed / 1e6:.0f} MB in {self._directory}, where {free / 1e6:.0f} MB are free.",
                "Free some space, or set XDG_CACHE_HOME to a folder on another disk. The documents are untouched.",
            )


def _embed_hash(text: str, fingerprint: str) -> str:
    return hashlib.sha256(f"{fingerprint}\0{text}".encode()).hexdigest()[:32]


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _check_encodable(result: reading.Reading) -> None:
    """Raise UnicodeEncodeError for text that no UTF-8 column can hold (lone surrogates)."""
    record = result.record
    for text in (record.title, record.summary, *record.labels):
        text.encode()
    for chunk in result.chunks:
        for text in (chunk.text, chunk.title, *chunk.heading_path):
            text.encode()
    for relation in result.relations:
        for text in (relation.relation, relation.target, relation.text):
            text.encode()
