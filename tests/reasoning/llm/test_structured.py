"""Answers of a fixed shape from models that keep to it, nearly keep to it, and do not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kbtui.reasoning.llm.client import CallFailed
from kbtui.reasoning.llm.conversation import question_to_model
from kbtui.reasoning.llm.shapes import RouteShape
from kbtui.reasoning.llm.structured import request_shape
from tests.reasoning.llm.conftest import Talk, Talks
from tests.support.model_request import Reply, Request

ROUTE = question_to_model("route", "Plan.", "Question: how?")
PLAN = json.dumps({"query_type": "exact", "sub_questions": ["how?"]})


def asked(talk: Talk) -> RouteShape:
    return request_shape(talk.client, ROUTE, RouteShape, talk.client.deadline())


def replies(*texts: str) -> Any:
    return lambda request: Reply(content=texts[min(request.number, len(texts)) - 1])


@pytest.mark.parametrize(
    "text", [PLAN, f"```json\n{PLAN}\n```", f"Here you go:\n{PLAN}\nAnything else?", PLAN[:-1] + ",}", PLAN[:-1]]
)
def test_a_plan_is_understood_at_the_first_call(talk: Talks, text: str) -> None:
    one = talk(replies(text))
    assert asked(one).query_type == "exact"
    assert one.client.usage.calls == 1


def test_what_is_wrong_is_shown_to_the_model_once(talk: Talks) -> None:
    one = talk(replies('{"query_type": "deep"}', PLAN))
    assert asked(one).query_type == "exact"
    second = one.server.chats[1]
    assert '{"query_type": "deep"}' in second.said
    assert "query_type" in second.said.rsplit("That cannot be used", 1)[1]
    assert one.audit[1]["stage"] == "repair"


@pytest.mark.parametrize("text", ["", "I would rather not.", '{"query_type": 7}', "[1, 2, 3]"])
def test_after_one_repair_there_is_no_third_call(talk: Talks, text: str) -> None:
    one = talk(replies(text))
    with pytest.raises(CallFailed, match="of no use to route"):
        asked(one)
    assert one.client.usage.calls == 2


def test_a_model_that_declines_is_not_asked_to_mend_it(talk: Talks) -> None:
    one = talk(lambda _request: Reply(content="", finish_reason="content_filter"))
    with pytest.raises(CallFailed):
        asked(one)
    assert one.client.usage.calls == 1


def test_a_plan_may_come_as_a_tool_call(talk: Talks) -> None:
    def behaviour(request: Request) -> Reply:
        return Reply(content=PLAN, as_tool_call=request.tool)

    one = talk(behaviour, structured="tools")
    assert asked(one).query_type == "exact"


def test_thoughts_before_the_plan_are_read_over(talk: Talks) -> None:
    one = talk(replies(f'<think>maybe {{"query_type": "chitchat"}}</think>{PLAN}'), structured="text")
    assert asked(one).query_type == "exact"
