"""The audit log: every node's decision, one JSON line each, so that a bad run can be explained afterwards.

It is kept small by turning over at 2 MB and never stops a run: a log that cannot be written is given up with one
warning.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

log = logging.getLogger("kbtui.audit")

MAX_BYTES = 2_000_000
KEPT = 2


class AuditLog:
    """Appends entries to ``path``, with the time of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handler: RotatingFileHandler | None = None
        self._broken = False

    def write(self, entry: Mapping[str, Any]) -> None:
        """Append one entry; JSON-safe values only."""
        if self._broken:
            return
        try:
            line = json.dumps({"at": datetime.now(UTC).isoformat(), **entry}, ensure_ascii=False, default=str)
            record = logging.LogRecord("kbtui.audit", logging.INFO, "", 0, line, None, None)
            self._open().emit(record)
        except OSError as error:
            self._broken = True
            log.warning("the audit log %s cannot be written: %s", self._path, error)

    def _open(self) -> RotatingFileHandler:
        if self._handler is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._handler = _StrictHandler(
                self._path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", errors="backslashreplace"
            )
        return self._handler


class _StrictHandler(RotatingFileHandler):
    """Lets the writer see an error instead of printing it over the screen."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002
        raise
