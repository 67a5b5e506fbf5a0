"""One line about a session for lists, from the ends of its file: a list of big sessions must still come at once."""

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
from kbtui.sessions.lines import events_in, telling

WHOLE_BELOW = 4 << 20
"""Files up to this size (bytes) are scanned whole; of larger ones only both ends are."""

END_BYTES = 256 << 10
PREVIEW_BYTES = 2 << 20

_MARKS = telling("run_started", "answer_completed", "run_completed", "run_failed")


SUFFIX: Final = ".jsonl"

SEARCHED_CHARS: Final = 256 << 10
"""Of the questions and answers of a session, so that one huge session does not slow down every search."""


class SessionSummary(Struct, frozen=True, kw_only=True, gc=False):
    """A session as lists show it.

    Attributes:
        started: When its first run began (ISO 8601, UTC); empty when unknown.
        last_at: When the last of its runs began or ended, likewise.
        questions: What was asked in it, in order; with ``runs_exact`` False there may be more.
        runs: Questions asked in it, one asked twice counted twice.
        outcome: Of its last run: an answer's outcome, ``failed``, ``cancelled`` or ``unfinished``.
        size: Of the file, in bytes.
        mtime_ns: When it was last written.
        problem: Why it cannot be opened; empty when it can.
        name: What its owner calls it; empty where it has no name.
        pinned: Kept on top of the lists.
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
        """The file of its events."""
        return Path(self.folder, self.session_id + SUFFIX)

    @property
    def query(self) -> str:
        """Its first question; empty when unknown."""
        return self.questions[0] if self.questions else ""

    @property
    def title(self) -> str:
        """What a list calls it: its name, its first question, or at least its id."""
        return self.name or self.query or self.session_id


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPreview:
    """A question of a session and its answer (Markdown; empty when it has none within the first 2 MB)."""

    question: str = ""
    answer: str = ""

    def holds(self, words: Sequence[str]) -> bool:
        """True when all words (case-folded) are in the question or the answer."""
        text = f"{self.question}\n{self.answer}".casefold()
        return all(word in text for word in words)


def look(path: Path, stat: os.stat_result) -> tuple[SessionSummary, str]:
    """The summary of a session file, and the text in which its questions and answers are searched (case-folded).

    Never raises for a bad file: the summary carries the problem.

    Args:
        stat: Of the file, taken before this call; what was written since is found by the next one.
    """
    bare = SessionSummary(session_id=path.stem, folder=str(path.parent), size=stat.st_size, mtime_ns=stat.st_mtime_ns)
    try:
        with open_regular(path) as file:
            lines, exact = _telling_lines(file, stat.st_size)
    except OSError as error:
        return _searchable(replace(bare, problem=f"cannot be read: {error.strerror or error}"), ())
    events = list(events_in(lines))
    starts = [event for event in events if isinstance(event, RunStarted)]
    if not starts:
        problem = "the file is empty" if stat.st_size == 0 else "not a kbtui session"
        return _searchable(replace(bare, problem=problem), ())
    summary = replace(
        bare,
        started=starts[0].at,
        last_at=events[-1].at,
        questions=tuple(event.query for event in starts),
        runs=len({event.run_id for event in starts}),
        runs_exact=exact,
        kb=starts[-1].kb,
        model=starts[-1].model,
        outcome=_outcome(events),
    )
    return _searchable(summary, [event.markdown for event in events if isinstance(event, AnswerCompleted)])


def _searchable(one: SessionSummary, answers: Sequence[str]) -> tuple[SessionSummary, str]:
    told = (one.session_id, one.kb, one.model, one.outcome, one.problem, *one.questions, *answers)
    return one, "\n".join(told)[:SEARCHED_CHARS].casefold()


def preview(path: Path, words: Sequence[str] = ()) -> SessionPreview:
    """The first question and answer that hold all the words (case-folded), else the first; reads at most 2 MB.

    Raises:
        SessionError: The file cannot be read.
    """
    try:
        with open_regular(path) as file:
            head = file.read(PREVIEW_BYTES)
    except OSError as error:
        raise SessionError(f"{path} cannot be read: {error.strerror or error}.") from error
    turns: dict[str, SessionPreview] = {}
    for event in events_in(_marked(head)):
        if isinstance(event, RunStarted):
            turns.setdefault(event.run_id, SessionPreview(question=event.query))
        elif event.run_id in turns and (answer := _answer(event)):
            turns[event.run_id] = SessionPreview(question=turns[event.run_id].question, answer=answer)
    first = next(iter(turns.values()), SessionPreview())
    return next((turn for turn in turns.values() if turn.holds(words)), first)


def _answer(event: Event) -> str:
    if isinstance(event, AnswerCompleted):
        return "" if event.is_early else event.markdown
    return event.message if isinstance(event, RunFailed) else ""


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
