"""The scripted server is a server: the real clients get from it what they get from real ones."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from kbtui.reasoning.llm.failures import status_of
from tests.support.behaviours import BEHAVIOURS, Play
from tests.support.model_request import Reply, Request, messages_of, stage_of
from tests.support.model_server import ModelServer
from tests.support.perfect_model import OPENING, passages_of, perfect

ROUTE = [("system", "Task: route\n\nPlan it."), ("user", "Tools:\n- x: y\n\nQuestion: When do we roll back a deploy?")]
PASSAGES = """Question 1: When do we roll back a deploy?

<passage id="1" question="1" path="a.md" key="k">
[SOURCE:a.md:L3] Roll back a deploy when the error rate is high.
</passage key="k">

<passage id="2" question="1" path="b.md" key="k">
Wombats sleep at noon.
</passage key="k">"""
GRADE = [("system", "Task: grade\n\nScore them."), ("user", PASSAGES)]
WRITE = [("system", "Task: write\n\nAnswer."), ("user", PASSAGES)]
SCHEMA = {
    "title": "Plan",
    "description": "A plan.",
    "type": "object",
    "properties": {"query_type": {"type": "string"}},
    "required": ["query_type"],
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(perfect) as running:
        yield running


PROVIDERS = ["openai", "ollama", "anthropic", "google_genai"]


@pytest.fixture(params=PROVIDERS)
def model(request: pytest.FixtureRequest, server: ModelServer) -> Any:
    return client_of(request.param, server)


def client_of(provider: str, server: ModelServer, **more: Any) -> Any:
    match provider:
        case "openai":
            from langchain_openai import ChatOpenAI

            limits = {"api_key": "k", "max_retries": 0, "stream_usage": True, "timeout": 5}
            return ChatOpenAI(model="scripted", base_url=f"{server.url}/v1", **limits, **more)
        case "ollama":
            from langchain_ollama import ChatOllama

            return ChatOllama(model="scripted", base_url=server.url, client_kwargs={"timeout": 5}, **more)
        case "anthropic":
            anthropic = pytest.importorskip("langchain_anthropic", reason="the extra anthropic is not installed")
            limits = {"api_key": "k", "max_retries": 0, "timeout": 5, "max_tokens": 500}
            return anthropic.ChatAnthropic(model="scripted", base_url=server.url, **limits, **more)
        case _:
            google = pytest.importorskip("langchain_google_genai", reason="the extra google is not installed")
            limits = {"api_key": "k", "max_retries": 1, "timeout": 5}
            return google.ChatGoogleGenerativeAI(model="scripted", base_url=server.url, **limits, **more)


def test_the_stage_is_what_the_first_line_of_a_message_says() -> None:
    def body(text: Any) -> dict[str, Any]:
        return {"messages": [{"role": "system", "content": text}]}

    assert stage_of(body("Task: route\n\nPlan.")) == "route"
    assert stage_of(body([{"type": "text", "text": "Task: write\nWrite."}])) == "write"
    assert stage_of(body("Do it.\nTask: route")) == "other"
    assert messages_of(body(None)) == [("system", "")]


def test_an_answer_streams_with_its_usage(model: Any, server: ModelServer) -> None:
    pieces = list(model.stream(WRITE))
    text = "".join(piece.text for piece in pieces)
    assert len([piece for piece in pieces if piece.text]) > 2
    assert text == f"{OPENING}\n\n- Roll back a deploy when the error rate is high [1]."
    usage = [piece.usage_metadata for piece in pieces if piece.usage_metadata]
    assert sum(counted["input_tokens"] for counted in usage) == sum(len(text) for _, text in WRITE) // 4 + 1
    assert sum(counted["output_tokens"] for counted in usage) == len(text) // 4 + 1
    assert server.stages == ["write"]
    assert not server.requests[-1].hung_up


@pytest.mark.parametrize("method", ["json_schema", "function_calling", "json_mode"])
def test_an_object_comes_in_the_shape_that_was_asked_for(model: Any, server: ModelServer, method: str) -> None:
    answer = model.with_structured_output(SCHEMA, method=method, include_raw=True).invoke(ROUTE)
    assert answer["parsed"]["query_type"] == "conceptual"
    assert answer["parsed"]["sub_questions"][0]["semantic_intent"] == "When do we roll back a deploy?"
    wanted = {"json_schema": "schema", "function_calling": "tools", "json_mode": "object"}
    # Those of the hosted models take the older mode for the schema that replaced it.
    is_hosted = server.requests[-1].api in ("anthropic", "google")
    assert server.requests[-1].structured == ("schema" if is_hosted and method == "json_mode" else wanted[method])


def test_grades_follow_the_words_of_the_question(model: Any) -> None:
    grades = json.loads(model.invoke(GRADE).text)["grades"]
    assert [grade["id"] for grade in grades] == [1, 2]
    assert grades[0]["score"] > 0.8
    assert grades[1]["score"] < 0.3


def test_the_passages_are_read_without_their_source_tags() -> None:
    request = Request(path="", body={"messages": [{"role": "user", "content": PASSAGES}]})
    assert [(p.number, p.question, p.path) for p in passages_of(request)] == [(1, 1, "a.md"), (2, 1, "b.md")]
    assert passages_of(request)[0].text == "Roll back a deploy when the error rate is high."


@pytest.mark.parametrize("play", [pytest.param(play, id=play.name) for play in BEHAVIOURS.values()])
@pytest.mark.parametrize("stage", ["route", "grade", "write"])
def test_every_behaviour_has_a_reply_in_every_stage(play: Play, stage: str) -> None:
    body = {"messages": [{"role": "system", "content": f"Task: {stage}"}, {"role": "user", "content": PASSAGES}]}
    reply = play(Request(path="", api="openai", stage=stage, body=body))  # type: ignore[arg-type]
    assert isinstance(reply, Reply)


@pytest.mark.parametrize("status", [401, 404, 429, 500])
def test_an_error_is_an_error_for_the_client(model: Any, server: ModelServer, status: int) -> None:
    server.behaviour = lambda _: Reply(status=status, content="no and no", headers={"retry-after": "7"})
    with pytest.raises(Exception, match="no and no") as caught:
        model.invoke(WRITE)
    assert status_of(caught.value) == status


def test_a_killed_server_refuses_and_a_revived_one_answers(model: Any, server: ModelServer) -> None:
    server.kill()
    with pytest.raises((httpx.ConnectError, ConnectionError, Exception)) as caught:
        model.invoke(WRITE)
    assert "onnect" in f"{type(caught.value).__name__}{caught.value}"
    server.revive()
    assert OPENING in model.invoke(WRITE).text


def test_a_kill_ends_a_stream_that_is_under_way(model: Any, server: ModelServer) -> None:
    server.behaviour = lambda _: Reply(content="word " * 50, piece_chars=5, stall_after=3)
    stream = model.stream(WRITE)
    assert next(piece for piece in stream if piece.text).text
    server.kill()
    with pytest.raises(Exception, match=r".+"):
        list(stream)
    assert server.requests[-1].over.wait(10)
    assert not server.requests[-1].hung_up


@pytest.mark.parametrize("pieces", [0, 2])
def test_a_reset_is_seen_by_the_client(model: Any, server: ModelServer, pieces: int) -> None:
    server.behaviour = lambda _: Reply(content="word " * 50, piece_chars=5, reset_after=pieces)
    with pytest.raises(Exception, match=r".+"):
        list(model.stream(WRITE))
    assert not server.requests[-1].hung_up


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("pieces", [0, 2])
def test_the_server_sees_who_hangs_up(server: ModelServer, provider: str, pieces: int) -> None:
    server.behaviour = lambda _: Reply(content="word " * 50, piece_chars=5, stall_after=pieces)

    async def give_up() -> None:
        async def read() -> None:
            async for _ in client_of(provider, server).astream(WRITE):
                pass

        task = asyncio.create_task(read())
        while not server.chats:
            await asyncio.sleep(0.01)
        while not task.done():
            # `wait_for` of Python 3.11 loses a cancellation that comes together with a result.
            task.cancel()
            await asyncio.wait([task], timeout=0.05)

    asyncio.run(give_up())
    assert server.chats[0].over.wait(10)
    assert server.chats[0].hung_up


def test_it_says_which_models_it_has(server: ModelServer) -> None:
    assert [m["id"] for m in httpx.get(f"{server.url}/v1/models").json()["data"]] == ["scripted"]
    assert [m["name"] for m in httpx.get(f"{server.url}/api/tags").json()["models"]] == ["scripted"]
    assert httpx.post(f"{server.url}/api/show", json={"model": "scripted"}).status_code == 200
    assert httpx.post(f"{server.url}/api/show", json={"model": "other"}).status_code == 404
    assert httpx.get(f"{server.url}/nothing").status_code == 404
    assert not server.chats


def test_time_spent_answering_two_at_once_counts_once(server: ModelServer) -> None:
    for came, done in ((1.0, 3.0), (2.0, 4.0), (6.0, 7.0)):
        server.requests.append(Request(path="", came=came, done=done))
    assert server.busy_s == pytest.approx(4.0)
