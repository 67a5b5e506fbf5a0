"""sql: one read-only statement over a data source, as a chat model calls it in the loop."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.analysis import ResultTable
from kbtui.domain.tooling import ToolOutput
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.execute_sql import run as execute
from kbtui.tools.schema import source_of

_HOUR: Final = re.compile(r"%H|\b(?:HOUR|MINUTE)\s*\(|\(\s*(?:HOUR|MINUTE) FROM|'(?:hour|hh24)'", re.IGNORECASE)
_CALLED: Final = re.compile(r"hour|^hr|时|钟点", re.IGNORECASE)

NAME: Final = "sql"
DESCRIPTION = "Rows of one read-only SELECT over a source of data; compute sums, shares and ranks in it."


class SqlArgs(BaseModel):
    statement: str = Field(description="One SELECT in the dialect of the source.")
    source: str = Field(default="", description="Left out: the first.")


def run(context: DataContext, statement: str, source: str = "") -> ToolOutput:
    output = execute(context, source_of(context, source), statement)
    table = output.artifact
    if isinstance(table, ResultTable) and (warning := hours_of_days(table)):
        return replace(output, note=f"{output.note}; {warning}")
    return output


def hours_of_days(table: ResultTable) -> str:
    """What is wrong with rows by hour of the day whose dates have no time; empty where nothing is."""
    if not _HOUR.search(table.sql):
        return ""
    columns = [at for at, name in enumerate(table.columns) if _CALLED.search(name)] or range(len(table.columns))
    values = [{str(row[at]).lstrip("0") for row in table.rows} for at in columns]
    is_midnight = bool(table.rows) and any(found == {""} for found in values)
    return "every hour is 0: these dates have no time of day, so nothing follows about hours" if is_midnight else ""


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SqlArgs, run=run, serves="data", offered_to="loop")
