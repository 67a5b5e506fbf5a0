"""Commands that are done by their name alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kbtui.domain.codec import encode
from kbtui.domain.events import Progress
from kbtui.sessions.recorder import SessionRecorder
from kbtui.sessions.store import SessionStore
from kbtui.ui.screens.choice import ChoiceScreen
from tests.ui.driving import ask, make_app, until
from tests.ui.made import FakeEngine, a_run


async def test_data_asks_which_tables_there_are() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await pilot.press("slash", *"data", "enter")
        await until(pilot, lambda: engine.asked)
        assert engine.asked == ["Which tables are there?"]


async def test_index_reads_the_folder_now_and_the_answers_see_it() -> None:
    engine = FakeEngine()
    argv = [sys.executable, "-c", f"print({encode(Progress(stage='walk'))!r})"]
    app = make_app(engine, index_argv=argv)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        before = engine.refreshed
        await pilot.press("slash", *"index", "enter")
        await until(pilot, lambda: engine.refreshed > before and app.workspace.status.phase == "ready")


async def test_export_writes_what_is_recorded_of_this_sitting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    recorder = SessionRecorder(SessionStore())
    for event in a_run("How does rollback work?"):
        recorder.record(event)
    engine = FakeEngine(session_id=recorder.session_id)
    app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        await pilot.press("slash", *"export", "enter")
        await until(pilot, lambda: isinstance(app.screen, ChoiceScreen))
        await pilot.press("enter")
        await until(pilot, lambda: list(tmp_path.glob("*.md")))
    (written,) = tmp_path.glob("*.md")
    assert "How does rollback work?" in written.read_text(encoding="utf-8")


async def test_export_says_that_nothing_is_recorded_yet() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36), notifications=True) as pilot:
        await pilot.press("slash", *"export", "enter")
        await until(pilot, lambda: any("Nothing is recorded" in one.title for one in app._notifications))
