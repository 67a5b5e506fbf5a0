"""Starting the app with a fake engine, and waiting for what should happen instead of for time to pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.screen import Screen

from kbtui.settings.model import Settings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.panes.proof import ProofPane
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.screens.ask import AskScreen
from kbtui.ui.widgets.cited_markdown import CitedMarkdown
from kbtui.ui.widgets.prompt import Prompt
from tests.ui.made import FakeEngine

KB = Path("/kb/handbook")
SUGGESTIONS = ("How does rollback work?", "谁负责发布回滚？")


def make_app(engine: FakeEngine | None = None, settings: Settings | None = None, **options: Any) -> KbtuiApp:
    """An app over a fake engine."""
    engine = engine or FakeEngine()
    options.setdefault("suggestions", SUGGESTIONS)
    options.setdefault("kb", KB)
    return KbtuiApp(lambda: engine, settings or Settings(), **options)


async def until(pilot: Pilot[Any], happened: Callable[[], Any], patience: int = 400) -> None:
    """Let the app go on until ``happened()`` is true."""
    for _ in range(patience):
        await pilot.pause()
        try:
            if happened():
                return
        except LookupError:
            pass
        await asyncio.sleep(0.01)
    raise AssertionError("it never happened")


def ask_screen(app: KbtuiApp) -> AskScreen:
    assert app.ask_screen is not None
    return app.ask_screen


async def ask(pilot: Pilot[Any], query: str = "How does rollback work, and who announces it?") -> None:
    """Type a question, send it, and wait for the end of the run."""
    app = pilot.app
    assert isinstance(app, KbtuiApp)
    await until(pilot, lambda: app.ask_screen and app.ask_screen.query("#conversation"))
    screen = ask_screen(app)
    screen.query_one(Prompt).put(query)
    await pilot.press("enter")
    await until(pilot, lambda: screen.conversation.latest.finished)
    await until(pilot, lambda: is_rendered(screen) or screen.conversation.latest.phase != "completed")


def is_rendered(screen: AskScreen) -> bool:
    """True once the last answer stands there whole: a turn follows its run a moment later, its text after that."""
    turn, text = screen.query_one(Transcript).current, answer_text(screen)
    return turn is not None and turn.view.finished and bool(text.source.strip())


def answer_text(screen: Screen[Any]) -> CitedMarkdown:
    """The text of the turn that is read."""
    turn = screen.query_one(Transcript).current
    if turn is None:
        raise LookupError("No turn is shown yet.")
    return turn.query_one(CitedMarkdown)


def proof_of(app: Any) -> ProofPane | None:
    """The proof, while it is on the screen."""
    pane = app.screen.query(ProofPane).first(ProofPane) if app.screen.query(ProofPane) else None
    return pane if pane is not None and pane.region and pane.border_subtitle else None


def shown(app: KbtuiApp) -> str:
    """What is on the screen, as text."""
    height = app.size.height
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines[:height])


def cell_of(app: KbtuiApp, text: str) -> Offset:
    """The first cell of the first place where a text stands on the screen."""
    rows = shown(app).split("\n")
    y = next((index for index, row in enumerate(rows) if text in row), None)
    if y is None:
        raise LookupError(f"{text!r} is not on the screen:\n{shown(app)}")
    return Offset(cell_len(rows[y].partition(text)[0]), y)
