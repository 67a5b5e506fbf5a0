"""Where sessions are kept, and how one is found again by a few letters of its name."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

from kbtui.errors import SessionError, StorageError
from kbtui.sessions.ids import checked
from kbtui.sessions.summary import SessionSummary, summarize
from kbtui.settings import paths

SUFFIX = ".jsonl"
LAST = "last"
_LISTING = "`kbtui sessions list` shows the sessions there are."


class SessionStore:
    """The folder of session files, one ``<session_id>.jsonl`` each.

    Args:
        folder: Defaults to ``$XDG_DATA_HOME/kbtui/sessions``.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else paths.sessions_dir()

    def path_of(self, session_id: str) -> Path:
        """Where that session is or would be.

        Raises:
            SessionError: The name is no plain file name.
        """
        return self.folder / f"{checked(session_id)}{SUFFIX}"

    def list(self) -> tuple[SessionSummary, ...]:
        """All sessions, the one written last first. Bad files are listed with their problem.

        Raises:
            StorageError: The folder is there and cannot be read.
        """
        found = [summarize(path) for path in self._files()]
        return tuple(sorted(found, key=lambda one: (one.mtime_ns, one.session_id), reverse=True))

    def files(self) -> tuple[Path, ...]:
        """The session files, in the order of their names, which is that of time.

        Raises:
            StorageError: The folder is there and cannot be read.
        """
        return tuple(sorted(self._files()))

    def find(self, name: str) -> Path:
        """The file meant by an id, a unique prefix of one, ``last``, or a path.

        Raises:
            SessionError: Nothing matches (the hint names the nearest) or several do (the hint lists them).
            StorageError: The folder is there and cannot be read.
        """
        path = Path(name).expanduser()
        is_path = os.sep in name or name.endswith(SUFFIX)
        if is_path and _is_file(path):
            return path
        files = {path.stem: path for path in self._files()}
        if name in files:
            return files[name]
        if name == LAST:
            if not files:
                raise SessionError("No session has been recorded yet.", "Ask something first: kbtui ask QUESTION")
            return max(files.values(), key=lambda path: (_mtime_ns(path), path.stem))
        if _is_file(path):
            return path
        if is_path:
            raise SessionError(f"There is no session file {name}.", _LISTING)
        matching = sorted(stem for stem in files if name and stem.startswith(name))
        if len(matching) == 1:
            return files[matching[0]]
        if matching:
            raise SessionError(f"{name} begins the names of {len(matching)} sessions.", f"Say which: {_few(matching)}")
        raise SessionError(f"There is no session {name}.", _nearest(name, sorted(files)))

    def delete(self, session_id: str) -> None:
        """Remove a session for good.

        Raises:
            SessionError: There is no session of exactly that name.
            StorageError: The folder is not writable.
        """
        path = self.path_of(session_id)
        try:
            path.unlink()
        except FileNotFoundError as error:
            raise SessionError(
                f"There is no session {session_id}.", _nearest(session_id, sorted(p.stem for p in self._files()))
            ) from error
        except OSError as error:
            raise StorageError(
                f"{path} cannot be deleted: {error.strerror or error}.", f"Check the permissions of {self.folder}."
            ) from error

    def _files(self) -> tuple[Path, ...]:
        try:
            return tuple(path for path in self.folder.iterdir() if path.suffix == SUFFIX and _is_file(path))
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StorageError(
                f"The sessions in {self.folder} cannot be read: {error.strerror or error}.",
                "Check its permissions, or set XDG_DATA_HOME to another folder.",
            ) from error


def _nearest(name: str, ids: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(ids), n=3, cutoff=0.5)
    return f"Nearest: {_few(near)}. {_LISTING}" if near else _LISTING


def _few(names: list[str], limit: int = 6) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def _mtime_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
