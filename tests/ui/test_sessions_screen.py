from __future__ import annotations

import gc
import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Input

from kbtui.domain.codec import encode
from kbtui.domain.events import Event, RunStarted
from kbtui.sessions.recording import read
from kbtui.sessions.store import SessionStore
from kbtui.settings.model import Settings
from kbtui.settings.private import private_folder
from kbtui.ui.app import KbtuiApp
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.screens import sessions
from kbtui.ui.screens.choice import ChoiceScreen
from kbtui.ui.screens.compare import CompareScreen
from kbtui.ui.screens.replay import ReplayScreen
from kbtui.ui.screens.sessions import SessionsScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.rows import RowList
from kbtui.view.folding import reduce_all
from tests.sessions.runs import START, answered, cancelled
from tests.ui.apps import bare_app, settled
from tests.ui.driving import cell_of, make_app, shown, until
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
        for key in ("enter", "p", "r", "w", "x", "d", "u"):
            await pilot.press(key)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.ask_screen


async def test_a_name_typed_before_the_list_is_there_is_the_name_of_the_first_session(
    app: KbtuiApp, store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(store, "a", answered())
    found, listed = threading.Event(), store.list
    monkeypatch.setattr(store, "list", lambda: found.wait() and listed())
    async with app.run_test(size=WIDE) as pilot:
        screen = SessionsScreen(store)
        app.push_screen(screen)
        for key in ("r", *"deploys", "enter"):
            app.simulate_key(key)
        await pilot.pause()
        found.set()
        await until(pilot, lambda: screen.selected is not None and screen.selected.name == "deploys")
        assert not screen._deleted


async def test_escape_leaves_a_list_that_is_not_there_yet_and_the_keys_before_it_do_nothing(
    app: KbtuiApp, store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(store, "a", answered())
    found, listed = threading.Event(), store.list
    monkeypatch.setattr(store, "list", lambda: found.wait() and listed())
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(SessionsScreen(store))
        for key in ("d", "escape"):
            app.simulate_key(key)
        await until(pilot, lambda: app.screen is app.ask_screen)
        found.set()
    assert [one.session_id for one in store.list()] == ["a"]


async def test_keys_behind_replay_belong_to_the_replay(
    app: KbtuiApp, store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(store, "a", answered())
    may_read = threading.Event()
    monkeypatch.setattr(sessions, "read", lambda path: may_read.wait() and read(path))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        for key in ("w", "d"):
            app.simulate_key(key)
        await pilot.pause()
        may_read.set()
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        assert not screen._deleted


async def test_a_preview_that_is_given_up_before_it_began_leaves_nothing_behind(
    app: KbtuiApp, store: SessionStore, recwarn: pytest.WarningsRecorder
) -> None:
    save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        screen.show_detail()
        screen.workers.cancel_group(screen, "preview")
        await pilot.pause()
    gc.collect()
    assert not [one for one in recwarn if "never awaited" in str(one.message)]


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
        assert list(screen._shown) == ["a"]
        await pilot.press("enter")
        assert screen.query_one(RowList).has_focus
        await pilot.press("escape")
        await settled(pilot)
        assert len(screen._shown) == 2
        assert screen.query_one(Input).value == ""
        await pilot.press("slash", *"zebra")
        await settled(pilot)
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


async def test_a_session_that_was_found_by_words_is_read_where_they_stand(
    app: KbtuiApp, store: SessionStore, tmp_path: Path
) -> None:
    save(store, "a", asked_of(tmp_path, answered()), asked_of(tmp_path, answered(run_id="r3")[:6]))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.ask_screen is not None and app.ask_screen.query("#conversation"))
        await opened(pilot, store)
        await pilot.press("slash", *"green image", "enter")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert app.ask_screen is not None
        await until(pilot, lambda: app.ask_screen.conversation.position == 0 and "1 of " in text_of(pilot))
        assert isinstance(app.focused, Transcript)


async def test_a_session_found_by_words_that_stand_apart_is_read_at_the_answer_that_has_them_all(
    app: KbtuiApp, store: SessionStore, tmp_path: Path
) -> None:
    save(store, "a", asked_of(tmp_path, answered()), asked_of(tmp_path, cancelled(run_id="r3", query="who is it")))
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.ask_screen is not None and app.ask_screen.query("#conversation"))
        await opened(pilot, store)
        await pilot.press("slash", *"image green", "enter")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert app.ask_screen is not None
        await until(pilot, lambda: app.ask_screen.conversation.position == 0)
        assert len(app.ask_screen.conversation.runs) == 2


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


async def test_w_replays_over_the_list(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("w")
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


async def test_a_page_to_give_away_names_no_home_folder(
    app: KbtuiApp, store: SessionStore, tmp_path: Path, home: Path
) -> None:
    save(store, "a", answered(query=f"what is in {home}/notes?"))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store, tmp_path)
        await pilot.press("x")
        await settled(pilot)
        await pilot.press("down", "down", "enter")
        await settled(pilot)
    page = (tmp_path / "a.html").read_text()
    assert str(home) not in page
    assert "what is in ~/notes?" in page


async def test_an_export_that_cannot_be_written_says_why(app: KbtuiApp, store: SessionStore, tmp_path: Path) -> None:
    save(store, "a", answered())
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store, tmp_path / "gone")
        await pilot.press("x")
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert any("cannot be written" in str(notice.title) for notice in app._notifications)


