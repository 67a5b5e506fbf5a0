"""What a generation consists of, as it stands on object storage.

``current`` names the manifest by its SHA-256, the manifest each blob by its own, so whatever was changed after it was
published is noticed by whoever reads it. Small blobs share an object (a pack), because a request costs more than a
kilobyte.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from kbtui.errors import RemoteError

FORMAT: Final = 1
CURRENT: Final = "current"
GENERATIONS: Final = "generations"
OBJECTS: Final = "objects"
MAX_POINTER_BYTES: Final = 64_000
MAX_MANIFEST_BYTES: Final = 1 << 30

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_ID: Final = re.compile(r"[0-9A-Za-z-]{1,80}")

Size = Annotated[int, Meta(ge=0)]


class Pointer(Struct, frozen=True, kw_only=True):
    """Content of the object ``current``, which is written last."""

    format: int
    generation: str
    manifest: str
    published_at: str


class Blob(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Bytes with their SHA-256, and where they are: in which object, from which byte on."""

    sha256: str
    size: Size
    object: str
    offset: Size = 0


class IndexFile(Struct, frozen=True, kw_only=True):
    """A file of the index; its path is relative to the directory of the index."""

    path: str
    blob: Blob


class PublishedFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file of the folder.

    Attributes:
        path: Relative to the folder.
        mtime_ns: When it was changed, in nanoseconds since 1970.
        content: Its bytes; None for a document whose lines are those of ``text``.
        text: The text that was taken out of it, where it has one.
        places: The pages, slides or cells of that text.
    """

    path: str
    mtime_ns: int
    content: Blob | None = None
    text: Blob | None = None
    places: Blob | None = None

    @property
    def blobs(self) -> tuple[Blob, ...]:
        return tuple(blob for blob in (self.content, self.text, self.places) if blob is not None)


class Manifest(Struct, frozen=True, kw_only=True):
    """Everything that a generation consists of.

    Attributes:
        schema: Version of the tables of the index.
        program: Version of kbtui that published it.
        made_of: A hash of what readers get, by which a publisher knows that nothing has changed.
        objects: Size in bytes of each object, by its SHA-256, which is its name.
    """

    format: int
    generation: str
    published_at: str
    program: str
    schema: int
    made_of: str
    index: list[IndexFile]
    files: list[PublishedFile]
    objects: dict[str, Size]

    def blobs(self) -> Iterator[Blob]:
        """Every blob, of the index first; the same bytes may come several times."""
        for index_file in self.index:
            yield index_file.blob
        for file in self.files:
            yield from file.blobs

    @property
    def size(self) -> int:
        """Bytes of all distinct blobs."""
        return sum({blob.sha256: blob.size for blob in self.blobs()}.values())


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def object_key(name: str) -> str:
    return f"{OBJECTS}/{name}"


def manifest_key(generation: str) -> str:
    return f"{GENERATIONS}/{generation}.json"


def read_pointer(data: bytes, url: str) -> Pointer:
    """The pointer that ``data`` holds.

    Raises:
        RemoteError: It is damaged, or of a later version of kbtui.
    """
    try:
        _check_format(msgspec.json.decode(data, type=_Format), url)
        pointer = msgspec.json.decode(data, type=Pointer)
    except msgspec.MsgspecError as error:
        raise _damaged(url) from error
    if not _ID.fullmatch(pointer.generation) or not _DIGEST.fullmatch(pointer.manifest):
        raise _damaged(url)
    return pointer


def read_manifest(data: bytes, pointer: Pointer, url: str) -> Manifest:
    """The manifest that ``data`` holds, if it is the one that ``pointer`` means.

    Raises:
        RemoteError: It is another one, is damaged, or has paths that lead out of a folder.
    """
    if digest(data) != pointer.manifest:
        raise _damaged(url)
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except msgspec.MsgspecError as error:
        raise _damaged(url) from error
    places = [file.path for file in manifest.index] + [file.path for file in manifest.files]
    if not all(map(_stays_inside, places)) or not all(_is_within(blob, manifest) for blob in manifest.blobs()):
        raise _damaged(url)
    return manifest


class _Format(Struct):
    format: int


def _check_format(found: _Format, url: str) -> None:
    if found.format != FORMAT:
        raise RemoteError(f"{url} was published by another version of kbtui.", "Use that version, or publish it again.")


def _stays_inside(path: str) -> bool:
    """Whether a path of a manifest, which a stranger may have written, leads to a file below the folder."""
    parts = path.split("/")
    return bool(path) and "\0" not in path and not any(part in ("", ".", "..") for part in parts)


def _is_within(blob: Blob, manifest: Manifest) -> bool:
    names = _DIGEST.fullmatch(blob.sha256) and _DIGEST.fullmatch(blob.object)
    return bool(names) and blob.offset + blob.size <= manifest.objects.get(blob.object, -1)


def _damaged(url: str) -> RemoteError:
    return RemoteError(f"{url} is not what was published: its list of objects was changed.", PUBLISH_AGAIN)


PUBLISH_AGAIN: Final = "Publish it again: kbtui publish --whole FOLDER URL."
