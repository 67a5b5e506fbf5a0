"""hybrid_search: by meaning and by exact words at once (spec 001, D2)."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, found_note, spec_of

DESCRIPTION = (
    "Finds passages by meaning and by exact keywords at once and merges them. The best first choice for most questions."
)


class HybridArgs(BaseModel):
    semantic_query: str = Field(default="", description="What to find, as one sentence; only the vector side sees it.")
    exact_keywords: str = Field(
        default="",
        description="Exact nouns, symbols and terms, separated by spaces, phrases in quotes; only grep sees them.",
    )


def run(context: ToolContext, semantic_query: str = "", exact_keywords: str = "") -> ToolOutput:
    if not semantic_query.strip() and not exact_keywords.strip():
        raise ToolError("hybrid_search was called with nothing to search for.", "Give a sentence or keywords.")
    hits, note = context.knowledge.hybrid.search(
        semantic_query, exact_keywords, context.settings.retrieval.top_k, context.cancel
    )
    return ToolOutput(hits=tuple(hits), note=found_note(hits, note))


SPEC = spec_of(name="hybrid_search", description=DESCRIPTION, args=HybridArgs, run=run)
