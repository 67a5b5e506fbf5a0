"""Starting the app with a fake engine, and waiting for what should happen instead of for time to pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from kbtui.settings.model import Settings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.ask import AskScreen
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
    await until(pilot, lambda: app.ask_screen and app.ask_screen.query("#answer-text"))
    screen = ask_screen(app)
    screen.query_one("#prompt").value = query  # type: ignore[attr-defined]
    await pilot.press("enter")
    await until(pilot, lambda: screen.conversation.latest.finished)
    text = screen.query_one("#answer-text")
    await until(pilot, lambda: text.source.strip() or screen.conversation.latest.phase != "completed")  # type: ignore[attr-defined]


def shown(app: KbtuiApp) -> str:
    """What is on the screen, as text."""
    height = app.size.height
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines[:height])
