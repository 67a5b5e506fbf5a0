"""chart: draws the rows of one read-only statement, as a chat model calls it in the loop."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.analysis import ChartKind, ChartWish, ResultTable
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.sql import run as run_statement

NAME: Final = "chart"
DESCRIPTION = "Draws the rows of one SELECT beside your answer; only where the user asks for a picture or a trend."


class ChartArgs(BaseModel):
    statement: str = Field(description="One SELECT in the dialect of the source.")
    kind: ChartKind = Field(description="Kind of chart.")
    x: str = Field(description="Column of the categories or times.")
    y: list[str] = Field(default_factory=list, description="Columns of numbers. Left out: rows are counted.")
    series: str = Field(default="", description="Column that splits y into series.")
    source: str = Field(default="", description="Left out: the first.")


def run(
    context: DataContext,
    statement: str,
    kind: ChartKind,
    x: str,
    y: list[str] | None = None,
    series: str = "",
    source: str = "",
) -> ToolOutput:
    output = run_statement(context, statement, source)
    table = output.artifact
    assert isinstance(table, ResultTable), "a statement brings rows"
    if not table.rows:
        raise ToolError("There are no rows to draw.", "Check the conditions of the statement.")
    wish = ChartWish(
        kind=kind,
        x=_column(table, x),
        y=tuple(_column(table, name) for name in y or () if name.strip()),
        series=_column(table, series) if series.strip() else "",
        asked=True,
    )
    if kind == "scatter" and not wish.y:
        raise ToolError("A scatter chart needs a column of numbers as y.", f"Columns: {', '.join(table.columns)}.")
    return replace(output, chart=wish, note=f"{output.note}; drawn as a {kind.replace('_', ' ')} chart")


def _column(table: ResultTable, written: str) -> str:
    """The name of the column of the result that was ``written``, in its own spelling."""
    by_name = {name.casefold(): name for name in table.columns}
    try:
        return by_name[written.strip().casefold()]
    except KeyError:
        raise ToolError(
            f"The result has no column {one_line(written, 60)!r}.", f"Columns: {', '.join(table.columns)}."
        ) from None


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=ChartArgs, run=run, serves="data", offered_to="loop")
