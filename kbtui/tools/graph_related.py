"""graph_related: the relations between documents: what replaces, requires, mentions, blocks, wrote or imports what."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.records.items import hits_of
from kbtui.records.opened import reader_of
from kbtui.records.relating import related_items
from kbtui.text.plurals import counted
from kbtui.tools.base import ToolContext, spec_of

NAME = "graph_related"
DESCRIPTION = (
    "Follow a relation between documents, tickets, people and modules (superseded by, requires, mentions, author, "
    "blocks, links to, imports, or any header field) and return the lines that state it."
)
_MAX_RELATIONS: Final = 4


class GraphRelatedArgs(BaseModel):
    """Arguments of ``graph_related``."""

    query: str = Field(description="The question as asked, naming the thing and the relation: 'what requires PEP 523?'")
    k: int = Field(default=50, ge=1, le=500, description="Most passages to return")


def run(context: ToolContext, query: str, k: int = 50) -> ToolOutput:
    context.cancel.check()
    links = reader_of(context.knowledge).collection.links
    relation = related_items(links, query)
    if relation is None or not relation.steps:
        return ToolOutput(note=f"no relation of {relation.entity} found" if relation else "no relation found")
    items = [step.item for step in relation.steps]
    hits = hits_of(relation.steps)
    shown_note = f"; {k} of {len(hits)} passages" if len(hits) > k else ""
    relations = ", ".join(dict.fromkeys(item.relation for item in items[:_MAX_RELATIONS]))
    return ToolOutput(
        hits=tuple(hits[:k]), note=f"{relation.entity}: {relations}, {counted(len(items), 'item')}{shown_note}"
    )


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=GraphRelatedArgs, run=run)
