"""list_documents: the documents that meet conditions on their fields, each with a line that states one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.records.filtering import SortedRows, fact_of, field_name, filter_things, sort_rows
from kbtui.records.kinds import Fact, Thing
from kbtui.records.lines import hit_of_fact
from kbtui.records.opened import reader_of
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.count_documents import KIND, WHERE, describe_result

NAME: Final = "list_documents"
DESCRIPTION = "Documents of a kind by conditions on their fields, each with the lines that state them."

MAX_DOCUMENTS: Final = 40
_MAX_BYTES: Final = 3_200
"""Size of the lines and notes of one call: more would have no room in the prompt."""
_MAX_LINE_CHARS: Final = 300
_MAX_VALUE_CHARS: Final = 80
_MAX_UNREADABLE: Final = 5
"""Documents that are named because their value has no place in the order."""


class ListArgs(BaseModel):
    kind: str = Field(default="", description=KIND)
    where: dict[str, str] = Field(default_factory=dict, description=WHERE)
    sort: str = Field(default="", description='A field; "-created": newest or largest first.')
    show: list[str] = Field(default_factory=list, description="Further fields to tell.")
    limit: int = Field(default=20, ge=1, le=MAX_DOCUMENTS, description=f"At most {MAX_DOCUMENTS}.")
    offset: int = Field(default=0, ge=0, description="Documents to skip.")


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
    sorted_by = sort.strip().removeprefix("-")
    result = filter_things(reader_of(context.knowledge).collection, kind, conditions, [sorted_by, *(show or ())])
    ordered = sort_rows(result.rows, sort.strip()) if sort.strip() else SortedRows(rows=result.rows, unreadable=())
    rows = ordered.rows
    fields = list(dict.fromkeys(map(field_name, [*conditions, sorted_by, *(show or ())])))
    hits: list[Hit] = []
    end, size = offset, 0
    for thing, facts in rows[offset : offset + limit]:
        lines = list(_hits(context, thing, facts, [name for name in fields if name]))
        size += sum(len(f"{hit.path}{one_line(hit.text, _MAX_LINE_CHARS)}{hit.note}".encode()) for hit in lines)
        if size > _MAX_BYTES and hits:
            break
        hits += lines
        end += 1
    note = f"{offset + 1} to {end} of {len(rows)}" if hits else "none"
    if end < len(rows):
        note += f"; more: offset={end}"
    text = f"{describe_result(result, conditions)}.{_unreadable(sorted_by, ordered)}"
    return ToolOutput(hits=tuple(hits), text=text, note=note)


def _unreadable(field: str, ordered: SortedRows) -> str:
    """The documents that could not be put in order, and their values; empty if there are none."""
    if not ordered.unreadable:
        return ""
    examples = ", ".join(
        f"{thing.name or thing.display_name} ({one_line(value, _MAX_VALUE_CHARS)})"
        for thing, value in ordered.unreadable[:_MAX_UNREADABLE]
    )
    more = ", …" if len(ordered.unreadable) > _MAX_UNREADABLE else ""
    count = counted(len(ordered.unreadable), "document")
    return f" {count} with an unreadable {field_name(field)} stand behind those in order: {examples}{more}."


def _hits(context: ToolContext, thing: Thing, facts: Sequence[Fact], fields: Sequence[str]) -> Iterator[Hit]:
    """The lines that state the conditions, or else the first field; the note of the first line holds all fields."""
    statements = []
    for name in fields:
        values = ", ".join(dict.fromkeys(stated.value for stated in thing.facts.get(name, ())))
        if values:
            statements.append(f"{name}: {one_line(values, _MAX_VALUE_CHARS)}")
    first = next((stated for name in fields if (stated := fact_of(thing, name)) is not None), None)
    for number, proof in enumerate(facts or (first,)):
        hit = hit_of_fact(thing, proof, context.knowledge.source)
        note = "; ".join([thing.display_name, *statements]) if number == 0 else thing.name or thing.display_name
        yield replace(hit, tool=NAME, note=note)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=ListArgs, run=run, offered_to="loop")
