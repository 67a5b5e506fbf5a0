"""The log file of kbtui and its libraries; nothing of it is printed on the screen."""

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

MAX_LOG_BYTES = 1_000_000
"""Size at which the log file is rotated; one earlier file is kept."""

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def log_file() -> Path:
    return paths.state_dir() / "kbtui.log"


def configure_logging() -> logging.Logger:
    """Send all logging and Python warnings to the log file; ``KBTUI_LOG`` sets the level of kbtui itself.

    The first record creates the file. Where it cannot be written, nothing is logged, and nothing else fails.
    """
    logger = logging.getLogger("kbtui")
    root = logging.getLogger()
    handlers = [handler for handler in root.handlers if isinstance(handler, _LogFile)]
    if not any(handler.baseFilename == str(log_file()) for handler in handlers):
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()
        logging.raiseExceptions = False
        logging.captureWarnings(True)
        root.addHandler(_LogFile())
        logger.setLevel(LEVELS.get(os.environ.get("KBTUI_LOG", "").lower(), logging.INFO))
    return logger


class _LogFile(RotatingFileHandler):
    def __init__(self) -> None:
        super().__init__(
            log_file(), maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8", delay=True, errors="backslashreplace"
        )
        self.setFormatter(_Redacting("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))

    def _open(self) -> io.TextIOWrapper:
        private_folder(log_file().parent)
        stream = super()._open()
        # The log contains names of files, sources and addresses.
        with contextlib.suppress(OSError):
            log_file().chmod(0o600)
        return stream


class _Redacting(logging.Formatter):
    """Redacts records, because logs of requests and tracebacks of libraries may contain the key that was sent."""

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))
