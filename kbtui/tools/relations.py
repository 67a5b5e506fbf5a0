"""relations: the relations of a document, in both directions and up to a given depth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.records.filtering import ValueUse, uses_of_value
from kbtui.records.lines import hit_of_fact
from kbtui.records.opened import reader_of
from kbtui.records.walking import Direction, hits_of, traverse
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.tools.base import ToolContext, spec_of

NAME: Final = "relations"
DESCRIPTION = (
    "What a document, ticket or person is related to, both ways and through others; which ends are no document here."
)

_MAX_SHOWN: Final = 40
_MAX_USES: Final = 4
"""Fields that are described for a name that is only a value."""
_MAX_ROWS_OF_USE: Final = 5


class RelationsArgs(BaseModel):
    id: str = Field(description="Identifier, path, title or name.")
    relation: str = Field(
        default="",
        description="requires, superseded-by, blocks, mentions …; left out: all but mentions.",
    )
    direction: Direction = Field(default="both", description="from: what it points at.")
    depth: int = Field(default=1, ge=1, le=10, description="Relations to follow one after the other, at most 10.")


def run(context: ToolContext, id: str, relation: str = "", direction: Direction = "both", depth: int = 1) -> ToolOutput:
    context.cancel.check()
    collection = reader_of(context.knowledge).collection
    links = collection.links
    try:
        walk = traverse(links, id, relation, direction, depth)
    except ToolError:
        if uses := uses_of_value(collection, id):
            return _uses(context, one_line(id, 80), uses)
        raise
    hits = hits_of(links, walk.edges[:_MAX_SHOWN])
    missing = list(dict.fromkeys(step.edge.label for step in walk.edges if step.is_missing))
    count = counted(len(walk.edges), "relation")
    text = f"{walk.label}: {count}{f' ({relation.strip()})' if relation.strip() else ''}"
    text += f" within {depth} steps" if depth > 1 else ""
    text += f". No document here: {', '.join(missing)}" if missing else ""
    if depth > 1 and relation.strip():
        forwards, backwards = walk.ends
        text += f". It ends at: {', '.join(forwards)}" if forwards else ""
        text += f". Backwards it ends at: {', '.join(backwards)}" if backwards else ""
    if walk.textual:
        not_followed = ", ".join(f"{name}: {number}" for name, number in walk.textual.items())
        text += f". Not followed: {not_followed} (ask by that relation)"
    is_cut = len(walk.edges) > _MAX_SHOWN or walk.cut
    return ToolOutput(hits=hits, text=f"{text}.", note=f"{count}{f'; the first {_MAX_SHOWN} shown' if is_cut else ''}")


def _uses(context: ToolContext, value: str, uses: Sequence[ValueUse]) -> ToolOutput:
    """What a value is a value of, where no document goes by it, with the lines that state it."""
    fields = [f"{use.field} of {counted(len(use.rows), use.kind)}" for use in uses[:_MAX_USES]]
    stating = [
        replace(hit_of_fact(thing, fact, context.knowledge.source), tool=NAME)
        for use in uses[:_MAX_USES]
        for thing, facts in use.rows[:_MAX_ROWS_OF_USE]
        for fact in facts or (None,)
    ]
    hits = tuple({(hit.path, hit.start_line): hit for hit in stating}.values())
    listed = f'list_documents(kind="{uses[0].kind}", where={{"{uses[0].field}": "{value}"}})'
    text = f"No document of its own is {value!r}; it is a value: {', '.join(fields)}. All of them: {listed}."
    return ToolOutput(hits=hits[:_MAX_SHOWN], text=text, note=counted(sum(len(use.rows) for use in uses), "document"))


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=RelationsArgs, run=run, offered_to="loop")
