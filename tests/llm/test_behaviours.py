"""Whatever a model or its server does, the question is answered, and whoever asked is told what went wrong."""

from __future__ import annotations

import importlib.util
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
    warmed,
)
from tests.support.behaviours import BEHAVIOURS, DECIDING, LEAKED, Play
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
    "invalid utf-8",
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


ON_HOSTED = (
    "perfect",
    "truncated json",
    "wrong types",
    "empty",
    "escape sequences",
    "cut off by length",
    "ended by a filter",
    "invalid utf-8",
    "reasoning beside",
    "tool calls instead of content",
    "structured output by tools alone",
    "streaming ignored",
    "usage not counted",
    "401",
    "404",
    "429 once",
    "429 for an hour",
    "500",
    "529",
    "html error page",
    "html instead of an answer",
    "no choices",
    "reset at once",
    "reset in the middle of the answer",
    "error in the middle of the stream",
    "stall in the middle of the answer",
)
"""What Anthropic's and Google's clients, or their protocols, have a way of their own with."""


_AIOHTTP = importlib.util.find_spec("aiohttp") is not None
"""Google's client uses it where it is installed, and httpx elsewhere."""


def cases() -> list[object]:
    chosen = {"openai": tuple(BEHAVIOURS), "ollama": ON_OLLAMA, "anthropic": ON_HOSTED, "google_genai": ON_HOSTED}
    found = [
        pytest.param(provider, BEHAVIOURS[name], id=f"{provider}: {name}")
        for provider, names in chosen.items()
        for name in names
        if (provider, name) != ("google_genai", "invalid utf-8") or not _AIOHTTP
    ]
    if not _AIOHTTP:
        return found
    # With aiohttp Google's client gives up an answer that is no UTF-8, and there is no way to put anything before it.
    strict = replace(BEHAVIOURS["invalid utf-8"], by_model=DECIDING, told="utf-8")
    return [*found, pytest.param("google_genai", strict, id="google_genai: invalid utf-8")]


@pytest.mark.parametrize(("provider", "play"), cases())
def test_a_run_survives(
    provider: str, play: Play, folder: Path, home: Path, indexed: tuple[Path, Path], server: ModelServer
) -> None:
    server.behaviour = play
    if play.stalls:
        warmed(folder, provider)
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
    if provider != "ollama":
        assert server.chats[0].key == KEY
    for request in server.chats:
        assert request.over.wait(PATIENT_S), "a connection was left open"
