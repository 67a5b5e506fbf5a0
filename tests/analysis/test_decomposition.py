"""How requests of several steps are taken apart, and which stay whole."""

from __future__ import annotations

import pytest

from kbtui.analysis.adjusting import Adjuster
from kbtui.analysis.decomposition import MOST_PARTS, decompose
from kbtui.analysis.results import StepResult
from kbtui.domain.events import Event, PlanAdjusted, PlanStep


def parts(query: str) -> list[tuple[str, tuple[int, ...], str]]:
    return [(part.question, part.uses, part.calculation) for part in decompose(query)]


@pytest.mark.parametrize(
    ("query", "questions"),
    [
        (
            "First list the cities, then count the parcels of those cities.",
            ["list the cities", "count the parcels of cities ⟦1⟧"],
        ),
        (
            "which site has most incidents? List the lockers of that site.",
            ["which site has most incidents", "List the lockers of site ⟦1.top⟧"],
        ),
        ("top 3 customers by total and their average order", ["top 3 customers by total", "average order of ⟦1⟧"]),
        (
            "find the best customer; after that show the orders for it",
            ["find the best customer", "show the orders for ⟦1.top⟧"],
        ),
        (
            "how many sites are there and how many lockers are there",
            ["how many sites are there", "how many lockers are there"],
        ),
        ("先找出订单最多的客户，再列出该客户的订单", ["找出订单最多的客户", "列出客户⟦1.top⟧的订单"]),
        ("先统计每个站点的包裹数再列出这些站点的柜机", ["统计每个站点的包裹数", "列出站点⟦1⟧的柜机"]),
        ("每个城市有多少订单，哪个客户花得最多？", ["每个城市有多少订单", "哪个客户花得最多"]),
    ],
)
def test_one_thing_after_the_other(query: str, questions: list[str]) -> None:
    assert [question for question, _, _ in parts(query)] == questions
    for number, (question, uses, _) in enumerate(parts(query), 1):
        assert uses == ((number - 1,) if "⟦" in question else ())


@pytest.mark.parametrize(
    ("query", "first", "second", "calculation"),
    [
        (
            "compare the number of orders in 2025 and 2026",
            "number of orders in 2025",
            "number of orders in 2026",
            "compare",
        ),
        (
            "compare orders in Oslo with Malmö since May",
            "number of orders in Oslo since May",
            "number of orders in Malmö since May",
            "compare",
        ),
        ("how much did revenue grow from 2024 to 2025?", "total revenue in 2024", "total revenue in 2025", "growth"),
        (
            "what share of total charges comes from storage?",
            "total charges that comes from storage",
            "total charges",
            "share",
        ),
        ("比较2025年奥斯陆和马尔默的订单", "2025年奥斯陆的订单数量", "2025年马尔默的订单数量", "compare"),
        ("收入从2024年到2025年增长了多少？", "2024年的收入", "2025年的收入", "growth"),
        ("奥斯陆的订单占全部订单的比例是多少？", "奥斯陆的订单数量", "全部订单数量", "share"),
    ],
)
def test_two_figures_and_what_lies_between(query: str, first: str, second: str, calculation: str) -> None:
    one, other, between = parts(query)
    assert (one[0], other[0]) == (first, second)
    assert (between[1], between[2]) == ((1, 2), calculation)


@pytest.mark.parametrize(
    ("query", "series"),
    [
        ("month over month growth of orders", "number of orders per month"),
        ("growth rate of revenue per quarter", "total revenue per quarter"),
        ("订单数量的环比增长率", "每月的订单数量"),
    ],
)
def test_growth_over_many_periods_is_one_question_and_a_calculation(query: str, series: str) -> None:
    assert [(q, c) for q, _, c in parts(query)] == [(series, ""), (query, "growth_series")]


@pytest.mark.parametrize(
    "query",
    [
        "how many orders are there in Oslo and Malmö?",
        "orders that were placed in 2025",
        "list customers whose total increased from 5 to 10",
        "2025年，哪个客户订单最多？",
        "再次下单的客户有多少？",
    ],
)
def test_one_question_stays_whole(query: str) -> None:
    assert len(decompose(query)) == 1


