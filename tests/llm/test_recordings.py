"""Good runs over the demo, recorded from a reader of the prompts, replayed through each provider's client.

A recording is a file of lines: what is asked, then for each request its shape and what was replied, then what came of
it. Where a reply cites, ``{text}`` stands for the id of what holds ``text``: ids depend on what a search finds first.
When the substance of a prompt changes (its version is raised), its recordings are made again from a reader's answers.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kbtui.agent.loop.prompts import prompt_text
from kbtui.bootstrap import Engine
from kbtui.demo import handbook_path
from kbtui.demo.sample_database import sample_database
from kbtui.settings.model import ModelSettings, Settings
from tests.llm.running import PATIENT_S, Run, ask
from tests.support.looping_model import id_of
from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer

RECORDINGS = sorted((Path(__file__).parent.parent / "recordings").glob("*.jsonl"))
PROVIDERS = ("openai", "anthropic", "ollama")
_HOLDS = re.compile(r"\{([^{}\n]+)\}")


class Recording:
    """One run, and the server's part in it."""

    def __init__(self, path: Path) -> None:
        head, *calls, last = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        self.questions, self.with_data, self.prompts = head["questions"], head["data"], head["prompts"]
        self.calls, self.expected = calls, last["expect"]

    def __call__(self, request: Request) -> Reply:
        call = self.calls[request.number - 1]
        shape, reply = call["shape"], call["reply"]
        assert tools_of(request) == shape["tools"]
        if request.api == "openai":
            assert [message["role"] for message in request.body["messages"]] == shape["roles"]
        for text in shape["holds"]:
            assert text in request.said, f"{text!r} is not in the prompt:\n{request.said}"
        if "calls" in reply:
            return Reply(calls=tuple((tool, json.dumps(args, ensure_ascii=False)) for tool, args in reply["calls"]))
        return Reply(content=_HOLDS.sub(lambda match: f"[{id_of(request, match[1])}]", reply["content"]))


def tools_of(request: Request) -> list[str]:
    offered = request.body.get("tools") or []
    return [str((tool.get("function") or tool)["name"]) for tool in offered]


@pytest.fixture(scope="module")
def indexed_demo(tmp_path_factory: pytest.TempPathFactory, shared_model: None) -> tuple[Path, Path]:
    """The cache with the index of the demo handbook, and the demo's database."""
    cache, data = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        patch.setenv("XDG_DATA_HOME", str(data))
        Engine(Settings(), handbook_path(), record=False).answer_query("When to roll back?")
        return cache, sample_database()


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_good_run_is_one_again(
    path: Path,
    provider: str,
    indexed_demo: tuple[Path, Path],
    server: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(indexed_demo[0]))
    recording = Recording(path)
    server.behaviour = recording
    url = f"{server.url}/v1" if provider == "openai" else server.url
    model = ModelSettings(name=f"{provider}:scripted", base_url=url, timeout_s=PATIENT_S, mode="loop")
    sources = (str(indexed_demo[1]),) if recording.with_data else ()
    engine = Engine(Settings(model=model), handbook_path(), sources=sources, record=False)
    for question, expected in zip(recording.questions, recording.expected, strict=True):
        run = ask(engine, question)
        assert_as_recorded(run, expected)
    assert len(server.chats) == len(recording.calls)


def assert_as_recorded(run: Run, expected: dict[str, Any]) -> None:
    assert run.failure is None
    assert not run.warnings, run.answer.markdown
    assert (run.answer.outcome, run.answer.unsupported) == (expected["outcome"], ()), run.answer.markdown
    assert run.completed.llm_calls == expected["calls"]
    cited = {citation.path or citation.source for citation in run.answer.citations}
    assert set(expected["cites"]) <= cited, run.answer.markdown
    for text in expected["says"]:
        assert text in run.answer.markdown


def test_recordings_are_of_the_prompts_there_are() -> None:
    assert len(RECORDINGS) >= 8
    for path in RECORDINGS:
        for name, version in Recording(path).prompts.items():
            assert prompt_text(name).version == version, f"{path.name}: {name} is another one now; record it again"
