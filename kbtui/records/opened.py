"""The reader of a folder that is open, made once for each state of its index."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.links import Links

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase

_READERS: Final[WeakKeyDictionary[KnowledgeBase, tuple[str, RecordsReader]]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def reader_of(knowledge: KnowledgeBase, today: Callable[[], date] = date.today) -> RecordsReader:
    """The reader over what is indexed now."""
    with _LOCK:
        version = knowledge.index.version
        known = _READERS.get(knowledge)
        if known is None or known[0] != version:
            links = Links(knowledge.file_records(), knowledge.index.relations())
            known = version, RecordsReader(Collection(links, knowledge.root.name), today, knowledge.source)
            _READERS[knowledge] = known
        return known[1]
