"""The reader of a folder that is open, made once for each state of its index."""

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
    from kbtui.records.texts import Holding

_READERS: Final[WeakKeyDictionary[KnowledgeBase, tuple[str, RecordsReader]]] = WeakKeyDictionary()
_LOCK: Final = threading.Lock()


def reader_of(knowledge: KnowledgeBase, today: Callable[[], date] = date.today) -> RecordsReader:
    """The reader over what is indexed now."""
    with _LOCK:
        version = knowledge.index.version
        known = _READERS.get(knowledge)
        if known is None or known[0] != version:
            links = Links(knowledge.file_records(), knowledge.index.relations())
            collection = Collection(links, knowledge.root.name)
            known = version, RecordsReader(collection, today, knowledge.source, _holding(ref(knowledge)))
            _READERS[knowledge] = known
        return known[1]


def _holding(knowledge: ref[KnowledgeBase]) -> Holding:
    """Finds the files that hold texts; a reader that held its folder would keep it open for ever."""

    def found(texts: Sequence[str]) -> frozenset[str]:
        opened = knowledge()
        return opened.grep.holding(texts) if opened is not None else frozenset()

    return found
