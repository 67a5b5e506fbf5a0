"""calc: one calculation, in the sandbox."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.analysis import ResultTable
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.base import DataContext, spec_of
from kbtui.tools.python_executor import run as calculate

NAME: Final = "calc"
DESCRIPTION = "Value of an arithmetic expression: 1250*0.19, mean([3, 5]), days_between('2024-01-01', '2024-03-01')"

_MAX_CHARS: Final = 2_000
_MAX_VALUES: Final = 100
"""Values of a list that are given."""


class CalcArgs(BaseModel):
    expression: str = Field(description="Python over numbers alone.")


def run(context: DataContext, expression: str) -> ToolOutput:
    if not expression.strip() or len(expression) > _MAX_CHARS:
        raise ToolError("calc needs an expression of 1 to 2,000 characters.", "Give numbers and operators.")
    output = calculate(context, expression)
    table = output.artifact
    value = output.note
    if isinstance(table, ResultTable) and len(table.rows) > 1:
        # A list of values; their number is no result.
        value = "; ".join(", ".join(one_line(str(cell), 40) for cell in row) for row in table.rows[:_MAX_VALUES])
        value += f"; and {len(table.rows) - _MAX_VALUES} more" if len(table.rows) > _MAX_VALUES else ""
    return replace(output, text=f"{one_line(expression)} = {value}")


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=CalcArgs, run=run, serves="either", offered_to="loop")
