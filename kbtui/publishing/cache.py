"""What was fetched of published collections, on this machine: blobs by their SHA-256, within a limit.

The files of a generation are second names (hard links) of blobs, so a new generation costs only what is new in it. A
generation that some process reads is locked and stays; others go, least recently used first, where room is needed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

from kbtui.errors import StorageError
from kbtui.knowledge.store.locks import check_room
from kbtui.publishing.manifest import Blob
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.settings.published import NOTHING

GENERATION_PREFIX: Final = "g-"
LOCK_FILE: Final = "in-use"
_READ_ONLY: Final = 0o400
_BLOCK: Final = 1 << 20


class Cache:
    """The blobs and generations of all collections of this user.

    Args:
        limit_mb: Most that all of it may take, in megabytes.
    """

    def __init__(self, limit_mb: float) -> None:
        self._limit_mb = limit_mb
        self._objects = paths.published_dir() / "objects"

    def path(self, digest: str) -> Path:
        """Where a blob is kept."""
        return self._objects / digest[:2] / digest

    def holds(self, blob: Blob) -> bool:
        """Whether the blob is there, with the bytes that it had; a damaged one is removed."""
        path, checksum = self.path(blob.sha256), hashlib.sha256()
        try:
            with path.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    checksum.update(block)
        except FileNotFoundError:
            return False
        if checksum.hexdigest() == blob.sha256:
            return True
        path.unlink(missing_ok=True)
        return False

    def keep(self, digest: str, blocks: Iterable[bytes]) -> bool:
        """Keep a blob, unless its bytes are other ones than its name says.

        Raises:
            OSError: The disk refuses.
        """
        path, checksum = self.path(digest), hashlib.sha256()
        private_folder(path.parent)
        draft = path.with_name(f".{digest}.{os.getpid()}.part")
        try:
            with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as stream:
                for block in blocks:
                    checksum.update(block)
                    stream.write(block)
                os.fchmod(stream.fileno(), _READ_ONLY)
            if checksum.hexdigest() != digest:
                return False
            draft.replace(path)
            return True
        finally:
            draft.unlink(missing_ok=True)

    def make_room(self, missing: int, whole: int, needed: frozenset[str]) -> None:
        """Remove what was not used for longest until ``missing`` more bytes fit.

        Args:
            whole: Bytes of the generation that is to be fetched.
            needed: The blobs of it, which stay.

        Raises:
            StorageError: It does not fit, whatever is removed, or the disk has no room for it.
        """
        limit = int(self._limit_mb * 1e6)
        if whole > limit:
            raise StorageError(
                f"The collection takes {whole / 1e6:,.1f} MB, and published.cache_mb allows {self._limit_mb:,g}.",
                "Raise published.cache_mb in the settings.",
            )
        check_room(private_folder(self._objects), missing)
        excess = self._used() + missing - limit
        if excess > 0:
            excess -= self._remove_blobs(excess, needed)
        for generation in self._unused_generations() if excess > 0 else ():
            _remove_generation(generation)
            excess -= self._remove_blobs(excess, needed)
            if excess <= 0:
                break
        if excess > 0:
            raise StorageError(
                f"The cache of published collections is full: {excess / 1e6:,.1f} MB are missing.",
                "Close other sessions over collections, or raise published.cache_mb in the settings.",
            )

    def _used(self) -> int:
        """Bytes of all blobs; what generations have beside them is small."""
        return sum(status.st_size for _, status in self._blobs())

    def _blobs(self) -> Iterator[tuple[Path, os.stat_result]]:
        for folder, _, names in os.walk(self._objects):
            for name in names:
                path = Path(folder) / name
                with contextlib.suppress(OSError):
                    yield path, path.stat()

    def _remove_blobs(self, excess: int, needed: frozenset[str]) -> int:
        """Remove blobs of no generation, oldest first, and return their bytes."""
        removed = 0
        unused = [(status.st_mtime_ns, path, status.st_size) for path, status in self._blobs() if status.st_nlink == 1]
        for _, path, size in sorted(unused):
            if removed >= excess:
                break
            if path.name not in needed:
                path.unlink(missing_ok=True)
                removed += size
        return removed

    def _unused_generations(self) -> list[Path]:
        """Generations that no process reads, least recently used first."""
        found = []
        for path in paths.published_dir().glob(f"*/{GENERATION_PREFIX}*"):
            if path.is_symlink():
                continue
            with contextlib.suppress(OSError), (path / LOCK_FILE).open("rb") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                found.append((os.fstat(stream.fileno()).st_mtime_ns, path))
        return [path for _, path in sorted(found)]


def use(generation: Path) -> IO[bytes]:
    """Keep a generation from being removed while the returned file is open.

    Raises:
        OSError: It has been removed.
    """
    stream = (generation / LOCK_FILE).open("rb")
    try:
        fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.utime(generation / LOCK_FILE)
    except OSError:
        stream.close()
        raise
    return stream


def _remove_generation(generation: Path) -> None:
    """Remove a generation; the folder of its collection becomes the empty one where it was this one."""
    for root in generation.parent.iterdir():
        if root.is_symlink() and root.readlink().parts[0] == generation.name:
            point_at(root, NOTHING)
    shutil.rmtree(generation, ignore_errors=True)


def point_at(root: Path, target: str) -> None:
    """Let the folder of a collection be ``target`` from now on, in one step."""
    draft = root.with_name(f".{root.name}.{os.getpid()}.part")
    draft.unlink(missing_ok=True)
    draft.symlink_to(target)
    draft.replace(root)
