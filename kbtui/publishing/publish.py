"""Publishes a folder: one generation of its index and texts, which readers see when it is whole.

Objects are named after their contents and written first, the manifest next, ``current`` last. A publisher that is
killed leaves objects that nobody reads, and that a later one uses or deletes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from kbtui import __version__
from kbtui.domain.events import Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import KnowledgeBaseError, RemoteError
from kbtui.knowledge.store.index_tables import SCHEMA_VERSION
from kbtui.knowledge.store.indexer import Indexer
from kbtui.publishing import manifest as forms
from kbtui.publishing.manifest import Blob, IndexFile, Manifest, Pointer, PublishedFile
from kbtui.publishing.snapshot import FileChanged, FilePieces, Piece, Snapshot, snapshot
from kbtui.publishing.storage import ObjectMissing, Storage, in_turns
from kbtui.settings.model import Settings
from kbtui.text.terminal import one_line

_ATTEMPTS: Final = 3
_PACK_BYTES: Final = 8 << 20
_ALONE_FROM: Final = 1 << 20
"""Bytes from which a blob is an object of its own."""

_LEAST_LIVE: Final = 0.5
"""Share of an object that is still used, below which what is used of it is written again."""

_GRACE_S: Final = 3_600.0
"""Age in seconds below which an object without a generation may belong to one that is being published."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishReport:
    """What was published.

    Attributes:
        is_new: False where the newest generation had the same contents already.
        sent: Bytes that were uploaded, of ``size``.
        removed: Older generations that were removed.
        problem: Why older ones could not be removed; else empty.
    """

    generation: str
    is_new: bool
    files: int
    size: int
    sent: int = 0
    removed: int = 0
    problem: str = ""


@dataclass(slots=True)
class _Upload:
    """An object to be written, and the number of blobs in it."""

    name: str
    size: int
    blobs: int
    data: bytes = b""
    path: Path | None = None


@dataclass(slots=True)
class _Pack:
    data: bytearray = field(default_factory=bytearray)
    offsets: dict[str, tuple[int, int]] = field(default_factory=dict)


