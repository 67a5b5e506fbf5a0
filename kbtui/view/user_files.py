"""Private text files that the user views or edits in an editor; only the newest of a folder are kept."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from kbtui.errors import StorageError
from kbtui.i18n import _
from kbtui.regular_files import open_regular
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.terminal import clean, one_line
from kbtui.whole_file import write_whole

_MAX_FILES: Final = 100
"""Files kept in a folder; writing a further one deletes the oldest."""
_MAX_BYTES: Final = 256_000


def write_text(path: Path, text: str, *, replace: bool = True) -> None:
    """Write ``text`` to a file that only the user may read.

    Args:
        path: The file; its folder is created if needed and holds only files of this kind.
        replace: Whether to replace an existing file.

    Raises:
        StorageError: The file cannot be written.
    """
    try:
        private_folder(path.parent)
        _delete_oldest(path)
        # A partly written text would be taken for one that the user edited.
        write_whole(path, text.encode("utf-8", "replace"), replace=replace)
    except OSError as error:
        if not replace and path.is_file():
            return
        raise StorageError(
            _("{path} cannot be written: {reason}.", path=one_line(str(path)), reason=error.strerror or error),
            _("Check the folder and its disk."),
        ) from error


def write_pasted_text(text: str) -> Path:
    """Write pasted text to a file named by its hash, and return the path.

    Raises:
        StorageError: The file cannot be written.
    """
    data = text.encode("utf-8", "replace")
    path = paths.state_dir() / "pasted" / f"{paths.short_digest(data)[:10]}.txt"
    write_text(path, text)
    return path


def read_text(path: Path) -> str | None:
    """The content of the file, cleaned for display; None if there is no file.

    Raises:
        StorageError: The file cannot be read, or is not text.
    """
    try:
        with open_regular(path) as file:
            return clean(file.read(_MAX_BYTES).decode("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(
            _("{path} cannot be read as text.", path=one_line(str(path))), _("Open it again, or remove it.")
        ) from error


def _delete_oldest(path: Path) -> None:
    with contextlib.suppress(OSError):
        files = sorted(path.parent.glob(f"*{path.suffix}"), key=lambda file: file.stat().st_mtime)
        for old in files[: max(0, len(files) - _MAX_FILES + 1)]:
            old.unlink()
