"""schema: tables and columns of a data source, as a chat model calls it in the loop."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.get_data_source_context import run as describe

NAME: Final = "schema"
DESCRIPTION = "Columns, types, keys and sample values of tables of data."


class SchemaArgs(BaseModel):
    tables: list[str] = Field(default_factory=list, description="Left out: all.")
    source: str = Field(default="", description="Left out: the first.")


def run(context: DataContext, tables: list[str] | None = None, source: str = "") -> ToolOutput:
    output = describe(context, source_of(context, source), "detailed", tables or None)
    return replace(output, note="")


def source_of(context: DataContext, written: str) -> str:
    """The name of the source that was ``written``, in its own spelling; the first source where none was.

    Raises:
        ToolError: There is no such source.
    """
    if context.data is None or not context.data.names:
        raise ToolError("There is no source of data.", "Answer from the documents.")
    names = context.data.names
    if not written.strip():
        return names[0]
    known = {name.casefold(): name for name in names}
    if written.strip().casefold() not in known:
        raise ToolError(f"There is no source {written.strip()!r}.", f"Sources: {', '.join(names)}.")
    return known[written.strip().casefold()]


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SchemaArgs, run=run, serves="data", offered_to="loop")
