"""Folders that are one thing: a ``meta.yaml`` beside the text it is about, small files with a value each, or nothing
but a readme, as those beside them have it."""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from kbtui.domain.document import FileRecord

_DATA: Final = frozenset({"yaml", "toml", "json"})
_PROSE: Final = frozenset({"markdown", "rst", "text", "html"})
_INDEX: Final = frozenset({"readme", "index", "_index"})
_FEWEST: Final = 3
"""Folders with a file of one name, from which on that name is one of files that describe their folder."""
SMALL_FILE: Final = 12
"""Lines of a file that may hold nothing but values."""


class Described(NamedTuple):
    """A folder, the file that describes it, and the text it is about; the text is empty where there are several.

    Attributes:
        parts: Small files in it that state a value each, where no file of data describes it.
    """

    folder: str
    by: str
    text: str
    parts: tuple[str, ...] = ()


def described_folders(files: Iterable[FileRecord]) -> Iterator[Described]:
    """Every folder that a file of data or several small files describe, in the order of the files."""
    folders: dict[str, list[FileRecord]] = defaultdict(list)
    for record in files:
        folders[posixpath.dirname(record.path)].append(record)
    names = Counter(_name(record) for records in folders.values() for record in records if record.kind in _DATA)
    alike = Counter(_parallel(folder, _name(record)) for folder, records in folders.items() for record in records)
    alone = Counter(_parallel(folder, _name(records[0])) for folder, records in folders.items() if len(records) == 1)
    beside = Counter(posixpath.dirname(folder) for folder in folders if folder)
    for folder, records in folders.items():
        if not folder:
            continue
        data = [r for r in records if r.kind in _DATA and names[_name(r)] >= _FEWEST]
        texts = [record for record in records if record.kind in _PROSE]
        if len(data) == 1:
            main = [r for r in texts if _is_index(r)] or texts
            yield Described(folder, data[0].path, main[0].path if len(main) == 1 else "")
        elif not data:
            usual = max(_FEWEST, beside[posixpath.dirname(folder)] / 3)
            shared = [r for r in texts if alike[_parallel(folder, _name(r))] >= usual]
            small = [r for r in shared if r.kind == "text" and r.line_count <= SMALL_FILE]
            described = [r for r in texts if r not in small]
            if len(described) != 1 or described[0] not in shared:
                continue
            of_name = _parallel(folder, _name(described[0]))
            if small or (_is_index(described[0]) and 2 * alone[of_name] >= alike[of_name]):
                yield Described(folder, described[0].path, "", tuple(record.path for record in small))


def _name(record: FileRecord) -> str:
    return posixpath.basename(record.path)


def _is_index(record: FileRecord) -> bool:
    return posixpath.splitext(_name(record))[0].lower() in _INDEX


def _parallel(folder: str, name: str) -> tuple[str, str]:
    """Files of one name in folders beside one another."""
    return posixpath.dirname(folder), name
