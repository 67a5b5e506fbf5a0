"""Questions over data with a chat model: what it plans, writes and understands is used as far as it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.events import PlanCreated, TableProduced, ToolStarted, Warned
from kbtui.settings.model import ModelSettings, Settings
from kbtui.view.folding import reduce_all
from tests.llm.running import PATIENT_S, Run, ask
from tests.support.model_server import ModelServer
from tests.support.perfect_analyst import Analyst

STATEMENTS = {
    "customers in Oslo": "SELECT COUNT(*) AS n FROM customers WHERE city = 'Oslo'",
    "all customers": "SELECT COUNT(*) AS n FROM customers",
    "Which city": "SELECT city FROM customers GROUP BY city ORDER BY COUNT(*) DESC LIMIT 1",
    "orders": "SELECT COUNT(*) AS n FROM orders",
    "spent in": "SELECT SUM(total) AS spent FROM orders JOIN customers USING (customer_id) WHERE city = 'Oslo'",
}
SHARE: list[Any] = [
    {
        "id": 1,
        "tool": "execute_sql",
        "title": "Oslo",
        "question": "How many customers in Oslo?",
        "query_type": "filter",
    },
    {
        "id": 2,
        "tool": "execute_sql",
        "title": "All",
        "question": "How many all customers?",
        "query_type": "aggregation",
    },
    {"id": 3, "tool": "python_executor", "title": "Share", "calculation": "share", "depends_on": [1, 2]},
]
LEANING: list[Any] = [
    {"id": 1, "tool": "execute_sql", "title": "The city", "question": "Which city has most customers?"},
    {"id": 2, "tool": "execute_sql", "title": "Spent", "question": "How much was spent in {1.top}?", "depends_on": [1]},
]
MULTI = "First find the city with the most customers, then show how much was spent there"


def engine_over(shop: Path, folder: Path, server: ModelServer, analyst: Analyst) -> Engine:
    server.behaviour = analyst
    model = ModelSettings(name="openai:scripted", base_url=f"{server.url}/v1", timeout_s=PATIENT_S, mode="pipeline")
    return Engine(Settings(model=model), folder, sources=(str(shop),), record=False)


def tools(run: Run) -> list[str]:
    return [event.tool for event in run.of(ToolStarted)]


def planned_offline(run: Run) -> bool:
    return any("planned offline" in event.message for event in run.of(Warned))


def test_a_question_of_one_statement_is_one_call(shop: Path, folder: Path, server: ModelServer) -> None:
    analyst = Analyst(STATEMENTS, plan=SHARE)
    run = ask(engine_over(shop, folder, server, analyst), "How many orders are there?")
    assert "**4**" in run.answer.markdown
    assert analyst.tasks == ["sql"]
    assert run.completed.llm_calls == 1


def test_an_analysis_of_several_steps_follows_the_plan_of_the_model(
    shop: Path, folder: Path, server: ModelServer
) -> None:
    analyst = Analyst(STATEMENTS, plan=LEANING)
    run = ask(engine_over(shop, folder, server, analyst), MULTI)
    (plan,) = run.of(PlanCreated)
    assert [step.purpose for step in plan.steps[1:]] == ["The city", "Spent"]
    assert [table.rows for table in run.of(TableProduced)] == [(("Oslo",),), ((47.0,),)]
    assert "**47**" in run.answer.markdown
    assert analyst.tasks == ["plan", "sql", "sql"]
    assert not run.of(Warned)


def test_a_calculation_of_the_plan_is_the_programs_own(shop: Path, folder: Path, server: ModelServer) -> None:
    analyst = Analyst(STATEMENTS, plan=SHARE)
    run = ask(
        engine_over(shop, folder, server, analyst), "Count the customers in Oslo, then all customers, and say the share"
    )
    assert "2 of 3: **66.67 %**" in run.answer.markdown
    assert tools(run) == ["get_data_source_context", "execute_sql", "execute_sql", "python_executor"]


@pytest.mark.parametrize(
    "plan",
    [
        "I would rather not.",
        [{"tool": "delete_everything", "question": "x"}],
        [{"id": 1, "tool": "execute_sql", "question": "A of {2}", "depends_on": [2]},
         {"id": 2, "tool": "execute_sql", "question": "B of {1}", "depends_on": [1]}],
        [{"tool": "python_executor", "calculation": "__import__('os').system('id')", "depends_on": []}],
    ],
    ids=["refusal", "tool", "circle", "code"],
)  # fmt: skip
def test_a_plan_that_cannot_be_done_is_replaced_by_that_of_the_rules(
    plan: Any, shop: Path, folder: Path, server: ModelServer
) -> None:
    run = ask(engine_over(shop, folder, server, Analyst(STATEMENTS, plan=plan)), MULTI)
    assert planned_offline(run)
    assert set(tools(run)) <= {"get_data_source_context", "execute_sql", "python_executor"}
    assert run.completed.deviation.planned == 3


def test_a_plan_of_a_hundred_steps_comes_to_an_end(shop: Path, folder: Path, server: ModelServer) -> None:
    endless = [{"tool": "execute_sql", "question": f"How many orders number {n}?"} for n in range(100)]
    run = ask(engine_over(shop, folder, server, Analyst(STATEMENTS, plan=endless)), MULTI)
    assert run.completed.deviation.planned <= 8


def test_a_consultation_asks_the_model_for_no_plan_and_runs_no_statement(
    shop: Path, folder: Path, server: ModelServer
) -> None:
    analyst = Analyst(STATEMENTS, plan=SHARE)
    run = ask(engine_over(shop, folder, server, analyst), "对本数据源提出一些分析建议")
    assert "execute_sql" not in tools(run)
    assert "plan" not in analyst.tasks


def test_a_follow_up_is_put_in_full_by_the_model(shop: Path, folder: Path, server: ModelServer) -> None:
    analyst = Analyst(STATEMENTS, in_full={"and altogether?": "How many customers altogether, all customers?"})
    engine = engine_over(shop, folder, server, analyst)
    ask(engine, "How many customers in Oslo?")
    run = ask(engine, "and altogether?")
    assert reduce_all(run.events).standalone == "How many customers altogether, all customers?"
    assert "**3**" in run.answer.markdown
    assert analyst.tasks == ["sql", "condense", "sql"]


def test_where_the_model_knows_of_no_follow_up_the_rules_do(shop: Path, folder: Path, server: ModelServer) -> None:
    engine = engine_over(shop, folder, server, Analyst(STATEMENTS))
    ask(engine, "How many customers are in Bergen?")
    run = ask(engine, "and in Oslo?")
    assert "Oslo" in reduce_all(run.events).standalone


def test_a_model_that_is_gone_leaves_plan_and_follow_up_to_the_rules(
    shop: Path, folder: Path, server: ModelServer
) -> None:
    engine = engine_over(shop, folder, server, Analyst(STATEMENTS, plan=LEANING))
    server.kill()
    run = ask(engine, MULTI)
    assert run.completed.llm_calls >= 0
    assert "execute_sql" in tools(run)
    assert len([event for event in run.of(Warned) if event.where == "model"]) == 1
    again = ask(engine, "How many customers are in Bergen?")
    assert "**1**" in again.answer.markdown
    assert "Oslo" in reduce_all(ask(engine, "and in Oslo?").events).standalone
