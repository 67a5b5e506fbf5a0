"""Routes a question about a text that was handed in: its telling words are looked for, whatever the question asks."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.domain.routing import QueryType, RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.question.keywords import join_terms
from kbtui.question.understanding import understand
from kbtui.reasoning.offline.router import OfflineRouter, tools_after, tools_for
from kbtui.text.tokenise import name_parts


class HandedInRouter(OfflineRouter):
    """One part, searched by meaning and words: the relations and values that a question names are those of the text.

    Args:
        terms: The telling words of the text, best first.
    """

    def __init__(self, terms: Sequence[str]) -> None:
        self._terms = tuple(terms)

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`; ``query`` holds the terms."""
        query_type: QueryType = "conceptual"
        intent = query
        if understand(query).query_type == "file_discovery":
            # "Which runbook covers this?" asks for documents about any of the terms, not for the files that they name.
            query_type = "file_discovery"
            intent = f"files about {' '.join(dict.fromkeys(part for term in self._terms for part in name_parts(term)))}"
        tools = tools_after(query_type, hint.tried_tools) if hint.iteration else tools_for(query_type)
        plan = RoutingPlan(
            query_type=query_type,
            complexity="simple",
            sub_questions=(SubQuestion(semantic_intent=intent, search_keywords=join_terms(self._terms)),),
            suggested_tools=tools,
            grep_keywords=self._terms,
        )
        return Routing(plan=plan, signals=(Signal(name="text handed in", detail=", ".join(self._terms)),))
