"""Finds folders that are one thing and the file that describes each.

The description is a ``meta.yaml`` next to the text it is about, several small files with a value each, or only a
readme, where neighbouring folders have the same files.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from kbtui.domain.document import FileRecord
from kbtui.knowledge.relations.structure import is_data

_PROSE: Final = frozenset({"markdown", "rst", "text", "html"})
_INDEX: Final = frozenset({"readme", "index", "_index"})
_MIN_FOLDERS: Final = 3
"""Least number of folders with a data file of one name for such files to be descriptions."""
SMALL_FILE: Final = 12
"""Most lines of a file that may consist of values only."""
_MIN_PAIRS: Final = 2
"""Fewest data files of a folder with a text of their name for them to state its fields."""


class FolderDescription(NamedTuple):
    """A folder with the file that describes it.

    Attributes:
        by: Path of the describing file.
        text: Path of the text that it is about; empty where there are several.
        parts: Small files in it that state a value each, where no data file describes it.
    """

    folder: str
    by: str
    text: str
    parts: tuple[str, ...] = ()


def described_folders(files: Iterable[FileRecord]) -> Iterator[FolderDescription]:
    """Every folder that has a description, in the order of the files."""
    folders: dict[str, list[FileRecord]] = defaultdict(list)
    for record in files:
        folders[posixpath.dirname(record.path)].append(record)
    names = Counter(_name(record) for records in folders.values() for record in records if is_data(record))
    with_name = Counter(_parallel(folder, _name(record)) for folder, records in folders.items() for record in records)
    only_file = Counter(
        _parallel(folder, _name(records[0])) for folder, records in folders.items() if len(records) == 1
    )
    sibling_count = Counter(posixpath.dirname(folder) for folder in folders if folder)
    for folder, records in folders.items():
        if not folder:
            continue
        data = [record for record in records if is_data(record) and names[_name(record)] >= _MIN_FOLDERS]
        texts = [record for record in records if record.kind in _PROSE]
        if len(data) == 1:
            main = [record for record in texts if _is_index(record)] or texts
            yield FolderDescription(folder, data[0].path, main[0].path if len(main) == 1 else "")
        elif not data:
            usual = max(_MIN_FOLDERS, sibling_count[posixpath.dirname(folder)] / 3)
            shared = [record for record in texts if with_name[_parallel(folder, _name(record))] >= usual]
            small = [record for record in shared if record.kind == "text" and record.line_count <= SMALL_FILE]
            readmes = [record for record in texts if record not in small]
            if len(readmes) != 1 or readmes[0] not in shared:
                continue
            key = _parallel(folder, _name(readmes[0]))
            if small or (_is_index(readmes[0]) and 2 * only_file[key] >= with_name[key]):
                yield FolderDescription(folder, readmes[0].path, "", tuple(record.path for record in small))


def _name(record: FileRecord) -> str:
    return posixpath.basename(record.path)


def _is_index(record: FileRecord) -> bool:
    return posixpath.splitext(_name(record))[0].lower() in _INDEX


def _parallel(folder: str, name: str) -> tuple[str, str]:
    """The key of files of one name in sibling folders."""
    return posixpath.dirname(folder), name


def texts_beside(files: Iterable[FileRecord]) -> dict[str, str]:
    """The text with the name of each data file, where several of a folder have one: a.json states fields of a.md."""
    by_name: dict[str, list[FileRecord]] = defaultdict(list)
    for record in files:
        by_name[posixpath.splitext(record.path)[0]].append(record)
    pairs: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for records in by_name.values():
        texts = [record.path for record in records if record.kind in _PROSE]
        for record in records if len(texts) == 1 else ():
            if is_data(record):
                folder, suffix = posixpath.dirname(record.path), posixpath.splitext(record.path)[1]
                pairs[folder, suffix][record.path] = texts[0]
    return {path: text for found in pairs.values() if len(found) >= _MIN_PAIRS for path, text in found.items()}
