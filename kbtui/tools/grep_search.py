"""grep_search: exact words, names and numbers."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, found_note, spec_of

DESCRIPTION = (
    "Finds passages that contain exact keywords: identifiers, ticket or document numbers, settings, error messages. "
    "Not for whole sentences."
)


class GrepArgs(BaseModel):
    keywords: str = Field(
        description='Nouns, symbols and terms separated by spaces; one with spaces in double quotes: rollback "PEP 8".'
    )


def run(context: ToolContext, keywords: str) -> ToolOutput:
    if not keywords.strip():
        raise ToolError("grep_search was called without a keyword.", "Give at least one word to look for.")
    grep = context.knowledge.grep
    hits = grep.search(keywords, context.settings.retrieval.top_k, context.cancel)
    return ToolOutput(hits=tuple(hits), note=found_note(hits, grep.note))


SPEC = spec_of(name="grep_search", description=DESCRIPTION, args=GrepArgs, run=run)
