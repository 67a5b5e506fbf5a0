"""sql: one read-only statement over a data source, as a chat model calls it in the loop."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.execute_sql import run as execute
from kbtui.tools.schema import source_of

NAME: Final = "sql"
DESCRIPTION = "Rows of one read-only SELECT over a source of data; compute sums, shares and ranks in it."


class SqlArgs(BaseModel):
    statement: str = Field(description="One SELECT in the dialect of the source.")
    source: str = Field(default="", description="Left out: the first.")


def run(context: DataContext, statement: str, source: str = "") -> ToolOutput:
    return execute(context, source_of(context, source), statement)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SqlArgs, run=run, serves="data", offered_to="loop")
