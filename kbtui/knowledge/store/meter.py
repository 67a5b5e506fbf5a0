"""Emits the progress of an index run as events, at a limited rate."""

from __future__ import annotations

import time
from typing import Final

from kbtui.domain.events import Progress
from kbtui.domain.ports import Emit
from kbtui.text.terminal import one_line

_EVENTS_PER_S: Final = 20
_MAX_MESSAGE_CELLS: Final = 80


class Meter:
    """Emits at most 20 events a second, but always a new stage, the end of a stage, and messages about the model."""

    def __init__(self, emit: Emit) -> None:
        self.emit = emit
        self._stage = ""
        self._message = ""
        self._next = 0.0

    def report(self, stage: str, done: int, total: int | None = None, message: str = "") -> None:
        """Report the progress of ``stage``; ``message`` is cleaned."""
        now = time.monotonic()
        is_news = stage != self._stage or done == total or (stage == "model" and message != self._message)
        if not is_news and now < self._next:
            return
        self._stage, self._message, self._next = stage, message, now + 1 / _EVENTS_PER_S
        self.emit(Progress(stage=stage, done=done, total=total, message=one_line(message, _MAX_MESSAGE_CELLS)))

    def waiting(self) -> None:
        """Report that another process holds the lock of the index."""
        self.report("wait", 0, None, "another kbtui is indexing this folder")
