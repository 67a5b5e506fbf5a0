"""What the prompt offers: earlier questions in a search, commands after a slash."""

from __future__ import annotations

from textual.events import Key

from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.help import HelpScreen
from kbtui.ui.screens.sessions import SessionsScreen
from kbtui.ui.screens.themes import ThemesScreen
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.prompt_panel import Offers, PromptPanel
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.made import FakeEngine


def offered(app: KbtuiApp) -> list[str]:
    """What is offered, row by row."""
    panel = ask_screen(app).query_one(PromptPanel)
    return [offer.text for offer in panel._offered] if panel.query_one(Offers).display else []


async def test_a_search_narrows_with_every_letter_and_enter_takes_the_match_into_the_prompt() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        for query in ("how do deploys work", "who rolls back\nand when", "谁负责发布回滚"):
            await ask(pilot, query)
        prompt = app.screen.query_one(Prompt)
        await pilot.press(*"dra", "ctrl+r")
        assert offered(app) == ["谁负责发布回滚", "who rolls back and when", "how do deploys work"]
        await pilot.press(*"ho wh")
        assert offered(app) == ["who rolls back and when"]
        await pilot.press("enter")
        assert prompt.text == "who rolls back\nand when"
        assert offered(app) == []
        assert len(engine.asked) == 3
        await pilot.press("enter")
        await until(pilot, lambda: len(engine.asked) == 4)


async def test_the_same_key_goes_to_older_matches_and_escape_brings_the_draft_back() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        for query in ("deploy one", "deploy two", "deploy three"):
            await ask(pilot, query)
        prompt = app.screen.query_one(Prompt)
        await pilot.press(*"dra", "ctrl+j", *"ft", "ctrl+r", *"deploy", "ctrl+r", "ctrl+r")
        assert app.screen.query_one(Offers).highlighted == 2
        await pilot.press("escape")
        assert prompt.text == "dra\nft"
        assert prompt.has_focus
        await pilot.press("ctrl+r", *"deploy", "ctrl+r", "tab")
        assert prompt.text == "deploy two"


async def test_enter_in_a_search_that_finds_nothing_brings_the_draft_back_and_asks_nothing() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await ask(pilot, "one")
        await pilot.press(*"dra", "ctrl+r", *"nothing", "enter")
        assert app.screen.query_one(Prompt).text == "dra"
        assert engine.asked == ["one"]


async def test_a_search_begins_from_the_answer_too() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await ask(pilot, "one")
        await pilot.press("escape", "ctrl+r")
        assert app.screen.query_one(Prompt).has_focus
        assert offered(app) == ["one"]


async def test_a_slash_offers_every_command_and_letters_narrow_them() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("slash")
        assert {"/help", "/sessions", "/theme", "/new"} <= set(offered(app))
        await pilot.press(*"the")
        assert offered(app)[0] == "/theme"
        await until(pilot, lambda: "Colour theme" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ThemesScreen))
        assert ask_screen(app).query_one(Prompt).text == ""


async def test_a_command_is_done_as_fast_as_it_is_typed() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        app.post_message(Key("slash", "/"))
        for key in (*"sessions", "enter"):
            app.simulate_key(key)
        await until(pilot, lambda: isinstance(app.screen, SessionsScreen))


async def test_the_arrow_keys_choose_among_commands_and_tab_takes_one() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("slash", *"he")
        wanted = offered(app).index("/help")
        await pilot.press(*["down"] * wanted, "tab")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_escape_closes_what_is_offered_and_what_was_typed_can_be_asked() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await pilot.press("slash", *"help")
        await until(pilot, lambda: "esc close" in shown(app))
        await pilot.press("escape")
        assert offered(app) == []
        await until(pilot, lambda: "esc close" not in shown(app))
        assert app.screen.query_one(Prompt).has_focus
        await pilot.press("enter")
        await until(pilot, lambda: engine.asked == ["/help"])


async def test_a_path_is_no_command() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await pilot.press(*"/etc/hosts", "enter")
        await until(pilot, lambda: engine.asked == ["/etc/hosts"])


async def test_tab_moves_the_focus_while_nothing_is_offered() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        await pilot.press("tab")
        assert not app.screen.query_one(Prompt).has_focus


async def test_typing_goes_on_behind_an_offer_that_was_clicked() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot, "deploy one")
        await pilot.press("ctrl+r", *"dep")
        await until(pilot, lambda: offered(app) == ["deploy one"])
        await pilot.click(Offers, offset=(4, 0))
        prompt = app.screen.query_one(Prompt)
        await until(pilot, lambda: prompt.text == "deploy one" and prompt.has_focus)


async def test_a_click_takes_what_is_offered() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("slash", *"help")
        await pilot.pause()
        rows = shown(app).split("\n")
        y = next(number for number, text in enumerate(rows) if "/help" in text and "›" not in text)
        await pilot.click(offset=(4, y))
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
