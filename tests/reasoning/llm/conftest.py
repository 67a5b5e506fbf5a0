"""A client of a scripted model server, and what it said and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from kbtui.domain.events import Event, Warned
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.llm import client as client_module
from kbtui.reasoning.llm.client import ModelClient
from kbtui.settings.model import ModelSettings
from tests.support.model_request import Behaviour
from tests.support.model_server import ModelServer
from tests.support.perfect_model import perfect


@dataclass(slots=True)
class Talk:
    """One client, its server, and everything that came out."""

    server: ModelServer
    client: ModelClient
    cancel: CancelToken
    events: list[Event] = field(default_factory=list)
    audit: list[dict[str, Any]] = field(default_factory=list)

    @property
    def warnings(self) -> list[str]:
        return [event.message for event in self.events if isinstance(event, Warned)]


Talks = Callable[..., Talk]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(perfect) as running:
        yield running


@pytest.fixture
def talk(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> Talks:
    """Makes a client of the server; keyword arguments are settings of the model."""
    # What one test taught about a model must not reach the next.
    monkeypatch.setattr(client_module, "_capabilities", {})

    def make(behaviour: Behaviour = perfect, **settings: Any) -> Talk:
        from langchain_openai import ChatOpenAI

        server.behaviour = behaviour
        url = server.url + "/v1"
        model = ChatOpenAI(model="scripted", base_url=url, api_key="none", max_retries=0, stream_usage=True)
        chosen = ModelSettings(**{"name": "openai:scripted", "base_url": url, "timeout_s": 5.0, **settings})
        cancel = CancelToken()
        events: list[Event] = []
        audit: list[dict[str, Any]] = []
        client = ModelClient(chosen, lambda _role: model, emit=events.append, cancel=cancel, audit=audit.append)
        return Talk(server, client, cancel, events, audit)

    return make