class Publisher:
    """Publishes one folder at one address.

    Args:
        root: The folder.
        url: Address of the collection.
        clock: Returns the time of a generation.

    Raises:
        RemoteError: boto3 is missing or not configured.
        UsageError: The address is not well-formed.
    """

    def __init__(
        self, root: Path, url: str, settings: Settings, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._root = root
        self._settings = settings
        self._clock = clock
        self._storage = Storage(url)
        self._url = url

    def publish(self, emit: Emit, cancel: CancelToken, *, whole: bool = False) -> PublishReport:
        """Bring the index up to date and publish it.

        Args:
            whole: Send what is there already too, which mends objects that were changed.
            emit: Receives the `Progress` of `Indexer.run`, then stage ``upload``.

        Raises:
            RemoteError: The storage cannot be reached or refuses; the present generation stays.
            KbtuiError: The folder cannot be indexed.
            Cancelled: ``cancel`` was set.
        """
        # Asked before anything is indexed, so that missing rights are known at once.
        previous = self._previous()
        previous = None if whole else previous
        indexer = Indexer(self._root, self._settings)
        changed = ""
        for _ in range(_ATTEMPTS):
            indexer.run(emit, cancel)
            try:
                with snapshot(self._root, self._settings, cancel, lambda: None) as taken:
                    return self._publish(taken, previous, emit, cancel)
            except FileChanged as error:
                changed = str(error)
        raise KnowledgeBaseError(
            f"{one_line(changed, 200)} keeps changing while it is published.",
            "Publish when nothing writes to the folder.",
        )

    def _previous(self) -> Manifest | None:
        """The manifest of the present generation, whose objects are used again; None where none can be used."""
        try:
            pointer = forms.read_pointer(self._storage.get(forms.CURRENT, forms.MAX_POINTER_BYTES), self._url)
            data = self._storage.get(forms.manifest_key(pointer.generation), forms.MAX_MANIFEST_BYTES)
        except ObjectMissing:
            return None
        try:
            return forms.read_manifest(data, pointer, self._url)
        except RemoteError:
            # A damaged generation is replaced as a whole.
            return None

    def _publish(self, taken: Snapshot, previous: Manifest | None, emit: Emit, cancel: CancelToken) -> PublishReport:
        pieces = _distinct(taken)
        present = {key: size for key, (size, _) in self._storage.sizes(forms.OBJECTS).items()}
        located = _reusable(previous, pieces, present) if previous is not None else {}
        if previous is not None and previous.made_of == taken.made_of and _is_whole(previous, present):
            return PublishReport(
                generation=previous.generation, is_new=False, files=len(taken.files), size=previous.size
            )
        sent = self._upload(pieces, located, emit, cancel)
        manifest = self._manifest(taken, located)
        self._check(manifest)
        cancel.check()
        data = msgspec.json.encode(manifest)
        self._storage.put(forms.manifest_key(manifest.generation), data)
        pointer = Pointer(
            format=forms.FORMAT,
            generation=manifest.generation,
            manifest=forms.digest(data),
            published_at=manifest.published_at,
        )
        self._storage.put(forms.CURRENT, msgspec.json.encode(pointer))
        removed, problem = 0, ""
        try:
            removed = self._prune(manifest)
        except RemoteError as error:
            # Readers have the new generation, whatever may be deleted.
            problem = error.message
        return PublishReport(
            generation=manifest.generation,
            is_new=True,
            files=len(taken.files),
            size=manifest.size,
            sent=sent,
            removed=removed,
            problem=problem,
        )

    def _upload(self, pieces: dict[str, Piece], located: dict[str, Blob], emit: Emit, cancel: CancelToken) -> int:
        """Write what is not there yet, and note where it is; returns the bytes that were written."""
        total, done, sent = len(pieces) - len(located), 0, 0
        missing = [piece for digest, piece in pieces.items() if digest not in located]

        def write(upload: _Upload) -> None:
            if upload.path is not None:
                self._storage.put_file(forms.object_key(upload.name), upload.path)
            else:
                self._storage.put(forms.object_key(upload.name), upload.data)

        def count(upload: _Upload) -> None:
            nonlocal done, sent
            done, sent = done + upload.blobs, sent + upload.size
            emit(Progress(stage="upload", done=done, total=total))
            cancel.check()

        in_turns(write, _uploads(missing, located), count)
        return sent

    def _manifest(self, taken: Snapshot, located: dict[str, Blob]) -> Manifest:
        now = self._clock()
        index = [IndexFile(path=path, blob=located[piece.sha256]) for path, piece in sorted(taken.index.items())]
        files = [_published(file, located) for file in taken.files]
        used = {blob.object for entry in index for blob in (entry.blob,)} | {
            blob.object for entry in files for blob in entry.blobs
        }
        sizes = {key.rpartition("/")[2]: size for key, (size, _) in self._storage.sizes(forms.OBJECTS).items()}
        return Manifest(
            format=forms.FORMAT,
            generation=f"{now:%Y%m%dT%H%M%SZ}-{forms.digest(msgspec.json.encode([index, files]))[:8]}",
            published_at=now.isoformat(timespec="seconds"),
            program=__version__,
            schema=SCHEMA_VERSION,
            made_of=taken.made_of,
            index=index,
            files=files,
            objects={name: sizes.get(name, 0) for name in sorted(used)},
        )

    def _check(self, manifest: Manifest) -> None:
        """Make sure that every object is there before readers are sent to it.

        Raises:
            RemoteError: One is not, such as after another publisher removed it.
        """
        for blob in manifest.blobs():
            if blob.offset + blob.size > manifest.objects[blob.object]:
                raise RemoteError(
                    f"An object of {self._url} disappeared while it was published.",
                    "Publish again, one publisher at a time.",
                )

    def _prune(self, newest: Manifest) -> int:
        """Remove all but the newest generations, and the objects of none; returns how many generations."""
        written = self._storage.sizes(forms.GENERATIONS)
        own = forms.manifest_key(newest.generation)
        keys = sorted(written, key=lambda key: (key == own, written[key][1], key))
        old, kept = keys[: -self._settings.published.keep], keys[-self._settings.published.keep :]
        used = set(newest.objects)
        try:
            for key in kept:
                if key != own:
                    data = self._storage.get(key, forms.MAX_MANIFEST_BYTES)
                    used |= msgspec.json.decode(data, type=Manifest).objects.keys()
        except (ObjectMissing, msgspec.MsgspecError):
            # What a generation needs that cannot be read is not known, so nothing is removed.
            return 0
        self._storage.delete(old)
        latest = written[own][1] - _GRACE_S
        unused = [
            key
            for key, (_, at) in self._storage.sizes(forms.OBJECTS).items()
            if at < latest and key.rpartition("/")[2] not in used
        ]
        self._storage.delete(unused)
        return len(old)


def _distinct(taken: Snapshot) -> dict[str, Piece]:
    """The pieces by SHA-256, each once: of the index first, because readers fetch it first."""
    pieces = {piece.sha256: piece for piece in taken.index.values()}
    for file in taken.files:
        for piece in file.pieces.values():
            pieces.setdefault(piece.sha256, piece)
    return pieces


def _is_whole(manifest: Manifest, present: dict[str, int]) -> bool:
    return all(present.get(forms.object_key(name)) == size for name, size in manifest.objects.items())


def _reusable(previous: Manifest, pieces: dict[str, Piece], present: dict[str, int]) -> dict[str, Blob]:
    """Blobs of the previous generation that are there and can be used again, by SHA-256."""
    there = {
        blob.sha256: blob
        for blob in previous.blobs()
        if blob.sha256 in pieces and present.get(forms.object_key(blob.object)) == previous.objects[blob.object]
    }
    live: dict[str, int] = {}
    for blob in there.values():
        live[blob.object] = live.get(blob.object, 0) + blob.size
    return {
        digest: blob
        for digest, blob in there.items()
        if live[blob.object] >= _LEAST_LIVE * previous.objects[blob.object]
    }


def _uploads(missing: list[Piece], located: dict[str, Blob]) -> Iterator[_Upload]:
    """The objects to write for ``missing``; the place of each is put into ``located`` before it is yielded."""
    pack = _Pack()
    for piece in missing:
        if piece.size >= _ALONE_FROM:
            located[piece.sha256] = Blob(sha256=piece.sha256, size=piece.size, object=piece.sha256)
            if piece.is_staged:
                yield _Upload(piece.sha256, piece.size, 1, path=piece.path)
            else:
                yield _Upload(piece.sha256, piece.size, 1, data=piece.read())
            continue
        if pack.data and len(pack.data) + piece.size > _PACK_BYTES:
            yield _closed(pack, located)
            pack = _Pack()
        pack.offsets[piece.sha256] = len(pack.data), piece.size
        pack.data += piece.read()
    if pack.offsets:
        yield _closed(pack, located)


def _closed(pack: _Pack, located: dict[str, Blob]) -> _Upload:
    data = bytes(pack.data)
    name = forms.digest(data)
    for digest, (offset, size) in pack.offsets.items():
        located[digest] = Blob(sha256=digest, size=size, object=name, offset=offset)
    return _Upload(name, len(data), len(pack.offsets), data=data)


def _published(file: FilePieces, located: dict[str, Blob]) -> PublishedFile:
    blobs = {role: located[piece.sha256] for role, piece in file.pieces.items()}
    return PublishedFile(path=file.record.path, mtime_ns=file.record.mtime_ns, **blobs)
