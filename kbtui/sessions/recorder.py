"""Appends the events of a session to its file as they happen, so that a crash loses at most one line.

A failure to write never ends a run: it is reported once, and the run goes on.
"""

from __future__ import annotations

import contextlib
import errno
import os
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from kbtui.domain.codec import decode, encode
from kbtui.domain.events import Event, RunStarted
from kbtui.errors import KbtuiError, SessionError, StorageError
from kbtui.sessions.ids import new_session_id, random_token, utc_now
from kbtui.sessions.locking import file_lock
from kbtui.sessions.store import SessionStore
from kbtui.settings.private import private_folder
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.terminal import safe_json

_MAX_TORN_BYTES = 1 << 20


class SessionRecorder:
    """Appends the events of one session to its file.

    The first event creates the file, so a session without a question leaves no file. Safe to call from any thread; two
    processes may record into one session, since each line is one write under a lock.

    Args:
        store: The folder of sessions.
        session_id: The session to append to; None begins a new one, named by ``clock`` and ``token``.
        clock: Returns the time, with a time zone.
        token: Returns what distinguishes sessions of the same second.
        on_problem: Receives the error when recording fails, once.
    """

    def __init__(
        self,
        store: SessionStore,
        session_id: str | None = None,
        clock: Callable[[], datetime] = utc_now,
        *,
        token: Callable[[], str] = random_token,
        on_problem: Callable[[KbtuiError], None] | None = None,
    ) -> None:
        if session_id is None:
            session_id = new_session_id(clock(), token())
            while _is_taken(store.path_of(session_id)):
                session_id = new_session_id(clock(), token())
        self.session_id = session_id
        self.path: Path = store.path_of(session_id)
        self._store = store
        self._on_problem = on_problem
        self._lock = threading.Lock()
        self._fd: int | None = None
        self._failed = False
        self._reported = False

    def record(self, event: Event) -> None:
        """Append one stamped event. Never raises: a failure is reported once through ``on_problem``."""
        with self._lock:
            if self._was_deleted():
                self._release()
                self._failed = True
            if self._failed and not isinstance(event, RunStarted):
                return  # with events missing, the run would replay as something that never happened
            try:
                # A document or a model may quote a secret of this process, and recordings are shared with others.
                line = safe_json(without_known_secrets(encode(event))) + "\n"
                self._append(line.encode("utf-8", "surrogatepass"))
                self._failed = False
            except (OSError, ValueError) as error:
                self._fail(error)

    def close(self) -> None:
        """Close the file. A later ``record`` opens it again."""
        with self._lock:
            self._release()

    def _was_deleted(self) -> bool:
        """Whether the file was deleted while it is open, so that what is written to it would be lost."""
        try:
            return self._fd is not None and os.fstat(self._fd).st_nlink == 0
        except OSError:
            return False

    def _append(self, line: bytes) -> None:
        if self._fd is None:
            private_folder(self._store.folder)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            self._fd = os.open(self.path, flags, 0o600)
            with file_lock(self._fd):
                _repair_end(self._fd)
        with file_lock(self._fd):
            start = os.fstat(self._fd).st_size
            try:
                view = memoryview(line)
                while view:
                    view = view[os.write(self._fd, view) :]
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._fd, start)
                    if start == 0:
                        self.path.unlink()
                raise

    def _release(self) -> None:
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.close(self._fd)
            self._fd = None

    def _fail(self, error: Exception) -> None:
        self._release()
        self._failed = True
        if self._reported or self._on_problem is None:
            return
        self._reported = True
        with contextlib.suppress(Exception):  # an error in the listener must not end the run
            self._on_problem(storage_error("This session is not being recorded", self.path, error))


def storage_error(failure: str, path: Path, error: Exception) -> StorageError:
    """The error for a ``path`` that could not be written, with a hint for its cause."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOSPC, errno.EDQUOT):
        return StorageError(f"{failure}: the disk that holds {path.parent} is full.", "Free some space and ask again.")
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StorageError(
            f"{failure}: {path.parent} is not writable.", "Set XDG_DATA_HOME to a folder you can write."
        )
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StorageError(
        f"{failure}: {path}: {reason}.", "Set XDG_DATA_HOME to another folder, or sessions.record = false."
    )


def _is_taken(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # the folder may not be read; writing the first line reports that
        return False


def _repair_end(fd: int) -> None:
    """Remove an incomplete last line, left by a crash, so that the next line is not appended to it."""
    size = os.fstat(fd).st_size
    tail = os.pread(fd, min(size, _MAX_TORN_BYTES), max(0, size - _MAX_TORN_BYTES))
    if not tail or tail.endswith(b"\n"):
        return
    last_line = tail[tail.rfind(b"\n") + 1 :]
    try:
        decode(last_line.decode("utf-8"))
    except (SessionError, UnicodeDecodeError):
        os.ftruncate(fd, size - len(last_line))
    else:
        os.write(fd, b"\n")
