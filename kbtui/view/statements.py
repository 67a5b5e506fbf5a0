"""Statements of answers as files, to look at and to change in an editor, and to run again from there."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from kbtui.settings import paths
from kbtui.text.terminal import clean, one_line
from kbtui.view.user_files import read_text, write_text

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
    write_text(path, f"{_SOURCE}{one_line(source)}\n{clean(sql).rstrip()}\n", replace=False)
    return path


def changed_statement(sql: str, source: str) -> str:
    """The statement as it stands in its file now: ``sql`` itself where it was never opened or was emptied.

    Raises:
        StorageError: The file cannot be read, or is no text.
    """
    lines = (read_text(statement_path(sql, source)) or "").split("\n")
    if lines[0].startswith(_SOURCE.rstrip()):
        del lines[0]
    found = "\n".join(lines).strip()
    return found if found and found != clean(sql).strip() else sql
