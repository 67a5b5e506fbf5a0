"""Permissions of files: only their owner may read caches, data and state, whatever the umask is.

Two layers:

- `private_folder` creates every folder that kbtui writes to. The topmost folder of kbtui has mode 0700, which keeps
  other users out whatever the modes of the files below, including those of an index of an earlier version.
- The command sets the umask of its process to 077 (`restrict_process`), which also applies to files that native code
  and child processes create: LanceDB, DuckDB and SQLite. A library must not change the umask of its host, so
  `kbtui.Engine` relies on the folders alone.

Files that the user asks for (an export, a chart, a settings file) and those of the editor have the umask of the user.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from kbtui.settings import paths

_GROUP_AND_OTHERS = 0o077
_user_umask: int | None = None


def restrict_process() -> None:
    """Make files of this process and its children private to their owner, and restrict the existing folders.

    Meant for the command; a library must not change its process.
    """
    global _user_umask
    previous = os.umask(_GROUP_AND_OTHERS)
    os.umask(_GROUP_AND_OTHERS | previous)
    if _user_umask is None:
        _user_umask = previous
    for top in _top_folders():
        _make_private(top)


def user_umask() -> int:
    """The umask for programs of the user, such as editors; -1 means unchanged, as for ``subprocess``."""
    return -1 if _user_umask is None else _user_umask


def user_opener(path: str, flags: int) -> int:
    """An ``opener`` for `open`: a new file gets the mode by the umask of the user; an existing one keeps its mode."""
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
    """The mode of a file that is written for the user: its present one, or that by the umask of the user."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        umask = _user_umask
        if umask is None:
            umask = os.umask(_GROUP_AND_OTHERS)
            os.umask(umask)
        return 0o666 & ~umask


def private_folder(folder: Path) -> Path:
    """Create ``folder`` and its missing parents, private to their owner.

    An existing ``folder``, and the topmost folder of kbtui, are made private too.

    Raises:
        OSError: The folder cannot be created.
    """
    _create(folder)
    for top in _top_folders():
        if top == folder or top in folder.parents:
            _make_private(top)
    _make_private(folder)
    return folder


def _top_folders() -> tuple[Path, ...]:
    return (paths.cache_dir(), paths.data_dir(), paths.state_dir())


def _create(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileNotFoundError:
        _create(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _make_private(folder: Path) -> None:
    # A folder of another user cannot be changed; `kbtui doctor` reports it.
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & _GROUP_AND_OTHERS:
            folder.chmod(mode & ~_GROUP_AND_OTHERS)
