"""count_documents: how many documents state something, counted over all of them."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.records.filtering import Chosen, chosen, counted_by
from kbtui.records.lines import line_of
from kbtui.records.opened import reader_of
from kbtui.text.plurals import counted
from kbtui.tools.base import ToolContext, spec_of

NAME: Final = "count_documents"
DESCRIPTION = "How many documents of a kind meet conditions on their fields, over ALL of them; `by` counts each value."
WHERE: Final = (
    'Conditions by field: {"status": "Final"}, "Draft|Accepted", "!=Final", ">=2020-01-01", "~part of it", '
    '"*" (states it), "none".'
)
KIND: Final = 'Kind from the folder card; "file" for any file; empty for all that state the fields.'

_MOST_VALUES: Final = 30
_CITED: Final = 3
"""Lines that are shown as examples."""


class CountArgs(BaseModel):
    kind: str = Field(default="", description=KIND)
    where: dict[str, str] = Field(default_factory=dict, description=WHERE)
    by: str = Field(default="", description="A field: count the documents of each of its values.")


def run(context: ToolContext, kind: str = "", where: dict[str, str] | None = None, by: str = "") -> ToolOutput:
    found = chosen(reader_of(context.knowledge).collection, kind, where or {})
    text = said(found, where or {})
    if by.strip():
        # In one sentence: a count of the whole and of a part are told together.
        values = counted_by(found.rows, by).most_common()
        text += f"; by {by.strip()}: " + ", ".join(f"{value} {count}" for value, count in values[:_MOST_VALUES])
        if len(values) > _MOST_VALUES:
            text += f", and {len(values) - _MOST_VALUES} further values"
    hits = tuple(line_of(thing, fact, context.knowledge.source) for thing, fact in found.rows[:_CITED])
    return ToolOutput(hits=hits, text=f"{text}.", note=counted(len(found.rows), "document"))


def said(found: Chosen, where: dict[str, str]) -> str:
    """``92 of 736 documents of the kind pep have status = Draft``."""
    conditions = " and ".join(f"{name} {_told(condition)}" for name, condition in where.items())
    if not conditions:
        return f"There are {counted(len(found.rows), 'document')} of the kind {found.kind}"
    if not found.rows:
        return f"No document of the kind {found.kind} has {conditions} (0 of {found.of})"
    return f"{len(found.rows)} of {counted(found.of, 'document')} of the kind {found.kind} have {conditions}"


def _told(condition: str) -> str:
    return condition if condition[:1] in "<>!~*" else f"= {condition}"


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=CountArgs, run=run, offered_to="loop")
