"""One writer at a time, and what a disk that refuses or has no room looks like.

The lock is the kernel's (``flock``): a process that is killed lets go of it.
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
"""No room, not writable, failing or exhausted: nothing that trying again cures, and nothing wrong with the index."""

_OS_ERROR = re.compile(r"os error (\d+)")
_WORDS = re.compile(
    r"no space left|disk quota exceeded|file too large|read-only file system|permission denied|operation not permitted",
    re.IGNORECASE,
)


class HeldError(Exception):
    """Somebody else holds a lock, and has for longer than one would wait."""


@contextlib.contextmanager
def exclusive(
    path: Path, on_wait: Callable[[], None], cancel: CancelToken | None = None, at_most_s: float | None = None
) -> Iterator[None]:
    """Hold the lock file ``path``, waiting for whoever holds it.

    Args:
        path: Created when missing; its folder must exist.
        on_wait: Called once, when somebody else holds it.
        cancel: Ends the wait.
        at_most_s: Longest wait.

    Raises:
        HeldError: It was held for longer than that.
        OSError: The lock file cannot be made.
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
                raise HeldError from None
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
    """The system's words when ``error`` says that the disk is full, not writable or failing; else None.

    Libraries written in Rust raise plain ``RuntimeError`` and keep the system's error in the text.
    """
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno) if error.errno in STORAGE_ERRNOS else None
    numbered = _OS_ERROR.search(str(error))
    if numbered and int(numbered[1]) in STORAGE_ERRNOS:
        return os.strerror(int(numbered[1]))
    worded = _WORDS.search(str(error))
    return worded[0] if worded else None


def check_room(directory: Path, needed: int) -> None:
    """Refuse before the first byte what will not fit: others keep their disk, and the message is exact.

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
