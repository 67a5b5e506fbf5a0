"""Stops a statement in its engine if it takes too long or the run is cancelled; and the clocks that measure it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

from kbtui.domain.analysis import Limits
from kbtui.domain.cancel import CancelToken
from kbtui.errors import DataSourceError

STEPS_COUNTED: Final = 4_000
"""Steps of SQLite's virtual machine between two calls of a timer."""
MAX_SLOWDOWN: Final = 8.0
"""Wall-clock seconds per second of steps, at most; statements that take longer are stopped too."""
_STEPS_A_SECOND: Final = 25e6
"""Steps per second of statements on an idle computer (mean of 3,800 statements)."""
_LOOK_S: Final = 0.02


class Watch:
    """Calls ``interrupt`` from a thread of its own once the block exceeds its time or is cancelled.

    A statement can begin just after it was interrupted, so it is interrupted again until the block ends.

    Args:
        interrupt: Stops the running statement; does nothing without one. It never raises.
        seconds: Longest time of the block.
        cancel: Stops the block when it is set.
        again_s: Seconds between two interrupts; longer for expensive ones (a second connection to a server).
        clock: What ``seconds`` are counted by.
    """

    def __init__(
        self,
        interrupt: Callable[[], Any],
        seconds: float,
        cancel: CancelToken | None = None,
        *,
        again_s: float = _LOOK_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interrupt = interrupt
        self._seconds = seconds
        self._cancel = cancel
        self._again_s = again_s
        self._clock = clock
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="kbtui-watch", daemon=True)
        self._started = 0.0
        self.is_late = False
        """Whether its time was exceeded."""

    def __enter__(self) -> Watch:
        self._started = self._clock()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # The thread is joined, so that no interrupt can reach the next statement or a closed connection.
        self._over.set()
        self._thread.join()

    @property
    def is_stopped(self) -> bool:
        """Whether the statement was interrupted."""
        return self.is_late or bool(self._cancel and self._cancel.cancelled)

    def _look(self) -> None:
        deadline = self._started + self._seconds
        pause = _LOOK_S
        while not self._over.wait(pause):
            self.is_late = self.is_late or self._clock() >= deadline
            if self.is_stopped:
                self._interrupt()
                pause = self._again_s


class StepClock:
    """Measures the time of the statements of one SQLite connection by their steps, however busy the computer is."""

    def __init__(self) -> None:
        self._counted = 0.0
        self._started = time.monotonic()

    def now(self) -> float:
        """Seconds since the clock was made."""
        return max(self._counted, (time.monotonic() - self._started) / MAX_SLOWDOWN)

    def timer(self, seconds: float) -> Callable[[], bool]:
        """A progress handler for the next statement, called every `STEPS_COUNTED` steps: true once its time is up."""
        steps, started = self._counted, time.monotonic()

        def is_up() -> bool:
            self._counted += STEPS_COUNTED / _STEPS_A_SECOND
            return self._counted - steps > seconds or time.monotonic() - started > MAX_SLOWDOWN * seconds

        return is_up


def busy_clock() -> Callable[[], float]:
    """A clock of the seconds in which this process worked, which hardly depend on the load of the computer.

    Several threads that work at once count once. Seconds of waiting count little: one in `MAX_SLOWDOWN`.
    """
    began, worked = time.monotonic(), time.process_time()

    def now() -> float:
        passed = time.monotonic() - began
        return max(min(passed, time.process_time() - worked), passed / MAX_SLOWDOWN)

    return now


def timeout_error(name: str, limits: Limits) -> DataSourceError:
    """The error for a statement that exceeded its time limit."""
    return DataSourceError(
        f"{name} did not answer within {limits.seconds:g} s; the statement was stopped.",
        "Ask for less, or narrow it down.",
    )
