"""Opening files whose owner is somebody else: regular files only, without waiting, and never more than a limit.

A name in a folder may be a pipe, a socket, a device or a link to one, and may become one after it was looked at. To
open a pipe waits for its writer and a device may never end, so whatever comes from a folder is opened here.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def open_regular(path: str | Path, *, follow_links: bool = True) -> BufferedReader:
    """Open a regular file for reading.

    Raises:
        OSError: It is no regular file (``EINVAL``), is a link although ``follow_links`` is off (``ELOOP``), or cannot
            be opened.
    """
    # To open a device may already have an effect, so it is looked at first; what was opened is looked at again.
    _check(Path(path).stat(follow_symlinks=follow_links), path)
    opened = os.open(path, _FLAGS if follow_links else _FLAGS | os.O_NOFOLLOW)
    try:
        _check(os.fstat(opened), path)
        return os.fdopen(opened, "rb")
    except BaseException:
        os.close(opened)
        raise


def read_regular(path: str | Path, limit: int) -> bytes:
    """The bytes of a regular file.

    Args:
        limit: Bytes that it may have, also while it is being read.

    Raises:
        OSError: As `open_regular`; it is larger than ``limit`` (``EFBIG``).
    """
    with open_regular(path) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit / 1e6:g} MB", str(path))
    return data


def _check(status: os.stat_result, path: str | Path) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
