"""Plays a recording: where it stands, how fast it goes, and the state at any point.

No thread and no timer lives here: whoever shows it asks ``advance`` now and then, and the injected clock says how far
to go. The state at a position is always `reduce` over the events before it, so stepping back is exact.
"""

from __future__ import annotations

import bisect
import math
import time
from collections.abc import Callable, Sequence

from kbtui.domain.events import Event
from kbtui.sessions.recording import by_run
from kbtui.view.folding import reduce
from kbtui.view.timeline import due_of, marks_of, recorded_of, spans_of
from kbtui.view.view_state import EMPTY, RunView

MAX_SPEED = math.inf
SPEEDS: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, MAX_SPEED)


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
        self.runs = spans_of(runs)
        self.marks = marks_of(self.events, self.runs)
        self.recorded_s = recorded_of(self.events, self.runs)
        self._due = due_of(self.events, self.runs)
        self._clock = clock
        self._speed = speed
        self._position = 0
        self._playing = False
        self._played_s = 0.0
        self._since = clock()
        # A run begins a new state whatever came before, so what each event made is kept as it is.
        self._states: list[RunView] = [EMPTY]

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
        while len(self._states) <= self._position:
            self._states.append(reduce(self._states[-1], self.events[len(self._states) - 1]))
        return self._states[self._position]

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
