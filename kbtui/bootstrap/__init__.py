"""Builds a working engine from settings; the only place where the parts are joined.

Heavy parts (LanceDB, LangGraph, the embedding model, databases) are imported when the first question needs them, in
the thread that asks it; `Engine.warm` does it ahead of time.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kbtui.bootstrap.about import AboutBackend
from kbtui.bootstrap.backend import KnowledgeBackend
from kbtui.errors import FolderNotFound, KbtuiError
from kbtui.runs.audit import AuditLog
from kbtui.runs.engine import Engine as ControllerEngine
from kbtui.runs.run import Clock
from kbtui.sessions.ids import utc_now
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.providers import OFFLINE, model_label
from kbtui.settings.published import collection_url, is_url, local_root, root_of, url_of
from kbtui.settings.sources import parse_entry

if TYPE_CHECKING:
    from kbtui.sessions.recorder import SessionRecorder

__all__ = ["OFFLINE", "Engine", "KnowledgeBackend", "checked_folder"]


class Engine(ControllerEngine):
    """An engine over a folder, with the real parts behind it.

    Args:
        settings: Settings in effect; read from files and environment by default.
        kb: The folder, or the address of a published collection (``s3://bucket/prefix``); the working directory by
            default.
        sources: Data sources in addition to the folder: files, URLs, or ``NAME=LOCATION``.
        record: Whether sessions are recorded, if the settings allow it.
        deadline_s: Time limit of a run in seconds, including indexing; ``agent.timeout_s`` excludes it.
        vectors_follow: Whether another process computes the vectors of new files; if not, answers warn of missing ones.
        follow_ups: Whether a question may refer to earlier ones.
        clock: Returns the time for events and session ids.

    Raises:
        FolderNotFound: There is no such folder.
        UsageError: The address of the collection is not valid.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        kb: Path | str | None = None,
        *,
        sources: Sequence[str] = (),
        record: bool = True,
        deadline_s: float | None = None,
        vectors_follow: bool = False,
        follow_ups: bool = True,
        clock: Clock = utc_now,
    ) -> None:
        root = _root(kb)
        if settings is None:
            from kbtui.settings.load import load_settings

            settings = load_settings(root).settings
        self._problems: list[KbtuiError] = []
        recorder = self._recorder(clock) if record and settings.sessions.record else None
        super().__init__(
            AboutBackend(
                root, settings, tuple(sources), self._take_problems, vectors_follow, lambda: clock().astimezone().date()
            ),
            kb=root,
            model=model_label(settings.model.name, settings.model.base_url),
            # By name: a URL can hold a password, and this goes into the session.
            sources=tuple(parse_entry(source).name for source in sources),
            session_id=recorder.session_id if recorder else "",
            record=recorder.record if recorder else None,
            timeout_s=settings.agent.timeout_s,
            deadline_s=deadline_s,
            clock=clock,
            audit=AuditLog(paths.audit_file(), with_prompts=settings.agent.debug),
            follow_ups=follow_ups,
        )

    def continue_session(self, session_id: str) -> None:
        """Record further runs in an earlier session, whose last questions follow-ups may refer to.

        Raises:
            SessionError: The id is not a valid session id.
        """
        from kbtui.sessions.store import SessionStore

        self.history.load(SessionStore().path_of(session_id))
        if self._record is not None:
            recorder = self._recorder(self._clock, session_id)
            self.session_id, self._record = recorder.session_id, recorder.record

    def _recorder(self, clock: Clock, session_id: str | None = None) -> SessionRecorder:
        """A recorder; what it cannot write is reported once, with the next run."""
        from kbtui.sessions.recorder import SessionRecorder
        from kbtui.sessions.store import SessionStore

        return SessionRecorder(SessionStore(), session_id, clock, on_problem=self._problems.append)

    def _take_problems(self) -> list[KbtuiError]:
        """Remove and return the recording problems that were not reported yet."""
        problems, self._problems[:] = list(self._problems), []
        return problems


def _root(kb: Path | str | None) -> Path:
    """The folder to ask; of a published collection, the one whose link leads to its newest generation."""
    if isinstance(kb, str) and is_url(kb):
        return local_root(collection_url(kb, {}))
    path = Path(kb) if kb is not None else Path.cwd()
    return root_of(url) if (url := url_of(path)) else checked_folder(path)


def checked_folder(path: Path) -> Path:
    """The folder as an absolute path.

    Raises:
        FolderNotFound: There is none, it is a file, or it may not be read.
    """
    path = path.expanduser()
    try:
        is_dir = path.is_dir()
    except OSError as error:
        raise FolderNotFound(f"The folder {path} cannot be opened: {error.strerror}.", "Check the path.") from error
    if not is_dir:
        reason = "is a file, not a folder" if path.exists() else "does not exist"
        parent = path.parent if path.parent.is_dir() else Path.cwd()
        raise FolderNotFound(f"The folder {path} {reason}.", f"Give a folder to ask, for example: kbtui {parent}")
    if not os.access(path, os.R_OK | os.X_OK):
        raise FolderNotFound(f"The folder {path} may not be read.", "Check its permissions.")
    return path.resolve()
