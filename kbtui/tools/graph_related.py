"""What the documents state about each other: who replaces, requires, mentions, blocks, wrote or imports what."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.tools.base import ToolContext, spec_of

NAME = "graph_related"
DESCRIPTION = (
    "Follow a relation between documents, tickets, people and modules (superseded by, requires, mentions, author, "
    "blocks, links to, imports, or any header field) and return the lines that state it."
)


class GraphRelatedArgs(BaseModel):
    """Arguments of ``graph_related``."""

    query: str = Field(description="The question as asked, naming the thing and the relation: 'what requires PEP 523?'")
    k: int = Field(default=50, ge=1, le=500, description="Most passages to return")


def run(context: ToolContext, query: str, k: int = 50) -> ToolOutput:
    context.cancel.check()
    answer, hits = context.knowledge.graph.related_with_answer(query)
    if not answer.items:
        about = f" of {answer.entity}" if answer.entity else ""
        return ToolOutput(note=f"no relation{about} found")
    count = len(answer.items)
    shown = f"; {k} of {len(hits)} passages" if len(hits) > k else ""
    relation = answer.relation or "all relations"
    items = "1 item" if count == 1 else f"{count} items"
    return ToolOutput(hits=tuple(hits[:k]), note=f"{answer.entity}: {relation}, {items}{shown}")


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=GraphRelatedArgs, run=run)
