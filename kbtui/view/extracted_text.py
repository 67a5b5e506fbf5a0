"""The text that was taken out of a file, as a file of its own, to look at in an editor."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

from kbtui.settings import paths
from kbtui.text.terminal import one_line
from kbtui.view.user_files import write_text

_NOT_IN_NAMES: Final = re.compile(r"[^\w.\-]+")
_PAGE: Final = re.compile(r"p\.(\d+)(?:-\d+)?")


def write_extracted(path: str, text: str) -> Path:
    """Write the text of the file ``path`` of a folder so that the user alone may read it: ``manual.pdf-3f2a9c.txt``.

    Raises:
        StorageError: It cannot be written.
    """
    name = _NOT_IN_NAMES.sub("-", one_line(path.rpartition("/")[2]))[:60].strip("-.") or "text"
    mark = hashlib.sha256(path.encode("utf-8", "replace")).hexdigest()[:6]
    target = paths.state_dir() / "extracted" / f"{name}-{mark}.txt"
    write_text(target, text)
    return target


def page_of(path: str, locator: str) -> int | None:
    """The page that a citation of a PDF points at; None for other files, and for lines that stand on no page."""
    match = _PAGE.match(locator) if path.lower().endswith(".pdf") else None
    return int(match[1]) if match else None
