"""Which calculations a question holds all numbers of, and what the programs compute."""

from __future__ import annotations

from typing import Any, cast

import pytest

from kbtui.analysis.calculation import calculation_code, pure_calculation, sorted_series
from kbtui.analysis.results import as_rows
from kbtui.domain.analysis import ResultTable
from kbtui.settings.model import Settings
from kbtui.tools import ToolContext, python_executor, run_tool
from tests.analysis.shop import counted


def run(code: str, **tables: ResultTable) -> list[dict[str, Any]]:
    """What the sandbox makes of a program."""
    tool = python_executor.SPEC.build(ToolContext(knowledge=cast(Any, None), settings=Settings()))
    table = run_tool(tool, {"code": code, "tables": {key: as_rows(one) for key, one in tables.items()}}).artifact
    assert isinstance(table, ResultTable)
    return as_rows(table)


def computed(name: str, **tables: ResultTable) -> list[dict[str, Any]]:
    return run(calculation_code(name, list(tables.items())), **tables)


def test_pairs_are_compared_by_difference_ratio_and_share() -> None:
    a, b = counted([[40]], "n"), counted([["Oslo", 50]], "city", "n")
    assert computed("compare", a=a, b=b) == [
        {"first": 40, "second": 50, "difference": 10, "ratio": 1.25, "change %": 25.0}
    ]
    assert computed("growth", a=a, b=b)[0]["growth %"] == 25.0
    assert computed("share", a=a, b=b)[0]["share %"] == 80.0


def test_nothing_is_divided_by_zero() -> None:
    zero, one = counted([[0]], "n"), counted([[1]], "n")
    assert computed("compare", a=zero, b=one)[0]["ratio"] is None
    assert computed("growth", a=zero, b=one)[0]["growth %"] is None
    assert computed("share", a=one, b=zero)[0]["share %"] is None
    assert computed("growth_series", a=counted([["x", 0], ["y", 2]], "m", "n"))[1]["growth %"] is None


def test_growth_follows_the_periods_whatever_order_they_came_in() -> None:
    series = sorted_series(counted([["2025-02", 3], [None, 9], ["2025-01", 2]], "month", "n"))
    assert [row["growth %"] for row in computed("growth_series", a=series)] == [None, 50.0]
    years = sorted_series(counted([[2025, 3], [2024, 6]], "year", "n"))
    assert [row["growth %"] for row in computed("growth_series", a=years)] == [None, -50.0]


def test_statistics_leave_out_what_is_not_there() -> None:
    table = counted([[1, 2.0], [2, 4.0], [3, None]], "a", "b")
    assert computed("corr", a=table) == [{"correlation": 1.0, "pairs": 2}]
    assert computed("median", a=table) == [{"median": 3.0, "values": 2}]
    assert computed("percentile_50", a=counted([[5], [1], [3]], "n")) == [{"percentile_50": 3, "values": 3}]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("compare", counted([["a"], ["b"]], "x")),
        ("corr", counted([[1, "a"]], "n", "x")),
        ("median", counted([["a"]], "x")),
    ],
)
def test_what_cannot_be_calculated_with_is_said(name: str, table: ResultTable) -> None:
    tables = [("a", table), ("b", table)] if name == "compare" else [("a", table)]
    with pytest.raises(ValueError, match="number"):
        calculation_code(name, tables)


def test_a_column_name_is_never_code() -> None:
    name = "x\"]; __import__('os').abort() #\\"
    assert computed("median", a=counted([[1], [3]], name)) == [{"median": 2, "values": 2}]


@pytest.mark.parametrize(
    ("question", "name", "figure"),
    [
        ("What's the monthly payment on a $200,000 loan at 4% over 30 years?", "loan", 954.83),
        ("mortgage of 1 million, 3.5 percent, 360 months", "loan", 4490.45),
        ("贷款100万，利率3.5%，30年，月供多少？", "loan", 4490.45),
        ("1000 invested at 5% compounded for 2 years", "compound", 1102.5),
        ("本金1万元，年利率5%，复利2年后是多少", "compound", 11025.0),
    ],
)
def test_loans_and_interest_are_computed_from_the_question_alone(question: str, name: str, figure: float) -> None:
    found = pure_calculation(question)
    assert found is not None
    assert found[0] == name
    assert next(iter(run(found[1])[0].values())) == figure


@pytest.mark.parametrize(
    ("question", "name", "figure"),
    [
        ("calculate the standard deviation of 3, 5 and 10", "stdev", 3.605551275463989),
        ("计算 3、5、10 的标准差", "stdev", 3.605551275463989),
        ("what is the median of 1,200, 3,400 and 900?", "median", 1200),
        ("median of 100,200,300,400", "median", 250),
        ("variance of the numbers: -1 1.5 4", "variance", 6.25),
        ("80th percentile of 10 20 30 40 50 60", "percentile_80", 50),
    ],
)
def test_statistics_of_listed_numbers_need_no_data(question: str, name: str, figure: float) -> None:
    found = pure_calculation(question)
    assert found is not None
    assert found[0] == name
    (row,) = run(found[1])
    assert row[name] == pytest.approx(figure)


@pytest.mark.parametrize(
    "question",
    [
        "median of 5",
        "median of orders 3, 5",
        "standard deviation of amount",
        "各地区金额的标准差",
        "median of 1,,2",
        "median of " + "1 " * 5000 + "x",
    ],
)
def test_statistics_of_columns_are_no_lists_of_numbers(question: str) -> None:
    assert pure_calculation(question) is None


@pytest.mark.parametrize(
    "question",
    ["loans over 30 years", "average loan at 4% for 3 years of 100 and 200", "5% of 200", "orders over 1000"],
)
def test_other_questions_are_no_loans(question: str) -> None:
    assert pure_calculation(question) is None


def test_shares_are_of_the_sum_of_all() -> None:
    found = computed("shares", d2=counted([("Oslo", 30), ("Bergen", 10), ("Voss", None)], "city", "total"))
    assert [(row["city"], row["share %"]) for row in found] == [("Oslo", 75.0), ("Bergen", 25.0), ("Voss", None)]
    assert computed("shares", d2=counted([("Oslo", 0)], "city", "total"))[0]["share %"] is None
