"""One writer at a time of a session file, or of the folder that they are in."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator


@contextlib.contextmanager
def locked(fd: int) -> Iterator[None]:
    """Hold the open file or folder against other processes; file systems without locks go without."""
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
