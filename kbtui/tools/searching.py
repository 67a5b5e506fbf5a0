"""What a search tool is called with for a question that somebody types, and nobody has planned."""

from __future__ import annotations

from typing import Any, Final

from kbtui.tools.base import ToolSpec

SENTENCES: Final = ("semantic_query", "query", "question", "entity")
TERMS: Final = ("exact_keywords", "keywords")
"""Names of tool arguments that take a sentence, and that take exact terms."""


def search_arguments(tool: ToolSpec, query: str, keywords: str = "") -> dict[str, Any]:
    """What the tool is called with: ``query`` where it takes a sentence, ``keywords`` where it takes exact terms.

    Without keywords the query's own are taken, as the agent takes them from a question.
    """
    from kbtui.question.keywords import search_keywords

    terms = keywords.strip() or search_keywords(query) or query
    takes = tool.args.model_fields if tool.args else ()
    return {name: query if name in SENTENCES else terms for name in takes if name in SENTENCES + TERMS}
