"""Calls of a chat model run on an event loop of their own, so that whoever waits can stop waiting.

A blocking HTTP call ends when the server wishes. A task on a loop can be cancelled, which closes its connection: that
is what Esc and a stage's time limit need. One thread with one loop serves all runs; clients keep their connections to
it open between calls.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from contextlib import suppress
from typing import Any, Final, TypeVar

from kbtui.domain.ports import CancelToken

_T = TypeVar("_T")

_POLL_S: Final = 0.05
_WIND_DOWN_S: Final = 1.0
_MOST_CANCELLATIONS: Final = 200

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def run_until(coroutine: Coroutine[Any, Any, _T], cancel: CancelToken, deadline: float) -> _T:
    """The coroutine's result; blocks.

    Args:
        deadline: By ``time.monotonic()``.

    Raises:
        TimeoutError: The deadline passed; the task was cancelled.
        Cancelled: ``cancel`` was set; the task was cancelled.
    """
    loop = _running()
    tasks: list[asyncio.Task[Any]] = []

    async def held() -> _T:
        if (task := asyncio.current_task()) is not None:
            tasks.append(task)
        return await coroutine

    future = asyncio.run_coroutine_threadsafe(held(), loop)
    try:
        while True:
            cancel.check()
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            try:
                return future.result(timeout=min(_POLL_S, left))
            except StillWaiting:
                if future.done():
                    # The coroutine itself ended in a time-out.
                    raise
    finally:
        if not future.done():
            _stop(tasks, loop)


def _stop(tasks: Sequence[asyncio.Task[Any]], loop: asyncio.AbstractEventLoop) -> None:
    """End the task that is about to be in ``tasks``, and give it a moment to close its connection."""
    with suppress(StillWaiting):
        asyncio.run_coroutine_threadsafe(_ended(tasks), loop).result(timeout=_WIND_DOWN_S)


async def _ended(tasks: Sequence[asyncio.Task[Any]]) -> None:
    # Before Python 3.12 `wait_for` loses a cancellation that comes together with a result, and clients of models wait
    # by it for every piece of a stream: one cancellation may not be enough.
    for _ in range(_MOST_CANCELLATIONS):
        if all(task.done() for task in tasks):
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_POLL_S)


def _running() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        # One for the process: connections belong to the loop they were made on.
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="kbtui-model", daemon=True).start()
        return _loop
