"""Writes the text extracted from a document to a file for an editor or viewer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kbtui.late_patterns import pattern
from kbtui.settings import paths
from kbtui.text.terminal import one_line
from kbtui.view.user_files import write_text

_UNSAFE_CHARS: Final = pattern(r"[^\w.\-]+")
_PAGE: Final = pattern(r"p\.(\d+)(?:-\d+)?")


def write_extracted(path: str, text: str) -> Path:
    """Write the text of the document ``path`` to a private file such as ``manual.pdf-3f2a9c.txt``; returns its path.

    Raises:
        StorageError: The file cannot be written.
    """
    name = _UNSAFE_CHARS.sub("-", one_line(path.rpartition("/")[2]))[:60].strip("-.") or "text"
    digest = paths.short_digest(path.encode("utf-8", "replace"))[:6]
    target = paths.state_dir() / "extracted" / f"{name}-{digest}.txt"
    write_text(target, text)
    return target


def page_of(path: str, locator: str) -> int | None:
    """The page, from 1, that a citation of a PDF points at; None for other files and for citations without a page."""
    match = _PAGE.match(locator) if path.lower().endswith(".pdf") else None
    return int(match[1]) if match else None
