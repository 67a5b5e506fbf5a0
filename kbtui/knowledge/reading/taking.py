"""Takes the text out of one file, in a worker: for a reader that finds none beside the index."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.folder_worker import POOL
from kbtui.knowledge.reading.formats import Extracted, extracted
from kbtui.knowledge.reading.loaders import read_bytes
from kbtui.knowledge.reading.walked import WalkedFile
from kbtui.text.terminal import one_line
from kbtui.worker import Job, WorkerError, WorkerOutOfMemory, WorkerTimedOut

_READ_S: Final = 30.0
_READ_S_PER_MB: Final = 15.0


def take_text(file: WalkedFile, cancel: CancelToken | None = None) -> Extracted | None:
    """The text of a file, taken in a worker; None where the file is read as it is.

    Raises:
        KnowledgeBaseError: It has none that can be read, or takes more time or memory than a file may.
        Cancelled: ``cancel`` was set.
    """
    seconds = _READ_S + _READ_S_PER_MB * file.size / 1e6
    shown = one_line(file.path, 200)
    request = _Request(os.fsencode(file.root), file.path, file.size, file.mtime_ns)
    try:
        return POOL.call(TAKE, request, seconds=seconds, cancel=cancel)
    except WorkerTimedOut as error:
        raise KnowledgeBaseError(f"{shown} took longer than {seconds:.0f} s to read.") from error
    except WorkerOutOfMemory as error:
        raise KnowledgeBaseError(f"{shown} took more memory to read than a file may.") from error
    except WorkerError as error:
        raise KnowledgeBaseError(f"{shown} cannot be read: {error.message}") from error
    except KnowledgeBaseError as error:
        raise KnowledgeBaseError(f"{shown} cannot be read: {error.message}.", error.hint) from error


# In the worker -------------------------------------------------------------------------------------------------------


class _Request(msgspec.Struct, frozen=True, array_like=True):
    root: bytes
    path: str
    size: int
    mtime_ns: int


def _take(request: _Request) -> Extracted | None:
    file = WalkedFile(
        root=Path(os.fsdecode(request.root)), path=request.path, size=request.size, mtime_ns=request.mtime_ns
    )
    return extracted(read_bytes(file), file.path)


TAKE: Final[Job[_Request, Extracted | None]] = Job(
    _take, name=f"{__name__}:TAKE", request=_Request, response=Extracted | None
)
