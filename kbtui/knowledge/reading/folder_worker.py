"""Lists and hashes the files of a folder in disposable workers, whose pool the other readers of folders use too.

Folders and files are untrusted: a tree may be endless, a parser may not terminate, and a file system may not answer.
The worker is killed then, and the program goes on.
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
from kbtui.knowledge.reading.walk_types import ReadingRules, Walk, WalkedFile
from kbtui.regular_files import open_regular
from kbtui.text.terminal import one_line
from kbtui.worker import Allowance, Job, WorkerError, WorkerOutOfMemory, WorkerPool, WorkerTimedOut

if TYPE_CHECKING:
    from kbtui.settings.model import IndexSettings

Result = TypeVar("Result")

MAX_WORKERS: Final = 4
POOL: Final = WorkerPool(
    "folder", Allowance(memory=1 << 30), [__name__, "kbtui.knowledge.reading.walker"], kept=MAX_WORKERS
)

_WALK_S: Final = 600.0
_STALLED_S: Final = 20.0
"""Seconds after which a walk without a further entry counts as stalled."""
_MAX_RESPONSE_BYTES: Final = 256 << 20
_DIGEST_S: Final = 60.0
_DIGEST_BYTES: Final = 256 << 20
"""Total size of the files that are hashed in one call."""

_NARROW_HINT: Final = "Open a folder in it, or leave parts of it out by a .kbtuiignore file."


def reading_rules(settings: IndexSettings) -> ReadingRules:
    return ReadingRules(
        hidden=settings.hidden,
        max_file_mb=settings.max_file_mb,
        exclude=settings.exclude,
        chunk_chars=settings.chunk_chars,
        commands=settings.commands,
        command_s=settings.command_s,
    )


def walk_folder(
    root: Path,
    settings: IndexSettings,
    cancel: CancelToken | None = None,
    known: Mapping[str, tuple[int, int]] | None = None,
) -> Walk:
    """`kbtui.knowledge.reading.walker.walk`, in a worker.

    Raises:
        KnowledgeBaseError: As `walk`, and where the folder does not answer, or is too large to list.
        SettingsError: As `walk`.
        Cancelled: ``cancel`` was set.
    """
    request = _WalkRequest(os.fsencode(root), reading_rules(settings), dict(known or {}))
    printed_path = one_line(str(root), 200)
    try:
        response = POOL.call(WALK, request, seconds=_WALK_S, cancel=cancel)
    except WorkerTimedOut as error:
        raise KnowledgeBaseError(
            f"To list the folder {printed_path} took longer than {_WALK_S / 60:.0f} minutes.", _NARROW_HINT
        ) from error
    except WorkerOutOfMemory as error:
        raise KnowledgeBaseError(
            f"The folder {printed_path} has more files than can be listed.", _NARROW_HINT
        ) from error
    except WorkerError as error:
        raise KnowledgeBaseError(
            f"The folder {printed_path} cannot be listed: {error.message}", _NARROW_HINT
        ) from error
    resolved = Path(os.fsdecode(response.root))
    return Walk(
        root=resolved,
        files=tuple(
            WalkedFile(root=resolved, path=path, size=size, mtime_ns=time) for path, size, time in response.files
        ),
        skipped=response.skipped,
        paths_by_reason={reason: tuple(map(os.fsdecode, paths)) for reason, paths in response.paths_by_reason.items()},
        binary=response.binary,
    )


def digests(files: Sequence[WalkedFile], cancel: CancelToken | None = None) -> dict[str, str]:
    """The hexadecimal SHA-256 of each file, by path; files that cannot be read are missing.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    result: dict[str, str] = {}
    for batch in in_batches(files, len(files), _DIGEST_BYTES):
        request = _DigestRequest(os.fsencode(batch[0].root), [file.path for file in batch])
        try:
            batch_digests = POOL.call(DIGESTS, request, seconds=_DIGEST_S, cancel=cancel)
        except WorkerError:
            continue  # these files count as changed, and cutting them reports the problem
        result.update(batch_digests)
    return result


def in_batches(files: Sequence[WalkedFile], most_files: int, most_bytes: int) -> list[list[WalkedFile]]:
    """``files`` in batches of at most ``most_files`` and ``most_bytes``; a larger file is a batch of its own."""
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
    """A `Walk`; paths in ``paths_by_reason`` need not be valid text."""

    root: bytes
    files: list[tuple[str, int, int]]
    skipped: dict[str, int]
    paths_by_reason: dict[str, list[bytes]]
    binary: dict[str, int]


@dataclass(frozen=True, slots=True)
class _DigestRequest:
    root: bytes
    paths: list[str]


def _walk(request: _WalkRequest) -> _WalkResponse:
    from kbtui.knowledge.reading.walker import walk

    root = Path(os.fsdecode(request.root))
    result = _run_watched(lambda on_entry: walk(root, request.rules, None, request.known, on_entry), str(root))
    return _WalkResponse(
        root=os.fsencode(result.root),
        files=[(file.path, file.size, file.mtime_ns) for file in result.files],
        skipped=dict(result.skipped),
        paths_by_reason={
            reason: [os.fsencode(path) for path in paths] for reason, paths in result.paths_by_reason.items()
        },
        binary=dict(result.binary),
    )


def _run_watched(work: Callable[[Callable[[str], object]], Result], root: str) -> Result:
    """Call ``work`` with a function that it must call with each entry before opening it, and return its result.

    Raises:
        KnowledgeBaseError: No entry followed the last one within `_STALLED_S`.
    """
    results: list[Result] = []
    errors: list[BaseException] = []
    entries = [""]

    def run() -> None:
        try:
            results.append(work(entries.append))
        except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
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
    result = {}
    root = os.fsdecode(request.root)
    for path in request.paths:
        try:
            with open_regular(os.path.join(root, path)) as stream:  # noqa: PTH118
                result[path] = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError:
            continue
    return result


WALK: Final = Job(
    _walk, name=f"{__name__}:WALK", request=_WalkRequest, response=_WalkResponse, largest=_MAX_RESPONSE_BYTES
)
DIGESTS: Final[Job[_DigestRequest, dict[str, str]]] = Job(
    _digests, name=f"{__name__}:DIGESTS", request=_DigestRequest, response=dict[str, str]
)
