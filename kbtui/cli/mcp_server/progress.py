"""Progress notifications of a call; their number only grows: by one for each step, by a fraction within a step."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from kbtui.cli.narration import STAGE_WORDS, asking, fact
from kbtui.domain.events import MODEL_STAGE, AnswerCompleted, AnswerDelta, Event, Progress, RunCompleted
from kbtui.text.terminal import one_line

_MIN_INTERVAL_S: Final = 0.2
"""Least time between two notices of a step."""


class Notice(Struct, frozen=True, kw_only=True):
    """One notification."""

    progress: float
    message: str


class Notices:
    """Turns the events of a call into notices, few enough for any client.

    Args:
        clock: A monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._step = 0
        self._stage = ""
        self._last = 0.0
        self._sent_at = 0.0

    def of(self, event: Event) -> Notice | None:
        """The notice for an event; None for an event without one."""
        if isinstance(event, Progress) and event.stage != MODEL_STAGE:
            return self._progress_notice(event)
        if isinstance(event, Progress):
            line = None if event.done else asking(event)
        elif isinstance(event, AnswerDelta | AnswerCompleted | RunCompleted):
            line = None
        else:
            line = fact(event)
        return self._next_step(line) if line else None

    def _progress_notice(self, event: Progress) -> Notice | None:
        words = STAGE_WORDS.get(event.stage, event.stage)
        if event.stage != self._stage:
            self._stage = event.stage
            return self._next_step(words)
        share = min(event.done / event.total, 0.999) if event.total else 0.0
        progress, now = self._step + share, self._clock()
        if progress <= self._last or now - self._sent_at < _MIN_INTERVAL_S:
            return None
        self._last, self._sent_at = progress, now
        return Notice(progress=progress, message=f"{words} {event.done:,} of {event.total:,}")

    def _next_step(self, line: str) -> Notice:
        self._step += 1
        self._last, self._sent_at = float(self._step), self._clock()
        return Notice(progress=self._last, message=one_line(line, 200))
