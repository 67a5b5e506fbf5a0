"""Questions that are typed while one is being answered."""

from __future__ import annotations

from kbtui.ui.widgets.prompt import Prompt
from tests.ui.driving import ask_screen, make_app, shown, until
from tests.ui.made import FakeEngine


async def test_a_question_asked_while_one_runs_waits_and_is_asked_when_that_is_answered() -> None:
    engine = FakeEngine(hold_after=6)
    app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = ask_screen(app)
        screen.ask("first")
        await until(pilot, lambda: screen.conversation.latest.calls)
        await pilot.press(*"second", "enter", *"third", "enter", *"dra")
        await until(pilot, lambda: "next › third" in shown(app))
        assert "next › second" in shown(app)
        assert engine.asked == ["first"]
        assert screen.query_one(Prompt).text == "dra"
        engine.go_on()
        await until(pilot, lambda: engine.asked == ["first", "second", "third"] and not screen.running)
        assert [view.phase for view in screen.conversation.runs] == ["completed"] * 3
        assert "next ›" not in shown(app)
        assert screen.query_one(Prompt).text == "dra"


async def test_escape_takes_back_what_waits_before_it_cancels_what_runs() -> None:
    engine = FakeEngine(hold_after=6)
    app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = ask_screen(app)
        screen.ask("first")
        await until(pilot, lambda: screen.conversation.latest.calls)
        await pilot.press(*"second", "enter", *"dra", "escape")
        assert screen.running
        assert screen.query_one(Prompt).text == "second\ndra"
        assert screen.conversation.queued == []
        await pilot.press("escape")
        assert not screen.running
        assert engine.cancelled == ["r1"]
        assert engine.asked == ["first"]


async def test_what_waits_is_asked_after_one_that_fails_too() -> None:
    def run(query: str, run_id: str) -> list:  # type: ignore[type-arg]
        if query == "break":
            raise ZeroDivisionError("division by zero")
        return FakeEngine().run(query, run_id)

    engine = FakeEngine(run=run)
    app = make_app(engine)
    async with app.run_test() as pilot:
        screen = ask_screen(app)
        screen.ask("break")
        screen.ask("then")
        await until(pilot, lambda: len(screen.conversation.runs) == 2 and not screen.running)
        assert [view.phase for view in screen.conversation.runs] == ["failed", "completed"]


async def test_a_new_conversation_begins_with_nothing_that_waited() -> None:
    engine = FakeEngine(hold_after=6)
    app = make_app(engine)
    async with app.run_test() as pilot:
        screen = ask_screen(app)
        screen.ask("first")
        await until(pilot, lambda: screen.conversation.latest.calls)
        await pilot.press(*"second", "enter", "ctrl+l")
        await pilot.pause()
        assert not screen.running
        assert screen.conversation.queued == []
        await pilot.press("up")
        assert screen.query_one(Prompt).text == "second"
