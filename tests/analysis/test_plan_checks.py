"""Plans that somebody else made: what of them can be done, and that nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.analysis.execution_validator import ExecutionValidator
from kbtui.analysis.proposed_plan import MAX_STEPS, merge_proposed_plan
from kbtui.domain.analysis import ProposedStep
from kbtui.domain.events import PlanCreated, PlanStep, RequestType, ToolStarted, Warned
from tests.analysis.shop import Desk, Proposes, ScriptedWriter, ask, calculate, make_desk, reading

LOOK = PlanStep(
    step_id="d1", tool="get_data_source_context", schema_level="detailed", args={"source": "shop", "level": "detailed"}
)
COUNT = reading("SELECT count(*) AS n FROM orders", "Number of orders", kind="aggregation")
OSLO = reading("SELECT count(*) AS n FROM customers WHERE city = 'Oslo'", "Customers in Oslo", kind="aggregation")
ALL = reading("SELECT count(*) AS n FROM customers", "Customers", kind="aggregation")
CITY = reading("SELECT city FROM customers WHERE id = 1", "The city")
MULTI = "multi_step_analysis"


def followed(*steps: ProposedStep, kind: RequestType = "multi_step_analysis") -> tuple[list[str], list[str]]:
    """Ids and tools of the steps that are left, and what was said against the others."""
    plan, flags = ExecutionValidator().validate(merge_proposed_plan(steps, (LOOK,), checkpoint=True), kind)
    return [f"{step.step_id} {step.tool}" for step in plan], list(flags)


def test_a_sound_plan_stays_as_it_is() -> None:
    assert followed(ask("A?"), ask("B of {1}?", 1), calculate("compare", 1, 2)) == (
        ["d1 get_data_source_context", "d2 execute_sql", "d3 execute_sql", "d4 python_executor"],
        [],
    )


@pytest.mark.parametrize(
    ("steps", "left", "says"),
    [
        ([ask("A?"), ask("B?", tool="hybrid_search")], ["d2 execute_sql"], ["hybrid_search is no tool"]),
        ([ask("A?"), ask("B?", tool="rm -rf /")], ["d2 execute_sql"], ["rm -rf / is no tool"]),
        ([ask("A?", tool="sql_executor")], ["d2 execute_sql"], ["execute_sql is meant"]),
        ([ask("A of {2}?", 2), ask("B of {1}?", 1)], [], ["asks about what d3 finds", "asks about what d2 finds"]),
        ([ask("A?", 1)], ["d2 execute_sql"], ["leans on steps that do not come before"]),
        ([ask("A?"), ask("B?", 9)], ["d2 execute_sql", "d3 execute_sql"], ["leans on steps"]),
        ([ask("A?"), calculate("launch_rockets", 1)], ["d2 execute_sql"], ["launch_rockets is no calculation"]),
        ([ask("A?"), calculate("share", 1)], ["d2 execute_sql"], ["share needs the results of 2"]),
        ([ask("A?"), calculate("median", 3)], ["d2 execute_sql"], ["median without its figures"]),
        ([ask("A?"), calculate("percentile_90", 1)], ["d2 execute_sql", "d3 python_executor"], []),
    ],
)
def test_what_cannot_be_done_is_left_out_and_told(steps: list[ProposedStep], left: list[str], says: list[str]) -> None:
    found, told = followed(*steps)
    assert found == ["d1 get_data_source_context", *left]
    assert len(told) == len(says)
    assert all(part in message for part, message in zip(says, told, strict=True))


def test_a_hundred_steps_come_to_an_end() -> None:
    found, told = followed(*(ask(f"How many {n}?") for n in range(100)))
    assert len(found) == MAX_STEPS
    assert len(told) == 101 - MAX_STEPS


def test_a_consultation_keeps_one_look_whatever_is_planned() -> None:
    found, told = followed(ask("A?"), calculate("median", 1), ask("B?", tool="sql_executor"), kind="consultation")
    assert found == ["d1 get_data_source_context"]
    assert any("does not need execute_sql" in message for message in told)


def test_what_a_step_leans_on_is_in_its_question() -> None:
    plan = merge_proposed_plan([ask("A?"), ask("Orders there?", 1), ask("First {1.top}?")], (LOOK,), checkpoint=True)
    assert [step.args.get("question") for step in plan[1:]] == ["A?", "Orders there (‹d2›)", "First ‹d2.top›?"]
    assert [step.args.get("uses") for step in plan[1:]] == [None, ["d2"], ["d2"]]


def desk_with(folder: Path, *steps: ProposedStep) -> tuple[Desk, Proposes]:
    script = {"Oslo": [OSLO], "customers": [ALL], "orders": [COUNT], "city": [CITY]}
    desk = make_desk(folder, ScriptedWriter(script))
    return desk, desk.propose(*steps)


def test_a_proposed_plan_is_followed_and_answered(tmp_path: Path) -> None:
    desk, proposes = desk_with(tmp_path, ask("customers in Oslo"), ask("customers"), calculate("share", 1, 2))
    answer = desk.ask("orders, then how Oslo does", MULTI)
    assert "2 of 4: **50 %** [1][2]." in answer.markdown
    (plan,) = desk.of(PlanCreated)
    assert [step.tool for step in plan.steps] == [
        "get_data_source_context",
        "execute_sql",
        "execute_sql",
        "python_executor",
    ]
    assert all(step.estimated_ms for step in plan.steps)
    assert all(step.checkpoint for step in plan.steps[1:])
    (question, kind, schema, start) = proposes.shown[0]
    assert (question, kind, schema.level) == ("orders, then how Oslo does", MULTI, "basic")
    assert [step.tool for step in start] == ["get_data_source_context", "execute_sql", "execute_sql"]
    assert desk.summary.deviation.ratio == 0


@pytest.mark.parametrize(
    "steps",
    [
        [ask("everything", tool="hybrid_search"), ask("more", tool="delete_files")],
        [ask("A of {2}?", 2), ask("B of {1}?", 1)],
        [calculate("share", 1, 2)],
    ],
    ids=["tools", "circle", "nothing to calculate"],
)
def test_a_plan_of_which_nothing_can_be_done_gives_way_to_that_of_the_rules(
    steps: list[ProposedStep], tmp_path: Path
) -> None:
    desk, _ = desk_with(tmp_path, *steps)
    answer = desk.ask("number of orders, then number of customers", MULTI)
    assert "**5**" in answer.markdown
    assert "**4**" in answer.markdown
    assert any("planned offline" in event.message for event in desk.of(Warned))
    assert {event.tool for event in desk.of(ToolStarted)} == {"get_data_source_context", "execute_sql"}


def test_without_a_proposal_the_rules_plan_and_nothing_is_said(tmp_path: Path) -> None:
    desk, _ = desk_with(tmp_path)
    assert "**5**" in desk.ask("number of orders, then number of customers", MULTI).markdown
    assert desk.of(Warned) == []


def test_a_single_statement_and_a_consultation_ask_nobody_for_a_plan(tmp_path: Path) -> None:
    desk, proposes = desk_with(tmp_path, ask("orders"))
    desk.ask("number of orders")
    desk.ask("what could be analysed?", "consultation")
    assert proposes.shown == []