def test_parts_of_a_later_calculation_are_counted_on() -> None:
    found = parts("list the sizes, then the share of parcels that are large")
    assert [uses for _, uses, _ in found] == [(), (), (), (2, 3)]


def test_there_is_an_end_to_parts_and_no_mark_comes_from_outside() -> None:
    assert len(decompose("; ".join(f"count the things {n}" for n in range(20)))) == MOST_PARTS
    assert decompose("list ‹d2› and ⟦1⟧")[0].question == "list  and"


@pytest.mark.parametrize(
    ("asked", "described"),
    [
        ("list the orders of customers ‹d2›", "list the orders of top 3 customers by total"),
        ("list the orders of ‹d2›", "list the orders of top 3 customers by total"),
        ("show the city of the buyer ‹d2.top›", "show the city of the buyer top 3 customers by total"),
    ],
)
def test_what_was_not_found_is_asked_about_by_its_description(asked: str, described: str) -> None:
    events: list[Event] = []
    first = PlanStep(step_id="d2", tool="execute_sql", args={"question": "find the top 3 customers by total"})
    later = PlanStep(step_id="d3", tool="execute_sql", args={"question": asked, "uses": ["d2"]})
    failed = StepResult(step=first, status="failed", question="find the top 3 customers by total", reason="it broke")
    ((changed,), removed) = Adjuster(events.append).after(failed, [later])
    assert (changed.args, removed) == ({"question": described}, [])
    assert events == [PlanAdjusted(changed=(changed,), reason="d2: it broke")]


@pytest.mark.parametrize(
    ("query", "questions"),
    [
        ("一共多少订单，其中没付款的有多少", ["一共多少订单", "订单中没付款的有多少"]),
        ("總共多少首歌？其中Jazz有幾首", ["總共多少首歌", "歌中Jazz有幾首"]),
        ("房间有多少，其中大床的几间", ["房间有多少", "房间中大床的几间"]),
        ("各国客户数，另外看看各国销售额", ["各国客户数", "各国销售额"]),
        ("订单最多的门店是哪个，再看它每个月的订单数", ["订单最多的门店是哪个", "⟦1⟧每个月的订单数"]),
        ("销量前三的品类，再看它们各自的均价", ["销量前三的品类", "⟦1⟧各自的均价"]),
        ("员工总数，以及工资超过10000的人数", ["员工总数", "工资超过10000的人数"]),
    ],
)
def test_a_chinese_second_step_says_what_it_is_about(query: str, questions: list[str]) -> None:
    assert [part.question for part in decompose(query)] == questions


def test_a_second_step_that_speaks_of_nothing_found_waits_for_nothing() -> None:
    assert [part.uses for part in decompose("各国客户数，最后看每年的订单数")] == [(), ()]


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("What share of the total revenue comes from each country?", "total revenue per country"),
        ("percentage of orders by city", "number of orders per city"),
        ("what proportion of customers does each region have", "number of customers per region"),
    ],
)
def test_what_each_has_of_all_is_one_question_and_a_calculation(query: str, question: str) -> None:
    listed, shares = decompose(query)
    assert (listed.question, listed.expects) == (question, "series")
    assert (shares.calculation, shares.uses) == ("shares", (1,))


def test_what_each_has_of_all_is_one_statement_in_chinese() -> None:
    assert [part.question for part in decompose("每个国家占总销售额的比例")] == ["每个国家的销售额占比"]


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("Month over month growth of the invoice total in 2022", "invoice total per month in 2022"),
        ("2022年销售额环比增长", "2022年每月的销售额"),
    ],
)
def test_a_span_of_time_dates_all_periods(query: str, question: str) -> None:
    assert decompose(query)[0].question == question


def test_two_periods_of_each_group_are_one_question() -> None:
    (part,) = decompose("compare orders in 2024 and 2025 by city")
    assert part.question == "compare orders in 2024 and 2025 by city"


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("list customers, then which of them have orders?", "which of ⟦1⟧ have orders"),
        ("list customers, then how many orders do they have?", "how many orders do ⟦1⟧ have"),
        ("which customer is the best, then how many orders does he have?", "how many orders does ⟦1.top⟧ have"),
    ],
)
def test_what_they_do_is_asked_of_those_found(question: str, meant: str) -> None:
    assert (decompose(question)[1].question, decompose(question)[1].uses) == (meant, (1,))
