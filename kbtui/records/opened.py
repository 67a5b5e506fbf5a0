"""The reader of a folder that is open, made once for each state of its index."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase

_READERS: Final[WeakKeyDictionary[KnowledgeBase, tuple[object, RecordsReader]]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def reader_of(knowledge: KnowledgeBase, today: Callable[[], date] = date.today) -> RecordsReader:
    """The reader over what is indexed now."""
    graph = knowledge.graph
    with _LOCK:
        known = _READERS.get(knowledge)
        if known is None or known[0] is not graph:
            known = graph, RecordsReader(Collection(graph), today)
            _READERS[knowledge] = known
        return known[1]
