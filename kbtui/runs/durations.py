"""Recent durations of each tool, from which plans estimate how long a step takes (spec 004, requirement 6.4)."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Final

from kbtui.domain.events import Event, ToolFinished
from kbtui.domain.ports import Emit
from kbtui.settings.remembered import Remembered

DURATIONS_FILE: Final = "durations.json"
"""Name of the file in the cache folder."""

MAX_KEPT: Final = 50


class Durations:
    """Recorded durations by key, kept between runs.

    Where the file cannot be read or written, there are no estimates, and nothing else fails.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._recorded = Remembered(path)

    def add(self, key: str, duration_ms: float) -> None:
        """Record one duration in milliseconds; the last 50 of each key are kept."""
        self._recorded.put(key, [*self._of(key), round(duration_ms, 1)][-MAX_KEPT:])

    def median(self, key: str) -> float | None:
        """The median of the recorded durations in milliseconds; None where there are none."""
        values = self._of(key)
        return round(statistics.median(values), 1) if values else None

    def learning(self, emit: Emit) -> Emit:
        """``emit``, with the duration of each call that succeeded recorded under the name of its tool."""

        def emit_and_learn(event: Event) -> None:
            if isinstance(event, ToolFinished) and event.ok and not event.cached:
                self.add(event.tool, event.duration_ms)
            emit(event)

        return emit_and_learn

    def _of(self, key: str) -> list[float]:
        values = self._recorded.get(key)
        return [value for value in values if isinstance(value, (int, float))] if isinstance(values, list) else []
