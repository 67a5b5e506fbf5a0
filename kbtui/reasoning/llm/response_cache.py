"""A cache of model replies on disk, for repeated identical requests (off by default)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from kbtui.settings.private import private_folder

MAX_BYTES = 64 << 20


class ResponseCache:
    """Stores ``{"text", "data"}`` by the hash of everything that a reply depends on.

    Values are JSON, never pickle: a file in a cache folder must not execute code (CVE-2025-69872). Errors count as
    cache misses.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._disk: Any = None

    @staticmethod
    def key(*parts: Any) -> str:
        """The hash of ``parts``, which must be JSON values."""
        return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=True).encode()).hexdigest()

    def get(self, key: str) -> dict[str, Any] | None:
        """The reply stored under ``key``; None if there is none."""
        try:
            stored = self._open().get(key)
        except Exception:  # noqa: BLE001 - SQLite, JSON and files fail in many ways, and none may cost an answer
            return None
        return stored if isinstance(stored, dict) else None

    def put(self, key: str, answer: dict[str, Any]) -> None:
        """Store ``answer``."""
        try:
            self._open().set(key, answer)
        except Exception:  # noqa: BLE001 - see get
            return

    def _open(self) -> Any:
        if self._disk is None:
            from diskcache import Cache, JSONDisk

            self._disk = Cache(str(private_folder(self._folder)), disk=JSONDisk, size_limit=MAX_BYTES)
        return self._disk
