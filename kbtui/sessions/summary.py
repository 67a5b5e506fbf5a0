"""Summarises a session for lists; of a large file only both ends are read, so that lists stay fast."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.events import AnswerCompleted, Event, RunCompleted, RunFailed, RunStarted
from kbtui.errors import SessionError
from kbtui.regular_files import open_regular
from kbtui.sessions.lines import events_in, kind_pattern

MAX_WHOLE_BYTES = 4 << 20
"""Files up to this size are read whole; of larger ones both ends."""

END_BYTES = 256 << 10
PREVIEW_BYTES = 2 << 20

_SUMMARISED_KINDS = kind_pattern("run_started", "answer_completed", "run_completed", "run_failed")

SUFFIX: Final = ".jsonl"

MAX_SEARCHED_CHARS: Final = 256 << 10
"""Searchable characters of a session, so that a huge session does not slow down every search."""


class SessionSummary(Struct, frozen=True, kw_only=True, gc=False):
    """What lists show of a session.

    Attributes:
        started: Time when its first run began (ISO 8601, UTC); empty when unknown.
        last_at: Time when its last run began or ended, likewise.
        questions: Its questions in order; with ``runs_exact`` False there may be more.
        runs: Number of runs; a question asked twice counts twice.
        outcome: Outcome of its last run: that of the answer, ``failed``, ``cancelled`` or ``unfinished``.
        size: Size of the file in bytes.
        mtime_ns: Time when the file was last written, in nanoseconds.
        problem: Reason why it cannot be opened; empty where it can.
        name: Name that the user gave it; empty where it has none.
        pinned: Whether it is kept at the top of lists.
    """

    session_id: str
    folder: str
    started: str = ""
    last_at: str = ""
    questions: tuple[str, ...] = ()
    runs: int = 0
    runs_exact: bool = True
    kb: str = ""
    model: str = ""
    outcome: str = "unfinished"
    size: int = 0
    mtime_ns: int = 0
    problem: str = ""
    name: str = ""
    pinned: bool = False

    @property
    def path(self) -> Path:
        """Path of its file."""
        return Path(self.folder, self.session_id + SUFFIX)

    @property
    def query(self) -> str:
        """Its first question; empty when unknown."""
        return self.questions[0] if self.questions else ""

    @property
    def title(self) -> str:
        """Its name, else its first question, else its id."""
        return self.name or self.query or self.session_id


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPreview:
    """A question of a session with its answer in Markdown, empty where the first 2 MB contain none."""

    question: str = ""
    answer: str = ""

    def contains(self, words: Sequence[str]) -> bool:
        """Whether all words (case-folded) are in the question or the answer."""
        text = f"{self.question}\n{self.answer}".casefold()
        return all(word in text for word in words)


def summarise(path: Path, stat: os.stat_result) -> tuple[SessionSummary, str]:
    """The summary of a session file, and its searchable text (case-folded).

    A file that cannot be read raises no error: the summary says what is wrong with it.

    Args:
        stat: Status of the file, taken before this call; what is written later belongs to the next call.
    """
    summary_of_file = SessionSummary(
        session_id=path.stem, folder=str(path.parent), size=stat.st_size, mtime_ns=stat.st_mtime_ns
    )
    try:
        with open_regular(path) as file:
            lines, is_exact = _summarised_lines(file, stat.st_size)
    except OSError as error:
        return _with_search_text(replace(summary_of_file, problem=f"cannot be read: {error.strerror or error}"), ())
    events = list(events_in(lines))
    starts = [event for event in events if isinstance(event, RunStarted)]
    if not starts:
        problem = "the file is empty" if stat.st_size == 0 else "not a kbtui session"
        return _with_search_text(replace(summary_of_file, problem=problem), ())
    summary = replace(
        summary_of_file,
        started=starts[0].at,
        last_at=events[-1].at,
        questions=tuple(event.query for event in starts),
        runs=len({event.run_id for event in starts}),
        runs_exact=is_exact,
        kb=starts[-1].kb,
        model=starts[-1].model,
        outcome=_outcome(events),
    )
    return _with_search_text(summary, [event.markdown for event in events if isinstance(event, AnswerCompleted)])


def _with_search_text(summary: SessionSummary, answers: Sequence[str]) -> tuple[SessionSummary, str]:
    parts = (
        summary.session_id,
        summary.kb,
        summary.model,
        summary.outcome,
        summary.problem,
        *summary.questions,
        *answers,
    )
    return summary, "\n".join(parts)[:MAX_SEARCHED_CHARS].casefold()


def preview(path: Path, words: Sequence[str] = ()) -> SessionPreview:
    """The first question with its answer that contain all words (case-folded), else the first; reads at most 2 MB.

    Raises:
        SessionError: The file cannot be read.
    """
    try:
        with open_regular(path) as file:
            head = file.read(PREVIEW_BYTES)
    except OSError as error:
        raise SessionError(f"{path} cannot be read: {error.strerror or error}.") from error
    turns: dict[str, SessionPreview] = {}
    for event in events_in(_matching_lines(head)):
        if isinstance(event, RunStarted):
            turns.setdefault(event.run_id, SessionPreview(question=event.query))
        elif event.run_id in turns and (answer := _answer(event)):
            turns[event.run_id] = SessionPreview(question=turns[event.run_id].question, answer=answer)
    first = next(iter(turns.values()), SessionPreview())
    return next((turn for turn in turns.values() if turn.contains(words)), first)


def _answer(event: Event) -> str:
    if isinstance(event, AnswerCompleted):
        return "" if event.is_early else event.markdown
    return event.message if isinstance(event, RunFailed) else ""


def _summarised_lines(file: BinaryIO, size: int) -> tuple[list[bytes], bool]:
    """The lines of runs and answers, and whether the whole file was read for them."""
    if size <= MAX_WHOLE_BYTES:
        return _matching_lines(file.read(MAX_WHOLE_BYTES + 1)), True
    head = file.read(END_BYTES)
    file.seek(-END_BYTES, os.SEEK_END)
    tail = file.read(END_BYTES)
    # The tail begins inside a line, whose rest is no event.
    return _matching_lines(head[: head.rfind(b"\n") + 1]) + _matching_lines(tail[tail.find(b"\n") + 1 :]), False


def _matching_lines(block: bytes) -> list[bytes]:
    return [line for line in block.split(b"\n") if _SUMMARISED_KINDS.search(line)]


def _outcome(events: list[Event]) -> str:
    last = events[-1]
    if isinstance(last, RunFailed):
        return "cancelled" if last.error == "Cancelled" else "failed"
    if isinstance(last, RunCompleted):
        answers = [event for event in events if isinstance(event, AnswerCompleted) and event.run_id == last.run_id]
        return answers[-1].outcome if answers else "answered"
    return "unfinished"
