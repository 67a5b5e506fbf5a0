"""Which chart is drawn for a question and a result, and with which numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from kbtui.analysis.chart_requests import read_chart_request
from kbtui.analysis.charts import build_chart, is_worth_drawing, wish
from kbtui.analysis.column_profiles import profile_columns
from kbtui.analysis.column_titles import column_title
from kbtui.domain.analysis import ChartWish, ResultTable
from kbtui.domain.codec import decode, encode
from kbtui.domain.events import ChartProduced
from kbtui.errors import UsageError

CITIES = (("city", "parcels"), [("Malmö", 12), ("台北", 30), ("Oslo", 7), ("Aarhus", 9)])
MONTHS = (("month", "revenue"), [("2025-03", 5.5), ("2025-01", 3.0), ("2025-02", 4.25), ("2025-04", None)])
PAIRS = (("minutes", "amount"), [(1.5, 3.2), (2.0, 4.1), (9.0, 11.0), (4.0, 5.0)])
PARTED = (("city", "size", "count(*)"), [(c, s, 3) for c in ("Malmö", "Oslo", "台北") for s in ("S", "M")])
AGES = (("age",), [(20 + (index * 7) % 41,) for index in range(60)])
BY_RATING = (("rating", "count(*)"), [(1, 4), (2, 9), (3, 30), (4, 12), (5, 8)])
YEARS = (("year", "country", "total"), [(2020 + y, c, y + 1) for y in range(4) for c in ("Sweden", "Norway")])


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], **more: Any) -> ResultTable:
    return ResultTable(columns=tuple(columns), rows=tuple(map(tuple, rows)), row_count=len(rows), **more)


def drawn(question: str, data: tuple[Sequence[str], Sequence[Sequence[Any]]]) -> ChartWish:
    found = wish(question, *data)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("question", "data", "kind"),
    [
        ("show a bar chart of parcels by city", CITIES, "bar"),
        ("各城市包裹数量的柱状图", CITIES, "bar"),
        ("各城市包裹數量的長條圖", CITIES, "bar"),
        ("parcels per city as a pie", CITIES, "pie"),
        ("各城市包裹的占比", CITIES, "pie"),
        ("what share of parcels does each city have", CITIES, "pie"),
        ("画一个饼图,不要柱状图", CITIES, "pie"),
        ("not a pie chart: bars of parcels by city", CITIES, "bar"),
        ("a histogram of parcels per city", CITIES, "bar"),
        ("plot the distribution of parcels over the cities", CITIES, "bar"),
        ("revenue over time", MONTHS, "line"),
        ("每月收入趋势", MONTHS, "line"),
        ("收入走势折线图", MONTHS, "line"),
        ("revenue by month", MONTHS, "line"),
        ("revenue by month as a bar chart", MONTHS, "bar"),
        ("scatter plot of minutes and amount", PAIRS, "scatter"),
        ("时长和金额的散点图", PAIRS, "scatter"),
        ("is there a relationship between minutes and amount", PAIRS, "scatter"),
        ("parcels by city and size, stacked", PARTED, "stacked_bar"),
        ("按城市和尺寸的堆叠柱状图", PARTED, "stacked_bar"),
        ("按城市和尺寸的分组柱状图", PARTED, "grouped_bar"),
        ("parcels by city and size as a grouped bar chart", PARTED, "grouped_bar"),
        ("plot parcels grouped by city and size", PARTED, "grouped_bar"),
        ("stacked bar chart of parcels by city", CITIES, "bar"),
        ("distribution of the customers' ages", AGES, "histogram"),
        ("年龄分布直方图", AGES, "histogram"),
        ("visualize the ages", AGES, "histogram"),
        ("how many films for each rating", BY_RATING, "bar"),
        ("show total per year for each country", YEARS, "line"),
        ("which line items sold most", CITIES, "bar"),
    ],
)
def test_the_question_and_the_shape_of_the_data_choose_the_chart(question: str, data: Any, kind: str) -> None:
    assert drawn(question, data).kind == kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("grouped by phone as a bar graph", "bar"),
        ("draw a line chart instead of a bar chart", "line"),
        ("use a bar chart rather than a pie chart", "bar"),
        ("list the line items of an order", None),
        ("which bars opened in 2024", None),
        ("不用饼图，用条形图", "bar"),
    ],
)
def test_a_chart_is_named_only_where_a_picture_is_meant(question: str, kind: str | None) -> None:
    assert read_chart_request(question).kind == kind


def test_a_chart_is_asked_for_only_in_words() -> None:
    assert drawn("plot parcels by city", CITIES).asked
    assert drawn("画出各城市的包裹", CITIES).asked
    assert not drawn("parcels by city", CITIES).asked


def test_nothing_is_drawn_of_one_figure_of_text_alone_and_of_nothing() -> None:
    assert wish("how many parcels are there", ("count(*)",), [(4000,)]) is None
    assert wish("list the cities", ("city",), [("Oslo",), ("Malmö",)]) is None
    assert wish("a bar chart of parcels", ("city", "n"), []) is None
    assert wish("a bar chart of nothing", ("a", "b"), [(None, None)]) is None


def test_text_alone_is_counted_when_a_chart_is_asked_for() -> None:
    found = drawn("bar chart of the cities", (("city",), [("Oslo",), ("Malmö",), ("Oslo",)]))
    chart, title = build_chart(found, table(("city",), [("Oslo",), ("Malmö",), ("Oslo",)]))
    assert (chart.x, chart.series) == (("Oslo", "Malmö"), {"rows": (2, 1)})
    assert title == "rows by city"


def test_identifiers_are_drawn_only_when_there_is_no_measure() -> None:
    data = (("name", "customer_id", "total"), [("Ann", 1, 5.0), ("Bo", 2, 7.5), ("Cy", 3, 1.0)])
    assert drawn("plot it", data).y == ("total",)
    listed = (("name", "customer_id"), [("Ann", 1), ("Bo", 2), ("Cy", 3)])
    assert drawn("plot it", listed).y == ("customer_id",)
    unasked = drawn("names and ids of customers", listed)
    assert not is_worth_drawing(unasked, *listed)
    assert is_worth_drawing(drawn("parcels by city", CITIES), *CITIES)


def test_measures_of_another_size_do_not_share_an_axis() -> None:
    alike = (("city", "dropped", "picked_up"), [("Oslo", 10, 9), ("Malmö", 20, 18)])
    apart = (("city", "revenue", "parcels"), [("Oslo", 1_000_000, 9), ("Malmö", 2_000_000, 18)])
    assert drawn("", alike).y == ("dropped", "picked_up")
    assert drawn("", alike).kind == "grouped_bar"
    assert drawn("", apart).y == ("revenue",)


def test_a_pie_of_losses_becomes_bars() -> None:
    data = (("city", "profit"), [("Oslo", -3), ("Malmö", 5)])
    assert drawn("pie chart of profit by city", data).kind == "bar"


def test_time_is_put_in_order_and_a_gap_stays_a_gap() -> None:
    chart, title = build_chart(drawn("revenue by month", MONTHS), table(*MONTHS))
    assert chart.x == ("2025-01", "2025-02", "2025-03", "2025-04")
    assert chart.series == {"revenue": (3.0, 4.25, 5.5, None)}
    assert (chart.x_name, chart.y, title) == ("month", "revenue", "revenue by month")


def test_past_twenty_categories_the_rest_become_one_and_the_title_says_so() -> None:
    rows = [(f"city {index}", index) for index in range(1, 31)]
    data = (("city", "parcels"), rows)
    chart, title = build_chart(drawn("bar chart", data), table(*data))
    assert len(chart.x) == 21
    assert chart.x[0] == "city 11"
    assert chart.x[-1] == "others"
    assert chart.series["parcels"][-1] == sum(range(1, 11))
    assert title == "parcels by city · the 20 largest of 30, the rest as others"
    zh_chart, zh_title = build_chart(drawn("柱状图", data), table(*data), language="zh")
    assert zh_chart.x[-1] == "其他"
    assert zh_title == "parcels（按city） · 共 30 项，前 20 项，其余合为“其他”"


def test_what_does_not_add_up_is_left_out_instead() -> None:
    data = (("product", "avg(price)"), [(f"p{index}", index) for index in range(1, 31)])
    chart, title = build_chart(drawn("bar chart", data), table(*data))
    assert len(chart.x) == 20
    assert title.endswith("the 20 largest of 30")


def test_days_of_years_are_brought_together_to_months() -> None:
    rows = [
        (f"{year}-{month:02}-{day:02}", 1) for year in (2024, 2025) for month in range(1, 13) for day in range(1, 29)
    ]
    data = (("day", "parcels"), rows)
    chart, title = build_chart(drawn("line chart of parcels", data), table(*data))
    assert (len(chart.x), chart.x[0], chart.series["parcels"][0]) == (24, "2024-01", 28)
    assert title == "parcels by day · by month · summed"


def test_ten_thousand_rows_become_a_chart_of_few_numbers() -> None:
    cities = table(("city", "amount"), [(f"c{index % 5}", index % 3) for index in range(10_000)], truncated=True)
    chart, title = build_chart(drawn("bar chart of amounts", (cities.columns, cities.rows)), cities)
    assert len(chart.x) == 5
    assert sum(value or 0 for value in chart.series["amount"]) == sum(index % 3 for index in range(10_000))
    assert title == "amount by city · summed · of the first 10,000 rows"
    dots = table(("a", "b"), [(index * 1.5, index * 0.5) for index in range(10_000)])
    chart, title = build_chart(drawn("scatter plot", (dots.columns, dots.rows)), dots)
    assert len(chart.x) == 2_000
    assert title == "b against a · 2,000 of 10,000 points"
    line = table(("x", "y"), [(index, index * 0.5) for index in range(10_000)])
    chart, _ = build_chart(drawn("line chart", (line.columns, line.rows)), line)
    assert len(chart.x) == 400


def test_series_are_pivoted_and_too_many_become_others() -> None:
    chart, title = build_chart(drawn("", PARTED), table(*PARTED))
    assert chart.x == ("Malmö", "Oslo", "台北")
    assert chart.series == {"S": (3, 3, 3), "M": (3, 3, 3)}
    assert title == "count by city and size"
    rows = [(2020 + year, f"country {c}", c) for year in range(3) for c in range(1, 10)]
    data = (("year", "country", "total"), rows)
    chart, title = build_chart(drawn("line chart", data), table(*data))
    assert list(chart.series) == ["country 5", "country 6", "country 7", "country 8", "country 9", "others"]
    assert chart.series["others"] == (10, 10, 10)
    assert title == "total by year and country · the 5 largest series of 9"


def test_bins_have_round_edges_and_hold_every_value() -> None:
    chart, title = build_chart(drawn("histogram of the ages", AGES), table(*AGES))
    assert title == "Distribution of age"
    assert sum(value or 0 for value in chart.series["rows"]) == 60
    assert chart.x[0] == "20 – 30"
    few = (("stars",), [(index % 5,) for index in range(40)])
    chart, _ = build_chart(drawn("distribution of stars", few), table(*few))
    assert chart.x == ("0", "1", "2", "3", "4")
    assert chart.series["rows"] == (8, 8, 8, 8, 8)
    odd = (("amount",), [(value,) for value in (-3.5, 1e-9, None, 2.5, 1e6, 7, 7, 7, 7, 7, 7, 7, 7)])
    chart, title = build_chart(drawn("histogram", odd), table(*odd))
    assert sum(value or 0 for value in chart.series["rows"]) == 12
    assert title.endswith("1 without a value")


def test_two_of_one_name_stay_two_bars_in_a_short_list() -> None:
    data = (("name", "total"), [("Frank", 3), ("Frank", 5), ("Ann", 1)])
    chart, _ = build_chart(drawn("bar chart", data), table(*data))
    assert (chart.x, chart.series["total"]) == (("Frank", "Frank", "Ann"), (3, 5, 1))


def test_text_of_the_data_reaches_a_chart_without_escape_sequences() -> None:
    data = (("city", "n"), [("\x1b[31mOslo\x07\nNorth", 1), (None, 2), ("", 3)])
    chart, _ = build_chart(drawn("bar chart", data), table(*data))
    assert chart.x == ("Oslo North", "(none)", "(none)")


def test_a_chart_survives_its_way_through_a_session_file() -> None:
    chart, title = build_chart(drawn("revenue by month", MONTHS), table(*MONTHS))
    event = ChartProduced(step_id="s3", chart=chart, title=title, run_id="r", seq=1, at="2026-03-01T09:00:00+00:00")
    assert decode(encode(event)) == event


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no column profit"):
        build_chart(ChartWish(kind="bar", x="city", y=("profit",)), table(*CITIES))


def test_one_row_of_figures_is_a_bar_for_each_of_them() -> None:
    data = (("min(age)", "avg(age)", "max(age)"), [(18, 22.5, 31)])
    chart, title = build_chart(drawn("plot the least, mean and most", data), table(*data))
    assert (chart.type, chart.x) == ("bar", ("lowest age", "average age", "highest age"))
    assert list(chart.series.values()) == [(18, 22.5, 31)]
    assert title == "lowest age, average age, highest age"
    assert wish("the least, mean and most", *data) is None


def test_numbers_that_name_groups_are_categories_wherever_they_stand() -> None:
    for columns, row in ((("count(*)", "customer_id"), (3, 1)), (("customer_id", "count(*)"), (1, 3))):
        rows = [tuple(value + step for value in row) for step in range(4)]
        found = drawn("orders of each customer", (columns, rows))
        assert (found.kind, found.x, found.y) == ("bar", "customer_id", ("count(*)",))


def test_things_by_time_are_counted_where_only_their_identifiers_are_there() -> None:
    data = (("opened_on", "account_id"), [("2025-01-01", 7), ("2025-01-02", 9), ("2025-01-02", 11)])
    chart, title = build_chart(drawn("plot accounts over time", data), table(*data))
    assert (chart.type, chart.x, chart.series) == ("line", ("2025-01-01", "2025-01-02"), {"rows": (1, 2)})
    assert title == "rows by opened on"


@pytest.mark.parametrize(
    ("name", "identifier"), [("eid", True), ("stuId", True), ("amount_paid", False), ("grid", False)]
)
def test_identifiers_are_known_by_their_names(name: str, identifier: bool) -> None:
    assert profile_columns((name,), [(index,) for index in range(5)])[0].is_identifier is identifier


@pytest.mark.parametrize(
    ("name", "en", "zh"),
    [
        ("COUNT(*)", "count", "数量"),
        ('COUNT(DISTINCT "T1"."city")', "number of different city", "不同city的数量"),
        ('SUM("charges"."unit_price")', "total unit price", "unit price合计"),
        ("avg(price)", "average price", "平均price"),
        ("STRFTIME('%Y-%m', \"dropped_off_on\")", "month of dropped off on", "dropped off on（月）"),
        ("DATE_TRUNC('quarter', placed_on)", "quarter of placed on", "placed on（季度）"),
        ("T2.first_name", "first name", "first name"),
        ("收入", "收入", "收入"),
        ("a + b / 2", "a + b / 2", "a + b / 2"),
        ("ROUND(AVG(x), 2)", "ROUND(AVG(x), 2)", "ROUND(AVG(x), 2)"),
        ("", "", ""),
    ],
)
def test_columns_are_called_as_people_say_them(name: str, en: str, zh: str) -> None:
    assert (column_title(name), column_title(name, "zh")) == (en, zh)


def test_columns_that_would_be_called_the_same_keep_their_own_names() -> None:
    data = (("city", "SUM(a.x)", "SUM(b.x)"), [("Oslo", 1, 2), ("Malmö", 3, 4)])
    chart, _ = build_chart(drawn("bar chart", data), table(*data))
    assert list(chart.series) == ["SUM(a.x)", "SUM(b.x)"]
