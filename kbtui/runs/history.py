"""The last questions and answers of a session, folded from its events, which follow-ups refer to."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

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
from kbtui.sessions.lines import events_in, kind_pattern

MAX_TURNS: Final = 6
"""Turns that are kept; pronouns rarely refer further back."""

TAIL_BYTES: Final = 1 << 20
"""Bytes that are first read from the end of a continued session, and four times as many each time they are too few."""

MAX_TAIL_BYTES: Final = 16 << 20
"""Bytes that are read at most from the end of a continued session."""

_TURN_KINDS = kind_pattern(
    *("run_started", "request_classified", "query_routed", "reading_chosen", "chart_produced"),
    *("answer_completed", "run_completed", "run_failed"),
)


class History:
    """The last turns of a conversation, folded from events; runs that failed or were cancelled are left out.

    The events of several runs may be interleaved.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, Turn] = {}
        self._turns: tuple[Turn, ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns, oldest first."""
        return self._turns

    def clear(self) -> None:
        """Begin a new conversation: drop all turns, and the runs that have not ended."""
        with self._lock:
            self._open, self._turns = {}, ()

    def load(self, path: Path) -> None:
        """Replace the turns by the last ones of a session file; lines that cannot be read are skipped.

        Only the end of the file is read, so that loading takes as long for a session of any size.
        """
        turns = turns_of(path)
        with self._lock:
            self._open, self._turns = {}, turns

    def follow(self, event: Event) -> None:
        """Add one event of any run."""
        with self._lock:
            self._fold(event)

    def _fold(self, event: Event) -> None:
        turn = self._open.get(event.run_id)
        match event:
            case RunStarted():
                self._open[event.run_id] = Turn(query=event.query, standalone=event.query)
            case RunCompleted():
                self._open.pop(event.run_id, None)
                if turn is not None and turn.answer:
                    self._turns = (*self._turns, turn)[-MAX_TURNS:]
            case RunFailed():
                self._open.pop(event.run_id, None)
            case _ if turn is not None:
                self._open[event.run_id] = replace(turn, **_changes(turn, event))


def _changes(turn: Turn, event: Event) -> dict[str, Any]:
    """The fields of a turn that an event of its run changes."""
    match event:
        case RequestClassified():
            return {"request_type": event.request_type, "standalone": event.standalone or turn.standalone}
        case QueryRouted(standalone=standalone) if standalone:
            return {"standalone": standalone}
        case ReadingChosen(sql=sql) if sql:
            return {"sql": sql, "says": event.says}
        case ChartProduced() if turn.request_type == "visualization":
            return {"chart": event.chart.type}
        case AnswerCompleted():
            cited = event.citations
            statements = ((citation.n, citation.source, citation.sql) for citation in cited)
            return {
                "answer": event.markdown,
                "outcome": event.outcome,
                "paths": tuple(dict.fromkeys(citation.path for citation in cited if citation.path)),
                "source": next((citation.source for citation in cited if citation.source), ""),
                "statements": tuple(statement for statement in statements if all(statement[1:])),
            }
        case _:
            return {}


def turns_of(path: Path) -> tuple[Turn, ...]:
    """The last turns of a session file, oldest first; empty where it cannot be read."""
    byte_count = TAIL_BYTES
    try:
        size = path.stat().st_size
        while True:
            turns = _turns_from(_lines(path, min(byte_count, size), size))
            if len(turns) == MAX_TURNS or byte_count >= min(size, MAX_TAIL_BYTES):
                return turns
            byte_count *= 4
    except OSError:
        return ()


def _lines(path: Path, count: int, size: int) -> list[bytes]:
    """The lines in the last ``count`` bytes whose events belong to turns."""
    with open_regular(path) as file:
        file.seek(size - count, os.SEEK_SET)
        block = file.read(count)
    # The block may begin inside a line, whose rest is no event.
    return [line for line in block.split(b"\n") if _TURN_KINDS.search(line)]


def _turns_from(lines: Iterable[bytes]) -> tuple[Turn, ...]:
    history = History()
    for event in events_in(lines):
        history.follow(event)
    return history.turns
