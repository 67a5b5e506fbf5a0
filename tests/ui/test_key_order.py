"""Keys that come faster than the screen they lead to: each is looked at where the one before it has led."""

from __future__ import annotations

import pytest
from textual.events import Key
from textual.widgets import Input

from kbtui.ui import editing
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.screens.save import SaveScreen
from kbtui.ui.screens.why import WhyScreen
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import RowList
from tests.ui.data_runs import DataEngine
from tests.ui.driving import ask, ask_screen, make_app, proof_of, until


def at_once(app: KbtuiApp, *keys: str) -> None:
    """Press keys as a busy machine gets them: all are there before the first is looked at."""
    for key in keys:
        app.simulate_key(key)


async def test_a_key_behind_the_number_of_a_source_belongs_to_the_answer_that_is_gone_to() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        at_once(app, "1", "j", "j")
        await until(pilot, lambda: proof_of(app) and proof_of(app).index == 2)
        assert ask_screen(app).query_one(Prompt).text == ""


async def test_escape_behind_a_number_goes_back_to_the_prompt_and_the_next_number_shows_another() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        at_once(app, "1", "escape", "2")
        await until(pilot, lambda: proof_of(app) and proof_of(app).spot.n == 2)
        assert len(app.screen_stack) == 1


async def test_e_behind_a_number_opens_the_editor_and_is_not_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app()
    opened: list[str] = []
    monkeypatch.setattr(editing, "edit", lambda _app, spot: opened.append(f"{spot.path}:{spot.start_line}"))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        at_once(app, "2", "e")
        await until(pilot, lambda: opened)
        assert opened == ["adr/0007-deploys.md:4"]
        assert ask_screen(app).query_one(Prompt).text == ""


async def test_keys_behind_enter_on_a_row_belong_to_what_the_row_opens() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        app.screen.query_one("#evidence-rows", RowList).focus()
        await pilot.pause()
        at_once(app, "enter", "j")
        await until(pilot, lambda: proof_of(app) and proof_of(app).index == 1)
        app.screen.query_one("#evidence-rows", RowList).focus()
        await pilot.press("o")
        at_once(app, "w", "n")
        await until(
            pilot,
            lambda: (
                isinstance(app.screen, WhyScreen) and "2 of" in str(app.screen.query_one(".dialog").border_subtitle)
            ),
        )


async def test_keys_behind_save_choose_a_format() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        at_once(app, "s", "down")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen))
        formats = app.screen.query_one(RowList)
        await until(pilot, lambda: formats.highlighted == 1)


async def test_what_is_typed_behind_enter_is_the_next_question() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        at_once(app, *"why", "enter", *"and")
        prompt = ask_screen(app).query_one(Prompt)
        await until(pilot, lambda: prompt.text == "and")
        assert ask_screen(app).conversation.runs[-1].query == "why"


async def test_letters_behind_the_key_to_the_prompt_are_typed_into_it() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        at_once(app, "i", *"eyes")
        prompt = ask_screen(app).query_one(Prompt)
        await until(pilot, lambda: prompt.text == "eyes")
        assert isinstance(app.screen, AskScreen)


async def test_letters_behind_the_search_of_the_audit_are_searched_for() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        at_once(app, "ctrl+backslash", "slash", *"plan")
        await until(pilot, lambda: app.screen.query("#audit-search") and app.screen.query_one(Input).value == "plan")


async def test_a_key_whose_target_went_away_holds_no_other_key_up() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        for _ in range(20):
            at_once(app, "1", "escape", "x", "backspace")
        prompt = ask_screen(app).query_one(Prompt)
        at_once(app, *"end")
        await until(pilot, lambda: prompt.text.endswith("end"))
        assert len(app.screen_stack) == 1


async def test_text_is_typed_as_fast_as_it_is_read_and_in_order() -> None:
    app = make_app()
    text = "How do I roll back a deploy? 怎么回滚？ " * 20
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        for character in text:
            app.post_message(Key("a" if character.isalpha() else "space", character))
        # Nothing is held back: one turn of the loop is enough for all of it.
        await pilot.pause()
        assert ask_screen(app).query_one(Prompt).text == text
