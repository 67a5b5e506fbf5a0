"""Routes a question with misspelt words as the folder spells them, and says so in the routing."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing, Signal
from kbtui.errors import KbtuiError
from kbtui.knowledge.search.spelling import Respelt


class SpellingRouter:
    """Stands around any other router.

    Args:
        inner: Routes questions that are spelt right.
        respell: Reads a question with the words of the folder.
    """

    def __init__(self, inner: QueryRouter, respell: Callable[[str], Respelt]) -> None:
        self._inner = inner
        self._respell = respell
        self._known: dict[str, Respelt] = {}

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`. A later pass brings the question as it was read, or what it means in full."""
        respelt = self._respelt(query) if hint.iteration == 0 else self._known.get(query)
        if respelt is None or not respelt.changes:
            return self._inner.route(query, hint)
        routing = self._inner.route(respelt.text, hint)
        meant = routing.standalone or respelt.text
        self._known[meant] = replace(respelt, text=meant)
        signals = [Signal(name="spelling", detail=f"{one.written} = {one.read}", weight=0.8) for one in respelt.changes]
        return replace(
            routing,
            standalone=meant,
            read_as=tuple((one.written, one.read) for one in respelt.changes),
            signals=(*routing.signals, *signals),
        )

    def _respelt(self, query: str) -> Respelt | None:
        try:
            return self._respell(query)
        except KbtuiError:
            # Whatever cannot be read is told of by whoever searches it.
            return None
