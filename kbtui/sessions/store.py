"""The folder of recorded sessions: listing, searching, finding by part of a name, and deleting."""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from kbtui.errors import SessionError, StorageError
from kbtui.sessions.cache import SummaryCache
from kbtui.sessions.ids import validated_id
from kbtui.sessions.labels import Labels
from kbtui.sessions.summary import SUFFIX, SessionSummary
from kbtui.settings import paths

LAST = "last"
_MAX_NAMES = 6
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
        """The path of a session file, which need not exist.

        Raises:
            SessionError: The id is not a plain file name.
        """
        return self.folder / f"{validated_id(session_id)}{SUFFIX}"

    def list(self) -> tuple[SessionSummary, ...]:
        """All sessions, the last written first; files that cannot be read are listed with their problem.

        Raises:
            StorageError: The folder exists but cannot be read.
        """
        sessions = self._cache.summaries(self._session_files())
        if labels := self.labels.read():
            sessions = [
                replace(session, name=label.name, pinned=label.pinned)
                if (label := labels.get(session.session_id))
                else session
                for session in sessions
            ]
        return tuple(sorted(sessions, key=lambda session: (session.mtime_ns, session.session_id), reverse=True))

    def search(self, sessions: Iterable[SessionSummary], words: Sequence[str]) -> frozenset[str]:
        """The ids of those sessions whose name, questions, answers or facts contain all words, ignoring case."""
        remaining = {session.session_id: session.name.casefold() for session in sessions}
        for word in words:
            folded = word.casefold()
            containing = self._cache.sessions_containing(folded, remaining)
            remaining = {id_: name for id_, name in remaining.items() if id_ in containing or folded in name}
        return frozenset(remaining)

    def files(self) -> tuple[Path, ...]:
        """The session files, sorted by name and so by time.

        Raises:
            StorageError: The folder exists but cannot be read.
        """
        return tuple(sorted(self._paths()))

    def find(self, name: str) -> Path:
        """The session file for an id, a name, a unique prefix of an id, ``last``, or a path.

        Raises:
            SessionError: No session matches (the hint names similar ones), or several do (the hint lists them).
            StorageError: The folder exists but cannot be read.
        """
        path = Path(name).expanduser()
        is_path = os.sep in name or name.endswith(SUFFIX)
        if is_path and _is_file(path):
            return path
        files = {path.stem: path for path in self._paths()}
        if name in files:
            return files[name]
        if labelled := sorted(id_ for id_ in self._ids_with_label(name) if id_ in files):
            if len(labelled) > 1:
                raise SessionError(
                    f"{len(labelled)} sessions are called {name}.", f"Say which: {_join_names(labelled)}"
                )
            return files[labelled[0]]
        if name == LAST:
            if not files:
                raise SessionError("No session has been recorded yet.", "Ask something first: kbtui ask QUESTION")
            return max(files.values(), key=lambda path: (_mtime_ns(path), path.stem))
        if _is_file(path):
            return path
        if is_path:
            raise SessionError(f"There is no session file {name}.", _LISTING)
        matches = sorted(stem for stem in files if name and stem.startswith(name))
        if len(matches) == 1:
            return files[matches[0]]
        if matches:
            raise SessionError(
                f"{name} begins the names of {len(matches)} sessions.", f"Say which: {_join_names(matches)}"
            )
        raise SessionError(f"There is no session {name}.", _similar_hint(name, sorted(files)))

    def delete(self, session_id: str) -> None:
        """Delete a session with its label.

        Raises:
            SessionError: There is no session with that id.
            StorageError: The folder is not writable.
        """
        path = self.path_of(session_id)
        try:
            path.unlink()
            self._cache.forget(session_id)
            self.labels.forget(session_id)
        except FileNotFoundError as error:
            raise SessionError(
                f"There is no session {session_id}.", _similar_hint(session_id, sorted(p.stem for p in self._paths()))
            ) from error
        except OSError as error:
            raise StorageError(
                f"{path} cannot be deleted: {error.strerror or error}.", f"Check the permissions of {self.folder}."
            ) from error

    def _ids_with_label(self, name: str) -> Iterable[str]:
        return (id_ for id_, label in self.labels.read().items() if name and label.name.casefold() == name.casefold())

    def _paths(self) -> Iterable[Path]:
        return [self.folder / name for name in self._session_files()]

    def _session_files(self) -> Mapping[str, os.stat_result]:
        """The status of each session file, by name."""
        files: dict[str, os.stat_result] = {}
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.endswith(SUFFIX) and (status := _status(entry)) is not None:
                        files[entry.name] = status
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(
                f"The sessions in {self.folder} cannot be read: {error.strerror or error}.",
                "Check its permissions, or set XDG_DATA_HOME to another folder.",
            ) from error
        return files


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    """The status of a regular file, or of a link to one; None for anything else."""
    try:
        status = entry.stat()
    except OSError:  # removed meanwhile, or a broken link
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def _similar_hint(name: str, ids: Iterable[str]) -> str:
    similar = difflib.get_close_matches(name, list(ids), n=3, cutoff=0.5)
    return f"Nearest: {_join_names(similar)}. {_LISTING}" if similar else _LISTING


def _join_names(names: list[str]) -> str:
    shown = ", ".join(names[:_MAX_NAMES])
    return shown if len(names) <= _MAX_NAMES else f"{shown} and {len(names) - _MAX_NAMES} more"


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
