"""Detects whether a folder holds documents, without reading or indexing it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection
from pathlib import Path
from typing import Final

_MAX_ENTRIES: Final = 5_000
"""A folder with more entries than this is assumed to hold documents."""


def has_documents(root: Path, sources: Collection[str] = ()) -> bool:
    """Whether a file under ``root`` is neither hidden nor one of ``sources``, which are absolute paths.

    A folder that cannot be listed has none.
    """
    remaining, folders = _MAX_ENTRIES, deque([str(root)])
    while folders:
        try:
            with os.scandir(folders.popleft()) as entries:
                for entry in entries:
                    remaining -= 1
                    if remaining < 0:
                        return True
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif os.path.realpath(entry.path) not in sources:
                        return True
        except OSError:
            continue
    return False
