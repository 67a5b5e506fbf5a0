"""Letters over all that can be gone to."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import Static

from kbtui.ui.app import KbtuiApp
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.panes.turn import Block
from kbtui.ui.screens.jump import JumpScreen, Target, labels
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import RowList
from tests.ui.driving import ask, ask_screen, make_app, proof_of, shown, until
from tests.ui.test_key_order import at_once

SIZE = (200, 50)


@pytest.mark.parametrize("count", [0, 1, 25, 26, 27, 60, 300, 676])
def test_no_label_is_the_beginning_of_another(count: int) -> None:
    found = labels(count)
    assert len(set(found)) == count
    assert not [one for one in found for other in found if one != other and other.startswith(one)]


def test_labels_have_one_letter_as_far_as_they_go() -> None:
    assert {len(one) for one in labels(26)} == {1}
    assert [len(one) for one in labels(51)].count(1) == 25


def label_at(app: KbtuiApp, place: Offset) -> str:
    """The letters that stand in this place."""
    return {label.region.offset: str(label.content) for label in app.screen.query(".jump").results(Static)}[place]


async def jumping(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await until(pilot, lambda: isinstance(pilot.app.screen, JumpScreen))
    await pilot.pause()


def mark_of(app: KbtuiApp, n: int) -> Offset:
    """Where the mark of a source stands in the answer."""
    left = app.screen.query_one(Transcript).region.x
    for y, row in enumerate(shown(app).split("\n")):
        at = row.find(f"[{n}]", left)
        if 0 <= at < 120:
            return Offset(cell_len(row[:at]), y)
    raise AssertionError(f"[{n}] is not on the screen")


async def test_a_letter_over_a_citation_shows_its_source() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        place = mark_of(app, 3)
        await jumping(pilot, "escape", "f")
        await pilot.press(*label_at(app, place))
        await until(pilot, lambda: proof_of(app) and proof_of(app).spot.n == 3)  # type: ignore[union-attr]


async def test_a_letter_over_a_row_selects_it_in_its_list() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        rows = app.screen.query_one("#evidence-rows", RowList)
        place = rows.content_region.offset + Offset(0, 2)
        await jumping(pilot, "f3")
        await pilot.press(*label_at(app, place))
        await until(pilot, lambda: rows.has_focus and rows.highlighted == 2)


async def test_a_letter_over_the_prompt_goes_there() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        prompt = ask_screen(app).query_one(Prompt)
        await jumping(pilot, "escape", "f")
        await pilot.press(*label_at(app, prompt.region.offset))
        await until(pilot, lambda: prompt.has_focus)


async def test_a_letter_over_an_earlier_question_reads_its_turn() -> None:
    app = make_app()
    async with app.run_test(size=(120, 60)) as pilot:
        await ask(pilot)
        await ask(pilot, "Who announces it?")
        transcript = app.screen.query_one(Transcript)
        transcript.scroll_home(animate=False)
        await pilot.pause()
        place = transcript.turns[0].question.region.offset
        assert transcript.position == 1
        await jumping(pilot, "f3")
        await pilot.press(*label_at(app, place))
        await until(pilot, lambda: transcript.position == 0 and transcript.block == Block(transcript.turns[0].question))
        assert transcript.has_focus


async def test_escape_takes_the_first_letter_back_and_then_leaves() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.screen.query(Prompt))
        focused, gone = app.focused, []
        app.push_screen(JumpScreen([Target(place=Offset(3 * x, 1), go=lambda: None) for x in range(40)]), gone.append)
        await jumping(pilot)
        marks = app.screen.query(".jump").results(Static)
        pair = next(str(mark.content) for mark in marks if len(str(mark.content)) == 2)
        await pilot.press(pair[0])
        await until(pilot, lambda: not all(mark.display for mark in app.screen.query(".jump")))
        await pilot.press("escape")
        await until(pilot, lambda: all(mark.display for mark in app.screen.query(".jump")))
        await pilot.press("escape")
        await until(pilot, lambda: gone == [None])
        assert app.focused is focused


async def test_letters_typed_ahead_lead_where_they_would_have_led() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        place = mark_of(app, 2)
        await jumping(pilot, "escape", "f")
        letters = label_at(app, place)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, JumpScreen))
        at_once(app, "f", *letters)
        await until(pilot, lambda: proof_of(app) and proof_of(app).spot.n == 2)  # type: ignore[union-attr]
        assert ask_screen(app).query_one(Prompt).text == ""


async def test_in_a_window_of_another_size_the_letters_go() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await jumping(pilot, "f3")
        await pilot.resize_terminal(120, 36)
        await until(pilot, lambda: not isinstance(app.screen, JumpScreen))


async def test_the_letters_stand_over_dialogs_too() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.screen.query(Prompt))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: app.screen.query("#theme-list"))
        rows = app.screen.query_one("#theme-list", RowList)
        await until(pilot, lambda: rows.option_count)
        await jumping(pilot, "f")
        await pilot.press(*label_at(app, rows.content_region.offset + Offset(0, 1)))
        await until(pilot, lambda: rows.highlighted == 1)
