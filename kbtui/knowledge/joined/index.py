"""The indexes of several folders, read as one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from kbtui.knowledge.joined.views import JoinedText, JoinedVectors
from kbtui.knowledge.store.index import Index, IndexStats
from kbtui.knowledge.store.index_view import TextView
from kbtui.knowledge.store.vector_view import VectorView
from kbtui.settings.model import Settings

T = TypeVar("T")


class JoinedIndex(Index):
    """See `Index`; it is only read, and each folder is written by itself.

    Args:
        root: The folder that stands for the members.
        members: Their indexes, by name, ordered by the paths of their files.
    """

    def __init__(self, root: Path, settings: Settings, members: Mapping[str, Index]) -> None:
        super().__init__(root, settings)
        self._members = members
        self._joined = JoinedText({})

    @property
    def exists(self) -> bool:
        return any(index.exists for index in self._members.values())

    @property
    def fingerprint(self) -> str:
        """The fingerprint that the members with vectors have in common; of different ones, all of them."""
        found = sorted({index.fingerprint for index in self._members.values()} - {""})
        return "+".join(found)

    def stats(self) -> IndexStats:
        each = [index.stats() for index in self._members.values()]
        return IndexStats(
            files=sum(stats.files for stats in each),
            chunks=sum(stats.chunks for stats in each),
            size_bytes=sum(stats.size_bytes for stats in each),
        )

    def read(self, use: Callable[[TextView], T], empty: T) -> T:
        names = list(self._members)

        def read_from(position: int, views: Mapping[str, TextView]) -> T:
            if position == len(names):
                return use(cast("TextView", self._text_of(views))) if views else empty
            name = names[position]
            index, missing = self._members[name], object()
            # Within the read of each index, whose views stay valid until the innermost one returns.
            result: Any = index.read(lambda text: read_from(position + 1, {**views, name: text}), missing)
            return read_from(position + 1, views) if result is missing else result

        with self._lock:
            return read_from(0, {})

    def current_vectors(self) -> VectorView | None:
        views = [self._members[name].current_vectors() for name in self._joined.members]
        return cast("VectorView", JoinedVectors(views)) if any(view is not None for view in views) else None

    def _text_of(self, views: Mapping[str, TextView]) -> JoinedText:
        """The joined text of these views; the same one as long as they are."""
        known = self._joined.members
        if list(known) != list(views) or any(known[name] is not view for name, view in views.items()):
            self._joined = JoinedText(views)
        return self._joined
