"""Who may read what kbtui writes: caches, data and state belong to their owner alone, whatever the umask is.

Two layers:

- Every folder that kbtui keeps things in is made by `private_folder`. The topmost folder of kbtui has mode 0700, and
  nobody else gets past it, whatever the mode of the files below: an index of an earlier version is protected without a
  walk over its files.
- The command sets the umask of its process to 077 (`restrict_process`), which native code and child processes obey
  too: LanceDB, DuckDB and SQLite make their files themselves. A library must not change the umask of its host, so
  `kbtui.Engine` relies on the folders alone.

What a user asks for (an export, a chart, a settings file) and what a user's editor writes has the user's own umask.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from kbtui.settings import paths

_OTHERS = 0o077
_user_umask: int | None = None


def restrict_process() -> None:
    """Let nobody but the owner read what this process and its children write from now on, and tighten what is there.

    For programs of their own; a library leaves the process as it is.
    """
    global _user_umask
    before = os.umask(_OTHERS)
    os.umask(_OTHERS | before)
    if _user_umask is None:
        _user_umask = before
    for top in _tops():
        _tighten(top)


def user_umask() -> int:
    """The umask for programs that work for the user, such as editors; -1 means to leave it, as ``subprocess`` does."""
    return -1 if _user_umask is None else _user_umask


def user_opener(path: str, flags: int) -> int:
    """An ``opener`` for `open`: a new file gets the mode that the user's own umask gives; an old one keeps its mode."""
    try:
        handle = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        if flags & os.O_EXCL:
            raise
        return os.open(path, flags & ~os.O_CREAT)
    if _user_umask is not None:
        os.fchmod(handle, 0o666 & ~_user_umask)
    return handle


def user_mode(path: Path) -> int:
    """Permissions for a file that is written for the user: those it has, or what the user's own umask gives."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        before = _user_umask
        if before is None:
            before = os.umask(_OTHERS)
            os.umask(before)
        return 0o666 & ~before


def private_folder(folder: Path) -> Path:
    """Make ``folder`` and those missing above it, for their owner alone.

    Those that are there already are tightened: ``folder`` itself and the topmost folder of kbtui.

    Raises:
        OSError: It cannot be made.
    """
    _make(folder)
    for top in _tops():
        if top == folder or top in folder.parents:
            _tighten(top)
    _tighten(folder)
    return folder


def _tops() -> tuple[Path, ...]:
    return (paths.cache_dir(), paths.data_dir(), paths.state_dir())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileNotFoundError:
        _make(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _tighten(folder: Path) -> None:
    # Someone else's folder cannot be changed; `kbtui doctor` says so.
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & _OTHERS:
            folder.chmod(mode & ~_OTHERS)
