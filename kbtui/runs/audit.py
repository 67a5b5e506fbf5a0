"""The audit log: every decision of a node and every call of a chat model, so that a bad run can be explained later.

The last runs of this process are kept in memory, with the prompts and raw answers of the model. The file gets one JSON
line for each decision and, of a model call, only the figures: prompts and answers quote the folder, so they are written
only with ``whole``. The file is rotated at 2 MB. A log that cannot be written is given up with one warning, and never
stops a run.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final, cast

from kbtui.settings.private import private_folder
from kbtui.settings.secrets import redact, redact_values
from kbtui.text.terminal import safe_json

log = logging.getLogger("kbtui.audit")

MAX_BYTES: Final = 2_000_000
BACKUP_FILES: Final = 2
MAX_RUNS_IN_MEMORY: Final = 20
MAX_BYTES_IN_MEMORY: Final = 8_000_000
MODEL_TEXT_KEYS: Final = ("prompt", "answer")
"""Keys of an entry whose values are the prompt sent to a model and its raw answer."""

Entry = Mapping[str, Any]
Audit = Callable[[Entry], None]


class AuditLog:
    """The decisions of runs.

    Args:
        path: The file; None keeps the log in memory only.
        whole: Whether prompts and raw answers are written to the file too.
    """

    def __init__(self, path: Path | None = None, *, with_prompts: bool = False) -> None:
        self._path = path
        self._whole = with_prompts
        self._lock = threading.Lock()
        self._kept: deque[tuple[str, str]] = deque()
        self._bytes = 0
        self._handler: RotatingFileHandler | None = None
        self._broken = False

    def of(self, run_id: str) -> Audit:
        """A function that adds an entry to the log of one run; it may be called from any thread."""
        return lambda entry: self.write(entry, run_id)

    def write(self, entry: Entry, run_id: str = "") -> None:
        """Add one entry, whose values must be JSON-safe."""
        stamp: dict[str, Any] = {"at": datetime.now(UTC).isoformat(timespec="milliseconds")}
        if run_id:
            stamp["run_id"] = run_id
        full = {**stamp, **entry}
        line = _as_json(full)
        short = {key: value for key, value in full.items() if key not in MODEL_TEXT_KEYS}
        with self._lock:
            if run_id:
                self._keep(run_id, line)
            self._to_file(line if self._whole or len(short) == len(full) else _as_json(short))

    def entries(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """The entries of a run in order; empty for a run that is unknown or no longer in memory."""
        with self._lock:
            lines = [line for run, line in self._kept if run == run_id]
        return tuple(json.loads(line) for line in lines)

    def close(self) -> None:
        """Close the file; the next entry opens it again."""
        with self._lock:
            if self._handler is not None:
                self._handler.close()
                self._handler = None

    def _keep(self, run_id: str, line: str) -> None:
        self._kept.append((run_id, line))
        self._bytes += len(line)
        while len(self._kept) > 1 and (
            self._bytes > MAX_BYTES_IN_MEMORY or len({run for run, _ in self._kept}) > MAX_RUNS_IN_MEMORY
        ):
            self._bytes -= len(self._kept.popleft()[1])

    def _to_file(self, line: str) -> None:
        if self._path is None or self._broken:
            return
        try:
            self._open(self._path).emit(logging.LogRecord("kbtui.audit", logging.INFO, "", 0, line, None, None))
        except OSError as error:
            self._broken = True
            log.warning("the audit log %s cannot be written: %s", self._path, error)

    def _open(self, path: Path) -> RotatingFileHandler:
        if self._handler is None:
            private_folder(path.parent)
            self._handler = _StrictHandler(
                path, maxBytes=MAX_BYTES, backupCount=BACKUP_FILES, encoding="utf-8", errors="backslashreplace"
            )
        return self._handler


def _as_json(entry: Entry) -> str:
    """One entry as a JSON line, with secrets redacted."""
    return safe_json(json.dumps(redact_values(entry), ensure_ascii=False, default=lambda value: redact(str(value))))


def _ends_in_newline(path: str) -> bool:
    """Whether a file ends in a newline, or is empty."""
    with Path(path).open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        return stream.read() in (b"", b"\n")


class _StrictHandler(RotatingFileHandler):
    """Raises errors to the writer instead of printing them over the screen, and makes the file private to its owner."""

    def _open(self) -> TextIOWrapper:
        def private(path: str, flags: int) -> int:
            fd = os.open(path, flags, 0o600)
            os.fchmod(fd, 0o600)
            if not _ends_in_newline(path):
                os.write(fd, b"\n")  # ends an incomplete line of a process that was killed
            return fd

        return cast(
            TextIOWrapper,
            open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=private),
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002
        raise
