"""Folders that one file of data describes: a ``meta.yaml`` beside the text it is about makes both one thing."""

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


class Described(NamedTuple):
    """A folder, the file that describes it, and the text it is about; the text is empty where there are several."""

    folder: str
    by: str
    text: str


def described_folders(files: Iterable[FileRecord]) -> Iterator[Described]:
    """Every folder that a file describes, in the order of the files."""
    folders: dict[str, list[FileRecord]] = defaultdict(list)
    names: Counter[str] = Counter()
    for record in files:
        folders[posixpath.dirname(record.path)].append(record)
        names[posixpath.basename(record.path)] += record.kind in _DATA
    for folder, records in folders.items():
        data = [r for r in records if r.kind in _DATA and names[posixpath.basename(r.path)] >= _FEWEST]
        if len(data) != 1 or not folder:
            continue
        texts = [record for record in records if record.kind in _PROSE]
        main = [r for r in texts if posixpath.splitext(posixpath.basename(r.path))[0].lower() in _INDEX] or texts
        yield Described(folder, data[0].path, main[0].path if len(main) == 1 else "")
