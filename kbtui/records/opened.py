"""Records readers of open folders, cached for each version of their index."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, ref

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.links import Links

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.records.texts import FileFinder

_READERS: Final[WeakKeyDictionary[KnowledgeBase, tuple[str, RecordsReader]]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def reader_of(knowledge: KnowledgeBase, today: Callable[[], date] = date.today) -> RecordsReader:
    """The reader over the current index of a folder; cached and safe to call from several threads."""
    whole = reader_of(knowledge.whole, today).collection if knowledge.whole is not None else None
    with _LOCK:
        version = knowledge.index.version
        cached = _READERS.get(knowledge)
        if cached is None or cached[0] != version:
            links = Links(knowledge.file_records(), knowledge.index.relations())
            collection = Collection(links, knowledge.root.name, whole, knowledge.member_names)
            cached = version, RecordsReader(collection, today, knowledge.source, _file_finder(ref(knowledge)))
            _READERS[knowledge] = cached
        return cached[1]


def _file_finder(knowledge: ref[KnowledgeBase]) -> FileFinder:
    """A finder of files by text, with a weak reference: a strong one would keep the folder open for ever."""

    def find(texts: Sequence[str]) -> frozenset[str]:
        open_folder = knowledge()
        return open_folder.grep.holding(texts) if open_folder is not None else frozenset()

    return find
