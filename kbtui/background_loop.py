"""An event loop in a thread of its own, for code that blocks and has to cancel what it waits for."""

from __future__ import annotations

import asyncio
import threading


class BackgroundLoop:
    """One loop for the process, made when it is first needed. Safe to use from several threads.

    Args:
        name: Of its thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def get(self) -> asyncio.AbstractEventLoop:
        """The running loop: connections belong to the loop that they were made on."""
        with self._lock:
            if self._loop is None or self._loop.is_closed():
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True).start()
            return self._loop
