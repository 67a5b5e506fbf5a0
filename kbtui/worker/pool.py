"""Warm workers of one kind, handed to one caller at a time; a worker that broke is replaced at the next call."""

from __future__ import annotations

import atexit
import contextlib
import threading
import weakref
from collections.abc import Sequence
from typing import TypeVar

from kbtui.domain.cancel import CancelToken
from kbtui.errors import Cancelled, StorageError
from kbtui.worker.job import Allowance, Job
from kbtui.worker.process import Worker, WorkerEnded

Request = TypeVar("Request")
Response = TypeVar("Response")

_POOLS: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


class WorkerPool:
    """Processes of one kind. Safe to use from several threads: each call has a process of its own.

    Args:
        name: What the processes do, for logs and tests.
        allowance: Limits of each process.
        modules: What each imports before it limits itself.
        kept: Idle processes that are kept; further ones end when their call does.
    """

    def __init__(self, name: str, allowance: Allowance, modules: Sequence[str], kept: int = 2) -> None:
        self.name = name
        self._allowance = allowance
        self._modules = tuple(modules)
        self._kept = kept
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        _POOLS.add(self)

    def call(
        self, job: Job[Request, Response], request: Request, *, seconds: float, cancel: CancelToken | None = None
    ) -> Response:
        """Run ``job`` in an idle process, or a new one; see `Worker.call`.

        Raises:
            StorageError: The system starts no more processes.
        """
        with contextlib.suppress(WorkerEnded):
            return self._call(self._take(), job, request, seconds, cancel)
        return self._call(self._start(), job, request, seconds, cancel)

    def _call(
        self,
        worker: Worker,
        job: Job[Request, Response],
        request: Request,
        seconds: float,
        cancel: CancelToken | None,
    ) -> Response:
        try:
            return worker.call(job, request, seconds=seconds, cancel=cancel)
        finally:
            self._give_back(worker)

    def warm(self, count: int = 1) -> None:
        """Start what ``count`` processes lack, so that they import while the caller does something else.

        Raises:
            StorageError: The system starts no more processes.
        """
        with self._lock:
            missing = count - len(self._idle) - len(self._busy)
        for _ in range(missing):
            self._give_back(self._start())

    def close(self) -> None:
        """End all processes, those at work as well."""
        with self._lock:
            workers = [*self._idle, *self._busy]
            self._idle.clear()
            self._busy.clear()
        for worker in workers:
            worker.kill()

    def _take(self) -> Worker:
        while True:
            with self._lock:
                if not self._idle:
                    break
                worker = self._idle.pop()
                self._busy.add(worker)
            if worker.alive:
                return worker
            self._give_back(worker)
        return self._start()

    def _start(self) -> Worker:
        try:
            worker = Worker(self._allowance, self._modules)
        except OSError as error:
            raise StorageError(
                f"No process could be started: {error.strerror or error}.", "Close some programs and ask again."
            ) from error
        with self._lock:
            self._busy.add(worker)
        return worker

    def _give_back(self, worker: Worker) -> None:
        with self._lock:
            kept = worker in self._busy and worker.alive and len(self._idle) < self._kept
            self._busy.discard(worker)
            if kept:
                self._idle.append(worker)
        if not kept:
            worker.kill()


@atexit.register
def _close_all() -> None:
    for pool in list(_POOLS):
        with contextlib.suppress(Cancelled, OSError):
            pool.close()
