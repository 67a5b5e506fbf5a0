"""Plays a recording: its position, its speed, and the view of the run at each position.

The player has no thread or timer: its user calls ``advance`` regularly, and the injected clock determines how far the
position moves. The view at a position is `reduce` over the events before it, so stepping back is exact.
"""

from __future__ import annotations

import bisect
import math
import time
from collections.abc import Callable, Sequence

from kbtui.domain.events import Event
from kbtui.sessions.recording import by_run
from kbtui.view.folding import reduce
from kbtui.view.timeline import due_seconds, recorded_seconds, run_spans, stage_marks
from kbtui.view.view_state import EMPTY, RunView

MAX_SPEED = math.inf
SPEEDS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, MAX_SPEED)


class Player:
    """A position in a recording, moved by commands or by time.

    Attributes:
        position: Number of events shown, from 0 to ``total``.
        playing: Whether time moves the position.
        speed: Factor over recorded time.

    Args:
        events: Events of one session; interleaved runs are put one after the other.
        clock: Monotonic time in seconds.
        speed: Factor over recorded time; `MAX_SPEED` never waits.
    """

    def __init__(
        self, events: Sequence[Event], *, clock: Callable[[], float] = time.monotonic, speed: float = 1.0
    ) -> None:
        runs = by_run(events)
        self.events: tuple[Event, ...] = tuple(event for run in runs for event in run)
        self.runs = run_spans(runs)
        self.marks = stage_marks(self.events, self.runs)
        self.recorded_s = recorded_seconds(self.events, self.runs)
        self._due = due_seconds(self.events, self.runs)
        self._clock = clock
        self.speed = speed
        self.position = 0
        self.playing = False
        self._played_s = 0.0
        self._since = clock()
        # The view after each event, computed on demand.
        self._states: list[RunView] = [EMPTY]

    @property
    def total(self) -> int:
        """The number of events."""
        return len(self.events)

    @property
    def at_end(self) -> bool:
        """Whether all events are shown."""
        return self.position >= self.total

    @property
    def run(self) -> int:
        """The index in ``runs`` of the current run."""
        starts = [span.start for span in self.runs]
        return max(0, bisect.bisect_right(starts, max(0, self.position - 1)) - 1)

    @property
    def elapsed_s(self) -> float:
        """Recorded seconds from the first event of the current run to the last shown one."""
        return self.recorded_s[self.position - 1] if self.position else 0.0

    @property
    def run_length_s(self) -> float:
        """Recorded seconds from the first event of the current run to its last."""
        return self.recorded_s[self.runs[self.run].stop - 1] if self.runs else 0.0

    @property
    def state(self) -> RunView:
        """The view of the run at this position: `reduce` over the events before it."""
        while len(self._states) <= self.position:
            self._states.append(reduce(self._states[-1], self.events[len(self._states) - 1]))
        return self._states[self.position]

    def play(self) -> None:
        """Start playing; at the end, start again from the beginning."""
        if self.at_end:
            self.position = 0
        self._restart_clock()
        self.playing = True

    def pause(self) -> None:
        """Stop playing at the current position."""
        self.advance()
        self.playing = False

    def toggle(self) -> None:
        """Play or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def advance(self) -> bool:
        """Move the position to the current time; returns whether it changed."""
        if not self.playing:
            return False
        before = self.position
        if self.speed == MAX_SPEED:
            self.position = self.total
        else:
            self.position = max(before, bisect.bisect_right(self._due, self._reached_s()))
        if self.at_end:
            self.playing = False
        return self.position != before

    @property
    def wait_s(self) -> float | None:
        """Seconds until the next event is due; None if the player is paused or at its end."""
        if not self.playing or self.at_end:
            return None
        if self.speed == MAX_SPEED:
            return 0.0
        return max(0.0, (self._due[self.position] - self._reached_s()) / self.speed)

    def set_speed(self, speed: float) -> None:
        """Change the speed from the current position on.

        Raises:
            ValueError: ``speed`` is not above 0.
        """
        if not speed > 0:
            raise ValueError(speed)
        self.advance()
        reached = self._reached_s() if self.playing else None
        self.speed = speed
        if reached is not None and not math.isnan(reached) and reached != math.inf:
            self._played_s, self._since = reached, self._clock()
        else:
            self._restart_clock()

    def faster(self) -> None:
        """Change to the next higher of `SPEEDS`."""
        self.set_speed(next((speed for speed in SPEEDS if speed > self.speed), SPEEDS[-1]))

    def slower(self) -> None:
        """Change to the next lower of `SPEEDS`."""
        self.set_speed(next((speed for speed in reversed(SPEEDS) if speed < self.speed), SPEEDS[0]))

    def seek(self, position: int) -> None:
        """Go to a position, clamped to the recording."""
        self.position = max(0, min(self.total, position))
        self._restart_clock()
        if self.at_end:
            self.playing = False

    def step(self, by: int) -> None:
        """Pause, and move by a number of events."""
        self.playing = False
        self.seek(self.position + by)

    def next_stage(self) -> None:
        """Go to the next start of a stage, start of a run or end of a run."""
        self.seek(next((stop for stop in self._stops() if stop > self.position), self.total))

    def previous_stage(self) -> None:
        """Go back to the previous start of a stage, start of a run or end of a run."""
        self.seek(next((stop for stop in reversed(self._stops()) if stop < self.position), 0))

    def to_run(self, index: int) -> None:
        """Go to the start of a run, where its question is shown; the index is clamped."""
        if self.runs:
            self.seek(self.runs[max(0, min(len(self.runs) - 1, index))].start + 1)

    def _stops(self) -> list[int]:
        edges = {span.start + 1 for span in self.runs} | {span.stop for span in self.runs}
        return sorted(edges | {mark.position for mark in self.marks})

    def _reached_s(self) -> float:
        """The point in playing time, in seconds, that the clock has reached."""
        return self._played_s + (self._clock() - self._since) * self.speed

    def _restart_clock(self) -> None:
        """Count time from the position's own due time, so that the next event comes after the recorded delay."""
        self._played_s = self._due[self.position - 1] if self.position else 0.0
        self._since = self._clock()
