"""Recent durations of each tool, from which plans estimate how long a step takes (spec 004, requirement 6.4)."""

from __future__ import annotations

import logging
import sqlite3
import statistics
from pathlib import Path
from typing import Any

from kbtui.settings.private import private_folder

log = logging.getLogger("kbtui.durations")

MAX_KEPT = 50

_STORAGE_ERRORS = (OSError, sqlite3.Error, TimeoutError)


class Durations:
    """Recorded durations by key, kept on disk between runs as JSON (never pickle: CVE-2025-69872).

    Where the folder cannot be written, there are no estimates, and nothing else fails.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._cache: Any = None

    def add(self, key: str, duration_ms: float) -> None:
        """Record one duration in milliseconds; the last 50 of each key are kept."""
        cache = self._open()
        if cache is not None:
            try:
                cache[key] = [*cache.get(key, []), round(duration_ms, 1)][-MAX_KEPT:]
            except _STORAGE_ERRORS as error:  # a full disk must not end a run
                log.warning("a duration could not be remembered: %s", error)

    def median(self, key: str) -> float | None:
        """The median of the recorded durations in milliseconds; None where there are none."""
        cache = self._open()
        try:
            values = cache.get(key) if cache is not None else None
        except _STORAGE_ERRORS as error:
            log.warning("durations cannot be read: %s", error)
            return None
        return round(statistics.median(values), 1) if values else None

    def _open(self) -> Any:
        if self._cache is None:
            import diskcache

            try:
                self._cache = diskcache.Cache(str(private_folder(self._folder)), disk=diskcache.JSONDisk)
            except _STORAGE_ERRORS as error:
                log.warning("durations are not remembered: %s", error)
                self._cache = {}
        return self._cache
