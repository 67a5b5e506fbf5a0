"""What the index stores of a file, made from the file: its reading, the words of each chunk, the key of each text.

This is all the work of a first indexing that is not embedding, and it is the same for each file whatever the others
are: with many files, other processes take part (``cutting_worker``).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.knowledge import reading
from kbtui.knowledge.index_rows import embed_key
from kbtui.settings.model import IndexSettings

if TYPE_CHECKING:
    from kbtui.knowledge.walked import WalkedFile

Read = Callable[["WalkedFile", IndexSettings], reading.Reading]

PARALLEL_FROM: Final = 200
"""Files. To start a process that can read takes as long as to read a hundred."""
_AT_A_TIME: Final = 8
_MOST_WORKERS: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A file that was read and cut.

    Attributes:
        keys: For each chunk, the key of the text that is embedded for it.
        terms: For each chunk, its words for the full-text index, joined by spaces.
    """

    reading: reading.Reading
    keys: tuple[int, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a file could not be read."""

    reason: str


def cut(file: WalkedFile, settings: IndexSettings, read: Read = reading.read) -> Cut | Failure:
    """Read and cut one file; whatever a broken one makes of the parsers is its failure and costs no other file."""
    from kbtui.knowledge.terms import chunk_terms

    try:
        result = read(file, settings)
        _check_encodable(result)
        return Cut(
            reading=result,
            keys=tuple(map(embed_key, result.embedding_texts)),
            terms=tuple(" ".join(chunk_terms(chunk)) for chunk in result.chunks),
        )
    except Exception as error:  # noqa: BLE001 - a parser may raise anything
        reason = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        return Failure(reason=reason.encode("utf-8", "replace").decode("utf-8")[:200])


def cut_all(
    files: Sequence[WalkedFile], settings: IndexSettings, read: Read, cancel: CancelToken
) -> Iterator[tuple[WalkedFile, Cut | Failure]]:
    """Each file with what it became, in any order.

    Raises:
        Cancelled: ``cancel`` was set; checked between files.
    """
    workers = min(_cores() - 1, _MOST_WORKERS, len(files) // PARALLEL_FROM)
    # Only what any process can import can be done by another.
    if workers < 1 or read is not reading.read or not sys.executable:
        for file in files:
            cancel.check()
            yield file, cut(file, settings, read)
        return
    with contextlib.closing(_Team(files, settings, workers)) as team:
        yield from team.work(cancel)


class _Team:
    """This process and some others, which take a few files at a time from one queue."""

    def __init__(self, files: Sequence[WalkedFile], settings: IndexSettings, workers: int) -> None:
        self._settings = settings
        self._todo = deque(files[start : start + _AT_A_TIME] for start in range(0, len(files), _AT_A_TIME))
        self._left = len(files)
        self._done: queue.SimpleQueue[list[tuple[WalkedFile, Cut | Failure]]] = queue.SimpleQueue()
        self._workers: list[subprocess.Popen[bytes]] = []
        with contextlib.suppress(OSError):
            for _ in range(workers):
                worker = subprocess.Popen(_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                self._workers.append(worker)
                threading.Thread(target=self._drive, args=(worker,), daemon=True).start()

    def work(self, cancel: CancelToken) -> Iterator[tuple[WalkedFile, Cut | Failure]]:
        """Take part, and hand out what is done."""
        while self._left:
            cancel.check()
            with contextlib.suppress(queue.Empty):
                while True:
                    yield from self._counted(self._done.get_nowait())
            try:
                batch = self._todo.popleft()
            except IndexError:
                if self._left:
                    with contextlib.suppress(queue.Empty):
                        yield from self._counted(self._done.get(timeout=0.1))
                continue
            for file in batch:
                cancel.check()
                yield from self._counted([(file, cut(file, self._settings))])

    def close(self) -> None:
        """End the other processes, whatever they are at."""
        self._todo.clear()
        for worker in self._workers:
            worker.kill()
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def _counted(self, done: list[tuple[WalkedFile, Cut | Failure]]) -> Iterator[tuple[WalkedFile, Cut | Failure]]:
        self._left -= len(done)
        yield from done

    def _drive(self, worker: subprocess.Popen[bytes]) -> None:
        """Feed one process until nothing is left; what it fails to return goes back into the queue."""
        assert worker.stdin is not None
        assert worker.stdout is not None
        while True:
            try:
                batch = self._todo.popleft()
            except IndexError:
                return
            try:
                pickle.dump((batch, self._settings), worker.stdin)
                worker.stdin.flush()
                results = pickle.load(worker.stdout)  # noqa: S301 - what our own process writes into our own pipe
            except (OSError, EOFError, ValueError, pickle.PickleError):
                self._todo.append(batch)
                return
            self._done.put(list(zip(batch, results, strict=True)))


def _cores() -> int:
    """Those this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _command() -> list[str]:
    # -P: the folder that the program was started in may hold modules of any name; none of them is to be imported.
    return [sys.executable, "-P", "-m", "kbtui.knowledge.cutting_worker"]


def _check_encodable(result: reading.Reading) -> None:
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
