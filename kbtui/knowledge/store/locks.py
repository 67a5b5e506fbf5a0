"""Locks for writers, and detection of disk failures.

Locks are those of the kernel (``flock``), which are released when a process is killed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import StorageError

_POLL_S: Final = 0.1
_SPARE_BYTES: Final = 4 << 20

STORAGE_ERRNOS: Final = frozenset(
    getattr(errno, name)
    for name in (
        *("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EIO"),
        *("ENOTDIR", "EEXIST", "EISDIR", "ELOOP", "EMFILE", "ENFILE", "ENOMEM"),
    )
)
"""Errors for a full, read-only or failing disk, or exhausted resources: the index itself is not damaged."""

_OS_ERROR = re.compile(r"os error (\d+)")
_WORDS = re.compile(
    r"no space left|disk quota exceeded|file too large|read-only file system|permission denied|operation not permitted",
    re.IGNORECASE,
)


class LockTimeout(Exception):
    """Another process held a lock for longer than the limit."""


@contextlib.contextmanager
def exclusive_lock(
    path: Path, on_wait: Callable[[], None], cancel: CancelToken | None = None, at_most_s: float | None = None
) -> Iterator[None]:
    """Hold the lock file ``path`` within the block, after waiting for another holder.

    Args:
        path: The lock file, which is created if missing; its folder must exist.
        on_wait: Called once, where another process holds the lock.
        cancel: Ends the wait.
        at_most_s: Time limit of the wait in seconds.

    Raises:
        LockTimeout: The lock was held for longer than ``at_most_s``.
        OSError: The lock file cannot be created.
        Cancelled: ``cancel`` was set while waiting.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, thread_local=False)
    waiting = False
    started = time.monotonic()
    while True:
        try:
            lock.acquire(timeout=_POLL_S if waiting else 0, poll_interval=_POLL_S)
            break
        except Timeout:
            if at_most_s is not None and time.monotonic() - started >= at_most_s:
                raise LockTimeout from None
            if not waiting:
                waiting = True
                on_wait()
            if cancel is not None:
                cancel.check()
    try:
        yield
    finally:
        lock.release()


def storage_reason(error: BaseException | str) -> str | None:
    """The message of the system where ``error`` shows a full, read-only or failing disk; else None.

    Libraries written in Rust raise plain ``RuntimeError`` with the error of the system in its text.
    """
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno) if error.errno in STORAGE_ERRNOS else None
    errno_match = _OS_ERROR.search(str(error))
    if errno_match and int(errno_match[1]) in STORAGE_ERRNOS:
        return os.strerror(int(errno_match[1]))
    words_match = _WORDS.search(str(error))
    return words_match[0] if words_match else None


def check_room(directory: Path, needed: int) -> None:
    """Check the free space before writing, so that the disk is not filled up.

    Raises:
        StorageError: Fewer than ``needed`` bytes are free where ``directory`` is.
    """
    needed += _SPARE_BYTES
    free = shutil.disk_usage(directory).free
    if free < needed:
        raise StorageError(
            f"The index needs {needed / 1e6:.0f} MB in {directory}, where {free / 1e6:.0f} MB are free.",
            "Free some space, or set XDG_CACHE_HOME to a folder on another disk. The documents are untouched.",
        )
