"""What is shown and can be chosen where nothing was answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kbtui.domain.events import (
    AnswerCompleted,
    Event,
    OfferedReading,
    QueryRouted,
    ReadingChosen,
    RequestClassified,
    RunCompleted,
    RunStarted,
)
from kbtui.domain.routing import RoutingPlan, Signal, SubQuestion
from kbtui.ui.panes.silence import choices, numbered_choices, outcome_text
from kbtui.ui.widgets.prompt import Prompt
from kbtui.view.folding import reduce_all
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.made import CITATIONS, FakeEngine, a_run, placed

READINGS = ("number of parcels, for each city", "average amount of parcels, for each city")


def unread(query: str, run_id: str = "r1") -> list[Event]:
    """A question over data of which a word was not understood, and that no document answers."""
    offered = tuple(OfferedReading(n=n, says=says) for n, says in enumerate(READINGS, 1))
    return placed(
        [
            RunStarted(query=query, kb="/kb/handbook", session_id="s1", sources=("harbour",)),
            RequestClassified(request_type="data_query", confidence=0.8),
            ReadingChosen(
                source="harbour",
                unread=("blorbness",),
                offered=offered,
                understood=(Signal(name="city", detail="sites.city"), Signal(name="parcels", detail="parcels")),
            ),
            AnswerCompleted(markdown="Nothing was computed.", outcome="not_found", suggestions=READINGS),
            RunCompleted(duration_ms=80),
        ],
        run_id,
    )


def once_unread(query: str, run_id: str) -> list[Event]:
    """The first question is not understood, every other one is answered."""
    return unread(query, run_id) if run_id == "r1" else a_run(query, run_id)


async def test_what_was_understood_and_what_was_not_stand_over_the_nearest_readings() -> None:
    app = make_app(FakeEngine(run=unread))
    async with app.run_test(size=(90, 36)) as pilot:
        await ask(pilot, "average blorbness of parcels by city")
        await until(pilot, lambda: "1 number of parcels, for each city" in shown(app))
        text = shown(app)
    assert "understood  city → sites.city · parcels → parcels" in text
    assert "not known   blorbness" in text
    assert "2 average amount of parcels, for each city" in text


async def test_a_figure_in_the_empty_prompt_chooses_a_reading() -> None:
    engine = FakeEngine(run=once_unread)
    app = make_app(engine)
    async with app.run_test(size=(100, 36)) as pilot:
        await ask(pilot, "average blorbness of parcels by city")
        await pilot.press("2")
        await until(pilot, lambda: len(engine.asked) == 2)
        await until(pilot, lambda: ask_screen(app).conversation.latest.finished)
    assert engine.asked[1] == READINGS[1]


async def test_a_figure_chooses_from_the_conversation_and_enter_from_the_list() -> None:
    engine = FakeEngine(run=once_unread)
    app = make_app(engine)
    async with app.run_test(size=(100, 36)) as pilot:
        await ask(pilot, "average blorbness of parcels by city")
        await pilot.press("escape", "1")
        await until(pilot, lambda: len(engine.asked) == 2)
    assert engine.asked[1] == READINGS[0]


async def test_where_there_are_sources_figures_lead_to_them_and_nothing_is_asked() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test(size=(100, 36)) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await pilot.pause()
        assert app.screen.query_one(Prompt).text == ""
        assert f"{len(CITATIONS) + 1} What is a green image?" in shown(app)
    assert len(engine.asked) == 1


def cited_and_offering(query: str, run_id: str) -> list[Event]:
    """An answer with two sources, and two questions to go on with."""
    answer = AnswerCompleted(markdown="x [1] [2]", outcome="answered", citations=CITATIONS[:2], suggestions=READINGS)
    return placed([RunStarted(query=query, kb="/kb/handbook", session_id="s1"), answer, RunCompleted()], run_id)


async def test_behind_the_sources_figures_choose_what_is_offered() -> None:
    engine = FakeEngine(run=cited_and_offering)
    app = make_app(engine)
    async with app.run_test(size=(100, 36)) as pilot:
        await ask(pilot, "parcels")
        await until(pilot, lambda: f"4 {READINGS[1]}" in shown(app))
        await pilot.press("escape", "4")
        await until(pilot, lambda: len(engine.asked) == 2)
    assert engine.asked[1] == READINGS[1]


async def test_in_the_prompt_a_figure_behind_the_sources_is_typed_and_enter_asks_what_it_stands_for() -> None:
    engine = FakeEngine(run=cited_and_offering)
    app = make_app(engine)
    async with app.run_test(size=(100, 36)) as pilot:
        await ask(pilot, "parcels")
        await pilot.press("3")
        assert app.screen.query_one(Prompt).text == "3"
        await pilot.press("enter")
        await until(pilot, lambda: len(engine.asked) == 2)
        await until(pilot, lambda: ask_screen(app).conversation.latest.finished)
        await pilot.press(*"30", "enter")
        await until(pilot, lambda: len(engine.asked) == 3)
    assert engine.asked[1:] == [READINGS[0], "30"]


async def test_what_an_earlier_answer_offered_is_not_chosen_by_figures() -> None:
    engine = FakeEngine(run=cited_and_offering)
    app = make_app(engine)
    async with app.run_test(size=(100, 36)) as pilot:
        await ask(pilot, "parcels")
        await ask(pilot, "customers")
        await pilot.press("escape", "alt+left", "3")
        await until(pilot, lambda: any("no source 3" in notice.message for notice in app._notifications))
    assert len(engine.asked) == 2


def view_of(*facts: Any) -> Any:
    return reduce_all(placed([RunStarted(query="q"), *facts, RunCompleted()]))


def test_a_figure_beyond_what_is_offered_asks_nothing() -> None:
    view = reduce_all(unread("q"))
    assert choices(view) == READINGS
    assert numbered_choices(view) == {1: READINGS[0], 2: READINGS[1]}


def test_readings_of_the_data_are_offered_beside_an_answer_from_documents() -> None:
    offered = (OfferedReading(n=1, says="number of parcels"),)
    answer = AnswerCompleted(markdown="x [1]", outcome="answered", citations=CITATIONS[:1], suggestions=("more?",))
    view = view_of(ReadingChosen(source="s", offered=offered), answer)
    assert choices(view) == ("number of parcels", "more?")
    assert numbered_choices(view) == {2: "number of parcels", 3: "more?"}


def routed(*questions: str) -> QueryRouted:
    parts = tuple(SubQuestion(semantic_intent=text, search_keywords=text) for text in questions)
    return QueryRouted(routing_plan=RoutingPlan(query_type="conceptual", complexity="simple", sub_questions=parts))


def outcome(parts: Sequence[str], unsupported: tuple[str, ...]) -> str:
    answer = AnswerCompleted(markdown="x", outcome="partial", citations=CITATIONS[:1], unsupported=unsupported)
    return outcome_text(view_of(routed(*parts), answer))


def test_lines_that_are_merely_near_are_called_near() -> None:
    assert outcome(["a"], ("a",)) == "not stated · the lines are near"
    assert outcome(["a", "b"], ("b",)) == "answered in part"
    assert outcome(["a"], ("a sentence of a model that nothing backs",)) == "answered in part"
