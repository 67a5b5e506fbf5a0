"""Whoever waits for a model can stop waiting, and what was waited for then ends as well."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled
from kbtui.reasoning.llm.loop import run_until

FAR = 600.0
PATIENCE_S = 60.0


class Work:
    """Waits for ever; says when it began and when it was over."""

    def __init__(self, deaf_to: int = 0) -> None:
        self.began = threading.Event()
        self.over = threading.Event()
        self._deaf_to = deaf_to

    async def __call__(self) -> None:
        try:
            while True:
                try:
                    self.began.set()
                    await asyncio.sleep(FAR)
                except asyncio.CancelledError:
                    self._deaf_to -= 1
                    if self._deaf_to < 0:
                        raise
        finally:
            self.over.set()


def soon() -> float:
    return time.monotonic() + 0.1


def later() -> float:
    return time.monotonic() + FAR


def test_the_result_is_handed_on() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert run_until(work(), CancelToken(), later()) == 7


def test_what_went_wrong_is_handed_on() -> None:
    async def work() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        run_until(work(), CancelToken(), later())


def test_a_time_out_of_the_work_itself_is_no_endless_wait() -> None:
    async def work() -> None:
        raise TimeoutError("its own")

    with pytest.raises(TimeoutError, match="its own"):
        run_until(work(), CancelToken(), later())


def test_past_the_deadline_the_work_is_ended() -> None:
    work = Work()
    with pytest.raises(TimeoutError):
        run_until(work(), CancelToken(), soon())
    assert work.over.wait(PATIENCE_S)


def test_a_cancelled_run_ends_the_work() -> None:
    work, cancel = Work(), CancelToken()
    threading.Thread(target=lambda: (work.began.wait(PATIENCE_S), cancel.cancel())).start()
    with pytest.raises(Cancelled):
        run_until(work(), cancel, later())
    assert work.over.wait(PATIENCE_S)


def test_work_that_loses_a_cancellation_is_cancelled_again() -> None:
    """As `asyncio.wait_for` of Python 3.11 loses one that comes together with a result."""
    work = Work(deaf_to=2)
    with pytest.raises(TimeoutError):
        run_until(work(), CancelToken(), soon())
    assert work.over.wait(PATIENCE_S)


def test_a_run_that_is_cancelled_before_it_begins_leaves_no_work_behind() -> None:
    work, cancel = Work(), CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        run_until(work(), cancel, later())
    assert work.over.wait(PATIENCE_S)
