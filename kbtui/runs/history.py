"""What was asked and answered so far in a session, folded from its events, for the follow-ups to come."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.domain.events import (
    AnswerCompleted,
    ChartProduced,
    Event,
    QueryRouted,
    ReadingChosen,
    RequestClassified,
    RunCompleted,
    RunFailed,
    RunStarted,
)
from kbtui.regular_files import open_regular
from kbtui.sessions.lines import events_in, telling

MOST_TURNS: Final = 6
"""Turns remembered: a pronoun rarely means something said earlier than that."""

TAIL_BYTES: Final = 1 << 20
"""Of a session that is continued, the end that is looked at first; four times as much each time that was too little."""

MOST_BYTES: Final = 16 << 20
"""Of a session that is continued, the end that is looked at in the end, however large the file is."""

_TELLING = telling(
    *("run_started", "request_classified", "query_routed", "reading_chosen", "chart_produced"),
    *("answer_completed", "run_completed", "run_failed"),
)


class History:
    """The last turns; runs that were cancelled or failed are none. May be given the events of runs side by side."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Turn] = {}
        self._turns: tuple[Turn, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Oldest first."""
        return self._turns

    def clear(self) -> None:
        """Forget everything, runs that have not ended among it: another conversation begins."""
        with self._lock:
            self._open, self._turns = {}, ()

    def load(self, path: Path) -> None:
        """Take the last turns of a session file in place of those known; whatever is wrong with the file is left out.

        Only its end is read, so a session of any size is continued at once.
        """
        turns = turns_of(path)
        with self._lock:
            self._open, self._turns = {}, turns

    def follow(self, event: Event) -> None:
        """Take one event of any run."""
        with self._lock:
            self._fold(event)

    def _fold(self, event: Event) -> None:
        match event:
            case RunStarted():
                self._open[event.run_id] = Turn(query=event.query, standalone=event.query)
            case RequestClassified() if event.run_id in self._open:
                turn = self._open[event.run_id]
                self._open[event.run_id] = replace(
                    turn, request_type=event.request_type, standalone=event.standalone or turn.standalone
                )
            case QueryRouted() if event.standalone and event.run_id in self._open:
                turn = self._open[event.run_id]
                self._open[event.run_id] = replace(turn, standalone=event.standalone)
            case ReadingChosen() if event.sql and event.run_id in self._open:
                self._open[event.run_id] = replace(self._open[event.run_id], sql=event.sql, says=event.says)
            case ChartProduced() if event.run_id in self._open:
                turn = self._open[event.run_id]
                if turn.request_type == "visualization":
                    self._open[event.run_id] = replace(turn, chart=event.chart.type)
            case AnswerCompleted() if event.run_id in self._open:
                paths = tuple(dict.fromkeys(citation.path for citation in event.citations if citation.path))
                source = next((citation.source for citation in event.citations if citation.source), "")
                self._open[event.run_id] = replace(
                    self._open[event.run_id],
                    answer=event.markdown,
                    outcome=event.outcome,
                    paths=paths,
                    source=source or "",
                    statements=tuple((one.n, one.source, one.sql) for one in event.citations if one.source and one.sql),
                )
            case RunCompleted():
                if (done := self._open.pop(event.run_id, None)) is not None and done.answer:
                    self._turns = (*self._turns, done)[-MOST_TURNS:]
            case RunFailed():
                self._open.pop(event.run_id, None)
            case _:
                pass


def turns_of(path: Path) -> tuple[Turn, ...]:
    """The last turns of a session file, oldest first; none where it cannot be read."""
    read = TAIL_BYTES
    try:
        size = path.stat().st_size
        while True:
            turns = _folded(_lines(path, min(read, size), size))
            if len(turns) == MOST_TURNS or read >= min(size, MOST_BYTES):
                return turns
            read *= 4
    except OSError:
        return ()


def _lines(path: Path, count: int, size: int) -> list[bytes]:
    """The lines in the last ``count`` bytes that tell of a turn."""
    with open_regular(path) as file:
        file.seek(size - count, os.SEEK_SET)
        block = file.read(count)
    # Where the block begins inside a line, what is left of that line is no event.
    return [line for line in block.split(b"\n") if _TELLING.search(line)]


def _folded(lines: Iterable[bytes]) -> tuple[Turn, ...]:
    history = History()
    for event in events_in(lines):
        history.follow(event)
    return history.turns
