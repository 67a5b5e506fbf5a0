"""Fetches a generation: missing blobs into the cache, each compared with its SHA-256, then its folder and index.

A generation is made under another name and renamed when it is whole, so what has its name was verified.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from kbtui.domain.events import Progress
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import KbtuiError, RemoteError, StorageError
from kbtui.knowledge.reading.texts import FOLDER as TEXTS
from kbtui.knowledge.reading.texts import TextStore
from kbtui.knowledge.store.index_tables import META_FILE
from kbtui.knowledge.store.seal import check_seal, seal
from kbtui.publishing import manifest as forms
from kbtui.publishing.cache import GENERATION_PREFIX, LOCK_FILE, Cache
from kbtui.publishing.manifest import Blob, Manifest, Pointer, PublishedFile
from kbtui.publishing.storage import ObjectMissing, Storage, in_turns
from kbtui.settings.private import private_folder
from kbtui.text.terminal import one_line
from kbtui.whole_file import remove_dead_drafts

MANIFEST_FILE: Final = "manifest.json"
POINTER_FILE: Final = "pointer.json"
INDEX_FOLDER: Final = "index"

_GAP: Final = 64 << 10
"""Bytes between two blobs that are read along rather than asked around."""

_READ_BYTES: Final = 8 << 20
_ATTEMPTS: Final = 3


@dataclass(frozen=True, slots=True)
class _Range:
    """Blobs of one object that one request reads, by offset."""

    object: str
    blobs: list[Blob]

    @property
    def start(self) -> int:
        return self.blobs[0].offset

    @property
    def end(self) -> int:
        return max(blob.offset + blob.size for blob in self.blobs)


def read_current(storage: Storage) -> Pointer:
    """The pointer to the newest generation.

    Raises:
        RemoteError: Nothing is published there, it is damaged, or the storage cannot be reached.
    """
    try:
        return forms.read_pointer(storage.get(forms.CURRENT, forms.MAX_POINTER_BYTES), storage.url)
    except ObjectMissing as error:
        raise RemoteError(
            f"Nothing is published at {storage.url}.", "Check the address, or run `kbtui publish FOLDER URL`."
        ) from error


def fetch(
    storage: Storage, pointer: Pointer, cache: Cache, home: Path, name: str, emit: Emit, cancel: CancelToken
) -> Path:
    """Fetch the generation that ``pointer`` means, and return its folder below ``home``.

    Args:
        name: Name of the folder with the files in it.
        emit: Receives `Progress` with stage ``fetch``, counted in blobs.

    Raises:
        RemoteError: The storage cannot be reached, or the generation is not whole or not what was published.
        StorageError: It does not fit into the cache, or the disk refuses.
        Cancelled: ``cancel`` was set.
    """
    generation = home / f"{GENERATION_PREFIX}{pointer.generation}"
    if is_intact(generation, storage.url):
        return generation
    shutil.rmtree(generation, ignore_errors=True)
    try:
        data = storage.get(forms.manifest_key(pointer.generation), forms.MAX_MANIFEST_BYTES)
    except ObjectMissing as error:
        raise _not_whole(storage.url) from error
    manifest = forms.read_manifest(data, pointer, storage.url)
    try:
        for attempt in range(_ATTEMPTS):
            fetch_blobs(storage, list(manifest.blobs()), cache, emit, cancel)
            try:
                return _assemble(manifest, pointer, data, cache, generation, name)
            except FileNotFoundError:
                # Another process made room in the cache meanwhile.
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")
    except KbtuiError:
        raise
    except (OSError, ValueError) as error:
        raise StorageError(
            f"The collection cannot be kept on this disk: {getattr(error, 'strerror', None) or error}.",
            "Free some space, or set XDG_CACHE_HOME to a folder on another disk.",
        ) from error


def is_intact(generation: Path, url: str) -> bool:
    """Whether a generation on this machine is there, with the index that was fetched."""
    try:
        read_local(generation, url)
        for store in _stores(generation / INDEX_FOLDER):
            check_seal(store)
    except (OSError, ValueError, RemoteError):
        return False
    return True


def read_local(generation: Path, url: str) -> tuple[Pointer, Manifest]:
    """The pointer and the manifest of a generation that was fetched.

    Raises:
        RemoteError: They were changed.
        OSError: They are gone.
    """
    pointer = forms.read_pointer((generation / POINTER_FILE).read_bytes(), url)
    return pointer, forms.read_manifest((generation / MANIFEST_FILE).read_bytes(), pointer, url)


def fetch_blobs(storage: Storage, blobs: list[Blob], cache: Cache, emit: Emit, cancel: CancelToken) -> None:
    """Fetch the blobs that the cache does not hold.

    Raises:
        RemoteError: One is missing or has other bytes.
        KbtuiError: As `fetch`.
    """
    distinct = {blob.sha256: blob for blob in blobs}
    missing = [blob for blob in distinct.values() if not cache.holds(blob)]
    if not missing:
        return
    cache.make_room(
        sum(blob.size for blob in missing), sum(blob.size for blob in distinct.values()), frozenset(distinct)
    )
    done = 0

    def read(part: _Range) -> None:
        cancel.check()
        _fetch_range(storage, part, cache)

    def count(part: _Range) -> None:
        nonlocal done
        done += len(part.blobs)
        emit(Progress(stage="fetch", done=done, total=len(missing)))

    emit(Progress(stage="fetch", done=0, total=len(missing)))
    in_turns(read, _ranges(missing), count)


def _ranges(missing: list[Blob]) -> Iterator[_Range]:
    """The requests that read ``missing``: neighbours in an object together."""
    part: list[Blob] = []
    order = {name: place for place, name in enumerate(dict.fromkeys(blob.object for blob in missing))}
    for blob in sorted(missing, key=lambda blob: (order[blob.object], blob.offset)):
        if part and (
            blob.object != part[0].object
            or blob.offset - (part[-1].offset + part[-1].size) > _GAP
            or blob.offset + blob.size - part[0].offset > _READ_BYTES
        ):
            yield _Range(part[0].object, part)
            part = []
        part.append(blob)
    if part:
        yield _Range(part[0].object, part)


def _fetch_range(storage: Storage, part: _Range, cache: Cache) -> None:
    key, length = forms.object_key(part.object), part.end - part.start
    try:
        if len(part.blobs) == 1 and part.object == part.blobs[0].sha256:
            # Of any size: it is never held in memory as a whole.
            if not cache.keep(part.object, storage.blocks(key) if length else (b"",)):
                raise _changed(storage.url)
            return
        data = storage.get(key, length, part.start) if length else b""
    except ObjectMissing as error:
        raise _not_whole(storage.url) from error
    for blob in part.blobs:
        at = blob.offset - part.start
        if not cache.keep(blob.sha256, (data[at : at + blob.size],)):
            raise _changed(storage.url)


def _assemble(manifest: Manifest, pointer: Pointer, data: bytes, cache: Cache, generation: Path, name: str) -> Path:
    """Make the folder of a generation from the blobs of the cache."""
    remove_dead_drafts(generation.parent)
    draft = generation.with_name(f".{generation.name}.{os.getpid()}.part")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        index, root = draft / INDEX_FOLDER, private_folder(draft / name)
        for index_file in manifest.index:
            _link(cache, index_file.blob, index / index_file.path)
        texts = TextStore(index)
        for file in manifest.files:
            _place(file, root, texts, cache)
        for store in _stores(index):
            seal(store)
        (draft / MANIFEST_FILE).write_bytes(data)
        (draft / POINTER_FILE).write_bytes(msgspec.json.encode(pointer))
        (draft / LOCK_FILE).touch()
        try:
            draft.rename(generation)
        except OSError:
            # Another process was faster.
            if not generation.is_dir():
                raise
        return generation
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _stores(index: Path) -> list[Path]:
    """The stores of an index, of text and of vectors."""
    return [path.parent for path in index.glob(f"*/{META_FILE}")]


def _place(file: PublishedFile, root: Path, texts: TextStore, cache: Cache) -> None:
    """Put a file into the folder: its bytes, or an empty one beside the text that was taken out of it."""
    path = root / file.path
    if file.content is not None:
        _link(cache, file.content, path)
    else:
        _make_parent(path)
        path.touch(mode=0o400)
        os.utime(path, ns=(file.mtime_ns, file.mtime_ns))
    if file.text is not None and file.places is not None:
        status = path.stat()
        text = texts.file(file.path, status.st_size, status.st_mtime_ns)
        _link(cache, file.text, text)
        _link(cache, file.places, text.with_suffix(".places"))


def _make_parent(path: Path) -> None:
    if not path.parent.is_dir():
        private_folder(path.parent)


def _link(cache: Cache, blob: Blob, path: Path) -> None:
    _make_parent(path)
    source = cache.path(blob.sha256)
    try:
        path.hardlink_to(source)
    except FileExistsError:
        # The text of a path is there once.
        if path.parent.name != TEXTS:
            raise
    except OSError as error:
        # No links on this file system, or too many of one file.
        if error.errno not in (errno.EMLINK, errno.EPERM, errno.EXDEV, errno.ENOTSUP):
            raise
        shutil.copyfile(source, path)
        path.chmod(0o400)


def _not_whole(url: str) -> RemoteError:
    return RemoteError(f"The generation at {one_line(url, 300)} is not whole: an object is missing.", _AGAIN)


def _changed(url: str) -> RemoteError:
    return RemoteError(f"{one_line(url, 300)} is not what was published: an object was changed.", _AGAIN)


_AGAIN: Final = forms.PUBLISH_AGAIN
