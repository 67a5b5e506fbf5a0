"""The report of a run of the indexer, and its progress as events, at a limited rate."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kbtui.domain.events import Progress
from kbtui.domain.ports import Emit
from kbtui.text.terminal import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """The results of a run.

    Attributes:
        files: Files in the index now.
        chunks: Chunks in the index now.
        relations: Relations in the index now.
        embedded: Texts embedded by this run.
        reused: Chunks of new, changed or renamed files whose text has a vector already, or is embedded for another.
        deleted_files: Files removed from the index because they are no longer in the folder.
        skipped: Number of files that the walk left out, by reason.
        binary: Number of binary files among them, by extension.
        unreadable: Paths of files that could not be read.
        rebuilt: Why everything was indexed anew; else empty.
        left_out: Sentences on files that are not indexed.
        nothing_to_read: Message and hint where there is no file to index; else empty.
    """

    files: int
    chunks: int
    relations: int
    embedded: int
    reused: int
    deleted_files: int
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    duration_s: float
    rebuilt: str = ""
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()
    binary: Mapping[str, int] = field(default_factory=dict)


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
