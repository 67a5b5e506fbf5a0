"""Makes what the index stores of each file: its reading, the terms of each chunk, the key of each embedded text.

This is all work of indexing other than embedding, and it does not depend on other files. It runs in the workers of
`folder_worker`, so that a file that exceeds the limit of memory or time only fails itself.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import StorageError
from kbtui.knowledge.reading import extraction as reading
from kbtui.knowledge.reading.extraction import Reading
from kbtui.knowledge.reading.folder_worker import MAX_WORKERS, POOL, in_batches, reading_rules
from kbtui.knowledge.reading.formats import format_of
from kbtui.knowledge.reading.walk_types import ReadingRules, WalkedFile
from kbtui.settings import paths
from kbtui.worker import Job, WorkerError, WorkerOutOfMemory, WorkerTimedOut
from kbtui.worker.cores import usable_cores

if TYPE_CHECKING:
    from kbtui.settings.model import IndexSettings

Read = Callable[[WalkedFile, ReadingRules], Reading]

_FILES_PER_WORKER: Final = 100
"""Starting a worker takes as long as reading so many files."""
_BATCH_FILES: Final = 8
_BATCH_BYTES: Final = 1 << 20
_MAX_PENDING_BYTES: Final = 16 << 20
"""Total size of files that are being cut or wait to be taken; more than is cut during a first answer or a commit."""
_MAX_RESPONSE_BYTES: Final = 256 << 20
_BATCH_S: Final = 30.0
_S_PER_MB: Final = 15.0
"""Time limit of a batch, plus that for each megabyte: about thirty times the usual time."""

_OUT_OF_RESOURCES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A file after reading and cutting.

    Attributes:
        keys: The key of the embedded text of each chunk.
        terms: The terms of each chunk for the full-text index, joined by spaces.
    """

    reading: Reading
    keys: tuple[int, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """The reason why a file could not be read."""

    reason: str


Cutting = tuple[WalkedFile, Cut | Failure]
CutAll = Callable[..., Iterator[Cutting]]
"""`cut_all`, or what does the same elsewhere, given files, ``settings`` and ``cancel``."""


def cut(file: WalkedFile, settings: ReadingRules, read: Read = reading.read) -> Cut | Failure:
    """Read and cut one file; any error of a parser is returned as its failure.

    Raises:
        StorageError: The system has no resources left to read any file, so this one must not be recorded as unreadable.
    """
    from kbtui.knowledge.reading.terms import chunk_terms

    try:
        result = read(file, settings)
        _check_encodable(result)
        return Cut(
            reading=result,
            keys=tuple(map(embed_key, result.embedding_texts)),
            terms=tuple(" ".join(chunk_terms(chunk)) for chunk in result.chunks),
        )
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUT_OF_RESOURCES:
            raise StorageError(
                f"The files of the folder could not be read: {error.strerror}.", "Close some programs and ask again."
            ) from error
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        return Failure(reason=reason.encode("utf-8", "replace").decode("utf-8")[:200])


def cut_all(
    files: Sequence[WalkedFile],
    settings: IndexSettings,
    cancel: CancelToken,
    read: Read | None = None,
    ahead: CuttingAhead | None = None,
) -> Iterator[Cutting]:
    """Cut all files; yields each with its result, in any order.

    Args:
        read: Reads a file in this process instead of a worker.
        ahead: Cutting that has begun already; it is continued where it is of the same files.

    Raises:
        StorageError: The system cannot start a process.
        Cancelled: ``cancel`` was set.
    """
    if read is None:
        if ahead is None or ahead.files != tuple(files):
            ahead = CuttingAhead(files, settings)
        yield from ahead.take_all(cancel)
        return
    for file in files:
        cancel.check()
        yield file, cut(file, reading_rules(settings), read)


class CuttingAhead:
    """Cuts files in advance, on all cores except the one on which their taker is busy.

    Attributes:
        files: The files that can still be taken.
    """

    def __init__(self, files: Sequence[WalkedFile], settings: IndexSettings) -> None:
        self.files = tuple(files)
        self._rules = reading_rules(settings)
        self._batches = deque(in_batches(files, _BATCH_FILES, _BATCH_BYTES))
        self._ended = CancelToken()
        self._pending: set[Future[list[Cutting]]] = set()
        self._pending_bytes = 0
        self._workers = max(1, min(usable_cores(), MAX_WORKERS, len(files) // _FILES_PER_WORKER))
        self._free_cores = threading.Semaphore(min(usable_cores() - 1, self._workers))
        self._pool = ThreadPoolExecutor(self._workers)
        # The workers are started here, since the caller may have some files cut first.
        with contextlib.suppress(StorageError):
            POOL.warm(self._workers)
        self._submit()

    def take_all(self, cancel: CancelToken) -> Iterator[Cutting]:
        """Yield each file with its result, in any order and only once; from now on all cores are used.

        Raises:
            StorageError: The system cannot start a process.
            Cancelled: ``cancel`` was set.
        """
        self.files = ()
        self._free_cores.release()
        try:
            while self._pending:
                done, self._pending = wait(self._pending, timeout=0.05, return_when=FIRST_COMPLETED)
                cancel.check()
                for cuttings in done:
                    self._pending_bytes -= sum(file.size for file, _ in cuttings.result())
                self._submit()
                for cuttings in done:
                    yield from cuttings.result()
        finally:
            self.end()

    def end(self) -> None:
        """Stop all work."""
        self._ended.cancel()
        self._free_cores.release(self._workers)
        self._pool.shutdown(cancel_futures=True)

    def _submit(self) -> None:
        while self._batches and self._pending_bytes < _MAX_PENDING_BYTES:
            batch = self._batches.popleft()
            self._pending_bytes += sum(file.size for file in batch)
            self._pending.add(self._pool.submit(self._cut, batch))

    def _cut(self, batch: Sequence[WalkedFile]) -> list[Cutting]:
        with self._free_cores:
            self._ended.check()
            return cut_batch(batch, self._rules, self._ended)


def cut_batch(batch: Sequence[WalkedFile], rules: ReadingRules, cancel: CancelToken) -> list[Cutting]:
    """Cut files of one folder in a worker; where that fails, each by itself.

    Raises:
        StorageError: The system cannot start a process.
        Cancelled: ``cancel`` was set.
    """
    root = batch[0].root
    files = [(file.path, file.size, file.mtime_ns) for file in batch]
    request = _Request(os.fsencode(root), os.fsencode(paths.index_dir(root)), rules, files)
    seconds = _BATCH_S + _S_PER_MB * sum(file.size for file in batch) / 1e6
    if rules.commands:
        formats = (format_of(file.path, rules.commands) for file in batch)
        seconds += rules.command_s * sum(1 for form in formats if form is not None and form.command)
    try:
        results = POOL.call(CUT, request, seconds=seconds, cancel=cancel)
    except WorkerError as error:
        if len(batch) > 1:
            return [cutting for file in batch for cutting in cut_batch([file], rules, cancel)]
        return [(batch[0], Failure(reason=_reason(error, seconds)))]
    return [
        (file, result.cut if result.cut is not None else Failure(reason=result.reason))
        for file, result in zip(batch, results, strict=True)
    ]


def _reason(error: WorkerError, seconds: float) -> str:
    if isinstance(error, WorkerTimedOut):
        return f"It took longer than {seconds:.0f} s to read."
    if isinstance(error, WorkerOutOfMemory):
        return "It took more memory to read than a file may."
    return f"Reading it broke the process that did: {error.message}"[:200]


def _check_encodable(result: Reading) -> None:
    """Raise UnicodeEncodeError for text with lone surrogates, which a UTF-8 column cannot store."""
    record = result.record
    for text in (record.title, record.summary, *record.labels):
        text.encode()
    for chunk in result.chunks:
        for text in (chunk.text, chunk.title, *chunk.heading_path):
            text.encode()
    for relation in result.relations:
        for text in (relation.relation, relation.target, relation.text):
            text.encode()


# In the worker -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Request:
    """Files to cut: path, size and modification time of each."""

    root: bytes
    index: bytes
    rules: ReadingRules
    files: list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class CutResult:
    """The result for a file: ``cut``, or the ``reason`` for its failure."""

    cut: Cut | None = None
    reason: str = ""


def _cut_files(request: _Request) -> list[CutResult]:
    root, index = Path(os.fsdecode(request.root)), Path(os.fsdecode(request.index))
    results = []
    for path, size, mtime_ns in request.files:
        outcome = cut(WalkedFile(root=root, path=path, size=size, mtime_ns=mtime_ns, index=index), request.rules)
        results.append(CutResult(cut=outcome) if isinstance(outcome, Cut) else CutResult(reason=outcome.reason))
    return results


CUT: Final = Job(
    _cut_files, name=f"{__name__}:CUT", request=_Request, response=list[CutResult], largest=_MAX_RESPONSE_BYTES
)


def embed_key(text: str) -> int:
    """The first 64 bits of the SHA-256 of a text, signed; in a million texts, a collision has a chance of 3 in 10^8."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)
