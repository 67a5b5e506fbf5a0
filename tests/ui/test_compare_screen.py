from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.content import Content
from textual.pilot import Pilot

from kbtui.domain.codec import encode
from kbtui.domain.events import AnswerCompleted, Event, RunStarted
from kbtui.sessions.recording import Recording
from kbtui.sessions.store import SessionStore
from kbtui.settings.model import Settings, UiSettings
from kbtui.settings.private import private_folder
from kbtui.ui.app import KbtuiApp
from kbtui.ui.messages import Spot
from kbtui.ui.replay_app import ReplayApp
from kbtui.ui.screens.compare import CompareScreen, pair_lines
from kbtui.ui.screens.help import HelpScreen
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.rows import RowList
from kbtui.view.comparing import compare
from kbtui.view.folding import reduce_all
from kbtui.view.view_state import RunView
from tests.sessions.runs import answered, cancelled
from tests.ui.apps import bare_app, settled
from tests.ui.driving import ask, make_app, shown, until
from tests.view.test_comparing import later

WIDE = (120, 36)
BEFORE, AFTER = reduce_all(answered()), reduce_all(later())
DIFFERENCES = sum(part.changes for part in compare(BEFORE, AFTER)[1:])


@pytest.fixture
def app(tmp_path: Path) -> KbtuiApp:
    return bare_app(tmp_path)


async def opened(pilot: Pilot[None], before: RunView = BEFORE, after: RunView = AFTER) -> CompareScreen:
    screen = CompareScreen(before, after)
    await pilot.app.push_screen(screen)
    await settled(pilot)
    return screen


def selected_text(screen: CompareScreen) -> tuple[str, str]:
    pair = screen._pairs[screen.query_one(RowList).selected_key or ""]
    return pair.before.text, pair.after.text


def place(screen: CompareScreen) -> str:
    return Content.from_markup(screen.query_one("#compare").border_subtitle or "").plain


def record(*runs: Sequence[Event], session_id: str = "a") -> None:
    store = SessionStore()
    private_folder(store.folder)
    text = "".join(encode(event) + "\n" for run in runs for event in run)
    store.path_of(session_id).write_text(text, encoding="utf-8")


async def test_n_goes_through_all_differences_and_round_the_end(app: KbtuiApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot)
        seen = []
        for number in range(DIFFERENCES):
            assert place(screen) == f"{number + 1} of {DIFFERENCES} differences"
            before, after = selected_text(screen)
            assert before != after
            seen.append((before, after))
            await pilot.press("n")
        assert len(set(seen)) == DIFFERENCES > 4
        assert selected_text(screen) == seen[0]
        await pilot.press("N")
        assert selected_text(screen) == seen[-1]


async def test_what_differs_is_marked_with_signs_and_its_words_with_more_than_colour(app: KbtuiApp) -> None:
    part = next(part for part in compare(BEFORE, AFTER) if part.heading == "Evidence")
    narrow = pair_lines(part.pairs[0], 60)
    assert [line.plain[0] for line in narrow] == ["-", "+"]
    assert [
        line.plain[span.start : span.end] for line in narrow for span in line.spans if "bold" in str(span.style)
    ] == [
        "88",
        "50",
    ]
    (wide,) = pair_lines(part.pairs[0], 120)
    assert wide.plain.startswith("- 0.88")
    assert " │ + 0.50" in wide.plain


