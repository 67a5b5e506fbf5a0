"""Where sessions are kept, and how one is found again by a few letters of its name."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from kbtui.errors import SessionError, StorageError
from kbtui.sessions.cache import SummaryCache
from kbtui.sessions.ids import checked
from kbtui.sessions.labels import Labels
from kbtui.sessions.summary import SUFFIX, SessionSummary
from kbtui.settings import paths

LAST = "last"
_LISTING = "`kbtui sessions list` shows the sessions there are."


class SessionStore:
    """The folder of session files, one ``<session_id>.jsonl`` each.

    Args:
        folder: Defaults to ``$XDG_DATA_HOME/kbtui/sessions``.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else paths.sessions_dir()
        self.labels = Labels(self.folder)
        self._cache = SummaryCache(self.folder)

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
        found = self._cache.summaries(self._found())
        if labels := self.labels.read():
            found = [
                replace(one, name=label.name, pinned=label.pinned) if (label := labels.get(one.session_id)) else one
                for one in found
            ]
        return tuple(sorted(found, key=lambda one: (one.mtime_ns, one.session_id), reverse=True))

    def search(self, sessions: Iterable[SessionSummary], words: Sequence[str]) -> frozenset[str]:
        """The ids of those listed sessions whose name, questions, answers or facts hold all the words, in any case."""
        left = {one.session_id: one.name.casefold() for one in sessions}
        for word in words:
            folded = word.casefold()
            held = self._cache.holding(folded, left)
            left = {id_: name for id_, name in left.items() if id_ in held or folded in name}
        return frozenset(left)

    def files(self) -> tuple[Path, ...]:
        """The session files, in the order of their names, which is that of time.

        Raises:
            StorageError: The folder is there and cannot be read.
        """
        return tuple(sorted(self._paths()))

    def find(self, name: str) -> Path:
        """The file meant by an id, a name, a unique prefix of an id, ``last``, or a path.

        Raises:
            SessionError: Nothing matches (the hint names the nearest) or several do (the hint lists them).
            StorageError: The folder is there and cannot be read.
        """
        path = Path(name).expanduser()
        is_path = os.sep in name or name.endswith(SUFFIX)
        if is_path and _is_file(path):
            return path
        files = {path.stem: path for path in self._paths()}
        if name in files:
            return files[name]
        if named := sorted(id_ for id_ in self._called(name) if id_ in files):
            if len(named) > 1:
                raise SessionError(f"{len(named)} sessions are called {name}.", f"Say which: {_few(named)}")
            return files[named[0]]
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
            self._cache.forget(session_id)
            self.labels.forget(session_id)
        except FileNotFoundError as error:
            raise SessionError(
                f"There is no session {session_id}.", _nearest(session_id, sorted(p.stem for p in self._paths()))
            ) from error
        except OSError as error:
            raise StorageError(
                f"{path} cannot be deleted: {error.strerror or error}.", f"Check the permissions of {self.folder}."
            ) from error

    def _called(self, name: str) -> Iterable[str]:
        return (id_ for id_, label in self.labels.read().items() if name and label.name.casefold() == name.casefold())

    def _paths(self) -> Iterable[Path]:
        return [self.folder / name for name in self._found()]

    def _found(self) -> Mapping[str, os.stat_result]:
        """The session files by their names."""
        found: dict[str, os.stat_result] = {}
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and (status := _status(entry)) is not None:
                        found[entry.name] = status
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(
                f"The sessions in {self.folder} cannot be read: {error.strerror or error}.",
                "Check its permissions, or set XDG_DATA_HOME to another folder.",
            ) from error
        return found


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Of a regular file, or a link to one."""
    try:
        status = entry.stat()
    except OSError:  # removed meanwhile, or a link to nothing
        return None
    return status if stat.S_ISREG(status.st_mode) else None


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
