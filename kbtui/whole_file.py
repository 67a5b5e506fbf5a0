"""Writes a file in one step: a crash, a kill or a full disk leaves the old one or the new one, never half of one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from kbtui.late_patterns import pattern

_DRAFT: Final = pattern(r"\.(?P<name>.+)\.(?P<writer>\d+)\.part")


def write_whole(path: Path, data: bytes, *, mode: int = 0o600, replace: bool = True, tidy: bool = True) -> None:
    """Write ``data`` beside ``path`` and give it that name once all of it is written.

    A draft that a killed process left behind is removed by the next write of the same file.

    Args:
        path: Its folder exists.
        data: All of the file.
        mode: Permissions of the file.
        replace: False refuses to take the place of another file.
        tidy: False leaves dead drafts to the owner of the folder, since finding them lists all of it.

    Raises:
        FileExistsError: There is such a file, and it may not be replaced.
        OSError: The disk is full or not writable; ``path`` is as it was.
    """
    if tidy:
        remove_dead_drafts(path.parent, path.name)
    if not replace and path.exists():
        raise FileExistsError(f"{path} exists")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as stream:
            stream.write(data)
            os.fchmod(stream.fileno(), mode)
        if replace:
            draft.replace(path)
        else:
            _name(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def remove_dead_drafts(folder: Path, name: str | None = None) -> None:
    """Remove drafts in ``folder`` whose writer no longer runs; of the file ``name`` only, when given."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            match = _DRAFT.fullmatch(entry.name)
            if match and name in (None, match["name"]) and not _is_running(int(match["writer"])):
                with contextlib.suppress(OSError):
                    Path(entry.path).unlink()


def _name(draft: Path, path: Path) -> None:
    """Give a draft its name unless that is taken, which a link does in one step."""
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        draft.replace(path)
    else:
        draft.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
