"""relations: what a document states about others and others about it, followed as far as asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.records.filtering import ValueUse, uses_of_value
from kbtui.records.lines import hit_of_fact
from kbtui.records.opened import reader_of
from kbtui.records.walking import Direction, hits_of, walked
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.tools.base import ToolContext, spec_of

NAME: Final = "relations"
DESCRIPTION = (
    "What a document, ticket or person is related to, both ways and through others; which ends are no document here."
)

_SHOWN: Final = 40
_USES: Final = 4
"""Fields that are told of a name that is only a value."""
_ROWS_OF_USE: Final = 5


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
        found = walked(links, id, relation, direction, depth)
    except ToolError:
        if uses := uses_of_value(collection, id):
            return _uses(context, one_line(id, 80), uses)
        raise
    hits = hits_of(links, found.met[:_SHOWN])
    missing = list(dict.fromkeys(one.edge.label for one in found.met if one.is_missing))
    count = counted(len(found.met), "relation")
    text = f"{found.called}: {count}{f' ({relation.strip()})' if relation.strip() else ''}"
    text += f" within {depth} steps" if depth > 1 else ""
    text += f". No document here: {', '.join(missing)}" if missing else ""
    if depth > 1 and relation.strip():
        forwards, backwards = found.ends
        text += f". It ends at: {', '.join(forwards)}" if forwards else ""
        text += f". Backwards it ends at: {', '.join(backwards)}" if backwards else ""
    if found.textual:
        others = ", ".join(f"{name}: {number}" for name, number in found.textual.items())
        text += f". Not followed: {others} (ask by that relation)"
    cut = len(found.met) > _SHOWN or found.cut
    return ToolOutput(hits=hits, text=f"{text}.", note=f"{count}{f'; the first {_SHOWN} shown' if cut else ''}")


def _uses(context: ToolContext, value: str, uses: Sequence[ValueUse]) -> ToolOutput:
    """What a value is a value of, where no document goes by it, with the lines that state it."""
    told = [f"{use.field} of {counted(len(use.rows), use.kind)}" for use in uses[:_USES]]
    found = [
        replace(hit_of_fact(thing, fact, context.knowledge.source), tool=NAME)
        for use in uses[:_USES]
        for thing, facts in use.rows[:_ROWS_OF_USE]
        for fact in facts or (None,)
    ]
    hits = tuple({(hit.path, hit.start_line): hit for hit in found}.values())
    listed = f'list_documents(kind="{uses[0].kind}", where={{"{uses[0].field}": "{value}"}})'
    text = f"No document of its own is {value!r}; it is a value: {', '.join(told)}. All of them: {listed}."
    return ToolOutput(hits=hits[:_SHOWN], text=text, note=counted(sum(len(use.rows) for use in uses), "document"))


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=RelationsArgs, run=run, offered_to="loop")
