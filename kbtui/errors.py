"""Every error a user can meet.

The tree::

    KbtuiError
     ├─ UsageError               what was asked for makes no sense (exit 2)
     ├─ ScopeError               what a question is limited to is not there (exit 2)
     ├─ SettingsError            a settings file or variable is wrong (exit 2)
     ├─ KnowledgeBaseError       the folder cannot be used
     │   ├─ FolderNotFound
     │   ├─ OutsideFolder        a path leaves the knowledge base
     │   ├─ IndexCorrupt
     │   └─ RemoteError          a published collection or a cluster cannot be reached, or is not what it should be
     ├─ StorageError             the disk is full or not writable
     ├─ EmbeddingError           the embedding model cannot be loaded or is not the one expected
     ├─ SessionError             a saved session cannot be found or read
     ├─ EditorError              no editor, or it could not be started
     ├─ ThemeError               a theme file is broken
     ├─ ToolError                a tool could not do what it was called for
     ├─ ModelError               a chat model failed
     ├─ DataSourceError          a database cannot be reached or refused a statement
     │   ├─ SourceNotFound      there is no such file, and no source is called so
     │   └─ SqlRefused          the guard did not let a statement run
     ├─ TimedOut                 the run took longer than it may (exit 124)
     └─ Cancelled                the user stopped the run (exit 130)

Each carries a ``message`` (what happened, one sentence) and a ``hint`` (what to do about it), both plain text,
safe to print. Nothing else is shown to a user: a traceback on the screen is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The most similar of ``names``, for the hint of an error about ``name``; empty where none is similar.

    Args:
        cutoff: Least similarity, 0 to 1.
    """
    import difflib  # rarely needed

    return next(iter(difflib.get_close_matches(name, list(names), n=1, cutoff=cutoff)), "")


class KbtuiError(Exception):
    """Base of all errors meant for people.

    Args:
        message: What happened, in one sentence, plain text.
        hint: What the reader can do about it; may be empty.
    """

    exit_code: int = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def name(self) -> str:
        """The error's stable name, as events and ``--json`` carry it."""
        return type(self).__name__

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(KbtuiError):
    """What was asked for makes no sense."""

    exit_code = 2


class ScopeError(KbtuiError):
    """What a question is limited to, such as a kind of documents or a field, is not there."""

    exit_code = 2


class SettingsError(KbtuiError):
    """A settings file, variable or flag is wrong."""

    exit_code = 2


class KnowledgeBaseError(KbtuiError):
    """The folder cannot be used as a knowledge base."""


class FolderNotFound(KnowledgeBaseError):
    """There is no such folder, or it is a file."""

    exit_code = 2


class OutsideFolder(KnowledgeBaseError):
    """A path leaves the knowledge base."""


class IndexCorrupt(KnowledgeBaseError):
    """The index on disk cannot be read."""


class RemoteError(KnowledgeBaseError):
    """A published collection or a cluster cannot be reached or used, or is not what it should be."""


class StorageError(KbtuiError):
    """The disk is full, or a folder kbtui needs is not writable."""


class EmbeddingError(KbtuiError):
    """The embedding model cannot be loaded, or is not the one expected."""


class SessionError(KbtuiError):
    """A saved session cannot be found, read or written."""


class EditorError(KbtuiError):
    """No editor was found, or it could not be started."""


class ThemeError(KbtuiError):
    """A theme file is broken."""


class ToolError(KbtuiError):
    """A tool could not do what it was called for."""


class ModelError(KbtuiError):
    """A chat model failed or answered something unusable."""


class DataSourceError(KbtuiError):
    """A data source cannot be reached, or refused a statement."""


class SourceNotFound(DataSourceError):
    """There is no such file, and no source is called so: it was asked for wrongly, as a folder that is not there."""

    exit_code = 2


class SqlRefused(DataSourceError):
    """The guard did not let a statement run; ``rule`` is the stable name of what it broke."""

    def __init__(self, message: str, hint: str = "", *, rule: str = "") -> None:
        super().__init__(message, hint)
        self.rule = rule


class TimedOut(KbtuiError):
    """The run took longer than it may."""

    exit_code = 124


class Cancelled(KbtuiError):
    """The user stopped the run."""

    exit_code = 130

    def __init__(self, message: str = "The run was cancelled.", hint: str = "Ask again whenever you like.") -> None:
        super().__init__(message, hint)
