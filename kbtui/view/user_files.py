"""Texts of the screen as files, to look at and to change in an editor: private, and the oldest are forgotten."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final

from kbtui.errors import StorageError
from kbtui.i18n import _
from kbtui.regular_files import open_regular
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.terminal import clean, one_line
from kbtui.whole_file import write_whole

_KEPT: Final = 100
"""Files of one folder that stay on the disk; writing one more forgets the oldest."""
_MOST_BYTES: Final = 256_000


def write_text(path: Path, text: str, *, replace: bool = True) -> None:
    """Write ``text`` so that the user alone may read it.

    Args:
        path: Its folder holds nothing else, and is made where there is none.
        replace: False leaves a file that is there as it is.

    Raises:
        StorageError: It cannot be written.
    """
    try:
        private_folder(path.parent)
        _forget_oldest(path)
        # Half a text would be taken for one that was changed in the editor.
        write_whole(path, text.encode("utf-8", "replace"), replace=replace)
    except OSError as error:
        if not replace and path.is_file():
            return
        raise StorageError(
            _("{path} cannot be written: {reason}.", path=one_line(str(path)), reason=error.strerror or error),
            _("Check the folder and its disk."),
        ) from error


def keep_text(text: str) -> Path:
    """Write a text that has no other place, under a name made from it.

    Raises:
        StorageError: It cannot be written.
    """
    data = text.encode("utf-8", "replace")
    path = paths.state_dir() / "pasted" / f"{hashlib.sha256(data).hexdigest()[:10]}.txt"
    write_text(path, text)
    return path


def read_text(path: Path) -> str | None:
    """The text as it stands in the file now, safe to show; None where there is no file.

    Raises:
        StorageError: The file cannot be read, or is no text.
    """
    try:
        with open_regular(path) as file:
            return clean(file.read(_MOST_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(
            _("{path} cannot be read as text.", path=one_line(str(path))), _("Open it again, or remove it.")
        ) from error


def _forget_oldest(path: Path) -> None:
    with contextlib.suppress(OSError):
        files = sorted(path.parent.glob(f"*{path.suffix}"), key=lambda file: file.stat().st_mtime)
        for old in files[: max(0, len(files) - _KEPT + 1)]:
            old.unlink()
