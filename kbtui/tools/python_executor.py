"""python_executor: a calculation over results, in a sandbox without files, network or this program's memory."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, Field

from kbtui.domain.tooling import ToolOutput
from kbtui.text.terminal import one_line
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.execute_sql import row_count_note, table_text

NAME: Final = "python_executor"
DESCRIPTION = "Runs a short Python calculation over tables of results; the value of its last line is the result."

_MAX_PRINTED_CHARS: Final = 2000


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

    result = calculate(code, tables or {}, context.cancel)
    text = table_text(result.table) if result.table.columns else ""
    if result.printed.strip():
        text = "\n".join(part for part in (text, result.printed[:_MAX_PRINTED_CHARS].strip()) if part)
    note = row_count_note(result.table)
    if len(result.table.rows) == len(result.table.columns) == 1:
        note = one_line(str(result.table.rows[0][0]), 60)
    return ToolOutput(text=text, note=note, artifact=result.table)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=PythonArgs, run=run, serves="data")
