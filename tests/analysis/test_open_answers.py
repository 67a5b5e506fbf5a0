from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kbtui.domain.events import PlanAdjusted, PlanCreated, ReadingChosen, TableProduced
from kbtui.nl2sql.open_plans import OpenPlan, OpenStep
from tests.analysis.shop import Desk, ScriptedWriter, make_desk, reading

MULTI = "multi_step_analysis"
LEVEL = OpenStep(
    role="level", reading=reading("SELECT 45.0 AS now, 30.0 AS was, 15.0 AS change", "Totals of two years")
)
BY_CITY = OpenStep(
    role="moved",
    reading=reading(
        "SELECT 'Oslo' AS city, 40.0 AS now, 20.0 AS was, 20.0 AS change UNION ALL SELECT 'Malmö', 5.0, 10.0, -5.0",
        "Totals by city",
    ),
    dimension="city",
    names=1,
)
COUNT = reading("SELECT count(*) AS n FROM orders", "Number of orders")
PLAN = OpenPlan(
    intent="change", figure="total", steps=(LEVEL, BY_CITY), direction="up", now="2026", before="2025", adds=True
)


def told(tmp_path: Path, plan: OpenPlan, question: str = "why did totals rise") -> tuple[str, Desk]:
    desk = make_desk(tmp_path, ScriptedWriter({}))
    return desk.ask(question, MULTI, source="shop", open=plan).markdown, desk


def changed(plan: OpenPlan, at: int, sql: str, **more: Any) -> OpenPlan:
    steps = list(plan.steps)
    steps[at] = replace(steps[at], reading=replace(steps[at].reading, sql=sql))
    return replace(plan, steps=tuple(steps), **more)


def test_a_change_is_said_first_with_the_part_that_moved_it_each_number_with_its_statement(tmp_path: Path) -> None:
    markdown, desk = told(tmp_path, PLAN)
    first, *_ = markdown.split("\n\n")
    assert first.startswith("**Total: 45 in 2026, against 30 in 2025: +15 (+50.0%)** [1].")
    assert "city **Oslo**, +20 (133% of the change; it was 67% of the whole before) [2]" in first
    assert "**Malmö** -5 (-33% of the change) [2]." in markdown
    assert [table.sql for table in desk.of(TableProduced)] == [step.reading.sql for step in PLAN.steps]
    assert [chosen.says for chosen in desk.of(ReadingChosen)] == ["Totals of two years", "Totals by city"]


def test_what_did_not_rise_is_not_explained_as_a_rise(tmp_path: Path) -> None:
    fell = changed(PLAN, 0, "SELECT 30.0 AS now, 45.0 AS was, -15.0 AS change")
    assert "It did not rise." in told(tmp_path, fell)[0]


def test_nothing_further_is_asked_when_a_step_brings_nothing(tmp_path: Path) -> None:
    markdown, desk = told(
        tmp_path, changed(replace(PLAN, held="2020 to 2024"), 0, "SELECT 0 AS now, 0 AS was, 0 AS change")
    )
    assert desk.statements == ["SELECT 0 AS now, 0 AS was, 0 AS change"]
    assert [event.removed for event in desk.of(PlanAdjusted)] == [("d3",)]
    assert markdown == "There are no rows in 2026 or in 2025 to compare; the data are of 2020 to 2024."


def test_a_statement_that_fails_stops_the_plan(tmp_path: Path) -> None:
    three = replace(PLAN, steps=(LEVEL, BY_CITY, replace(BY_CITY, reading=COUNT)))
    markdown, desk = told(tmp_path, changed(three, 1, "SELECT nothing FROM nowhere"))
    assert [event.removed for event in desk.of(PlanAdjusted)] == [("d4",)]
    assert markdown.startswith("**Total: 45 in 2026")


def test_a_plan_looks_at_the_structure_once_and_names_a_statement_for_each_step(tmp_path: Path) -> None:
    (plan,) = told(tmp_path, PLAN)[1].of(PlanCreated)
    assert [step.tool for step in plan.steps] == ["get_data_source_context", "execute_sql", "execute_sql"]
    assert [step.purpose for step in plan.steps][1:] == ["total: 2026 against 2025", "total by city"]


def test_a_report_says_the_largest_part_with_its_share(tmp_path: Path) -> None:
    level = replace(LEVEL, reading=reading("SELECT 100.0 AS total, 5 AS orders", "Total and number of orders"))
    parts = replace(
        BY_CITY,
        role="parts",
        reading=reading(
            "SELECT 'Oslo' AS city, 75.0 AS sum, 75.123 AS \"share %\" UNION ALL SELECT 'Malmö', 25.0, 24.877",
            "By city",
        ),
    )
    plan = OpenPlan(intent="report", figure="total", steps=(level, parts))
    markdown, _ = told(tmp_path, plan, "report on totals")
    assert markdown.startswith("The largest parts: city **Oslo**, 75%")
    assert "total **100**; orders **5**" in markdown
    assert "| Oslo | 75 | 75.12 |" in markdown


def test_a_period_so_far_is_said_to_be_one(tmp_path: Path) -> None:
    so_far = replace(PLAN, until=date(2026, 11, 10))
    assert "2026 is not over in the data, which end 2026-11-10" in told(tmp_path, so_far)[0]


def test_a_chinese_request_is_answered_in_chinese(tmp_path: Path) -> None:
    markdown, _ = told(tmp_path, replace(PLAN, figure="总额", now="2026年", before="2025年"), "为什么总额上升了")
    assert markdown.startswith("**总额：2026年为 45，2025年为 30，变化 +15（+50.0%）** [1]。变化主要来自：")
