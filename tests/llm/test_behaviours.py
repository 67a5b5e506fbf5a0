"""Whatever a model or its server does, the question is answered, and whoever asked is told what went wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.llm.running import (
    HASTY_S,
    KEY,
    PATIENT_S,
    ask,
    assert_kept_secret,
    assert_sound,
    engine_of,
)
from tests.support.behaviours import ALL, BEHAVIOURS, LEAKED, Play
from tests.support.model_server import ModelServer

MOST_CALLS = 8
"""Three stages, each with one repair or one retry, and a few for finding out what a server can do."""

ON_OLLAMA = (
    "perfect",
    "json in fences",
    "truncated json",
    "wrong types",
    "wrong types once",
    "deeply nested",
    "scores that are no numbers",
    "lone surrogates",
    "empty",
    "refusal",
    "invented citations",
    "escape sequences",
    "cut off by length",
    "reasoning beside",
    "reasoning in tags",
    "tool calls instead of content",
    "no structured output",
    "streaming ignored",
    "usage not counted",
    "404",
    "500",
    "503 once",
    "html instead of an answer",
    "choices that are null",
    "a body that is no object",
    "a body that is nothing",
    "reset at once",
    "reset in the middle of the answer",
    "error in the middle of the stream",
    "stall in the middle of the answer",
)


def cases() -> list[object]:
    every = [pytest.param("openai", play, id=f"openai: {play.name}") for play in BEHAVIOURS.values()]
    ollama = [pytest.param("ollama", BEHAVIOURS[name], id=f"ollama: {name}") for name in ON_OLLAMA]
    # Ollama's client reads what is no UTF-8 as U+FFFD, OpenAI's gives up.
    lenient = replace(BEHAVIOURS["invalid utf-8"], by_model=ALL, told="")
    return [*every, *ollama, pytest.param("ollama", lenient, id="ollama: invalid utf-8")]


@pytest.mark.parametrize(("provider", "play"), cases())
def test_a_run_survives(
    provider: str, play: Play, folder: Path, home: Path, indexed: tuple[Path, Path], server: ModelServer
) -> None:
    server.behaviour = play
    run = ask(engine_of(folder, server, provider, timeout_s=HASTY_S if play.stalls else PATIENT_S))

    assert run.failure is None
    assert_sound(run, folder)
    assert run.by_model == play.by_model, run.warnings
    if play.told:
        assert any(re.search(play.told, warning) for warning in run.warnings), run.warnings
    else:
        assert not run.warnings
    assert bool(run.answer.unsupported) == play.marked, run.answer.unsupported
    if LEAKED in run.answer.markdown:
        assert any(sentence.startswith(LEAKED) for sentence in run.answer.unsupported)
    assert 1 <= len(server.chats) <= MOST_CALLS
    assert run.completed.llm_calls == len(server.chats)
    assert_kept_secret(KEY, run, home, indexed[1])
    if provider == "openai":
        assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"
    for request in server.chats:
        assert request.over.wait(PATIENT_S), "a connection was left open"
