"""Routes a question about a text that was handed in: its telling words are looked for, whatever the question asks."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.question.keywords import join_terms
from kbtui.reasoning.offline.router import OfflineRouter, tools_after, tools_for


class HandedInRouter(OfflineRouter):
    """One part, searched by meaning and words: the relations and values that a question names are those of the text.

    Args:
        terms: The telling words of the text, best first.
    """

    def __init__(self, terms: Sequence[str]) -> None:
        self._terms = tuple(terms)

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`; ``query`` holds the terms."""
        tools = tools_after("conceptual", hint.tried_tools) if hint.iteration else tools_for("conceptual")
        plan = RoutingPlan(
            query_type="conceptual",
            complexity="simple",
            sub_questions=(SubQuestion(semantic_intent=query, search_keywords=join_terms(self._terms)),),
            suggested_tools=tools,
            grep_keywords=self._terms,
        )
        return Routing(plan=plan, signals=(Signal(name="text handed in", detail=", ".join(self._terms)),))
