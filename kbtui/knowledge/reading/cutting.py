"""What the index stores of a file, made from the file: its reading, the words of each chunk, the key of each text.

This is all the work of a first indexing that is not embedding, and it is the same for each file whatever the others
are. It runs in the workers of `folder_worker`: a file that takes more memory or time than it may costs that file alone.
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
from kbtui.knowledge.reading.folder_worker import MOST_WORKERS, POOL, in_batches, rules_of
from kbtui.knowledge.reading.walked import ReadingRules, WalkedFile
from kbtui.worker import Job, WorkerError, WorkerOutOfMemory, WorkerTimedOut

if TYPE_CHECKING:
    from kbtui.settings.model import IndexSettings

Read = Callable[[WalkedFile, ReadingRules], Reading]

_FILES_PER_WORKER: Final = 100
"""To start a process that can read takes as long as to read so many."""
_BATCH_FILES: Final = 8
_BATCH_BYTES: Final = 1 << 20
_WAITING_BYTES: Final = 16 << 20
"""Of files that are cut or under way: more than is cut in the time of a first answer or of a commit."""
_LARGEST_RESPONSE: Final = 256 << 20
_BATCH_S: Final = 30.0
_S_PER_MB: Final = 15.0
"""What a batch of files may take, and its megabytes beside: about thirty times what documents take."""


_OUT_OF_RESOURCES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A file that was read and cut.

    Attributes:
        keys: For each chunk, the key of the text that is embedded for it.
        terms: For each chunk, its words for the full-text index, joined by spaces.
    """

    reading: Reading
    keys: tuple[int, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a file could not be read."""

    reason: str


Cutting = tuple[WalkedFile, Cut | Failure]


def cut(file: WalkedFile, settings: ReadingRules, read: Read = reading.read) -> Cut | Failure:
    """Read and cut one file; whatever a broken one makes of the parsers is its failure and costs no other file.

    Raises:
        StorageError: The system has run out of what reading any file takes: this file is not to be noted as unreadable.
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
    """Each file with what it became, in any order.

    Args:
        read: Reads a file in this process instead.
        ahead: Gone on with where it cuts these very files.

    Raises:
        StorageError: The system starts no process.
        Cancelled: ``cancel`` was set.
    """
    if read is None:
        if ahead is None or ahead.files != tuple(files):
            ahead = CuttingAhead(files, settings)
        yield from ahead.taken(cancel)
        return
    for file in files:
        cancel.check()
        yield file, cut(file, rules_of(settings), read)


class CuttingAhead:
    """Files that are cut before anybody takes them, by all cores but the one that who is to take them is busy on.

    Attributes:
        files: Those that can be taken.
    """

    def __init__(self, files: Sequence[WalkedFile], settings: IndexSettings) -> None:
        self.files = tuple(files)
        self._rules = rules_of(settings)
        self._batches = deque(in_batches(files, _BATCH_FILES, _BATCH_BYTES))
        self._ended = CancelToken()
        self._waiting: set[Future[list[Cutting]]] = set()
        self._waiting_bytes = 0
        self._workers = max(1, min(_cores(), MOST_WORKERS, len(files) // _FILES_PER_WORKER))
        self._free_cores = threading.Semaphore(min(_cores() - 1, self._workers))
        self._pool = ThreadPoolExecutor(self._workers)
        # One for the caller, who may have some of them cut first.
        with contextlib.suppress(StorageError):
            POOL.warm(self._workers)
        self._submit()

    def taken(self, cancel: CancelToken) -> Iterator[Cutting]:
        """Each file with what it became, in any order, and none a second time; from now on all cores cut.

        Raises:
            StorageError: The system starts no process.
            Cancelled: ``cancel`` was set.
        """
        self.files = ()
        self._free_cores.release()
        try:
            while self._waiting:
                done, self._waiting = wait(self._waiting, timeout=0.05, return_when=FIRST_COMPLETED)
                cancel.check()
                for cuttings in done:
                    self._waiting_bytes -= sum(file.size for file, _ in cuttings.result())
                self._submit()
                for cuttings in done:
                    yield from cuttings.result()
        finally:
            self.end()

    def end(self) -> None:
        """What the workers are doing ends with it."""
        self._ended.cancel()
        self._free_cores.release(self._workers)
        self._pool.shutdown(cancel_futures=True)

    def _submit(self) -> None:
        while self._batches and self._waiting_bytes < _WAITING_BYTES:
            batch = self._batches.popleft()
            self._waiting_bytes += sum(file.size for file in batch)
            self._waiting.add(self._pool.submit(self._cut, batch))

    def _cut(self, batch: Sequence[WalkedFile]) -> list[Cutting]:
        with self._free_cores:
            self._ended.check()
            return _cut_batch(batch, self._rules, self._ended)


def _cut_batch(batch: Sequence[WalkedFile], rules: ReadingRules, cancel: CancelToken) -> list[Cutting]:
    """Cut in a worker; one file after the other when the batch together breaks the worker."""
    request = _Request(os.fsencode(batch[0].root), rules, [(file.path, file.size, file.mtime_ns) for file in batch])
    seconds = _BATCH_S + _S_PER_MB * sum(file.size for file in batch) / 1e6
    try:
        found = POOL.call(CUT, request, seconds=seconds, cancel=cancel)
    except WorkerError as error:
        if len(batch) > 1:
            return [cutting for file in batch for cutting in _cut_batch([file], rules, cancel)]
        return [(batch[0], Failure(reason=_reason(error, seconds)))]
    return [
        (file, result.cut if result.cut is not None else Failure(reason=result.reason))
        for file, result in zip(batch, found, strict=True)
    ]


def _reason(error: WorkerError, seconds: float) -> str:
    if isinstance(error, WorkerTimedOut):
        return f"It took longer than {seconds:.0f} s to read."
    if isinstance(error, WorkerOutOfMemory):
        return "It took more memory to read than a file may."
    return f"Reading it broke the process that did: {error.message}"[:200]


def _cores() -> int:
    """Those this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_encodable(result: Reading) -> None:
    """Raise UnicodeEncodeError for text that no UTF-8 column can hold (lone surrogates)."""
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
    rules: ReadingRules
    files: list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class _Result:
    """What a file became: ``cut``, or the ``reason`` why there is none."""

    cut: Cut | None = None
    reason: str = ""


def _cut_files(request: _Request) -> list[_Result]:
    root = Path(os.fsdecode(request.root))
    results = []
    for path, size, mtime_ns in request.files:
        found = cut(WalkedFile(root=root, path=path, size=size, mtime_ns=mtime_ns), request.rules)
        results.append(_Result(cut=found) if isinstance(found, Cut) else _Result(reason=found.reason))
    return results


CUT: Final = Job(
    _cut_files, name=f"{__name__}:CUT", request=_Request, response=list[_Result], largest=_LARGEST_RESPONSE
)


def embed_key(text: str) -> int:
    """64 bits of the text's SHA-256, signed. Of a million texts two share a key with a chance of 3 in 100 million."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)
