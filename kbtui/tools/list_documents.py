"""list_documents: the documents that meet conditions on their fields, each with a line that states one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.records.filtering import fact_of, field_name, filter_things, sort_rows
from kbtui.records.kinds import Fact, Thing
from kbtui.records.lines import hit_of_fact
from kbtui.records.opened import reader_of
from kbtui.text.terminal import one_line
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.count_documents import KIND, WHERE, describe_result

NAME: Final = "list_documents"
DESCRIPTION = "Documents of a kind by conditions on their fields, sorted, each with its fields and the line."

MAX_DOCUMENTS: Final = 40
_MAX_VALUE_CHARS: Final = 80


class ListArgs(BaseModel):
    kind: str = Field(default="", description=KIND)
    where: dict[str, str] = Field(default_factory=dict, description=WHERE)
    sort: str = Field(default="", description='A field; "-created" puts the largest or newest first.')
    show: list[str] = Field(default_factory=list, description="Further fields to tell of each.")
    limit: int = Field(default=20, ge=1, le=MAX_DOCUMENTS, description="Documents at most.")
    offset: int = Field(default=0, ge=0, description="Documents to leave out at the beginning.")


def run(
    context: ToolContext,
    kind: str = "",
    where: dict[str, str] | None = None,
    sort: str = "",
    show: list[str] | None = None,
    limit: int = 20,
    offset: int = 0,
) -> ToolOutput:
    conditions = where or {}
    fields_to_show = [sort.strip().removeprefix("-"), *(show or ())]
    result = filter_things(reader_of(context.knowledge).collection, kind, conditions, fields_to_show)
    rows = sort_rows(result.rows, sort) if sort.strip() else list(result.rows)
    page = rows[offset : offset + limit]
    fields = list(dict.fromkeys(map(field_name, [*conditions, sort.removeprefix("-"), *(show or ())])))
    hits = tuple(_hit(context, thing, fact, [name for name in fields if name]) for thing, fact in page)
    note = f"{offset + 1} to {offset + len(page)} of {len(rows)}" if page else "none"
    if offset + len(page) < len(rows):
        note += f"; more: offset={offset + len(page)}"
    return ToolOutput(hits=hits, text=f"{describe_result(result, conditions)}.", note=note)


def _hit(context: ToolContext, thing: Thing, fact: Fact | None, fields: list[str]) -> Hit:
    """The line that states the first field, with the name of the document and its fields as a note."""
    evidence = fact or next((stated for name in fields if (stated := fact_of(thing, name)) is not None), None)
    hit = hit_of_fact(thing, evidence, context.knowledge.source)
    statements = []
    for name in fields:
        values = ", ".join(dict.fromkeys(stated.value for stated in thing.facts.get(name, ())))
        if values:
            statements.append(f"{name}: {one_line(values, _MAX_VALUE_CHARS)}")
    return replace(hit, tool=NAME, note="; ".join([thing.display_name, *statements]))


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=ListArgs, run=run, offered_to="loop")
