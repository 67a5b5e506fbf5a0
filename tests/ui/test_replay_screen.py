from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from kbtui.domain.answer import Citation
from kbtui.domain.events import AnswerCompleted, Event, RunStarted
from kbtui.editors import launch
from kbtui.sessions.recording import LineProblem, Recording
from kbtui.settings.model import EditorSettings, Settings
from kbtui.ui.replay_app import ReplayApp
from kbtui.ui.run_view import RunPanes
from kbtui.ui.screens.replay import ReplayScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.position_bar import PositionBar, speed_text
from kbtui.view.folding import reduce_all
from kbtui.view.player import MAX_SPEED
from kbtui.view.view_state import EMPTY
from tests.sessions.runs import answered, cancelled
from tests.support import documents
from tests.ui.apps import bare_app, settled

WIDE = (120, 36)


def recording(*runs: list[Event], problem: LineProblem | None = None) -> Recording:
    return Recording(
        path=Path("20261120-210301-7f3a.jsonl"),
        events=tuple(event for run in runs for event in run),
        problem=problem,
    )


def replay(*runs: list[Event], speed: float = 1.0, problem: LineProblem | None = None) -> ReplayApp:
    return ReplayApp(recording(*runs, problem=problem), Settings(), speed=speed)


def screen_of(pilot: Pilot[None]) -> ReplayScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReplayScreen)
    return screen


def shown(pilot: Pilot[None]) -> object:
    return screen_of(pilot).query_one(RunPanes).view


async def test_at_full_speed_it_ends_in_the_state_the_live_run_ended_in() -> None:
    async with replay(answered(), speed=MAX_SPEED).run_test(size=WIDE) as pilot:
        while screen_of(pilot).player.playing:
            await pilot.pause(0.05)
        assert shown(pilot) == reduce_all(answered())


async def test_it_plays_by_itself_and_space_stops_and_goes_on() -> None:
    async with replay(answered(), speed=0.25).run_test(size=WIDE) as pilot:
        player = screen_of(pilot).player
        assert player.playing
        await pilot.press("space")
        assert not player.playing
        await pilot.press("space")
        assert player.playing


async def test_arrows_step_through_every_event_and_back() -> None:
    events = answered()
    async with replay(events).run_test(size=WIDE) as pilot:
        await pilot.press("space", "home")
        assert shown(pilot) == EMPTY
        for count in range(1, len(events) + 1):
            await pilot.press("right" if count % 2 else "full_stop")
            assert shown(pilot) == reduce_all(events[:count])
        for count in range(len(events) - 1, -1, -1):
            await pilot.press("left" if count % 2 else "comma")
            assert shown(pilot) == reduce_all(events[:count])


async def test_brackets_jump_between_stages_and_home_and_end_to_the_ends() -> None:
    async with replay(answered()).run_test(size=WIDE) as pilot:
        player = screen_of(pilot).player
        await pilot.press("space", "home", "right_square_bracket", "right_square_bracket")
        assert player.events[player.position - 1].kind == "request_classified"
        await pilot.press("end")
        assert player.at_end
        await pilot.press("left_square_bracket")
        assert player.events[player.position - 1].kind == "answer_delta"


async def test_the_footer_names_the_way_out_and_no_key_that_would_do_nothing() -> None:
    def named(pilot: Pilot[None]) -> set[str]:
        return {part.strip() for part in screen_of(pilot).query_one(KeyHints).render().plain.split("   ")}

    async with replay(answered()).run_test(size=WIDE) as pilot:
        await pilot.press("space", "home")
        await pilot.pause()
        assert "esc leave" in named(pilot)
        assert not {"1-9 source", "e editor", "y copy"} & named(pilot)
        await pilot.press("end")
        await pilot.pause()
        assert {"esc leave", "1-9 source", "e editor"} <= named(pilot)


async def test_plus_and_minus_change_the_speed() -> None:
    async with replay(answered()).run_test(size=WIDE) as pilot:
        await pilot.press("plus", "plus")
        assert screen_of(pilot).player.speed == 4.0
        await pilot.press("minus", "minus", "minus")
        assert screen_of(pilot).player.speed == 0.5
    assert [speed_text(speed) for speed in (0.25, 1.0, 16.0, MAX_SPEED)] == ["0.25×", "1×", "16×", "max"]


async def test_n_and_shift_n_move_between_the_questions_of_a_session() -> None:
    async with replay(answered(), cancelled()).run_test(size=WIDE) as pilot:
        await pilot.press("space", "n")
        assert screen_of(pilot).player.state.query == "stop me"
        assert "question&#160;2&#160;of&#160;2" in pilot.app.export_screenshot()
        await pilot.press("N")
        assert screen_of(pilot).player.state.query == "how are deploys rolled back?"


async def test_keys_work_wherever_the_focus_is() -> None:
    async with replay(answered()).run_test(size=WIDE) as pilot:
        await pilot.press("space", "end")
        for _ in range(8):
            await pilot.press("tab")
            before = screen_of(pilot).player.position
            await pilot.press("left")
            assert screen_of(pilot).player.position == before - 1


