"""Addresses of lines of files, for terminals that make them clickable (OSC 8)."""

from __future__ import annotations

import socket
from pathlib import Path, PurePosixPath
from urllib.parse import quote


def file_link(folder: Path, path: str, line: int) -> str:
    """``file://host/folder/notes.md#L12``; empty for a path that leaves the folder, and where the folder is unknown."""
    parts = PurePosixPath(path)
    if not path or parts.is_absolute() or ".." in parts.parts or not folder.is_absolute():
        return ""
    # The link names its host: over ssh the terminal must not open a file of its own machine.
    return f"file://{quote(socket.gethostname())}{quote((folder / parts).as_posix())}#L{line}"
