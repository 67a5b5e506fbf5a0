"""python_executor: a calculation over results, in a sandbox without files, network or this program's memory."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.text.terminal import one_line
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.execute_sql import as_text, noted

NAME: Final = "python_executor"
DESCRIPTION = "Runs a short Python calculation over tables of results; the value of its last line is the result."

_PRINTED: Final = 2000


class PythonArgs(BaseModel):
    code: str = Field(
        description="Python without imports of files or network. `tables['t1']` is a list of dictionaries. Beside "
        "Python's own there are mean, median, mode, stdev, variance, quantile, percentile, corr, linear_fit, zscore, "
        "growth, cagr, moving_average, pmt, fv, pv, npv, irr, compound_interest, days_between and add_days."
    )
    tables: dict[str, list[dict[str, Any]]] = Field(
        default_factory=dict, description="Rows of tables, by the table's name, such as t1."
    )


def run(context: DataContext, code: str, tables: dict[str, list[dict[str, Any]]] | None = None) -> ToolOutput:
    from kbtui.data.sandbox import calculate

    came = calculate(code, tables or {}, context.cancel)
    text = as_text(came.table) if came.table.columns else ""
    if came.printed.strip():
        text = "\n".join(part for part in (text, came.printed[:_PRINTED].strip()) if part)
    note = noted(came.table)
    if len(came.table.rows) == len(came.table.columns) == 1:
        note = one_line(str(came.table.rows[0][0]), 60)
    return ToolOutput(text=text, note=note, artifact=came.table)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=PythonArgs, run=run, serves="data")
