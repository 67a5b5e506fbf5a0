"""Private text files that the user views or edits in an editor; only the newest of a folder are kept.

They hold what was pasted, statements, and the text that was extracted from documents.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from kbtui.errors import StorageError
from kbtui.i18n import _
from kbtui.late_patterns import pattern
from kbtui.regular_files import open_regular
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.terminal import clean, one_line
from kbtui.whole_file import write_whole

_MAX_FILES: Final = 100
"""Files kept in a folder; writing a further one deletes the oldest."""
_MAX_BYTES: Final = 256_000
_UNSAFE_CHARS: Final = pattern(r"[^\w\-]+")
_UNSAFE_NAME_CHARS: Final = pattern(r"[^\w.\-]+")
_PAGE: Final = pattern(r"p\.(\d+)(?:-\d+)?")
_SOURCE_COMMENT = "-- source: "


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


def statement_path(sql: str, source: str) -> Path:
    """The file for a statement, which is the same each time the statement is opened."""
    import hashlib

    name = _UNSAFE_CHARS.sub("-", one_line(source))[:32].strip("-") or "statement"
    digest = hashlib.sha256(f"{source}\n{sql}".encode("utf-8", "replace")).hexdigest()[:10]
    return paths.state_dir() / "statements" / f"{name}-{digest}.sql"


def write_statement(sql: str, source: str) -> Path:
    """Write the statement to its private file and return the path; an existing file, possibly edited, is kept.

    Raises:
        StorageError: The file cannot be written.
    """
    path = statement_path(sql, source)
    write_text(path, f"{_SOURCE_COMMENT}{one_line(source)}\n{clean(sql).rstrip()}\n", replace=False)
    return path


def edited_statement(sql: str, source: str) -> str:
    """The statement in its file; ``sql`` if there is no file or it is empty.

    Raises:
        StorageError: The file cannot be read, or is no text.
    """
    lines = (read_text(statement_path(sql, source)) or "").split("\n")
    if lines[0].startswith(_SOURCE_COMMENT.rstrip()):
        del lines[0]
    edited = "\n".join(lines).strip()
    return edited if edited and edited != clean(sql).strip() else sql


def write_extracted(path: str, text: str) -> Path:
    """Write the text of the document ``path`` to a private file such as ``manual.pdf-3f2a9c.txt``; returns its path.

    Raises:
        StorageError: The file cannot be written.
    """
    name = _UNSAFE_NAME_CHARS.sub("-", one_line(path.rpartition("/")[2]))[:60].strip("-.") or "text"
    digest = paths.short_digest(path.encode("utf-8", "replace"))[:6]
    target = paths.state_dir() / "extracted" / f"{name}-{digest}.txt"
    write_text(target, text)
    return target


def page_of(path: str, locator: str) -> int | None:
    """The page, from 1, that a citation of a PDF points at; None for other files and for citations without a page."""
    match = _PAGE.match(locator) if path.lower().endswith(".pdf") else None
    return int(match[1]) if match else None
