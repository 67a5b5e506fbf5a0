"""The real program over a small folder, with a scripted server where its model would be."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.codec import encode
from kbtui.domain.events import (
    AnswerCompleted,
    Event,
    EvidenceGraded,
    QueryRouted,
    RunCompleted,
    RunFailed,
    ToolStarted,
    Warned,
)
from kbtui.errors import KbtuiError
from kbtui.settings.model import AgentSettings, McpSettings, ModelSettings, Settings, WebSettings
from kbtui.settings.providers import provider_of
from kbtui.text.terminal import clean
from tests.support.model_request import Stage
from tests.support.model_server import ModelServer
from tests.support.perfect_model import OPENING, perfect

KEY = "sk-planted0123456789abcdefghijklmnopqrstuvwxyz"
QUESTION = "When should I roll back a deploy?"
ANSWER = "Roll back when the error rate stays above two percent"

PATIENT_S = 30.0
"""A stage's time limit where no server stalls: no machine is slow enough to meet it."""
HASTY_S = 1.0
"""A stage's time limit where a server stalls."""
GUARD_S = 120.0
"""When a run counts as one that never ends."""

_Event = TypeVar("_Event")


@dataclass(slots=True)
class Run:
    """What came of one question."""

    events: list[Event] = field(default_factory=list)
    failure: KbtuiError | None = None

    def of(self, kind: type[_Event]) -> list[_Event]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def answer(self) -> AnswerCompleted:
        return self.of(AnswerCompleted)[-1]

    @property
    def completed(self) -> RunCompleted:
        return self.of(RunCompleted)[-1]

    @property
    def warnings(self) -> list[str]:
        """What was told of the model and of what it wrote."""
        return [event.message for event in self.of(Warned) if event.where in ("model", "citations", "llm")]

    @property
    def calls(self) -> list[tuple[str, tuple[tuple[str, Any], ...]]]:
        """Each call of a tool, by name and arguments."""
        return [(event.tool, tuple(sorted(event.args.items()))) for event in self.of(ToolStarted)]

    @property
    def by_model(self) -> frozenset[Stage]:
        """The stages whose result is the model's."""
        found: set[Stage] = set()
        if any(event.reasoner == "llm" for event in self.of(QueryRouted)):
            found.add("route")
        if any("llm" in item.signals for event in self.of(EvidenceGraded) for item in event.items):
            found.add("grade")
        if OPENING in self.answer.markdown:
            found.add("write")
        return frozenset(found)


@cache
def warmed(folder: Path, provider: str) -> None:
    """Have the provider's client loaded and used once in this process, which must not count against a short limit."""
    with ModelServer(perfect) as server:
        ask(engine_of(folder, server, provider))


def engine_of(
    folder: Path,
    server: ModelServer,
    provider: str = "openai",
    *,
    agent: AgentSettings | None = None,
    web: WebSettings | None = None,
    mcp: McpSettings | None = None,
    **model: Any,
) -> Engine:
    """An engine whose model is the server; the test is skipped where the provider's client is not installed."""
    row = provider_of(provider)
    assert row is not None
    pytest.importorskip(row.module, reason=f"the extra {row.extra} is not installed")
    base_url = f"{server.url}/v1" if provider == "openai" else server.url
    fields = {"name": f"{provider}:scripted", "base_url": base_url, "timeout_s": PATIENT_S, "mode": "pipeline", **model}
    settings = Settings(
        model=ModelSettings(**fields),
        agent=agent or AgentSettings(),
        web=web or WebSettings(),
        mcp=mcp or McpSettings(),
    )
    return Engine(settings, folder)


def ask(engine: Engine, question: str = QUESTION, on_event: Callable[[Event], None] = lambda _event: None) -> Run:
    """Ask, and have the run whatever comes of it."""
    run = Run()

    def follow(event: Event) -> None:
        run.events.append(event)
        on_event(event)

    def work() -> None:
        try:
            engine.answer_query(question, follow)
        except KbtuiError as error:
            run.failure = error

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(GUARD_S)
    assert not thread.is_alive(), "the run never ended"
    return run


def assert_sound(run: Run, folder: Path) -> None:
    """What holds of every run, whatever its model did."""
    kinds = [event.kind for event in run.events]
    assert kinds[-1] in ("run_completed", "run_failed")
    assert not {"run_completed", "run_failed"} & set(kinds[:-1])
    assert len(set(run.calls)) == len(run.calls), "a call was made twice"
    assert {tool for tool, _ in run.calls} <= {
        "hybrid_search",
        "vector_search",
        "grep_search",
        "graph_related",
        "local_file_qa",
        "read_file",
    }
    if run.failure is not None:
        assert run.failure.message
        assert run.of(RunFailed)[-1].message == run.failure.message
        return
    assert_cited(run.answer, folder)
    text = run.answer.markdown
    assert clean(text) == text
    assert "![" not in text
    # Where an address is said, it is said as code, which nothing opens.
    assert not re.search(r"(?<!`)https?://", text)


def assert_cited(answer: AnswerCompleted, folder: Path) -> None:
    """Every mark is a citation, every citation a mark, and each quotes lines that stand there."""
    assert answer.outcome in ("answered", "partial")
    assert answer.citations
    body = answer.markdown.split("\n\n---\n", 1)[0]
    numbers = {citation.n for citation in answer.citations}
    assert numbers <= {int(mark) for mark in re.findall(r"\[(\d+)\]", answer.markdown)}
    assert {int(mark) for mark in re.findall(r"\[(\d+)\]", body)} <= numbers
    for citation in answer.citations:
        assert citation.path is not None
        assert citation.start_line is not None
        lines = (folder / citation.path).read_text("utf-8").split("\n")
        quoted = lines[citation.start_line - 1 : citation.end_line or citation.start_line]
        assert citation.quote == "\n".join(quoted)


def assert_kept_secret(secret: str, run: Run, *folders: Path) -> None:
    """The secret is in no event and in no file."""
    told = "\n".join(encode(event) for event in run.events) + repr(run.failure)
    assert secret not in told
    for path in _files(folders):
        assert secret.encode() not in path.read_bytes(), f"{path} holds it"


def _files(folders: tuple[Path, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file())
