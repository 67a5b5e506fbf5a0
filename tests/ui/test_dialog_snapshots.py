"""What dialogs, the replay and the opened stages look like: three sizes, a dark and a light theme."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from kbtui.domain.codec import encode
from kbtui.domain.events import Event
from kbtui.sessions.recording import Recording
from kbtui.sessions.store import SessionStore
from kbtui.settings.model import Settings, UiSettings
from kbtui.settings.private import private_folder
from kbtui.ui.exporting import export
from kbtui.ui.panes.base import StagePane
from kbtui.ui.panes.rail import Rail
from kbtui.ui.replay_app import ReplayApp
from kbtui.ui.screens.replay import ReplayScreen
from kbtui.ui.screens.sessions import SessionsScreen
from kbtui.view.player import MAX_SPEED
from tests.sessions.runs import START, answered, cancelled
from tests.ui.apps import settled
from tests.ui.data_runs import DataEngine
from tests.ui.driving import ask, make_app, until
from tests.ui.made import FakeEngine, a_run
from tests.ui.test_silence import unread
from tests.ui.test_snapshots import at_rest, looks, still, still_cursors


def recorded(runs: Sequence[Event], name: str = "20260301-090000-aaaa") -> Recording:
    return Recording(path=Path(f"{name}.jsonl"), events=tuple(runs))


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    """Two sessions, of which the older one is pinned and has a name."""
    store = SessionStore(tmp_path / "sessions")
    private_folder(store.folder)
    for name, run in (("20260301-090000-aaaa", answered()), ("20260301-091500-bbbb", cancelled())):
        store.path_of(name).write_text("".join(encode(event) + "\n" for event in run), encoding="utf-8")
    store.labels.pin("20260301-090000-aaaa", True)
    store.labels.rename("20260301-090000-aaaa", "the rollback")
    return store


async def opened_sessions(pilot: Pilot[Any], store: SessionStore) -> None:
    await at_rest(pilot)
    await pilot.app.push_screen(SessionsScreen(store, clock=lambda: START + timedelta(days=1)))
    await settled(pilot)


@looks()
def test_the_sessions_look_as_they_should(
    snap_compare: Any, store: SessionStore, size: tuple[int, int], theme: str
) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await opened_sessions(pilot, store)

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_a_session_that_is_named_looks_as_it_should(
    snap_compare: Any, store: SessionStore, size: tuple[int, int], theme: str
) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await opened_sessions(pilot, store)
        await pilot.press("r")
        await until(pilot, lambda: pilot.app.screen.query("#naming"))
        still_cursors(pilot.app)
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_a_choice_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        export(pilot.app, recorded(a_run()), Path("/kb"))  # type: ignore[arg-type]
        await settled(pilot)

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_saving_a_chart_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.query(".part"))
        await at_rest(pilot)
        await pilot.press("s")
        await until(pilot, lambda: pilot.app.screen.query("#save-path"))
        pilot.app.screen.query_one("#save-path", Input).value = "/kb/parcels.svg"
        still_cursors(pilot.app)
        await pilot.pause()

    assert snap_compare(still(theme, DataEngine()), terminal_size=size, run_before=run)


@looks()
def test_the_themes_look_as_they_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await at_rest(pilot)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: pilot.app.screen.query("#theme-list"))
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_a_replay_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        await until(pilot, lambda: not screen.player.playing)
        await settled(pilot)

    app = ReplayApp(recorded(answered()), Settings(ui=UiSettings(theme=theme)), speed=MAX_SPEED)
    assert snap_compare(app, terminal_size=size, run_before=run)


@pytest.mark.parametrize("engine", [FakeEngine, DataEngine], ids=["documents", "data"])
@looks()
def test_all_stages_opened_look_as_they_should(
    snap_compare: Any, size: tuple[int, int], theme: str, engine: type[FakeEngine]
) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await at_rest(pilot)
        rail = pilot.app.screen.query_one(Rail)
        await pilot.press("escape")
        while not rail.has_focus_within:
            await pilot.press("o")
            await pilot.pause()
        await pilot.press("z")
        for stage in pilot.app.screen.query(StagePane):
            if not stage.is_open:
                stage.action_unfold()
        await settled(pilot)
        rail.scroll_home(animate=False, force=True, immediate=True)
        await settled(pilot)

    assert snap_compare(still(theme, engine()), terminal_size=size, run_before=run)


@looks()
def test_no_answer_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot, "average blorbness of parcels by city")
        await at_rest(pilot)

    engine = FakeEngine(run=unread)
    app = make_app(engine, Settings(ui=UiSettings(theme=theme)))
    assert snap_compare(app, terminal_size=size, run_before=run)
