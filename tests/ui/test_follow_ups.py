"""Two questions on the screen, the second about what the first was about; and a fresh screen, on which it is not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace
from textual.pilot import Pilot

from kbtui.bootstrap import Engine
from kbtui.domain.events import Event, QueryRouted
from kbtui.settings.model import Settings, UiSettings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.panes.intent import IntentPane
from kbtui.ui.widgets.lines import LinesView
from kbtui.view.folding import reduce_all
from tests.ui.driving import ask, ask_screen, make_app, until
from tests.ui.made import FakeEngine, a_run

IN_FULL = "Who announces rolling back a deploy?"


def follow_up(query: str, run_id: str) -> list[Event]:
    """A run whose question meant something of the one before."""
    return [
        replace(event, standalone=IN_FULL) if isinstance(event, QueryRouted) else event
        for event in a_run(query, run_id)
    ]


def said(app: KbtuiApp) -> str:
    """What stands above the last answer, without its line breaks."""
    question = app.screen.query(".turn-question").last(LinesView)
    return " ".join(str(question.render()).split())


async def test_the_evidence_of_a_follow_up_comes_from_what_the_first_question_was_about(kb: Path) -> None:
    settings = Settings()
    await asyncio.to_thread(Engine(settings, kb, record=False).answer_query, "retry_limit")
    app = KbtuiApp(lambda: Engine(settings, kb), settings, kb=kb, suggestions=())
    async with app.run_test(size=(160, 50)) as pilot:
        await ask(pilot, "What does retry_limit return?")
        await ask(pilot, "Where is it defined?")
        view = ask_screen(app).conversation.latest
        assert view is not None
        assert view.standalone == "Where is retry_limit defined?"
        assert any(item.kept and item.path == "config.py" for item in view.evidence)
        await until(pilot, lambda: "asked as: Where is retry_limit defined?" in said(app))
        await pilot.press("ctrl+l")
        await ask(pilot, "Where is it defined?")
        fresh = ask_screen(app).conversation.latest
        assert fresh is not None
        assert fresh.standalone == ""


@pytest.mark.parametrize("width", [12, 24, 40, 90])
def test_the_question_in_full_fits_the_pane_however_long_it_is(width: int) -> None:
    view = structs.replace(
        reduce_all(follow_up("who announces it?", "r1")), standalone=f"{IN_FULL} " * 20 + "\x1b[31m[b]回滚"
    )
    lines = IntentPane(id="intent").lines(view, width)
    assert all(line.cell_length <= width for line in lines)
    said = "\n".join(line.plain for line in lines)
    assert "asked as:" in said.replace("\n  ", " ")
    assert "\x1b" not in said
    assert len(lines) <= 6


def test_a_follow_up_looks_as_it_should(snap_compare: Any) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot, "who announces it?")
        await pilot.press("escape")
        prompt = pilot.app.screen.query_one("#prompt")
        prompt.cursor_blink = False  # type: ignore[attr-defined]
        await until(pilot, lambda: pilot.app.workspace.status.phase == "ready")  # type: ignore[attr-defined]
        await pilot.pause()

    settings = Settings(ui=UiSettings(theme="kbtui-dusk"))
    assert snap_compare(make_app(FakeEngine(run=follow_up), settings), terminal_size=(120, 36), run_before=run)
