"""From a piece of evidence to the reasons for it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.domain.events import Event, EvidenceGraded, EvidenceItem
from kbtui.ui.commands import available_commands
from kbtui.ui.screens.why import NOT_RECORDED, WhyScreen, why_lines
from kbtui.ui.widgets.key_hints import KeyHints
from tests.ui.driving import ask, make_app, shown, until
from tests.ui.made import ITEMS, FakeEngine

SIGNALS = {
    "rank_vector": 1.0,
    "weight_vector": 0.6,
    "part_vector": 0.6,
    "rank_grep": 4.0,
    "weight_grep": 0.4,
    "part_grep": 0.21,
    "cosine": 0.61,
    "bm25": 12.5,
    "coefficient_intercept": -4.0,
    "feature_window": 0.5,
    "coefficient_window": 4.0,
    "feature_cosine": 0.7,
    "coefficient_cosine": 8.0,
    "probability": 0.9734,
}
TOLD = replace(ITEMS[0], signals=SIGNALS)


def explained(events: list[Event]) -> list[Event]:
    """The same run, its first evidence with signals."""
    return [
        replace(event, items=(TOLD, *event.items[1:])) if isinstance(event, EvidenceGraded) else event
        for event in events
    ]


class Explaining(FakeEngine):
    """Plays a run whose evidence says why."""

    async def stream(self, query: str):  # type: ignore[no-untyped-def]
        async for event in super().stream(query):
            yield explained([event])[0]


def text(item: EvidenceItem, width: int = 76) -> str:
    return "\n".join(line.plain for line in why_lines(item, width))


def test_an_explanation_has_a_line_for_each_search_number_and_feature() -> None:
    lines = text(TOLD).split("\n")
    for label, figures in (
        ("by meaning", "rank 1 · weight 0.60 · adds 0.6"),
        ("by grep", "rank 4 · weight 0.40 · adds 0.21"),
        ("likeness of meaning (cosine)", "0.61"),
        ("words in common, rare ones more (BM25)", "12.5"),
        ("likeness of meaning (cosine)", "0.70 × 8.00 = +5.60"),
        ("where every passage starts", "-4.00"),
    ):
        assert any(line.startswith(label) and line.endswith(figures) for line in lines), label
    assert "sum +3.60, a probability of 0.97; other rules make it 0.91" in lines


@pytest.mark.parametrize("width", [1, 5, 20, 38, 60, 82, 200])
def test_an_explanation_fits_any_width(width: int) -> None:
    assert all(line.cell_length <= width for line in why_lines(TOLD, width))
    assert all(line.cell_length <= width for line in why_lines(ITEMS[3], width))


def test_what_a_recording_names_cannot_reach_the_terminal() -> None:
    hostile = replace(ITEMS[0], tool="\x1b[31mx", sub_question="[red]a\x1b]0;owned\x07", signals={"\x1b[2Jy": 1.0})
    assert "\x1b" not in text(hostile)
    assert "[red]a" in text(hostile)


def test_evidence_recorded_without_signals_says_so() -> None:
    assert NOT_RECORDED in text(ITEMS[0])


async def test_w_explains_the_selected_evidence_and_steps_on() -> None:
    app = make_app(Explaining())
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        app.screen.query_one("#evidence-rows").focus()
        await pilot.pause()
        assert "w why" in app.screen.query_one("#hints", KeyHints).render().plain
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, WhyScreen) and "by meaning" in shown(app))
        assert "runbooks/rollback.md:L12-L18" in shown(app)
        await pilot.press("n")
        await until(pilot, lambda: "announcing-an-incident" in shown(app) and NOT_RECORDED in shown(app))
        await pilot.press("p", "p")
        await until(pilot, lambda: f"{len(ITEMS)} of {len(ITEMS)}" in shown(app))
        await pilot.press("w")
        assert not isinstance(app.screen, WhyScreen)


async def test_w_explains_the_evidence_whose_lines_are_shown() -> None:
    app = make_app(Explaining())
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        app.screen.query_one("#evidence-rows").focus()
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.screen.query_one("#source").has_focus)
        assert "w why" in app.screen.query_one("#hints", KeyHints).render().plain
        await pilot.press("w")
        await until(pilot, lambda: isinstance(app.screen, WhyScreen) and "announcing-an-incident" in shown(app))
        await pilot.press("escape", "1")
        await pilot.pause()
        assert "w why" not in app.screen.query_one("#hints", KeyHints).render().plain, "a source has no score"


async def test_it_is_in_the_palette_and_says_when_there_is_nothing_to_explain() -> None:
    app = make_app(Explaining())
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.screen.query("#evidence"))
        await app.run_action("why", default_namespace=app.screen.query_one("#evidence"))
        await until(pilot, lambda: any("no evidence" in notice.message for notice in app._notifications))
        await ask(pilot)
        assert "why" in [command.name for command in available_commands(app.screen)]


async def test_an_explanation_fits_a_small_screen() -> None:
    app = make_app(Explaining())
    async with app.run_test(size=(60, 16)) as pilot:
        await ask(pilot)
        await app.run_action("why", default_namespace=app.screen.query_one("#evidence"))
        await until(pilot, lambda: isinstance(app.screen, WhyScreen) and "rank 1" in shown(app))
