"""Time counted in steps of SQLite's virtual machine: the same for the same statement, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

STEPS_COUNTED: Final = 4_000
"""Virtual-machine steps between two calls of a timer."""
SLOWEST: Final = 8.0
"""Seconds of the day that a second of steps takes at most; beyond that, statements are stopped all the same."""
_STEPS_A_SECOND: Final = 25e6
"""What statements of questions take on an idle machine (a mean of 3,800 of them)."""


class StepClock:
    """Seconds that the statements of one connection take, by their steps."""

    def __init__(self) -> None:
        self._counted = 0.0
        self._started = time.monotonic()

    def now(self) -> float:
        """Seconds since the clock was made."""
        return max(self._counted, (time.monotonic() - self._started) / SLOWEST)

    def timer(self, seconds: float) -> Callable[[], bool]:
        """A progress handler for the next statement, called every `STEPS_COUNTED` steps: true once its time is up."""
        steps, started = self._counted, time.monotonic()

        def is_up() -> bool:
            self._counted += STEPS_COUNTED / _STEPS_A_SECOND
            return self._counted - steps > seconds or time.monotonic() - started > SLOWEST * seconds

        return is_up
