"""count_documents: how many documents state something, counted over all of them."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.analysis import ResultTable
from kbtui.domain.tooling import ToolOutput
from kbtui.records.filtering import FilterResult, count_by, fact_of, filter_things
from kbtui.records.lines import hit_of_fact
from kbtui.records.opened import reader_of
from kbtui.text.plurals import counted
from kbtui.tools.base import ToolContext, spec_of

NAME: Final = "count_documents"
DESCRIPTION = "How many documents of a kind meet conditions on their fields, over ALL of them."
WHERE: Final = (
    'By field: {"status": "Final"}; or "Draft|Active", "!=Final", ">=2020-01-01", "~part", "*" (any), "none".'
)
KIND: Final = 'On the folder card; or "file".'
_AS_LISTED: Final = "As in list_documents."

_MAX_VALUES: Final = 30
_MAX_EXAMPLES: Final = 3
"""Cited lines that are returned as examples."""


class CountArgs(BaseModel):
    kind: str = Field(default="", description=_AS_LISTED)
    where: dict[str, str] = Field(default_factory=dict, description=_AS_LISTED)
    by: str = Field(default="", description="A field: counts each of its values.")


def run(context: ToolContext, kind: str = "", where: dict[str, str] | None = None, by: str = "") -> ToolOutput:
    result = filter_things(reader_of(context.knowledge).collection, kind, where or {}, [by])
    text = describe_result(result, where or {})
    table = ResultTable(columns=("documents", "of"), rows=((len(result.rows), result.total),), row_count=1)
    if by.strip():
        # One sentence holds the total and the count of each value, so that a model reports them together.
        values = count_by(result.rows, by).most_common()
        table = ResultTable(columns=(by.strip(), "documents"), rows=tuple(values), row_count=len(values))
        text += f"; by {by.strip()}: " + ", ".join(f"{value} {count}" for value, count in values[:_MAX_VALUES])
        if len(values) > _MAX_VALUES:
            text += f", and {len(values) - _MAX_VALUES} further values"
    source = context.knowledge.source
    hits = tuple(
        hit_of_fact(thing, fact, source)
        for thing, facts in result.rows[:_MAX_EXAMPLES]
        for fact in facts or (fact_of(thing, by),)
    )
    return ToolOutput(hits=hits, text=f"{text}.", note=counted(len(result.rows), "document"), artifact=table)


def describe_result(result: FilterResult, where: dict[str, str]) -> str:
    """``92 of 736 documents of the kind pep have status = Draft``."""
    conditions = " and ".join(
        f"{name} {'' if condition[:1] in '<>!~*' else '= '}{condition}" for name, condition in where.items()
    )
    if not conditions:
        return f"There are {counted(len(result.rows), 'document')} of the kind {result.kind}"
    if not result.rows:
        return f"No document of the kind {result.kind} has {conditions} (0 of {result.total})"
    return f"{len(result.rows)} of {counted(result.total, 'document')} of the kind {result.kind} have {conditions}"


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=CountArgs, run=run, offered_to="loop")
