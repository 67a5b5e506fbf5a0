"""One line about a session for lists, from the ends of its file: a list of big sessions must still come at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from kbtui.domain.events import AnswerCompleted, Event, RunCompleted, RunFailed, RunStarted
from kbtui.errors import SessionError
from kbtui.regular_files import open_regular
from kbtui.sessions.lines import events_in, telling

WHOLE_BELOW = 4 << 20
"""Files up to this size (bytes) are scanned whole; of larger ones only both ends are."""

END_BYTES = 256 << 10
PREVIEW_BYTES = 2 << 20

_MARKS = telling("run_started", "answer_completed", "run_completed", "run_failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """A session as lists show it.

    Attributes:
        started: When its first run began (ISO 8601, UTC); empty when unknown.
        query: Its first question.
        runs: Questions asked in it; with ``runs_exact`` False there may be more.
        outcome: Of its last run: an answer's outcome, ``failed``, ``cancelled`` or ``unfinished``.
        size: Of the file, in bytes.
        mtime_ns: When it was last written.
        problem: Why it cannot be opened; empty when it can.
    """

    session_id: str
    path: Path
    started: str = ""
    query: str = ""
    runs: int = 0
    runs_exact: bool = True
    kb: str = ""
    model: str = ""
    outcome: str = "unfinished"
    size: int = 0
    mtime_ns: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPreview:
    """The first question of a session and its answer (Markdown; empty when it has none within the first 2 MB)."""

    question: str = ""
    answer: str = ""


def summarize(path: Path) -> SessionSummary:
    """Look at the ends of a session file. Never raises for a bad file: the summary carries the problem."""
    try:
        stat = path.stat()
        with open_regular(path) as file:
            lines, exact = _telling_lines(file, stat.st_size)
    except OSError as error:
        return SessionSummary(session_id=path.stem, path=path, problem=f"cannot be read: {error.strerror or error}")
    events = list(events_in(lines))
    starts = [event for event in events if isinstance(event, RunStarted)]
    if not starts:
        problem = "the file is empty" if stat.st_size == 0 else "not a kbtui session"
        return SessionSummary(
            session_id=path.stem, path=path, size=stat.st_size, mtime_ns=stat.st_mtime_ns, problem=problem
        )
    return SessionSummary(
        session_id=path.stem,
        path=path,
        started=starts[0].at,
        query=starts[0].query,
        runs=len({event.run_id for event in starts}),
        runs_exact=exact,
        kb=starts[-1].kb,
        model=starts[-1].model,
        outcome=_outcome(events),
        size=stat.st_size,
        mtime_ns=stat.st_mtime_ns,
    )


def preview(path: Path) -> SessionPreview:
    """The first question and answer; reads at most 2 MB.

    Raises:
        SessionError: The file cannot be read.
    """
    try:
        with open_regular(path) as file:
            head = file.read(PREVIEW_BYTES)
    except OSError as error:
        raise SessionError(f"{path} cannot be read: {error.strerror or error}.") from error
    question, run_id = "", None
    for event in events_in(_marked(head)):
        if isinstance(event, RunStarted):
            if run_id is not None:
                break
            question, run_id = event.query, event.run_id
        elif isinstance(event, AnswerCompleted) and event.run_id == run_id and not event.is_early:
            return SessionPreview(question=question, answer=event.markdown)
        elif isinstance(event, RunFailed) and event.run_id == run_id:
            return SessionPreview(question=question, answer=event.message)
    return SessionPreview(question=question)


def _telling_lines(file: BinaryIO, size: int) -> tuple[list[bytes], bool]:
    """The lines that begin or end something, and whether they are all of them."""
    if size <= WHOLE_BELOW:
        return _marked(file.read(WHOLE_BELOW + 1)), True
    head = file.read(END_BYTES)
    file.seek(-END_BYTES, os.SEEK_END)
    tail = file.read(END_BYTES)
    # The block of the tail begins inside a line; what is left of that line is no event.
    return _marked(head[: head.rfind(b"\n") + 1]) + _marked(tail[tail.find(b"\n") + 1 :]), False


def _marked(block: bytes) -> list[bytes]:
    return [line for line in block.split(b"\n") if _MARKS.search(line)]


def _outcome(events: list[Event]) -> str:
    last = events[-1]
    if isinstance(last, RunFailed):
        return "cancelled" if last.error == "Cancelled" else "failed"
    if isinstance(last, RunCompleted):
        answers = [event for event in events if isinstance(event, AnswerCompleted) and event.run_id == last.run_id]
        return answers[-1].outcome if answers else "answered"
    return "unfinished"
