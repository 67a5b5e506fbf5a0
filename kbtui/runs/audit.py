"""The audit log: every node's decision and every call of a chat model, so that a bad run can be explained afterwards.

The last runs of this sitting are kept in memory with the prompts and raw answers of the model. The file gets one JSON
line a decision and, of a call of the model, only its figures, unless ``whole`` asks for its words too: they quote the
folder. The file is kept small by turning over at 2 MB and never stops a run: a log that cannot be written is given up
with one warning.
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
from kbtui.settings.secrets import redact, redacted
from kbtui.text.terminal import safe_json

log = logging.getLogger("kbtui.audit")

MAX_BYTES: Final = 2_000_000
KEPT: Final = 2
RUNS_IN_MEMORY: Final = 20
BYTES_IN_MEMORY: Final = 8_000_000
WORDS_OF_MODEL: Final = ("prompt", "answer")
"""Parts of an entry that hold what was sent to a model and what came back."""

Entry = Mapping[str, Any]
Audit = Callable[[Entry], None]


class AuditLog:
    """What was decided, by run.

    Args:
        path: The file; None keeps the log in memory alone.
        whole: Prompts and raw answers go to the file too.
    """

    def __init__(self, path: Path | None = None, *, whole: bool = False) -> None:
        self._path = path
        self._whole = whole
        self._lock = threading.Lock()
        self._kept: deque[tuple[str, str]] = deque()
        self._bytes = 0
        self._handler: RotatingFileHandler | None = None
        self._broken = False

    def of(self, run_id: str) -> Audit:
        """Takes the entries of one run; may be called from any thread."""
        return lambda entry: self.write(entry, run_id)

    def write(self, entry: Entry, run_id: str = "") -> None:
        """Take one entry; JSON-safe values only."""
        stamp: dict[str, Any] = {"at": datetime.now(UTC).isoformat(timespec="milliseconds")}
        if run_id:
            stamp["run_id"] = run_id
        full = {**stamp, **entry}
        line = _as_json(full)
        short = {key: value for key, value in full.items() if key not in WORDS_OF_MODEL}
        with self._lock:
            if run_id:
                self._keep(run_id, line)
            self._to_file(line if self._whole or len(short) == len(full) else _as_json(short))

    def entries(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """What is kept in memory of a run, in order; nothing for one that is unknown or too long ago."""
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
            self._bytes > BYTES_IN_MEMORY or len({run for run, _ in self._kept}) > RUNS_IN_MEMORY
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
                path, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", errors="backslashreplace"
            )
        return self._handler


def _as_json(entry: Entry) -> str:
    """One entry as a line; whatever passes through here may be kept and shown."""
    return safe_json(json.dumps(redacted(entry), ensure_ascii=False, default=lambda value: redact(str(value))))


def _ends_in_newline(path: str) -> bool:
    """True of an empty file too."""
    with Path(path).open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - 1))
        return stream.read() in (b"", b"\n")


class _StrictHandler(RotatingFileHandler):
    """Lets the writer see an error instead of printing it over the screen; the file is its owner's alone."""

    def _open(self) -> TextIOWrapper:
        def private(path: str, flags: int) -> int:
            fd = os.open(path, flags, 0o600)
            os.fchmod(fd, 0o600)
            if not _ends_in_newline(path):
                os.write(fd, b"\n")  # half a line of a process that was killed: what follows is a line of its own
            return fd

        return cast(
            TextIOWrapper,
            open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=private),
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002
        raise
