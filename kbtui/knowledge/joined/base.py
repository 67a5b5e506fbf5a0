"""Several folders, opened as one knowledge base."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace as with_settings

from kbtui.domain.holdings import joined_to_read
from kbtui.domain.ports import CancelToken, Emit
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.joined.source import JoinedSource
from kbtui.settings.joined import members_of
from kbtui.settings.model import Settings

if TYPE_CHECKING:
    from kbtui.knowledge.joined.index import JoinedIndex
    from kbtui.knowledge.reading.walk_types import Walk
    from kbtui.knowledge.store.freshness import Staleness
    from kbtui.knowledge.store.indexer import IndexReport


class JoinedKnowledgeBase(KnowledgeBase):
    """See `KnowledgeBase`; each folder is brought up to date by itself, and all are searched together.

    Args:
        root: The folder that stands for the members.
        members: The folders, by name.
    """

    def __init__(self, root: Path, settings: Settings, members: Mapping[str, KnowledgeBase]) -> None:
        super().__init__(root, with_settings(settings, index=with_settings(settings.index, auto=False)))
        self.members = members
        self.member_names = tuple(members)
        self.source = JoinedSource(root, {name: member.source for name, member in members.items()})
        for member in members.values():
            vars(member)["_made_embedder"] = self.embedder

    @property
    def index(self) -> JoinedIndex:
        """The indexes of the folders, read as one."""
        with self.lock:
            if "_made_index" not in vars(self):
                from kbtui.knowledge.joined.index import JoinedIndex

                indexes = {name: member.index for name, member in self.members.items()}
                self._made_index = JoinedIndex(self.root, self._settings, indexes)
            return self._made_index

    def file_count(self) -> int | None:
        counts = [member.file_count() for member in self.members.values()]
        known = [count for count in counts if count is not None]
        return sum(known) if known else None

    @contextlib.contextmanager
    def reading_ahead(self) -> Iterator[None]:
        yield

    def ensure_fresh(
        self,
        emit: Emit,
        cancel: CancelToken,
        meanwhile: Callable[[Walk], None] | None = None,  # noqa: ARG002 - a first look is at one folder
    ) -> IndexReport | None:
        reports = [member.ensure_fresh(emit, cancel) for member in self.members.values()]
        if any(reports):
            self.refresh()
        return next(filter(None, reports), None)

    def complete(self, emit: Emit, cancel: CancelToken) -> IndexReport:
        reports = [member.complete(emit, cancel) for member in self.members.values()]
        self.refresh()
        return reports[-1]

    def staleness(self, *, ahead: bool = False) -> Staleness:  # noqa: ARG002 - no folder is cut ahead of the others
        each = {name: member.staleness() for name, member in self.members.items()}
        states = list(each.values())
        return replace(
            states[0],
            never_indexed=any(state.never_indexed for state in states),
            added=sum(state.added for state in states),
            changed=sum(state.changed for state in states),
            removed=sum(state.removed for state in states),
            rebuild_reason=next((state.rebuild_reason for state in states if state.rebuild_reason), ""),
            vector_share=min(state.vector_share for state in states),
            left_out=tuple(f"{name}: {note}" for name, state in each.items() for note in state.left_out),
            nothing_to_read=states[0].nothing_to_read if all(state.nothing_to_read for state in states) else (),
            to_read=joined_to_read([state.to_read for state in states if state.to_read is not None]),
            walk=None,
            ahead=None,
        )

    def vector_share(self) -> float:
        shares = [(member.vector_share(), member.index.chunk_count) for member in self.members.values()]
        total = sum(count for _, count in shares)
        return sum(share * count for share, count in shares) / total if total else 1.0

    def left_out(self) -> tuple[str, ...]:
        return tuple(f"{name}: {note}" for name, member in self.members.items() for note in member.left_out())

    def nothing_to_read(self) -> tuple[str, ...]:
        each = [member.nothing_to_read() for member in self.members.values()]
        return each[0] if all(each) else ()

    def refresh(self) -> None:
        for member in self.members.values():
            member.refresh()
        super().refresh()


def open_knowledge_base(root: Path, settings: Settings) -> KnowledgeBase:
    """The knowledge base of a folder, or of the folders that it stands for, each with the index settings of its own.

    Raises:
        SettingsError: The settings file of one of several folders is not valid.
    """
    folders = members_of(root)
    if not folders:
        return KnowledgeBase(root, settings)
    from kbtui.settings.load import load_settings

    members = {
        name: KnowledgeBase(folder, with_settings(settings, index=load_settings(folder).settings.index))
        for name, folder in folders.items()
    }
    return JoinedKnowledgeBase(root, settings, members)
