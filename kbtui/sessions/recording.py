"""Reads and checks a session file line by line, and reports the first line that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from kbtui.domain.codec import decode
from kbtui.domain.events import FINAL_KINDS, VERSION, Event, RunStarted
from kbtui.errors import SessionError
from kbtui.regular_files import open_regular

MAX_LINE_BYTES = 16 << 20
"""A longer line shows that a file is no session, so that a foreign file without line ends is not read whole."""


class LineProblem(Struct, frozen=True, kw_only=True):
    """The first line that cannot be used, with the reason."""

    line_number: int
    message: str


class Recording(Struct, frozen=True, kw_only=True):
    """The events of a session file, up to its end or to the first line that is wrong.

    Attributes:
        events: In the order of the file.
        problem: None where every line was good.
    """

    path: Path
    events: tuple[Event, ...]
    problem: LineProblem | None = None

    @property
    def runs(self) -> tuple[tuple[Event, ...], ...]:
        """The events of each run; runs in the order in which they began."""
        return by_run(self.events)


def by_run(events: Iterable[Event]) -> tuple[tuple[Event, ...], ...]:
    """Events grouped by ``run_id``, in order of first appearance; two programs may write one session at once."""
    runs: dict[str, list[Event]] = {}
    for event in events:
        runs.setdefault(event.run_id, []).append(event)
    return tuple(tuple(run) for run in runs.values())


def read(path: Path) -> Recording:
    """Read and check a session file.

    Raises:
        SessionError: It cannot be opened, is empty, or its first line is already wrong (the message names the line).
    """
    try:
        with open_regular(path) as file:
            return _read(path, file)
    except OSError as error:
        raise SessionError(
            f"{path} cannot be read: {error.strerror or error}.", "Check the name and its permissions."
        ) from error


def _read(path: Path, file: BinaryIO) -> Recording:
    events: list[Event] = []
    expected: dict[str, int] = {}
    ended: set[str] = set()
    problem: LineProblem | None = None
    for number, line, is_complete in _lines(file):
        try:
            event = _event(line, is_complete)
            _check_order(event, expected, ended)
        except SessionError as error:
            problem = LineProblem(line_number=number, message=error.message)
            break
        events.append(event)
        expected[event.run_id] = event.seq + 1
        if event.kind in FINAL_KINDS:
            ended.add(event.run_id)
    if not events:
        if problem is None:
            raise SessionError(f"{path} is empty.", "`kbtui sessions list` shows the sessions there are.")
        raise SessionError(
            f"{path}, line {problem.line_number}: {problem.message}",
            "Only files that kbtui recorded can be opened: `kbtui sessions list` shows them.",
        )
    return Recording(path=path, events=tuple(events), problem=problem)


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES):
        number += 1
        if line.strip():
            yield number, line, line.endswith(b"\n")


def _event(line: bytes, is_complete: bool) -> Event:
    if not is_complete and len(line) >= MAX_LINE_BYTES:
        raise SessionError(f"Not a kbtui event: the line is longer than {MAX_LINE_BYTES >> 20} MB.")
    try:
        event = decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SessionError("Not a kbtui event: it is not UTF-8 text.") from error
    except SessionError as error:
        if not is_complete:
            raise SessionError("The line is cut off: the recording stopped while it was written.") from error
        raise
    if event.v > VERSION:
        raise SessionError(f"Recorded by a newer kbtui (events of version {event.v}; this one knows {VERSION}).")
    _check_time(event.at)
    return event


def _check_time(at: str) -> None:
    """Raise `SessionError` for a time without a zone, which could not be compared with other times later."""
    try:
        zoned = datetime.fromisoformat(at).tzinfo is not None
    except ValueError:
        zoned = False
    if not zoned:
        raise SessionError(f"Not a kbtui event: at: {at!r} is no ISO 8601 time with a zone.")


def _check_order(event: Event, expected: dict[str, int], ended: set[str]) -> None:
    name = event.run_id or "without a name"
    if event.run_id in ended:
        raise SessionError(f"An event after the end of run {name}.")
    if event.run_id not in expected and not isinstance(event, RunStarted):
        raise SessionError(f"Run {name} begins with {event.kind}, not with run_started.")
    expected_seq = expected.get(event.run_id, 0)
    if event.seq != expected_seq:
        raise SessionError(f"Run {name} goes from event {expected_seq - 1} to event {event.seq}: lines are missing.")
