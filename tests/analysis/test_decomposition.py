"""How requests of several steps are taken apart, and which stay whole."""

from __future__ import annotations

import pytest

from kbtui.analysis.decomposition import MAX_PARTS, decompose
from kbtui.analysis.plan_adjustment import PlanAdjuster
from kbtui.analysis.results import StepResult
from kbtui.domain.events import Event, PlanAdjusted, PlanStep


@pytest.mark.parametrize(
    ("query", "questions"),
    [
        (
            "First list the cities, then count the parcels of those cities.",
            ["list the cities", "count the parcels of cities ‹d2›"],
        ),
        (
            "which site has most incidents? List the lockers of that site.",
            ["which site has most incidents", "List the lockers of site ‹d2.top›"],
        ),
        ("top 3 customers by total and their average order", ["top 3 customers by total", "average order of ‹d2›"]),
        (
            "find the best customer; after that show the orders for it",
            ["find the best customer", "show the orders for ‹d2.top›"],
        ),
        (
            "how many sites are there and how many lockers are there",
            ["how many sites are there", "how many lockers are there"],
        ),
        ("先找出订单最多的客户，再列出该客户的订单", ["找出订单最多的客户", "列出客户‹d2.top›的订单"]),
        ("先统计每个站点的包裹数再列出这些站点的柜机", ["统计每个站点的包裹数", "列出站点‹d2›的柜机"]),
        ("每个城市有多少订单，哪个客户花得最多？", ["每个城市有多少订单", "哪个客户花得最多"]),
    ],
)
def test_one_thing_after_the_other(query: str, questions: list[str]) -> None:
    assert list(decompose(query)) == questions


@pytest.mark.parametrize(
    "query",
    [
        "how many orders are there in Oslo and Malmö?",
        "orders that were placed in 2025",
        "list customers whose total increased from 5 to 10",
        "2025年，哪个客户订单最多？",
        "再次下单的客户有多少？",
        "compare orders in 2024 and 2025 by city",
        "what share of total charges comes from storage?",
    ],
)
def test_one_question_stays_whole(query: str) -> None:
    assert len(decompose(query)) == 1


def test_there_is_an_end_to_parts_and_no_mark_comes_from_outside() -> None:
    assert len(decompose("; ".join(f"count the things {n}" for n in range(20)))) == MAX_PARTS
    assert decompose("list ‹d2› and ‹d3.top›")[0] == "list  and"


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
    ((changed,), removed) = PlanAdjuster(events.append).adjust(failed, [later])
    assert (changed.args, removed) == ({"question": described}, [])
    assert events == [PlanAdjusted(changed=(changed,), reason="d2: it broke")]


@pytest.mark.parametrize(
    ("query", "questions"),
    [
        ("一共多少订单，其中没付款的有多少", ["一共多少订单", "订单中没付款的有多少"]),
        ("總共多少首歌？其中Jazz有幾首", ["總共多少首歌", "歌中Jazz有幾首"]),
        ("房间有多少，其中大床的几间", ["房间有多少", "房间中大床的几间"]),
        ("各国客户数，另外看看各国销售额", ["各国客户数", "各国销售额"]),
        ("订单最多的门店是哪个，再看它每个月的订单数", ["订单最多的门店是哪个", "‹d2›每个月的订单数"]),
        ("销量前三的品类，再看它们各自的均价", ["销量前三的品类", "‹d2›各自的均价"]),
        ("员工总数，以及工资超过10000的人数", ["员工总数", "工资超过10000的人数"]),
    ],
)
def test_a_chinese_second_step_says_what_it_is_about(query: str, questions: list[str]) -> None:
    assert list(decompose(query)) == questions


def test_a_second_step_that_speaks_of_nothing_found_waits_for_nothing() -> None:
    assert decompose("各国客户数，最后看每年的订单数") == ("各国客户数", "每年的订单数")


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("list customers, then which of them have orders?", "which of ‹d2› have orders"),
        ("list customers, then how many orders do they have?", "how many orders do ‹d2› have"),
        ("which customer is the best, then how many orders does he have?", "how many orders does ‹d2.top› have"),
    ],
)
def test_what_they_do_is_asked_of_those_found(question: str, meant: str) -> None:
    assert decompose(question)[1] == meant
