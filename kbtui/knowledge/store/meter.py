"""Progress of an index run as events: few enough for any reader, often enough for a smooth bar."""

from __future__ import annotations

import time
from typing import Final

from kbtui.domain.events import Progress
from kbtui.domain.ports import Emit
from kbtui.text.terminal import one_line

_EVENTS_PER_S: Final = 20
_MESSAGE_WIDTH: Final = 80


class Meter:
    """At most 20 events a second, but every change of stage, every end of one and every word about the model."""

    def __init__(self, emit: Emit) -> None:
        self.emit = emit
        self._stage = ""
        self._message = ""
        self._next = 0.0

    def report(self, stage: str, done: int, total: int | None = None, message: str = "") -> None:
        """State how far ``stage`` is; ``message`` may hold anything, it is cleaned."""
        now = time.monotonic()
        is_news = stage != self._stage or done == total or (stage == "model" and message != self._message)
        if not is_news and now < self._next:
            return
        self._stage, self._message, self._next = stage, message, now + 1 / _EVENTS_PER_S
        self.emit(Progress(stage=stage, done=done, total=total, message=one_line(message, _MESSAGE_WIDTH)))

    def waiting(self) -> None:
        """State that another process holds the index."""
        self.report("wait", 0, None, "another kbtui is indexing this folder")