@pytest.mark.parametrize("size", [(200, 50), (120, 36), (80, 24), (40, 12)])
async def test_it_fits_every_size(app: KbtuiApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = await opened(pilot)
        assert all(len(line) <= size[0] for line in shown(app).split("\n"))
        assert screen.query_one(RowList).size.height >= 2
        assert (" │ + 2026-11-21 21:03" in shown(app)) is (size[0] >= 100)


async def test_enter_opens_the_cited_lines_in_the_folder_of_their_run(
    app: KbtuiApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    spots: list[tuple[Path, Spot]] = []
    monkeypatch.setattr(
        KbtuiApp, "on_edit_requested", lambda self, event: spots.append((self.screen.kb, event.spot)), raising=True
    )
    moved = replace(AFTER_EVENTS[0], kb="/kb/moved")
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, after=reduce_all([moved, *AFTER_EVENTS[1:]]))
        for sides in (("", "runbooks/new.md:L12-L18"), ("runbooks/rollback.md:L12-L18", "")):
            while selected_text(screen) != sides:
                await pilot.press("n")
            assert screen.query_one(KeyHints).words["preview"] == "open source"
            await pilot.press("enter")
    assert [(str(kb), spot.path, spot.start_line) for kb, spot in spots] == [
        ("/kb/moved", "runbooks/new.md", 12),
        ("/kb/handbook", "runbooks/rollback.md", 12),
    ]


async def test_a_line_without_a_source_says_so_and_does_not_offer_to_open_one(app: KbtuiApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot)
        await pilot.press("home")
        assert screen.query_one(KeyHints).words["preview"] == ""
        await pilot.press("enter")
        await settled(pilot)
        assert any("cites no source" in notice.message for notice in app._notifications)


async def test_two_equal_runs_have_nothing_to_step_through(app: KbtuiApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot, BEFORE, BEFORE)
        assert place(screen) == "nothing changed"
        await pilot.press("n", "N")
        assert "next difference" not in shown(app)


async def test_the_help_opens_over_it_and_begins_with_its_keys(app: KbtuiApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = await opened(pilot)
        for key in ("question_mark", "f1"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.screen, HelpScreen))
            text = app.screen.query_one("#help-text", LinesView).render().plain
            assert text.startswith("Two runs")
            assert "Next difference" in text.split("\n")[1]
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is screen)


async def test_texts_of_runs_are_data_and_no_mark_up(app: KbtuiApp) -> None:
    odd = reduce_all(answered(query="[bold red]x[/] \x1b[31m y"))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot, after=odd)
        assert "[bold red]x[/]" in shown(app)
        assert "\x1b" not in shown(app)


async def test_an_answer_is_compared_with_the_time_before_in_an_earlier_sitting() -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot)
        await pilot.press("escape", "D")
        await until(pilot, lambda: any("was asked once" in str(one.title) for one in app._notifications))
        assert app.ask_screen is not None
        now = app.ask_screen.conversation.latest
        asked = [replace(one, kb=now.kb, query=now.query) if isinstance(one, RunStarted) else one for one in later()]
        record(asked)
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        assert app.screen._runs == (now, reduce_all(asked))  # type: ignore[attr-defined]
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.ask_screen)


async def test_an_answer_is_compared_with_the_one_above_it_where_nothing_is_recorded() -> None:
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot)
        await ask(pilot)
        await pilot.press("escape", "D")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))


async def test_a_replay_is_compared_with_the_time_before(tmp_path: Path) -> None:
    record(answered(), cancelled())
    events = later()
    app = ReplayApp(Recording(path=tmp_path / "b.jsonl", events=tuple(events)), Settings())
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("space", "home", "D")
        await settled(pilot)
        assert not isinstance(app.screen, CompareScreen), "a run that has not ended is not compared"
        await pilot.press("end", "D")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        assert app.screen._runs == (BEFORE, AFTER)  # type: ignore[attr-defined]


AFTER_EVENTS = later()


@pytest.mark.parametrize("theme", ["kbtui-dusk", "kbtui-paper"])
@pytest.mark.parametrize("size", [(80, 24), (120, 36), (200, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_two_runs_look_as_they_should(snap_compare: Any, tmp_path: Path, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[None]) -> None:
        await opened(pilot, after=reduce_all(reworded(later())))
        await pilot.press("n")
        await pilot.pause()

    app = make_app(settings=Settings(ui=UiSettings(theme=theme)))
    assert snap_compare(app, terminal_size=size, run_before=run)


def reworded(events: list[Event]) -> list[Event]:
    """The answer with one word changed, too."""
    return [
        replace(event, markdown=event.markdown.replace("green", "blue"))
        if isinstance(event, AnswerCompleted)
        else event
        for event in events
    ]
