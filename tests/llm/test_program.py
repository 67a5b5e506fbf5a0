"""The program as people start it, with a model that comes, goes and stalls."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from kbtui.settings.model import ModelSettings, Settings
from kbtui.ui.app import KbtuiApp
from tests.llm.running import ANSWER, GUARD_S, KEY, PATIENT_S, QUESTION, engine_of
from tests.support.behaviours import written
from tests.support.model_request import Request
from tests.support.model_server import ModelServer
from tests.support.perfect_model import OPENING, answer
from tests.support.terminal import kbtui
from tests.ui.driving import ask_screen, shown, until


@pytest.fixture
def settings_of(server: ModelServer) -> Mapping[str, str]:
    """The environment in which the program's model is the server."""
    model = {"NAME": "openai:scripted", "BASE_URL": f"{server.url}/v1", "MODE": "pipeline"}
    return {**os.environ, **{f"KBTUI_MODEL__{name}": value for name, value in model.items()}}


def start(folder: Path, environment: Mapping[str, str], *options: str) -> subprocess.Popen[str]:
    command = kbtui("ask", "--kb", str(folder), *options, QUESTION)
    return subprocess.Popen(
        command, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )


def test_the_command_answers_with_the_model(folder: Path, settings_of: Mapping[str, str], server: ModelServer) -> None:
    program = start(folder, settings_of, "--json")
    out, err = program.communicate(timeout=GUARD_S)
    events = [json.loads(line) for line in out.strip().split("\n")]
    assert program.returncode == 0
    assert events[0]["model"] == "openai:scripted"
    assert OPENING in next(event["markdown"] for event in events if event["kind"] == "answer_completed")
    assert events[-1]["llm_calls"] == 3
    assert server.stages == ["route", "grade", "write"]
    assert KEY not in out + err


def test_unplugged_in_mid_answer_the_command_answers_offline_and_says_so(
    folder: Path, settings_of: Mapping[str, str], server: ModelServer
) -> None:
    server.behaviour = written(answer, piece_chars=4, stall_after=6)
    program = start(folder, settings_of)
    writing = _asked_to_write(server, program)
    server.kill()
    out, err = program.communicate(timeout=GUARD_S)
    assert writing.over.wait(GUARD_S)
    assert program.returncode == 0
    assert ANSWER in out
    assert "the answer was written offline" in err
    assert "Traceback" not in err


def test_an_interrupt_hangs_up(folder: Path, settings_of: Mapping[str, str], server: ModelServer) -> None:
    server.behaviour = written(answer, piece_chars=4, stall_after=6)
    program = start(folder, settings_of)
    writing = _asked_to_write(server, program)
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=GUARD_S)
    assert program.returncode == 130
    assert writing.over.wait(GUARD_S)
    assert writing.hung_up
    assert "Traceback" not in err


async def test_unplugged_in_mid_answer_the_screen_says_so(folder: Path, server: ModelServer) -> None:
    server.behaviour = written(answer, piece_chars=4, stall_after=6)
    chosen = {"base_url": f"{server.url}/v1", "timeout_s": PATIENT_S, "mode": "pipeline"}
    settings = Settings(model=ModelSettings(name="openai:scripted", **chosen))
    engine = engine_of(folder, server)
    app = KbtuiApp(lambda: engine, settings, kb=folder, suggestions=(QUESTION,))
    async with app.run_test(size=(140, 44)) as pilot:
        await until(pilot, lambda: app.ask_screen and app.ask_screen.query("#conversation"))
        screen = ask_screen(app)
        screen.ask(QUESTION)
        await until(pilot, lambda: screen.conversation.latest.deltas, patience=4000)
        server.kill()
        await until(pilot, lambda: screen.conversation.latest.finished, patience=4000)
        await until(pilot, lambda: ANSWER in shown(app), patience=4000)
        await until(pilot, lambda: "offline" in shown(app).lower())


def _asked_to_write(server: ModelServer, program: subprocess.Popen[str]) -> Request:
    """The request of the answer, once it is there."""
    while not server.of("write"):
        assert program.poll() is None, program.communicate()
        server.closing().wait(0.02)
    return server.of("write")[0]
