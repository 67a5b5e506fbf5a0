"""A lock that lets one process at a time write a session file, or the files of their folder."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator


@contextlib.contextmanager
def file_lock(fd: int) -> Iterator[None]:
    """Lock an open file or folder against other processes; without effect on file systems that have no locks."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
    except OSError:
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_UN)
