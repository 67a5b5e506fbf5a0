"""Routes a follow-up question as the question in full that it means (`kbtui.question.followup`)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing
from kbtui.question.followup import Condensed, condense


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
