"""python_executor: calculations as a tool, given rows and giving a table."""

from __future__ import annotations

from typing import Any, cast

import pytest

from kbtui.domain.analysis import ResultTable
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, ToolError
from kbtui.settings.model import Settings
from kbtui.tools import ToolContext, build_tools, run_tool


def run(cancel: CancelToken | None = None, **args: Any) -> ToolOutput:
    context = ToolContext(knowledge=cast(Any, None), settings=Settings(), cancel=cancel or CancelToken())
    return run_tool(build_tools(context)["python_executor"], args)


def test_it_calculates_over_rows_and_hands_back_a_table() -> None:
    rows = [{"total": 10, "city": "Paris"}, {"total": 20.5, "city": None}]
    output = run(code="[{'sum': sum(row['total'] for row in tables['s1'])}]", tables={"s1": rows})
    assert isinstance(output.artifact, ResultTable)
    assert (output.artifact.columns, output.artifact.rows) == (("sum",), ((30.5,),))
    assert (output.note, output.text) == ("30.5", "sum\n30.5")


def test_the_functions_of_the_sandbox_are_there() -> None:
    output = run(code="quantile([row['x'] for row in tables['s1']], 0.5)", tables={"s1": [{"x": 1}, {"x": 3}]})
    assert output.note == "2.0"


def test_a_model_reads_what_was_printed_too() -> None:
    assert run(code="print('half way')\n[1, 2]").text == "value\n1\n2\nhalf way"


def test_many_rows_are_counted_in_the_note() -> None:
    assert run(code="list(range(20000))").note == "20,000 rows, truncated"


@pytest.mark.parametrize("code", ["1 / 0", "import socket", "x ==", "class A: pass\nA()", " "])
def test_what_fails_is_an_error_of_the_tool_with_a_hint(code: str) -> None:
    with pytest.raises(ToolError) as caught:
        run(code=code)
    assert caught.value.hint
    assert "Traceback" not in caught.value.message


def test_a_cancelled_call_is_cancelled() -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        run(cancel, code="1")
