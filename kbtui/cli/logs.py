"""The log file: what libraries and kbtui have to say to developers goes there, never onto the screen."""

from __future__ import annotations

import contextlib
import io
import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.settings.secrets import redact

LOG_BYTES = 1_000_000
"""From this size on the log starts anew; the one before is kept beside it."""

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def log_file() -> Path:
    return paths.state_dir() / "kbtui.log"


def configure_logging() -> logging.Logger:
    """Send all logging and all Python warnings to the log file; ``KBTUI_LOG`` says how much of kbtui's own.

    The file is made by the first record. One that cannot be written is done without: nothing a user asked for depends
    on it.
    """
    own = logging.getLogger("kbtui")
    root = logging.getLogger()
    present = [handler for handler in root.handlers if isinstance(handler, _LogFile)]
    if not any(handler.baseFilename == str(log_file()) for handler in present):
        for handler in present:
            root.removeHandler(handler)
            handler.close()
        logging.raiseExceptions = False
        logging.captureWarnings(True)
        root.addHandler(_LogFile())
        own.setLevel(LEVELS.get(os.environ.get("KBTUI_LOG", "").lower(), logging.INFO))
    return own


class _LogFile(RotatingFileHandler):
    def __init__(self) -> None:
        super().__init__(
            log_file(), maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8", delay=True, errors="backslashreplace"
        )
        self.setFormatter(_Redacting("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))

    def _open(self) -> io.TextIOWrapper:
        private_folder(log_file().parent)
        stream = super()._open()
        # What is logged of a run names files, sources and addresses.
        with contextlib.suppress(OSError):
            log_file().chmod(0o600)
        return stream


class _Redacting(logging.Formatter):
    """What libraries log of a request, and tracebacks of their failures, can hold the key that was sent."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
