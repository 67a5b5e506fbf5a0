"""Statements of answers as files, to look at and to change in an editor, and to run again from there."""

from __future__ import annotations

import contextlib
import hashlib
import re
from pathlib import Path
from typing import Final

from kbtui.errors import StorageError
from kbtui.regular_files import open_regular
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.terminal import clean, one_line
from kbtui.whole_file import write_whole

_KEPT: Final = 100
"""Statements that stay on the disk; opening one more forgets the oldest."""
_MOST_BYTES: Final = 256_000
_NOT_IN_NAMES = re.compile(r"[^\w\-]+")
_SOURCE = "-- source: "


def statement_path(sql: str, source: str) -> Path:
    """Where the statement of an answer has its file: the same one each time it is opened."""
    name = _NOT_IN_NAMES.sub("-", one_line(source))[:32].strip("-") or "statement"
    mark = hashlib.sha256(f"{source}\n{sql}".encode("utf-8", "replace")).hexdigest()[:10]
    return paths.state_dir() / "statements" / f"{name}-{mark}.sql"


def write_statement(sql: str, source: str) -> Path:
    """The statement as a file that the user alone may read; what was changed in it before stays as it is.

    Raises:
        StorageError: It cannot be written.
    """
    path = statement_path(sql, source)
    try:
        private_folder(path.parent)
        _forget_oldest(path.parent)
        text = f"{_SOURCE}{one_line(source)}\n{clean(sql).rstrip()}\n"
        # Half a statement would be taken for one that was changed in the editor.
        write_whole(path, text.encode("utf-8", "replace"), replace=False)
    except FileExistsError:
        pass
    except OSError as error:
        raise StorageError(
            f"{one_line(str(path))} cannot be written: {error.strerror or error}.", "Check the folder and its disk."
        ) from error
    return path


def changed_statement(sql: str, source: str) -> str:
    """The statement as it stands in its file now: ``sql`` itself where it was never opened or was emptied.

    Raises:
        StorageError: The file cannot be read, or is no text.
    """
    path = statement_path(sql, source)
    try:
        with open_regular(path) as file:
            data = file.read(_MOST_BYTES)
        text = clean(data.decode("utf-8"))
    except FileNotFoundError:
        return sql
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(f"{one_line(str(path))} cannot be read as text.", "Open it again, or remove it.") from error
    lines = text.split("\n")
    if lines and lines[0].startswith(_SOURCE.rstrip()):
        del lines[0]
    found = "\n".join(lines).strip()
    return found if found and found != clean(sql).strip() else sql


def _forget_oldest(folder: Path) -> None:
    with contextlib.suppress(OSError):
        files = sorted(folder.glob("*.sql"), key=lambda path: path.stat().st_mtime)
        for path in files[: max(0, len(files) - _KEPT + 1)]:
            path.unlink()
