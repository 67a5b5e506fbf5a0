"""The token by which a run is cancelled."""

from __future__ import annotations

import threading

from kbtui.errors import Cancelled


class CancelToken:
    """Set once, from any thread, and checked between small pieces of work."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """True once ``cancel`` was called."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` once ``cancel`` was called."""
        if self._event.is_set():
            raise Cancelled
