"""The arguments of a search tool for a question that a user or program asks without a plan."""

from __future__ import annotations

from typing import Any, Final

from kbtui.tools.base import ToolSpec

SENTENCE_ARGUMENTS: Final = ("semantic_query", "query", "question", "entity")
TERM_ARGUMENTS: Final = ("exact_keywords", "keywords")
"""Names of tool arguments that take a sentence, and that take exact terms."""


def search_arguments(tool: ToolSpec, query: str, keywords: str = "") -> dict[str, Any]:
    """The arguments of a call: ``query`` for those that take a sentence, ``keywords`` for those that take exact terms.

    Without keywords, those of the query are used, extracted as the agent extracts them from a question.
    """
    from kbtui.question.keywords import search_keywords

    terms = keywords.strip() or search_keywords(query) or query
    names = tool.args.model_fields if tool.args else ()
    return {
        name: query if name in SENTENCE_ARGUMENTS else terms
        for name in names
        if name in SENTENCE_ARGUMENTS + TERM_ARGUMENTS
    }
