"""Plays a recording: where it stands, how fast it goes, and the state at any point.

No thread and no timer lives here: whoever shows it asks ``advance`` now and then, and the injected clock says how far
to go. The state at a position is always `reduce` over the events before it, so stepping back is exact.
"""

from __future__ import annotations

import bisect
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from kbtui.controller.view_state import EMPTY, RunView, StageName, reduce
from kbtui.domain.events import Event
from kbtui.sessions.recording import by_run

MAX_SPEED = math.inf
SPEEDS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, MAX_SPEED)

LONGEST_PAUSE_S = 3.0
"""Longer waits (a model thinking, a reader reading) are cut to this when played."""

SHORTEST_PAUSE_S = 0.12
"""An offline run is over in a fifth of a second: each new fact stays at least this long, so that an eye can follow."""

_CHECKPOINT_EVERY = 64
_STREAMED = frozenset({"answer_delta", "progress"})

_STAGE_OF: dict[str, StageName] = {
    "request_classified": "intent",
    "query_routed": "sub_questions",
    "plan_created": "plan_steps",
    "plan_adjusted": "plan_steps",
    "step_started": "plan_steps",
    "step_finished": "plan_steps",
    "tool_started": "tool_calls",
    "tool_finished": "tool_calls",
    "evidence_graded": "evidence",
    "table_produced": "answer",
    "chart_produced": "answer",
    "answer_delta": "answer",
    "answer_completed": "answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpan:
    """One run of a recording: events ``start`` to ``stop`` (exclusive) of the player's."""

    run_id: str
    query: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A place worth jumping to: after the event that enters ``stage`` (again, in a later pass)."""

    position: int
    stage: StageName


class Player:
    """A position in a recording, moved by hand or by time.

    ``position`` is the number of events shown: 0 is before the first, ``total`` after the last.

    Args:
        events: Of one session; runs written side by side are put one after the other.
        clock: Seconds, only ever growing.
        speed: Times faster than it happened; `MAX_SPEED` waits for nothing.
    """

    def __init__(
        self, events: Sequence[Event], *, clock: Callable[[], float] = time.monotonic, speed: float = 1.0
    ) -> None:
        runs = by_run(events)
        self.events: tuple[Event, ...] = tuple(event for run in runs for event in run)
        self.runs = _spans(runs)
        self.marks = _marks(self.events, self.runs)
        self.recorded_s = _recorded(self.events, self.runs)
        self._due = _due(self.events, self.runs)
        self._clock = clock
        self._speed = speed
        self._position = 0
        self._playing = False
        self._played_s = 0.0
        self._since = clock()
        self._cache: tuple[int, RunView] = (0, EMPTY)
        self._checkpoints: dict[int, RunView] = {}

    @property
    def total(self) -> int:
        """The number of events."""
        return len(self.events)

    @property
    def position(self) -> int:
        """How many events are shown."""
        return self._position

    @property
    def playing(self) -> bool:
        """True while time moves the position."""
        return self._playing

    @property
    def speed(self) -> float:
        """Times faster than it happened."""
        return self._speed

    @property
    def at_end(self) -> bool:
        """True after the last event."""
        return self._position >= self.total

    @property
    def run(self) -> int:
        """The index in ``runs`` of the run that is shown."""
        starts = [span.start for span in self.runs]
        return max(0, bisect.bisect_right(starts, max(0, self._position - 1)) - 1)

    @property
    def elapsed_s(self) -> float:
        """Recorded seconds from the first event of this run to the one shown."""
        return self.recorded_s[self._position - 1] if self._position else 0.0

    @property
    def run_length_s(self) -> float:
        """Recorded seconds from the first event of this run to its last."""
        return self.recorded_s[self.runs[self.run].stop - 1] if self.runs else 0.0

    @property
    def state(self) -> RunView:
        """The run as it was at this position: `reduce` over the events before it."""
        known, view = self._cache
        start = self.runs[self.run].start if self.runs else 0
        if not start <= known <= self._position:
            known, view = self._nearest_checkpoint(start)
        for index in range(known, self._position):
            if index % _CHECKPOINT_EVERY == 0:
                self._checkpoints[index] = view
            view = reduce(view, self.events[index])
        self._cache = (self._position, view)
        return view

    def play(self) -> None:
        """Let time move the position; from the end, play again from the beginning."""
        if self.at_end:
            self._position = 0
        self._anchor()
        self._playing = True

    def pause(self) -> None:
        """Stay here."""
        self.advance()
        self._playing = False

    def toggle(self) -> None:
        """Play or pause."""
        if self._playing:
            self.pause()
        else:
            self.play()

    def advance(self) -> bool:
        """Move to where the clock says; True when the position changed."""
        if not self._playing:
            return False
        before = self._position
        if self._speed == MAX_SPEED:
            self._position = self.total
        else:
            reached = self._played_s + (self._clock() - self._since) * self._speed
            self._position = max(before, bisect.bisect_right(self._due, reached))
        if self.at_end:
            self._playing = False
        return self._position != before

    @property
    def wait_s(self) -> float | None:
        """Seconds until the next event is due; None when time moves nothing."""
        if not self._playing or self.at_end:
            return None
        if self._speed == MAX_SPEED:
            return 0.0
        reached = self._played_s + (self._clock() - self._since) * self._speed
        return max(0.0, (self._due[self._position] - reached) / self._speed)

    def set_speed(self, speed: float) -> None:
        """Go at another speed from here on.

        Raises:
            ValueError: ``speed`` is not above 0.
        """
        if not speed > 0:
            raise ValueError(speed)
        self.advance()
        reached = self._played_s + (self._clock() - self._since) * self._speed if self._playing else None
        self._speed = speed
        if reached is not None and not math.isnan(reached) and reached != math.inf:
            self._played_s, self._since = reached, self._clock()
        else:
            self._anchor()

    def faster(self) -> None:
        """The next of `SPEEDS`."""
        self.set_speed(next((speed for speed in SPEEDS if speed > self._speed), SPEEDS[-1]))

    def slower(self) -> None:
        """The one of `SPEEDS` before."""
        self.set_speed(next((speed for speed in reversed(SPEEDS) if speed < self._speed), SPEEDS[0]))

    def seek(self, position: int) -> None:
        """Go to a position; beyond the ends means the ends."""
        self._position = max(0, min(self.total, position))
        self._anchor()
        if self.at_end:
            self._playing = False

    def step(self, by: int) -> None:
        """Pause, and go some events forward or back."""
        self._playing = False
        self.seek(self._position + by)

    def next_stage(self) -> None:
        """Go to the next place where a stage begins, or to the end of the run, or on into the next run."""
        self.seek(next((place for place in self._places() if place > self._position), self.total))

    def previous_stage(self) -> None:
        """Go back to the last place where a stage began."""
        self.seek(next((place for place in reversed(self._places()) if place < self._position), 0))

    def to_stage(self, stage: StageName) -> bool:
        """Go to where this run enters ``stage`` first; False when it never does."""
        if not self.runs:
            return False
        span = self.runs[self.run]
        for mark in self.marks:
            if span.start < mark.position <= span.stop and mark.stage == stage:
                self.seek(mark.position)
                return True
        return False

    def to_run(self, index: int) -> None:
        """Go to the beginning of a run, its question shown; indexes beyond the ends mean the ends."""
        if self.runs:
            self.seek(self.runs[max(0, min(len(self.runs) - 1, index))].start + 1)

    def _places(self) -> list[int]:
        edges = {span.start + 1 for span in self.runs} | {span.stop for span in self.runs}
        return sorted(edges | {mark.position for mark in self.marks})

    def _anchor(self) -> None:
        """Time counts from the position's own place in time, so the next event is as far away as it was recorded."""
        self._played_s = self._due[self._position - 1] if self._position else 0.0
        self._since = self._clock()

    def _nearest_checkpoint(self, start: int) -> tuple[int, RunView]:
        """The closest state to begin from, not before ``start``, where a run (and so a state) begins anew."""
        index = self._position // _CHECKPOINT_EVERY * _CHECKPOINT_EVERY
        while index > start:
            if (view := self._checkpoints.get(index)) is not None:
                return index, view
            index -= _CHECKPOINT_EVERY
        return start, EMPTY


def _spans(runs: Sequence[Sequence[Event]]) -> tuple[RunSpan, ...]:
    spans: list[RunSpan] = []
    start = 0
    for run in runs:
        query = next((event.query for event in run if event.kind == "run_started"), "")
        spans.append(RunSpan(run_id=run[0].run_id, query=query, start=start, stop=start + len(run)))
        start += len(run)
    return tuple(spans)


def _marks(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[Mark, ...]:
    marks: list[Mark] = []
    for span in runs:
        entered: StageName | None = None
        for index in range(span.start, span.stop):
            stage = _STAGE_OF.get(events[index].kind)
            if stage is None or stage == entered:
                continue
            if entered is None and stage == "sub_questions":  # one event tells both, where no request was classified
                marks.append(Mark(position=index + 1, stage="intent"))
            marks.append(Mark(position=index + 1, stage=stage))
            entered = stage
    return tuple(marks)


def _recorded(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[float, ...]:
    """Seconds of each event after the first of its run, as recorded; a clock set back never makes time go back."""
    times: list[float] = []
    for span in runs:
        latest = 0.0
        first = datetime.fromisoformat(events[span.start].at)
        for event in events[span.start : span.stop]:
            latest = max(latest, (datetime.fromisoformat(event.at) - first).total_seconds())
            times.append(latest)
    return tuple(times)


def _due(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[float, ...]:
    """When each event is due at speed 1, in seconds from the start of the whole; never decreasing."""
    recorded = _recorded(events, runs)
    starts = {span.start for span in runs}
    due: list[float] = []
    at = 0.0
    for index, event in enumerate(events):
        if index in starts:
            gap = LONGEST_PAUSE_S if index else 0.0
        else:
            least = 0.0 if event.kind in _STREAMED else SHORTEST_PAUSE_S
            gap = max(least, min(LONGEST_PAUSE_S, recorded[index] - recorded[index - 1]))
        at += gap
        due.append(at)
    return tuple(due)
