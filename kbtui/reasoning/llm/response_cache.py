"""Answers of the model on disk, for whoever asks the same again and again (off by default)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from kbtui.settings.private import private_folder

MAX_BYTES = 64 << 20


class ResponseCache:
    """Keeps ``{"text", "data"}`` by the hash of everything that an answer depends on.

    JSON on disk, never pickle: a file in a cache folder must not be able to run (CVE-2025-69872). What cannot be read
    or written is not there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._disk: Any = None

    @staticmethod
    def key(*parts: Any) -> str:
        """The hash of ``parts``, which are JSON."""
        return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=True).encode()).hexdigest()

    def get(self, key: str) -> dict[str, Any] | None:
        """What was kept under ``key``."""
        try:
            found = self._open().get(key)
        except Exception:  # noqa: BLE001 - SQLite, JSON and files fail in many ways, and none may cost an answer
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, answer: dict[str, Any]) -> None:
        """Keep ``answer``."""
        try:
            self._open().set(key, answer)
        except Exception:  # noqa: BLE001 - see get
            return

    def _open(self) -> Any:
        if self._disk is None:
            from diskcache import Cache, JSONDisk

            self._disk = Cache(str(private_folder(self._folder)), disk=JSONDisk, size_limit=MAX_BYTES)
        return self._disk
