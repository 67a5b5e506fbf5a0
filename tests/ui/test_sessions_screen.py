from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from kbtui.controller.folding import reduce_all
from kbtui.domain.codec import encode
from kbtui.domain.events import Event, RunStarted
from kbtui.sessions.store import SessionStore
from kbtui.settings.model import Settings
from kbtui.settings.private import private_folder
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.choice import ChoiceScreen
from kbtui.ui.screens.replay import ReplayScreen
from kbtui.ui.screens.sessions import SessionsScreen
from kbtui.ui.widgets.rows import RowList
from tests.sessions.runs import answered, cancelled
from tests.ui.apps import bare_app, settled
from tests.ui.driving import make_app, shown, until
from tests.ui.made import FakeEngine

WIDE = (120, 36)


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions")
    private_folder(store.folder)
    return store


@pytest.fixture
def app(tmp_path: Path) -> KbtuiApp:
    return bare_app(tmp_path)


def save(store: SessionStore, session_id: str, *runs: list[Event]) -> Path:
    path = store.path_of(session_id)
    path.write_text("".join(encode(event) + "\n" for run in runs for event in run), encoding="utf-8")
    return path


async def opened(pilot: Pilot[None], store: SessionStore, folder: Path | None = None) -> SessionsScreen:
    screen = SessionsScreen(store, folder)
    await pilot.app.push_screen(screen)
    await settled(pilot)
    return screen


def text_of(pilot: Pilot[None]) -> str:
    return pilot.app.export_screenshot().replace("&#160;", " ")


async def test_without_sessions_it_says_what_will_be_here_and_escape_leaves(app: KbtuiApp, store: SessionStore) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        assert "Nothing has been asked yet." in text_of(pilot)
        for key in ("enter", "p", "x", "d"):
            await pilot.press(key)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.ask_screen


