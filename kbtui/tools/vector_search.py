"""vector_search: passages by meaning, whatever their words."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.knowledge.embedding.port import LEAST_TRUST
from kbtui.tools.base import ToolContext, found_note, spec_of

DESCRIPTION = (
    "Finds passages by meaning, for conceptual questions asked as a sentence. Weak for identifiers and numbers."
)
WRONG_LANGUAGE = "the embedding model knows no Chinese, so this order means little"


class VectorArgs(BaseModel):
    query: str = Field(description="What to find, as one natural-language sentence.")


def run(context: ToolContext, query: str) -> ToolOutput:
    if not query.strip():
        raise ToolError("vector_search was called without a question.", "Give a sentence to search for.")
    knowledge = context.knowledge
    hits = knowledge.vectors.search(query, context.settings.retrieval.top_k)
    context.cancel.check()
    is_untrusted = knowledge.embedder.trust(query) < LEAST_TRUST
    return ToolOutput(hits=tuple(hits), note=found_note(hits, WRONG_LANGUAGE if is_untrusted else ""))


SPEC = spec_of(name="vector_search", description=DESCRIPTION, args=VectorArgs, run=run)
