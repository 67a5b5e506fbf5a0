"""How far a call is, as notifications whose figure only grows: a whole number a step, the fraction is of its work."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from kbtui.cli.narration import STAGE_WORDS, asking, fact
from kbtui.domain.events import MODEL_STAGE, AnswerCompleted, AnswerDelta, Event, Progress, RunCompleted
from kbtui.text.terminal import one_line

_EVERY_S: Final = 0.2
"""Between two notices of one step."""


class Notice(Struct, frozen=True, kw_only=True):
    """One notification."""

    progress: float
    message: str


class Notices:
    """Turns the events of a call into notices, few enough for any client.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._step = 0
        self._stage = ""
        self._last = 0.0
        self._told_at = 0.0

    def of(self, event: Event) -> Notice | None:
        """What to tell of an event; None where it adds nothing."""
        if isinstance(event, Progress) and event.stage != MODEL_STAGE:
            return self._counted(event)
        if isinstance(event, Progress):
            line = None if event.done else asking(event)
        elif isinstance(event, AnswerDelta | AnswerCompleted | RunCompleted):
            line = None
        else:
            line = fact(event)
        return self._next(line) if line else None

    def _counted(self, event: Progress) -> Notice | None:
        words = STAGE_WORDS.get(event.stage, event.stage)
        if event.stage != self._stage:
            self._stage = event.stage
            return self._next(words)
        share = min(event.done / event.total, 0.999) if event.total else 0.0
        progress, now = self._step + share, self._clock()
        if progress <= self._last or now - self._told_at < _EVERY_S:
            return None
        self._last, self._told_at = progress, now
        return Notice(progress=progress, message=f"{words} {event.done:,} of {event.total:,}")

    def _next(self, line: str) -> Notice:
        self._step += 1
        self._last, self._told_at = float(self._step), self._clock()
        return Notice(progress=self._last, message=one_line(line, 200))
