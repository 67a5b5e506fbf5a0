"""Addresses of lines of files, which clients can open and read: ``file:///folder/notes.md#L12-L18``."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from msgspec import Struct

from kbtui.domain.answer import line_label
from kbtui.errors import OutsideFolder, UsageError
from kbtui.text.terminal import one_line

_LINES: Final = re.compile(r"L?(\d{1,9})(?:-L?(\d{1,9}))?")


class Place(Struct, frozen=True, kw_only=True):
    """Lines of a file.

    Attributes:
        path: Path relative to the folder.
        start_line, end_line: Line numbers from 1, both inclusive; None is the first or the last line.
    """

    path: str
    start_line: int | None = None
    end_line: int | None = None


def address_of(folder: Path, path: str, start_line: int | None = None, end_line: int | None = None) -> str:
    """The address of lines of a file in ``folder``, an absolute path; of the whole file without lines."""
    file_address = "file://" + quote(os.fsencode((folder / path).as_posix()))
    if start_line is None:
        return file_address
    return f"{file_address}#{line_label('', start_line, end_line).lstrip(':')}"


def place_at(folder: Path, address: str) -> Place:
    """The lines at an address in ``folder``; a path without a scheme is relative to the folder.

    Raises:
        OutsideFolder: The address is not one of the folder.
        UsageError: The fragment after ``#`` is not a range of lines.
    """
    outside = OutsideFolder(
        f"{one_line(address, 200)} is no address of this folder.", "Take one of a source, or a path inside the folder."
    )
    if not address.startswith("file:"):
        if "://" in address:
            raise outside
        return Place(path=address)
    try:
        parts = urlsplit(address)
        path = PurePosixPath(os.fsdecode(unquote_to_bytes(parts.path)))
        if parts.netloc not in ("", "localhost") or parts.query:
            raise outside
        relative = path.relative_to(folder.as_posix()).as_posix()
    except ValueError:
        raise outside from None
    if not parts.fragment:
        return Place(path=relative)
    match = _LINES.fullmatch(parts.fragment)
    if match is None:
        raise UsageError(f"#{one_line(parts.fragment, 80)} are no lines.", "Write #L12 or #L12-L18.")
    first = int(match[1])
    return Place(path=relative, start_line=first, end_line=int(match[2] or first))
