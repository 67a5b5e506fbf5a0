"""One run: stamps facts with run, sequence number and time, and makes sure that nothing follows the last one."""

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
        """Something happened that shows the work is alive: count anew."""
        self._due = time.monotonic() + self.timeout_s

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(max(0.0, self._due - time.monotonic())):
            if time.monotonic() >= self._due:
                self.fired = True
                self._on_late()
                return


class Run:
    """The events of one question, from ``run_started`` to the final one.

    ``emit`` may be called from any thread: events leave in the order of their sequence numbers. Once the final event
    is out, later ones are dropped, so a cancelled run is over at once even while a tool is still winding down.
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
        self._over = False

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the run was made."""
        return round((time.perf_counter() - self.started) * 1000, 3)

    def emit(self, event: Event) -> None:
        """Stamp the event and hand it to every listener."""
        with self._lock:
            if self._over:
                return
            at = self._clock().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            event = stamped(event, run_id=self.run_id, seq=self._next, at=at)
            self._next += 1
            self._over = event.kind in FINAL_KINDS
            if isinstance(event, ToolFinished):
                self.tool_calls += 1
            elif isinstance(event, PlanCreated):
                self.planned_calls += len(event.steps)
            for listener in self._listeners:
                listener(event)

    def fail(self, error: KbtuiError) -> None:
        """End the run with an error and stop whatever still works for it."""
        self.emit(RunFailed(error=error.name, message=error.message, hint=error.hint))
        self.cancel.cancel()

    def stop(self) -> None:
        """End the run because the user said so."""
        self.fail(Cancelled())