async def test_what_d_deletes_comes_back_with_u_and_is_gone_when_the_list_is_left(
    app: KbtuiApp, store: SessionStore
) -> None:
    first, second = save(store, "a", answered()), save(store, "b", cancelled())
    store.labels.rename("b", "kept")
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("d")
        await settled(pilot)
        await pilot.press("d")
        await settled(pilot)
        assert "All are deleted. Press u" in text_of(pilot)
        assert (first.exists(), second.exists()) == (True, True)
        await pilot.press("u")
        await settled(pilot)
        assert len(screen._shown) == 1
        (left,) = screen._shown
        await pilot.press("escape")
        await settled(pilot)
    assert [one.session_id for one in store.list()] == [left]


async def test_deleting_selects_the_session_below(app: KbtuiApp, store: SessionStore) -> None:
    for number, name in enumerate("abc"):
        os.utime(save(store, name, answered()), (number, number))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("down", "d")
        await settled(pilot)
        assert screen.selected is not None
        assert screen.selected.session_id == "a"


async def test_a_session_is_named_and_keeps_its_name_and_its_recording(app: KbtuiApp, store: SessionStore) -> None:
    path = save(store, "a", answered())
    before = path.read_bytes()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        await pilot.press("r", *"Rollout 九月")
        assert "enter save   esc back" in pilot.app.screen.query_one(KeyHints).render().plain
        await pilot.press("enter")
        await settled(pilot)
        assert "Rollout 九月" in text_of(pilot)
        await pilot.press("r", "x", "escape")
        await settled(pilot)
    assert [one.name for one in store.list()] == ["Rollout 九月"]
    assert path.read_bytes() == before


async def test_a_pinned_session_stands_on_top_until_it_is_unpinned(app: KbtuiApp, store: SessionStore) -> None:
    for number, name in enumerate("ab"):
        os.utime(save(store, name, answered()), (number, number))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        assert list(screen._shown) == ["b", "a"]
        await pilot.press("down", "p")
        await settled(pilot)
        assert list(screen._shown) == ["a", "b"]
        assert "Pinned" in text_of(pilot)
        assert screen.selected is not None
        assert screen.selected.session_id == "a"
        await pilot.press("p")
        await settled(pilot)
        assert list(screen._shown) == ["b", "a"]


async def test_sessions_of_this_folder_stand_before_newer_ones_of_others(
    app: KbtuiApp, store: SessionStore, tmp_path: Path
) -> None:
    os.utime(save(store, "here", asked_of(tmp_path, answered())), (1, 1))
    os.utime(save(store, "there", answered()), (2, 2))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        assert list(screen._shown) == ["here", "there"]
        text = text_of(pilot)
        assert text.index("This folder") < text.index("Other folders") < text.index("handbook")