async def test_the_list_shows_questions_and_the_preview_the_answer(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", answered(query="谁宣布回滚？"), cancelled())
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        text = text_of(pilot)
        assert "谁宣布回滚？" in text
        assert "2 asked" in text
        assert "green image" in text


async def test_the_filter_finds_words_in_any_order_and_escape_clears_it(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", answered(query="how does rollback work"))
    save(store, "b", answered(query="who is on call"))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("slash", *"work roll")
        await settled(pilot)
        assert [one.session_id for one in screen._shown] == ["a"]
        await pilot.press("enter")
        assert screen.query_one(RowList).has_focus
        await pilot.press("escape")
        assert len(screen._shown) == 2
        assert screen.query_one(Input).value == ""
        await pilot.press("slash", *"zebra")
        await pilot.pause()
        assert "No session has these words." in text_of(pilot)


def asked_of(kb: Path, events: list[Event]) -> list[Event]:
    return [replace(event, kb=str(kb)) if isinstance(event, RunStarted) else event for event in events]


async def test_enter_brings_all_runs_back_once(app: KbtuiApp, store: SessionStore, tmp_path: Path) -> None:
    save(store, "a", asked_of(tmp_path, answered()), asked_of(tmp_path, answered(run_id="r3"))[:6])
    async with app.run_test(size=WIDE) as pilot:
        for _ in range(2):
            await opened(pilot, store)
            await pilot.press("enter")
            await settled(pilot)
            assert app.screen is app.ask_screen
        assert app.ask_screen is not None
        runs = app.ask_screen.conversation.runs
        assert runs[0] == reduce_all(asked_of(tmp_path, answered()))
        assert (len(runs), runs[1].phase) == (2, "failed"), "a run that a crash cut off does not run on for ever"
        assert runs[1].elapsed_s < 10
        await pilot.press("left_square_bracket")
        await settled(pilot)
        assert "green image" in text_of(pilot)


async def test_questions_asked_after_resuming_are_recorded_behind_those_of_the_session(
    store: SessionStore, tmp_path: Path
) -> None:
    save(store, "a", asked_of(tmp_path, answered()))
    engine = FakeEngine(kb=tmp_path)
    app = make_app(engine, kb=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.workspace.engine is not None)
        await opened(pilot, store)
        await pilot.press("enter")
        await until(pilot, lambda: engine.continued == ["a"])


async def test_a_session_resumed_before_the_folder_is_open_is_continued_once_it_is(
    store: SessionStore, tmp_path: Path
) -> None:
    save(store, "a", asked_of(tmp_path, answered()))
    engine, built = FakeEngine(kb=tmp_path), threading.Event()

    def build() -> FakeEngine:
        built.wait()
        return engine

    app = KbtuiApp(build, Settings(), kb=tmp_path, suggestions=("a question",))
    async with app.run_test(size=WIDE) as pilot:
        try:
            pilot.app.push_screen(screen := SessionsScreen(store))
            await until(pilot, lambda: screen.selected is not None)
            await pilot.press("enter")
            await until(pilot, lambda: app.ask_screen and app.ask_screen.conversation.runs)
            assert engine.continued == []
        finally:
            built.set()
        await until(pilot, lambda: engine.continued == ["a"])


async def test_a_session_whose_file_has_an_odd_name_comes_back_and_says_that_it_does_not_go_on(
    store: SessionStore, tmp_path: Path
) -> None:
    events = asked_of(tmp_path, answered())
    (store.folder / "my session.jsonl").write_text("".join(encode(event) + "\n" for event in events), encoding="utf-8")
    engine = FakeEngine(kb=tmp_path)
    app = make_app(engine, kb=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.workspace.engine is not None)
        await opened(pilot, store)
        await pilot.press("enter")
        await until(pilot, lambda: app.ask_screen and app.ask_screen.conversation.runs)
        await until(pilot, lambda: any("cannot name" in str(notice.title) for notice in app._notifications))
        assert engine.continued == []


async def test_a_session_of_another_folder_is_not_mixed_in(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("enter")
        await settled(pilot)
        assert app.screen is screen
        assert any("kbtui /kb/handbook" in notice.message for notice in app._notifications)


async def test_p_replays_over_the_list(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("p")
        await settled(pilot)
        assert isinstance(app.screen, ReplayScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is screen


async def test_x_writes_an_export_and_never_over_another_file(
    app: KbtuiApp, store: SessionStore, tmp_path: Path
) -> None:
    save(store, "a", answered())
    (tmp_path / "a.md").write_text("mine")
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store, tmp_path)
        await pilot.press("x")
        await settled(pilot)
        assert isinstance(app.screen, ChoiceScreen)
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("x")
        await settled(pilot)
        await pilot.press("down", "enter")
        await settled(pilot)
    assert (tmp_path / "a.md").read_text() == "mine"
    assert "how are deploys rolled back?" in (tmp_path / "a-2.md").read_text()
    assert (tmp_path / "a.html").read_text().startswith("<!doctype html>")


async def test_an_export_that_cannot_be_written_says_why(app: KbtuiApp, store: SessionStore, tmp_path: Path) -> None:
    save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store, tmp_path / "gone")
        await pilot.press("x")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert any("cannot be written" in str(notice.title) for notice in app._notifications)


async def test_d_deletes_only_after_a_yes_and_enter_alone_is_no_yes(app: KbtuiApp, store: SessionStore) -> None:
    path = save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("enter")
        await settled(pilot)
        assert path.exists()
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("down", "enter")
        await settled(pilot)
        assert not path.exists()
        assert screen._all == ()
        assert "Nothing has been asked yet." in text_of(pilot)


async def test_a_foreign_file_is_listed_and_refused_with_its_line(app: KbtuiApp, store: SessionStore) -> None:
    (store.folder / "notes.jsonl").write_text("{}\n")
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        assert "not a kbtui session" in text_of(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert any("line 1" in str(notice.title) for notice in app._notifications)


async def test_questions_are_data_and_no_mark_up(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", answered(query="[bold red]x[/] \x1b[31m [link='file:///etc']y"))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        assert "[bold red]x[/]" in text_of(pilot)
        assert "\x1b" not in text_of(pilot)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20), (40, 12)])
async def test_it_fits_every_size(app: KbtuiApp, store: SessionStore, size: tuple[int, int]) -> None:
    for number in range(30):
        save(store, f"s{number:02}", answered(query=f"question {number} " * 9))
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("end")
        await settled(pilot)
        assert screen.query_one(RowList).highlighted == 29
        assert screen.query_one(RowList).size.height >= 2


async def test_a_folder_of_sessions_that_cannot_be_read_is_said_so(app: KbtuiApp, tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "sessions")
    store.folder.write_text("a file where the folder should be")
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        # The path is as long as the machine's temporary folder: where the lines break is not known.
        assert "cannot be read" in " ".join(shown(app).replace("│", " ").split())
        assert "Nothing has been asked yet." not in text_of(pilot)
