"""Routing, grading and answering by rules, word statistics and the small embedding model: no chat model needed.

Everything is deterministic: the same question over the same evidence gives the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.conversation import Turn
from kbtui.domain.document import FileRecord
from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing
from kbtui.question.followup import Condensed, condense

if TYPE_CHECKING:
    from kbtui.question.terms import Rarity
    from kbtui.reasoning.citing import ReadsLines
    from kbtui.reasoning.offline.answering import Near
    from kbtui.reasoning.offline.grader import Encodes, OfflineGrader
    from kbtui.reasoning.offline.router import OfflineRouter
    from kbtui.reasoning.offline.writer import OfflineWriter, ReadsRecords

__all__ = ["OfflineReasoner", "offline_reasoner"]


class OfflineReasoner(Struct, frozen=True, kw_only=True):
    """The three offline thinkers behind the protocols of ``domain.ports``."""

    router: OfflineRouter | FollowUpRouter
    grader: OfflineGrader
    writer: OfflineWriter

    def is_chitchat(self, query: str) -> bool:
        """True when ``query`` is small talk, so that nothing needs to be opened or searched to answer it."""
        from kbtui.question.understanding import understand

        return understand(self.meant(query)).query_type == "chitchat"

    def after(self, history: Sequence[Turn]) -> OfflineReasoner:
        """The reasoner for a question that may mean something of what was said before, oldest first."""
        if not history:
            return self
        from kbtui.reasoning.offline.router import OfflineRouter

        return replace(self, router=FollowUpRouter(OfflineRouter(), history))

    def meant(self, query: str) -> str:
        """``query`` with what it means of what was said before; itself where it stands alone."""
        return self.router.meant(query) if isinstance(self.router, FollowUpRouter) else query


def offline_reasoner(
    embedder: Encodes | Callable[[], Encodes | None] | None = None,
    source: ReadsLines | None = None,
    files: Callable[[], Iterable[FileRecord]] | None = None,
    rarity: Rarity | None = None,
    records: ReadsRecords | None = None,
    near: Near | None = None,
    background: Callable[[], float | None] | None = None,
) -> OfflineReasoner:
    """The offline reasoner.

    Args:
        embedder: The embedder, or what gives it when first needed; without one, words alone grade.
        source: Lines of the files as they are now, for quotes; without one, quotes come from the hits.
        files: The indexed files, asked only to suggest what else could be asked.
        rarity: How rare words are in the folder, 0 to 1; what cannot be read counts as rare.
        records: What the records of the folder state in answer to a part of a question.
        near: How near the places of documents are to a question, by the vectors of the index.
        background: What search makes of questions that the folder does not answer; None where it was not measured.
    """
    from kbtui.reasoning.offline.grader import OfflineGrader
    from kbtui.reasoning.offline.router import OfflineRouter
    from kbtui.reasoning.offline.writer import OfflineWriter

    def lazily() -> Encodes | None:
        return embedder() if callable(embedder) else embedder

    return OfflineReasoner(
        router=OfflineRouter(),
        grader=OfflineGrader(lazily, rarity),
        writer=OfflineWriter(lazily, source, files, rarity, records, near, background),
    )


class FollowUpRouter:
    """Routes what a follow-up means; anything else exactly as ``inner`` does.

    Args:
        inner: Routes questions that stand alone.
        history: What was asked and answered before, oldest first.
    """

    def __init__(self, inner: QueryRouter, history: Sequence[Turn]) -> None:
        self._inner = inner
        self._history = tuple(history)
        self._known: dict[str, Condensed | None] = {}

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`. A later pass brings the question in full, which means nothing else then."""
        # Whoever routes behind this may have put the question in full in other words.
        condensed = self._condensed(query) if hint.iteration == 0 else self._known.get(query)
        if condensed is None:
            return self._inner.route(query, hint)
        routing = self._inner.route(condensed.standalone, hint)
        return replace(routing, standalone=condensed.standalone, signals=(*routing.signals, *condensed.signals))

    def meant(self, query: str) -> str:
        """``query`` in full; itself where it stands alone."""
        condensed = self._condensed(query)
        return query if condensed is None else condensed.standalone

    def _condensed(self, query: str) -> Condensed | None:
        if query not in self._known:
            found = condense(query, self._history)
            self._known[query] = found
            if found is not None:
                self._known[found.standalone] = found
        return self._known[query]
