"""Takes out of a copied table of LanceDB what only its earlier versions use: up to half of an index after it was made.

LanceDB itself would write the newest version anew before it removes the earlier ones, so that every generation had new
objects. What a version uses is read from its manifest instead: it has the names of data files as text, and those of
indexes as the 16 bytes of their UUIDs. Where that does not agree with what LanceDB says of the table, all is left.
"""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path
from typing import Any, Final

from kbtui.knowledge.store.index_tables import connect

_NAME_DIGITS: Final = 20
"""Of manifests whose names fall from version to version, so that the newest one comes first."""


def drop_old_versions(table: Path) -> None:
    """Remove the manifests of earlier versions of a table, and the data and indexes that the newest one does not use.

    Args:
        table: Folder ``name.lance``, a copy that nobody else reads.

    Raises:
        OSError: It cannot be read or changed.
        RuntimeError: LanceDB cannot open it.
    """
    manifests = sorted((table / "_versions").glob("*.manifest"))
    if not manifests or any(len(path.stem) != _NAME_DIGITS or not path.stem.isdigit() for path in manifests):
        return
    newest = manifests[0].read_bytes()
    data = {path: path.name.encode() in newest for path in _entries(table / "data")}
    indexes = {path: _is_index_of(path, newest) for path in _entries(table / "_indices")}
    opened: Any = connect(table.parent).open_table(table.stem)
    if sum(data.values()) < opened.stats()["fragment_stats"]["num_fragments"]:
        return
    if sum(indexes.values()) < len(opened.list_indices()):
        return
    for path in manifests[1:]:
        path.unlink()
    for path, is_used in (data | indexes).items():
        if not is_used:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _is_index_of(folder: Path, manifest: bytes) -> bool:
    try:
        return uuid.UUID(folder.name).bytes in manifest
    except ValueError:
        return True
