"""One run: stamps its events with run id, sequence number and time, and drops any event after the final one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from kbtui.domain.events import FINAL_KINDS, Event, PlanCreated, RunFailed, ToolFinished, stamped
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, KbtuiError
from kbtui.sessions.ids import utc_now

Clock = Callable[[], datetime]
Listener = Callable[[Event], None]


class Watchdog:
    """Calls ``on_late`` once, when ``timeout_s`` seconds have passed since the start or the last ``touch``."""

    def __init__(self, timeout_s: float, on_late: Callable[[], None]) -> None:
        self.timeout_s = timeout_s
        self._on_late = on_late
        self._stopped = threading.Event()
        self._due = time.monotonic() + timeout_s
        self.fired = False
        threading.Thread(target=self._watch, name="kbtui-watchdog", daemon=True).start()

    def touch(self) -> None:
        """Restart the countdown, because the work showed progress."""
        self._due = time.monotonic() + self.timeout_s

    def stop(self) -> None:
        """Stop watching."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(max(0.0, self._due - time.monotonic())):
            if time.monotonic() >= self._due:
                self.fired = True
                self._on_late()
                return


class Run:
    """The events of one question, from ``run_started`` to the final one.

    ``emit`` may be called from any thread: listeners get events in the order of their sequence numbers. Events after
    the final one are dropped, so a cancelled run ends at once, even while a tool is still winding down.
    """

    def __init__(self, run_id: str, listeners: tuple[Listener, ...], clock: Clock = utc_now) -> None:
        self.run_id = run_id
        self.cancel = CancelToken()
        self.tool_calls = 0
        self.planned_calls = 0
        self.started = time.perf_counter()
        self._listeners = listeners
        self._clock = clock
        self._lock = threading.RLock()
        self._next = 0
        self._is_over = False

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the run was created."""
        return round((time.perf_counter() - self.started) * 1000, 3)

    def emit(self, event: Event) -> None:
        """Stamp the event and pass it to every listener."""
        with self._lock:
            if self._is_over:
                return
            at = self._clock().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            event = stamped(event, run_id=self.run_id, seq=self._next, at=at)
            self._next += 1
            self._is_over = event.kind in FINAL_KINDS
            if isinstance(event, ToolFinished):
                self.tool_calls += 1
            elif isinstance(event, PlanCreated):
                self.planned_calls += len(event.steps)
            for listener in self._listeners:
                listener(event)

    def fail(self, error: KbtuiError) -> None:
        """End the run with an error, and cancel all work for it."""
        self.emit(RunFailed(error=error.name, message=error.message, hint=error.hint))
        self.cancel.cancel()

    def stop(self) -> None:
        """End the run because the user cancelled it."""
        self.fail(Cancelled())
