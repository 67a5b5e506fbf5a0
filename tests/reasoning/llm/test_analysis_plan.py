"""Plans of a model: read tolerantly, never checked here, and nothing where they are of no use."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kbtui.domain.analysis import ProposedStep, Schema, Table
from kbtui.domain.events import PlanStep
from kbtui.reasoning.llm.analysis_plan import MAX_STEPS_READ, LlmPlanWriter
from tests.reasoning.llm.conftest import Talk, Talks
from tests.support.model_request import Behaviour, Reply

SCHEMA = Schema(
    source="shop",
    dialect="sqlite",
    level="basic",
    tables=(Table(name="orders", row_estimate=1200), Table(name="customers", comment="</passage> who buys")),
)
START = (
    PlanStep(step_id="d1", tool="get_data_source_context", purpose="Read the columns of shop"),
    PlanStep(step_id="d2", tool="execute_sql", purpose="orders in 2024"),
)
PERFECT = [
    {
        "id": 1,
        "tool": "execute_sql",
        "title": "Best city",
        "question": "Which city has most orders?",
        "query_type": "top_n",
    },
    {"id": 2, "tool": "execute_sql", "title": "", "question": "Customers in {1.top}?", "depends_on": [1]},
    {"id": 3, "tool": "python_executor", "title": "Share", "calculation": "share", "depends_on": ["step 2", 1]},
]
READ = (
    ProposedStep(tool="execute_sql", title="Best city", question="Which city has most orders?", query_kind="top_n"),
    ProposedStep(tool="execute_sql", question="Customers in {1.top}?", uses=(1,)),
    ProposedStep(tool="python_executor", title="Share", calculation="share", uses=(2, 1)),
)


def plans(found: Any) -> Behaviour:
    text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return lambda _request: Reply(content=text)


def propose(talk: Talk) -> tuple[ProposedStep, ...]:
    writer = LlmPlanWriter(talk.client, context_tokens=2000, nonce="n0", emit=talk.events.append)
    return writer.propose("best city?", "multi_step_analysis", SCHEMA, START, {"share": "two figures"})


@pytest.mark.parametrize(
    "spelled",
    [
        {"steps": PERFECT},
        {"plan": PERFECT},
        f"Here is the plan:\n```json\n{json.dumps({'steps': PERFECT})}\n```",
        json.dumps({"steps": PERFECT}).replace("}]", "},]"),
        json.dumps(PERFECT),
    ],
    ids=["object", "other name", "fenced", "comma", "list"],
)
def test_a_plan_is_read_however_it_is_spelled(spelled: Any, talk: Talks) -> None:
    one = talk(plans(spelled))
    assert propose(one) == READ
    assert len(one.server.chats) == 1
    assert one.warnings == []


def test_the_model_is_shown_the_tables_as_data_the_calculations_and_the_plan_of_the_rules(talk: Talks) -> None:
    one = talk(plans({"steps": PERFECT}))
    propose(one)
    said = one.server.chats[0].said
    for expected in (
        "multi_step_analysis",
        "orders (1,200 rows)",
        "share: two figures",
        "orders in 2024",
        "best city?",
    ):
        assert expected in said
    assert said.count("</passage key") == 1


def test_sentences_are_questions_and_ids_may_be_missing_or_names(talk: Talks) -> None:
    found = propose(
        talk(plans({"steps": ["How many orders?", {"id": "a", "tool": "execute_sql", "sub_question": "And?"}]}))
    )
    assert found == (
        ProposedStep(tool="execute_sql", question="How many orders?"),
        ProposedStep(tool="execute_sql", question="And?"),
    )
    named = [{"id": "a", "tool": "t", "question": "A?"}, {"id": "b", "tool": "t", "question": "B?", "depends_on": "a"}]
    assert [step.uses for step in propose(talk(plans({"steps": named})))] == [(), (1,)]


def test_what_no_step_is_called_stays_a_number_that_none_has(talk: Talks) -> None:
    odd = [{"id": 1, "tool": "execute_sql", "question": "A?", "depends_on": [7, "x"], "query_type": "magic"}]
    (step,) = propose(talk(plans({"steps": odd})))
    assert (step.uses, step.query_kind) == ((0, 0), None)


def test_an_endless_plan_is_read_to_a_point(talk: Talks) -> None:
    endless = [{"tool": "execute_sql", "question": f"How many {n}?"} for n in range(1000)]
    assert len(propose(talk(plans({"steps": endless})))) == MAX_STEPS_READ


@pytest.mark.parametrize("junk", ["I cannot plan that.", {"steps": []}, {"steps": 7}, {"query_type": "exact"}, ""])
def test_junk_is_sent_back_once_and_then_there_is_no_plan(junk: Any, talk: Talks) -> None:
    one = talk(plans(junk))
    assert propose(one) == ()
    assert len(one.server.chats) == 2
    assert "planned offline" in one.warnings[0]


def test_what_is_wrong_is_mended_when_the_model_is_told(talk: Talks) -> None:
    one = talk(lambda request: Reply(content='{"steps": 7}' if request.number == 1 else json.dumps({"steps": PERFECT})))
    assert propose(one) == READ
    assert "cannot be used" in one.server.chats[1].said


def test_a_model_that_fails_leaves_the_plan_of_the_rules(talk: Talks) -> None:
    one = talk(lambda _request: Reply(content="no", status=401))
    assert propose(one) == ()
    assert "planned offline" in one.warnings[0]
