"""A clock that counts steps of SQLite's virtual machine: the same for a statement, however busy the computer is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

STEPS_COUNTED: Final = 4_000
"""Virtual-machine steps between two calls of a timer."""
MAX_SLOWDOWN: Final = 8.0
"""Wall-clock seconds per second of steps, at most; statements that take longer are stopped too."""
_STEPS_A_SECOND: Final = 25e6
"""Steps per second of statements on an idle computer (mean of 3,800 statements)."""


class StepClock:
    """Measures the time of the statements of one connection by their steps."""

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