async def test_the_bar_shows_figures_and_a_click_goes_there() -> None:
    async with replay(answered()).run_test(size=WIDE) as pilot:
        await pilot.press("space", "end")
        text = screen_of(pilot).query_one(PositionBar).render().plain
        assert "18/18" in text
        assert "0.85 s of 0.85 s" in text
        assert "intent" in text
        assert text.count("┻") + text.count("┴") >= 6
        await pilot.click("#position", offset=(2 + text.split("\n")[1].index("━"), 1))
        await pilot.pause()
        assert screen_of(pilot).player.position == 0


async def test_a_source_can_be_looked_at_in_the_folder_that_was_asked(tmp_path: Path) -> None:
    (tmp_path / "runbooks").mkdir()
    (tmp_path / "runbooks" / "rollback.md").write_text("\n".join(f"line {n}" for n in range(1, 30)), encoding="utf-8")
    events = [replace(event, kb=str(tmp_path)) if isinstance(event, RunStarted) else event for event in answered()]
    async with replay(events).run_test(size=WIDE) as pilot:
        await pilot.press("space", "end", "1")
        await pilot.pause()
        await settled(pilot)
        assert "line&#160;13" in pilot.app.export_screenshot()
        assert screen_of(pilot).player.at_end


async def test_the_editor_opens_the_file_in_the_folder_that_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb, other = tmp_path / "kb", tmp_path / "other"
    (kb / "runbooks").mkdir(parents=True)
    (kb / "runbooks" / "rollback.md").write_text("text")
    other.mkdir()
    opened: list[list[str]] = []
    monkeypatch.setattr(launch, "open_detached", lambda argv: opened.append(list(argv)))
    monkeypatch.setenv("EDITOR", f"gui:{sys.executable}")
    events = [replace(event, kb=str(kb)) if isinstance(event, RunStarted) else event for event in answered()]
    app = bare_app(other)
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(ReplayScreen(recording(events)))
        await pilot.pause()
        await pilot.press("space", "end", "e")
        await settled(pilot)
    assert opened == [[sys.executable, str(kb / "runbooks" / "rollback.md")]]


@pytest.mark.parametrize("viewer", [True, False])
async def test_e_opens_a_pdf_at_its_page_and_without_a_viewer_its_text_at_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, viewer: bool
) -> None:
    pages = [documents.column(72, 700, [f"Page {word} of the manual."]) for word in ("one", "two")]
    (tmp_path / "manual.pdf").write_bytes(documents.pdf(pages))
    opened: list[list[str]] = []
    monkeypatch.setattr(launch, "open_detached", lambda argv: opened.append(list(argv)))
    monkeypatch.setenv("EDITOR", f"gui:{sys.executable}")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    cited = Citation(n=1, path="manual.pdf", start_line=3, end_line=3, quote="Page two of the manual.", locator="p.2")
    events = [
        replace(event, kb=str(tmp_path))
        if isinstance(event, RunStarted)
        else replace(event, citations=(cited,))
        if isinstance(event, AnswerCompleted)
        else event
        for event in answered()
    ]
    command = f"{sys.executable} -P {{page}} {{path}}" if viewer else ""
    app = bare_app(tmp_path, Settings(editor=EditorSettings(viewer=command)))
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(ReplayScreen(recording(events)))
        await pilot.pause()
        await pilot.press("space", "end", "1")
        await settled(pilot)
        assert "manual.pdf&#160;p.2" in app.export_screenshot()
        await pilot.press("e")
        await settled(pilot)
    if viewer:
        assert opened == [[sys.executable, "-P", "2", str(tmp_path / "manual.pdf")]]
    else:
        ((program, written),) = opened
        assert program == sys.executable
        assert Path(written).read_text() == "Page one of the manual.\n\nPage two of the manual."


async def test_a_source_of_a_folder_that_is_gone_is_shown_by_its_quote() -> None:
    async with replay(answered()).run_test(size=WIDE) as pilot:
        await pilot.press("space", "end", "1")
        await pilot.pause()
        await settled(pilot)
        assert "Re-pin&#160;the&#160;last&#160;green&#160;image." in pilot.app.export_screenshot()


async def test_a_recording_that_ends_early_says_at_which_line() -> None:
    problem = LineProblem(line_number=9, message="The line is cut off.")
    async with replay(answered()[:8], problem=problem).run_test(size=WIDE) as pilot:
        await pilot.pause()
        assert any("Line 9" in notice.message for notice in pilot.app._notifications)


async def test_by_itself_escape_leaves_the_program_and_over_another_screen_only_the_replay(tmp_path: Path) -> None:
    alone = replay(answered())
    async with alone.run_test(size=WIDE) as pilot:
        await pilot.press("escape")
    assert alone.return_code == 0
    app = bare_app(tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        app.push_screen(ReplayScreen(recording(answered())))
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.ask_screen


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 20), (40, 12)])
async def test_every_state_of_a_run_can_be_shown_at_every_size(size: tuple[int, int]) -> None:
    async with replay(answered(query="PEP 509 被哪个 PEP 取代了？" * 5), cancelled()).run_test(size=size) as pilot:
        await pilot.press("space", "home")
        for _ in range(len(answered()) + len(cancelled())):
            await pilot.press("right")
        bar = screen_of(pilot).query_one(PositionBar)
        assert all(line.cell_length <= bar.content_size.width for line in bar.render().split("\n"))
