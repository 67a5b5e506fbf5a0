"""Extracts the text of one file in a worker, for a reader that finds no stored text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.folder_worker import POOL
from kbtui.knowledge.reading.formats import Extracted, extract_text
from kbtui.knowledge.reading.loaders import read_bytes
from kbtui.knowledge.reading.walk_types import ReadingRules, WalkedFile
from kbtui.text.terminal import one_line
from kbtui.worker import Job, WorkerError, WorkerOutOfMemory, WorkerTimedOut

_READ_S: Final = 30.0
_READ_S_PER_MB: Final = 15.0


def extract_file_text(file: WalkedFile, rules: ReadingRules | None = None) -> Extracted | None:
    """The text of a file, extracted in a worker; None where the bytes of the file are its text.

    Args:
        rules: The settings with the commands that print the text of files; without them no command is run.

    Raises:
        KnowledgeBaseError: It has no readable text, or extraction exceeded the limit of time or memory.
    """
    seconds = _READ_S + _READ_S_PER_MB * file.size / 1e6
    if rules is not None and rules.commands:
        seconds += rules.command_s
    printed_path = one_line(file.path, 200)
    request = _Request(os.fsencode(file.root), file.path, file.size, file.mtime_ns, rules)
    try:
        return POOL.call(EXTRACT, request, seconds=seconds)
    except WorkerTimedOut as error:
        raise KnowledgeBaseError(f"{printed_path} took longer than {seconds:.0f} s to read.") from error
    except WorkerOutOfMemory as error:
        raise KnowledgeBaseError(f"{printed_path} took more memory to read than a file may.") from error
    except WorkerError as error:
        raise KnowledgeBaseError(f"{printed_path} cannot be read: {error.message}") from error
    except KnowledgeBaseError as error:
        raise KnowledgeBaseError(f"{printed_path} cannot be read: {error.message}.", error.hint) from error


# In the worker -------------------------------------------------------------------------------------------------------


class _Request(msgspec.Struct, frozen=True, array_like=True):
    root: bytes
    path: str
    size: int
    mtime_ns: int
    rules: ReadingRules | None = None


def _extract(request: _Request) -> Extracted | None:
    file = WalkedFile(
        root=Path(os.fsdecode(request.root)), path=request.path, size=request.size, mtime_ns=request.mtime_ns
    )
    return extract_text(read_bytes(file), file.path, request.rules, file.absolute)


EXTRACT: Final[Job[_Request, Extracted | None]] = Job(
    _extract, name=f"{__name__}:EXTRACT", request=_Request, response=Extracted | None
)
