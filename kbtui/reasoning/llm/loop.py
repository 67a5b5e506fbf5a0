"""Runs calls of a chat model on an event loop in a thread of its own, so that they can be cancelled.

A blocking HTTP call cannot be interrupted. A task on a loop can be cancelled, which closes its connection, as Esc and
time limits require. One thread with one loop serves all runs, so clients keep their connections between calls.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import TimeoutError as StillWaiting
from contextlib import suppress
from typing import Any, Final, TypeVar

from kbtui.background_loop import BackgroundLoop
from kbtui.domain.ports import CancelToken

_T = TypeVar("_T")

_POLL_S: Final = 0.05
_WIND_DOWN_S: Final = 1.0
_MAX_CANCELLATIONS: Final = 200

_LOOP: Final = BackgroundLoop("kbtui-model")


def run_until(coroutine: Coroutine[Any, Any, _T], cancel: CancelToken, deadline: float) -> _T:
    """Run a coroutine and return its result; blocks.

    Args:
        deadline: Deadline by ``time.monotonic()``.

    Raises:
        TimeoutError: The deadline passed; the task was cancelled.
        Cancelled: ``cancel`` was set; the task was cancelled.
    """
    loop = _LOOP.get()
    tasks: list[asyncio.Task[Any]] = []

    async def with_task() -> _T:
        if (task := asyncio.current_task()) is not None:
            tasks.append(task)
        return await coroutine

    future = asyncio.run_coroutine_threadsafe(with_task(), loop)
    try:
        while True:
            cancel.check()
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError
            try:
                return future.result(timeout=min(_POLL_S, remaining))
            except StillWaiting:
                if future.done():
                    # The coroutine itself raised a time-out.
                    raise
    finally:
        if not future.done():
            _stop(tasks, loop)


def _stop(tasks: Sequence[asyncio.Task[Any]], loop: asyncio.AbstractEventLoop) -> None:
    """Cancel the task in ``tasks``, and give it a moment to close its connection."""
    with suppress(StillWaiting):
        asyncio.run_coroutine_threadsafe(_cancel_all(tasks), loop).result(timeout=_WIND_DOWN_S)


async def _cancel_all(tasks: Sequence[asyncio.Task[Any]]) -> None:
    # Before Python 3.12 `wait_for` loses a cancellation that coincides with a result, and model clients use it for
    # every piece of a stream, so one cancellation may not be enough.
    for _ in range(_MAX_CANCELLATIONS):
        if all(task.done() for task in tasks):
            return
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=_POLL_S)
