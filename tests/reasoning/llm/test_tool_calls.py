"""Tools that a model asks to be called, through the client of each provider, and what is sent back to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.reasoning.llm import client as client_module
from kbtui.reasoning.llm.client import ModelClient, reply_cache
from kbtui.reasoning.llm.conversation import Conversation, Message
from kbtui.reasoning.llm.models import open_chat_model
from kbtui.reasoning.llm.reply import Reply as Answer
from kbtui.settings.model import ModelSettings
from kbtui.settings.providers import provider_of
from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer
from tests.support.perfect_model import perfect

PROVIDERS = ("openai", "ollama", "anthropic", "google_genai")
EACH = pytest.mark.parametrize("provider", PROVIDERS)
LOOK: dict[str, Any] = {
    "name": "look",
    "description": "Looks something up.",
    "parameters": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
}
ASKED = Conversation(stage="loop", rules="Look.", turns=(Message(speaker="user", text="Look up a and b."),))
TWO = (("look", '{"word": "a"}'), ("look", '{"word": "b"}'))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(perfect) as running:
        yield running


def client_of(server: ModelServer, provider: str, monkeypatch: pytest.MonkeyPatch, **more: Any) -> ModelClient:
    row = provider_of(provider)
    assert row is not None
    pytest.importorskip(row.module)
    monkeypatch.setattr(client_module, "_capabilities", {})
    for variable in row.key_variables:
        monkeypatch.setenv(variable, "sk-none")
    url = f"{server.url}/v1" if provider == "openai" else server.url
    settings = ModelSettings(name=f"{provider}:scripted", base_url=url, timeout_s=20.0)
    model = open_chat_model(settings)
    return ModelClient(
        settings, lambda _role: model, emit=lambda _: None, cancel=CancelToken(), audit=lambda _: None, **more
    )


def said(client: ModelClient, asked: Conversation = ASKED) -> Answer:
    return client.write(asked, lambda _piece: None, client.deadline(), tools=[LOOK])


@EACH
@pytest.mark.parametrize("ignores_stream", [False, True])
def test_calls_come_in_order_with_their_arguments(
    provider: str, ignores_stream: bool, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behaviour = lambda _: Reply(content="One moment.", calls=TWO, ignores_stream=ignores_stream)
    reply = said(client_of(server, provider, monkeypatch))
    assert [(call.tool, call.args) for call in reply.calls] == [("look", {"word": "a"}), ("look", {"word": "b"})]
    assert reply.text == "One moment."
    assert len({call.call_id for call in reply.calls}) == 2


@EACH
def test_results_go_back_to_the_model_under_their_calls(
    provider: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def behaviour(request: Request) -> Reply:
        return Reply(content="Done.") if "is a fruit" in request.said else Reply(calls=TWO)

    server.behaviour = behaviour
    client = client_of(server, provider, monkeypatch)
    first = said(client)
    told = [Message(speaker="tool", text=f"{call.args} is a fruit", call_id=call.call_id) for call in first.calls]
    again = ASKED.with_messages(Message(speaker="assistant", text="", calls=first.calls, extras=first.extras), *told)
    assert said(client, again).text == "Done."
    assert server.chats[1].said.count("is a fruit") == 2


@EACH
def test_a_flat_conversation_offers_no_tool_and_keeps_what_they_brought(
    provider: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behaviour = lambda request: Reply(content="Done.") if not request.body.get("tools") else Reply(calls=TWO)
    client = client_of(server, provider, monkeypatch)
    first = said(client)
    told = [Message(speaker="tool", text="a fruit", call_id=call.call_id) for call in first.calls]
    flat = ASKED.with_messages(Message(speaker="assistant", text="", calls=first.calls), *told).without_tool_calls()
    assert [turn.speaker for turn in flat.turns] == ["user"]
    assert client.write(flat, lambda _piece: None, client.deadline()).text == "Done."
    assert server.chats[1].said.count("a fruit") == 2


def test_arguments_that_are_no_object_are_none(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.behaviour = lambda _: Reply(calls=(("look", "[1"), ("look", ""), ("look", '{"word": "a",}')))
    calls = said(client_of(server, "openai", monkeypatch)).calls
    assert [call.args for call in calls] == [None, {}, {"word": "a"}]


def test_a_server_that_refuses_tools_still_streams_what_has_none(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behaviour = lambda request: (
        Reply(status=400, content="no tools here") if request.body.get("tools") else Reply(content="Yes.")
    )
    client = client_of(server, "openai", monkeypatch)
    with pytest.raises(client_module.CallFailed) as failed:
        said(client)
    assert failed.value.failure.refused_format
    assert client.write(ASKED, lambda _piece: None, client.deadline()).text == "Yes."
    assert server.chats[-1].streamed


def test_calls_are_kept_where_answers_are(server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    server.behaviour = lambda _: Reply(calls=TWO)
    cache = reply_cache(tmp_path / "kept")
    first = said(client_of(server, "openai", monkeypatch, cache=cache))
    second = said(client_of(server, "openai", monkeypatch, cache=cache))
    assert [call.args for call in second.calls] == [call.args for call in first.calls]
    assert len(server.chats) == 1


def test_a_key_in_what_a_tool_brought_is_masked(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.settings.secrets import learn_secret

    learn_secret("sk-planted-in-a-document-0123456789")
    server.behaviour = lambda request: Reply(content="Done.")
    client = client_of(server, "openai", monkeypatch)
    said(client, ASKED.with_messages(Message(speaker="user", text="It says sk-planted-in-a-document-0123456789.")))
    assert "sk-planted-in" not in server.chats[0].said
