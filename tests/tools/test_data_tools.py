"""get_data_source_context and execute_sql, as a model and as the plan see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from kbtui.analysis.context import ManagedData
from kbtui.analysis.schema_manager import SchemaManager
from kbtui.data.guard import check
from kbtui.domain.analysis import Limits, ResultTable, Schema
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.settings.model import Settings
from kbtui.tools import ToolContext, build_tools, offered_tools, run_tool
from kbtui.tools.execute_sql import row_lines
from tests.analysis.shop import Clock, change, shop_source


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, Any]:
    return built(tmp_path)


def built(folder: Path, limits: Limits | None = None, cancel: CancelToken | None = None) -> dict[str, Any]:
    def guard(sql: str, dialect: str) -> str:
        return check(sql, dialect, manager.peek("shop", "basic"))

    manager = SchemaManager({"shop": shop_source(folder, guard=guard)}, folder / "schemas", Clock())
    data = ManagedData(manager, limits)
    return build_tools(
        ToolContext(knowledge=cast(Any, None), settings=Settings(), cancel=cancel or CancelToken(), data=data)
    )


def content(tool: Any, **args: Any) -> str:
    return str(tool.invoke({"name": tool.name, "args": args, "id": "1", "type": "tool_call"}).content)


def test_a_basic_look_names_tables_sizes_and_what_refers_to_what(tools: dict[str, Any]) -> None:
    text = content(tools["get_data_source_context"], source="shop")
    assert text == (
        "shop (sqlite)\ncustomers: about 4 rows\norders: about 5 rows\n  customer_id -> customers(id)\n\n"
        "shop: 2 tables, basic"
    )


def test_a_detailed_look_names_columns_keys_and_samples_of_the_tables_asked_for(tools: dict[str, Any]) -> None:
    text = content(tools["get_data_source_context"], source="shop", level="detailed", table_names=["orders"])
    assert "  id: INTEGER, key, such as 1, 2, 3" in text
    assert "  customer_id -> customers(id)" in text
    assert "customers: about" not in text


def test_the_structure_is_the_artifact_and_a_second_look_says_that_it_is_known(tools: dict[str, Any]) -> None:
    args = {"source": "shop", "level": "detailed"}
    first, second = (run_tool(tools["get_data_source_context"], args) for _ in range(2))
    assert isinstance(first.artifact, Schema)
    assert (first.cached, second.cached) == (False, True)
    assert second.note == "[Using cached schema] shop: 2 tables, detailed"


def test_a_statement_brings_its_rows(tools: dict[str, Any]) -> None:
    args = {"source": "shop", "sql": "SELECT name, city FROM customers ORDER BY id"}
    output = run_tool(tools["execute_sql"], args)
    assert isinstance(output.artifact, ResultTable)
    assert (output.note, output.artifact.rows[3]) == ("4 rows", ("Dara", None))
    assert content(tools["execute_sql"], **args).startswith(
        "name | city\nAda | Oslo\nBo | Malmö\n张伟 | Oslo\nDara | \n"
    )


def test_what_was_left_out_by_a_limit_is_said(tmp_path: Path) -> None:
    tools = built(tmp_path, Limits(rows=2))
    assert (
        run_tool(tools["execute_sql"], {"source": "shop", "sql": "SELECT id FROM orders"}).note == "2 rows, truncated"
    )


def test_values_are_clean_for_a_model(tools: dict[str, Any], tmp_path: Path) -> None:
    change(tmp_path / "shop.db", "UPDATE customers SET name = 'a\n\x1b[31mb' WHERE id = 1")
    assert "\na b\n" in content(tools["execute_sql"], source="shop", sql="SELECT name FROM customers")


@pytest.mark.parametrize(
    ("tool", "args", "says"),
    [
        ("get_data_source_context", {"source": "depot"}, "no source of data named depot"),
        ("get_data_source_context", {"source": "shop", "table_names": ["parcels"]}, "no table parcels"),
        ("get_data_source_context", {"source": "shop", "level": "all"}, "level"),
        ("execute_sql", {"source": "shop", "sql": "DELETE FROM orders"}, "was not run"),
        ("execute_sql", {"source": "shop", "sql": "SELECT sql FROM sqlite_master"}, "was not run"),
        ("execute_sql", {"source": "shop", "sql": "SELECT 1; SELECT 2"}, "was not run"),
        ("execute_sql", {"source": "shop", "sql": " "}, "without a statement"),
    ],
)
def test_what_cannot_be_done_is_a_tool_error(tools: dict[str, Any], tool: str, args: dict[str, Any], says: str) -> None:
    with pytest.raises(ToolError, match=says):
        run_tool(tools[tool], args)


@pytest.mark.parametrize("tool", ["get_data_source_context", "execute_sql"])
def test_without_data_it_is_said_how_to_name_some(tool: str) -> None:
    tools = build_tools(ToolContext(knowledge=cast(Any, None), settings=Settings()))
    with pytest.raises(ToolError) as caught:
        run_tool(tools[tool], {"source": "shop", "sql": "SELECT 1"} if tool == "execute_sql" else {"source": "shop"})
    assert "--data" in caught.value.hint


def test_a_cancelled_call_is_cancelled(tmp_path: Path) -> None:
    cancel = CancelToken()
    tools = built(tmp_path, cancel=cancel)
    cancel.cancel()
    for name, args in (("get_data_source_context", {}), ("execute_sql", {"sql": "SELECT 1 FROM orders"})):
        with pytest.raises(Cancelled):
            run_tool(tools[name], {"source": "shop", **args})


def test_plans_over_documents_are_offered_no_tool_for_data(tools: dict[str, Any]) -> None:
    offered = offered_tools(Settings(), tools)
    assert "grep_search" in offered
    assert not {"get_data_source_context", "execute_sql", "python_executor"} & set(offered)


def test_a_model_reads_fractions_with_four_decimals() -> None:
    cells = (6.7151851223957575, 1234567.891, 2.0, 1e-07, 3, None)
    assert row_lines("abcdef", [cells], 5)[1].split(" | ") == ["6.7152", "1234567.891", "2.0", "1e-07", "3", ""]