@pytest.mark.parametrize("size", [(200, 50), (120, 36), (80, 24), (40, 12)])
async def test_two_marked_sessions_stand_side_by_side(
    app: KbtuiApp, store: SessionStore, size: tuple[int, int]
) -> None:
    os.utime(save(store, "a", answered()), (1, 1))
    os.utime(save(store, "b", cancelled(query="how are deploys rolled back?", start=START + timedelta(days=1))), (2, 2))
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("m")
        await settled(pilot)
        await pilot.press("down", "c")
        await settled(pilot)
        assert isinstance(app.screen, CompareScreen)
        text = shown(app)
        assert "Two runs" in text
        if size[1] > 20:
            assert "- answered" in text
            assert "+ cancelled" in text
        await pilot.press("escape")
        await settled(pilot)
        assert app.screen is screen


async def test_by_mouse_a_session_is_looked_at_marked_and_compared_and_a_second_click_resumes_it(
    app: KbtuiApp, store: SessionStore, tmp_path: Path
) -> None:
    os.utime(save(store, "a", asked_of(tmp_path, answered())), (1, 1))
    newer = cancelled(query="how are deploys rolled back?", start=START + timedelta(days=1))
    os.utime(save(store, "b", asked_of(tmp_path, newer)), (2, 2))
    async with app.run_test(size=(200, 50)) as pilot:
        screen = await opened(pilot, store)
        older = cell_of(app, "✓ how are")
        await pilot.click(offset=older)
        await settled(pilot)
        assert (app.screen, screen.selected.session_id) == (screen, "a")  # type: ignore[union-attr]
        await pilot.click(offset=cell_of(app, "m mark"))
        await settled(pilot)
        await pilot.click(offset=cell_of(app, "⊘ how are"))
        await pilot.click(offset=cell_of(app, "c compare"))
        await settled(pilot)
        assert isinstance(app.screen, CompareScreen)
        await pilot.press("escape")
        await settled(pilot)
        await pilot.click(offset=older)
        assert app.screen is screen
        await pilot.click(offset=older)
        await until(pilot, lambda: app.screen is app.ask_screen)


async def test_c_without_a_mark_compares_the_last_two_times_a_question_was_asked(
    app: KbtuiApp, store: SessionStore
) -> None:
    save(store, "a", answered(), answered(run_id="r2", start=START + timedelta(days=1)))
    save(store, "b", cancelled())
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        for key in ("home", "down"):
            await pilot.press(key, "c")
            await settled(pilot)
            if isinstance(app.screen, CompareScreen):
                assert "nothing changed" in shown(app)
                await pilot.press("escape")
                await settled(pilot)
        assert any("was asked once" in str(notice.title) for notice in app._notifications)


async def test_words_of_a_later_answer_find_a_session_and_show_that_answer(app: KbtuiApp, store: SessionStore) -> None:
    save(store, "a", cancelled(query="who is on call"), answered())
    save(store, "b", cancelled(query="who is on call"))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        await pilot.press("slash", *"green IMAGE")
        await settled(pilot)
        assert list(screen._shown) == ["a"]
        assert "how are deploys rolled back?" in text_of(pilot)


async def test_the_list_reaches_its_end_however_many_sessions_there_are(app: KbtuiApp, store: SessionStore) -> None:
    for number in range(450):
        os.utime(save(store, f"s{number:03}", answered()), (number, number))
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, store)
        rows = screen.query_one(RowList)
        assert rows.option_count < 450
        await pilot.press("up")
        assert rows.selected_key == "s000"
        await pilot.press("home")
        for _ in range(60):
            await pilot.press("pagedown")
        assert rows.selected_key == "s000"


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
        assert screen.query_one(RowList).highlighted == 30  # below the heading
        assert screen.query_one(RowList).size.height >= 2


async def test_a_folder_of_sessions_that_cannot_be_read_is_said_so(app: KbtuiApp, tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "sessions")
    store.folder.write_text("a file where the folder should be")
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, store)
        # The path is as long as the machine's temporary folder: where the lines break is not known.
        assert "cannot be read" in " ".join(shown(app).replace("│", " ").split())
        assert "Nothing has been asked yet." not in text_of(pilot)
