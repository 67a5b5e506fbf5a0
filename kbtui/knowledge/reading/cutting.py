"""What the index stores of a file, made from the file: its reading, the words of each chunk, the key of each text.

This is all the work of a first indexing that is not embedding, and it is the same for each file whatever the others
are. It runs in the workers of `folder_worker`: a file that takes more memory or time than it may costs that file alone.
"""

from __future__ import annotations

import errno
import hashlib
import os
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
_WAITING: Final = 16
"""Batches of each worker that are cut or under way: about what is cut in the time of a commit, and at most 16 MB."""
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
    files: Sequence[WalkedFile], settings: IndexSettings, cancel: CancelToken, read: Read | None = None
) -> Iterator[Cutting]:
    """Each file with what it became, in any order.

    Args:
        read: Reads a file in this process instead.

    Raises:
        StorageError: The system starts no process.
        Cancelled: ``cancel`` was set.
    """
    if read is not None:
        for file in files:
            cancel.check()
            yield file, cut(file, rules_of(settings), read)
    elif files:
        rules, stop = rules_of(settings), CancelToken()
        batches = deque(in_batches(files, _BATCH_FILES, _BATCH_BYTES))
        workers = max(1, min(_cores(), MOST_WORKERS, len(files) // _FILES_PER_WORKER))
        waiting: set[Future[list[Cutting]]] = set()
        with ThreadPoolExecutor(workers) as pool:
            try:
                while batches or waiting:
                    # So many results wait for who writes them that no worker has to wait for a commit.
                    while batches and len(waiting) < _WAITING * workers:
                        waiting.add(pool.submit(_cut_batch, batches.popleft(), rules, stop))
                    done, waiting = wait(waiting, timeout=0.05, return_when=FIRST_COMPLETED)
                    cancel.check()
                    for cuttings in done:
                        yield from cuttings.result()
            finally:
                # What the workers are doing ends with it.
                stop.cancel()


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
