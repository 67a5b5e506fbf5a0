"""SQL statements of answers as files that the user may view, edit and run again."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from kbtui.settings import paths
from kbtui.text.terminal import clean, one_line
from kbtui.view.user_files import read_text, write_text

_UNSAFE_CHARS = re.compile(r"[^\w\-]+")
_SOURCE_COMMENT = "-- source: "


def statement_path(sql: str, source: str) -> Path:
    """The file for a statement, which is the same each time the statement is opened."""
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
