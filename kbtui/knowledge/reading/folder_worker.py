"""Whatever reads a folder, in disposable workers: listing its files, cutting them, comparing their content.

The files of a folder and the folder itself are somebody else's: a tree may be endless, a parser may run away on a file,
and a file system may never answer. A worker is stopped then, and the program goes on.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.walked import ReadingRules, Walk, WalkedFile
from kbtui.regular_files import open_regular
from kbtui.text.terminal import one_line
from kbtui.worker import Allowance, Job, WorkerError, WorkerOutOfMemory, WorkerPool, WorkerTimedOut

if TYPE_CHECKING:
    from kbtui.settings.model import IndexSettings

Result = TypeVar("Result")

MOST_WORKERS: Final = 4
POOL: Final = WorkerPool(
    "folder", Allowance(memory=1 << 30), [__name__, "kbtui.knowledge.reading.walker"], kept=MOST_WORKERS
)

_WALK_S: Final = 600.0
_STALLED_S: Final = 20.0
"""Seconds in which a walk goes from one entry of a folder to the next, unless the file system does not answer."""
_LARGEST_WALK: Final = 256 << 20
_DIGEST_S: Final = 60.0
_DIGEST_BYTES: Final = 256 << 20
"""Files compared in one call, by their sizes."""

_SMALLER: Final = "Open a folder in it, or leave parts of it out by a .kbtuiignore file."


def rules_of(settings: IndexSettings) -> ReadingRules:
    return ReadingRules(
        hidden=settings.hidden,
        max_file_mb=settings.max_file_mb,
        exclude=settings.exclude,
        chunk_chars=settings.chunk_chars,
    )


def walk_folder(
    root: Path,
    settings: IndexSettings,
    cancel: CancelToken | None = None,
    known: Mapping[str, tuple[int, int]] | None = None,
) -> Walk:
    """`kbtui.knowledge.reading.walker.walk`, in a worker.

    Raises:
        KnowledgeBaseError: As that function; the folder does not answer, or is too large to list.
        SettingsError: As that function.
        Cancelled: ``cancel`` was set.
    """
    request = _WalkRequest(os.fsencode(root), rules_of(settings), dict(known or {}))
    shown = one_line(str(root), 200)
    try:
        found = POOL.call(WALK, request, seconds=_WALK_S, cancel=cancel)
    except WorkerTimedOut as error:
        raise KnowledgeBaseError(
            f"To list the folder {shown} took longer than {_WALK_S / 60:.0f} minutes.", _SMALLER
        ) from error
    except WorkerOutOfMemory as error:
        raise KnowledgeBaseError(f"The folder {shown} has more files than can be listed.", _SMALLER) from error
    except WorkerError as error:
        raise KnowledgeBaseError(f"The folder {shown} cannot be listed: {error.message}", _SMALLER) from error
    real = Path(os.fsdecode(found.root))
    return Walk(
        root=real,
        files=tuple(WalkedFile(root=real, path=path, size=size, mtime_ns=time) for path, size, time in found.files),
        skipped=found.skipped,
        named={reason: tuple(map(os.fsdecode, paths)) for reason, paths in found.named.items()},
        binary=found.binary,
    )


def digests(files: Sequence[WalkedFile], cancel: CancelToken | None = None) -> dict[str, str]:
    """SHA-256 of the content of each file, in hexadecimal, by path; files that cannot be read are missing.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    found: dict[str, str] = {}
    for batch in in_batches(files, len(files), _DIGEST_BYTES):
        request = _DigestRequest(os.fsencode(batch[0].root), [file.path for file in batch])
        try:
            batch_digests = POOL.call(DIGESTS, request, seconds=_DIGEST_S, cancel=cancel)
        except WorkerError:
            continue  # they count as changed, and cutting them finds out what is wrong
        found.update(batch_digests)
    return found


def in_batches(files: Sequence[WalkedFile], most_files: int, most_bytes: int) -> list[list[WalkedFile]]:
    """``files`` in groups of at most ``most_files`` and ``most_bytes``; a larger file is a group of its own."""
    batches: list[list[WalkedFile]] = []
    size = 0
    for file in files:
        if not batches or len(batches[-1]) >= most_files or size + file.size > most_bytes:
            batches.append([])
            size = 0
        batches[-1].append(file)
        size += file.size
    return batches


# In the worker -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _WalkRequest:
    root: bytes
    rules: ReadingRules
    known: dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _WalkResponse:
    """A `Walk`; paths in ``named`` need not be text."""

    root: bytes
    files: list[tuple[str, int, int]]
    skipped: dict[str, int]
    named: dict[str, list[bytes]]
    binary: dict[str, int]


@dataclass(frozen=True, slots=True)
class _DigestRequest:
    root: bytes
    paths: list[str]


def _walk(request: _WalkRequest) -> _WalkResponse:
    from kbtui.knowledge.reading.walker import walk

    root = Path(os.fsdecode(request.root))
    found = _unless_stalled(lambda on_entry: walk(root, request.rules, None, request.known, on_entry), str(root))
    return _WalkResponse(
        root=os.fsencode(found.root),
        files=[(file.path, file.size, file.mtime_ns) for file in found.files],
        skipped=dict(found.skipped),
        named={reason: [os.fsencode(path) for path in paths] for reason, paths in found.named.items()},
        binary=dict(found.binary),
    )


def _unless_stalled(work: Callable[[Callable[[str], object]], Result], root: str) -> Result:
    """What ``work`` returns or raises, given what it is to tell each entry before it opens that.

    Raises:
        KnowledgeBaseError: No entry followed the last one for `_STALLED_S`.
    """
    results: list[Result] = []
    errors: list[BaseException] = []
    entries = [""]

    def run() -> None:
        try:
            results.append(work(entries.append))
        except BaseException as error:  # noqa: BLE001 - raised again where the thread is waited for
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        last = entries[-1]
        del entries[:-1]
        thread.join(_STALLED_S)
        if thread.is_alive() and len(entries) == 1:
            raise KnowledgeBaseError(
                f"{one_line(os.path.join(root, last), 200)} does not answer.",  # noqa: PTH118
                "Is it on a network or a disk that is gone? Leave it out by a .kbtuiignore file in a folder above.",
            )
    if errors:
        raise errors[0]
    return results[0]


def _digests(request: _DigestRequest) -> dict[str, str]:
    found = {}
    root = os.fsdecode(request.root)
    for path in request.paths:
        try:
            with open_regular(os.path.join(root, path)) as stream:  # noqa: PTH118
                found[path] = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            continue
    return found


WALK: Final = Job(_walk, name=f"{__name__}:WALK", request=_WalkRequest, response=_WalkResponse, largest=_LARGEST_WALK)
DIGESTS: Final[Job[_DigestRequest, dict[str, str]]] = Job(
    _digests, name=f"{__name__}:DIGESTS", request=_DigestRequest, response=dict[str, str]
)
