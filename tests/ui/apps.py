"""The real app with nothing behind it, for tests of single screens."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from textual.pilot import Pilot

from kbtui.errors import KnowledgeBaseError
from kbtui.settings.model import Settings
from kbtui.ui.app import KbtuiApp


def _no_engine() -> NoReturn:
    raise KnowledgeBaseError("There is no engine in this test.")


def bare_app(kb: Path, settings: Settings | None = None) -> KbtuiApp:
    """An app whose folder never opens; every screen over it works."""
    return KbtuiApp(_no_engine, settings or Settings(), kb=kb, suggestions=("a question",))


_ENDLESS = {"workspace"}
"""Groups of workers that live as long as their screen."""


async def settled(pilot: Pilot[None]) -> None:
    """Let reading in threads, and what follows from it, come to an end."""
    for _ in range(5):
        await pilot.pause()
        while any(worker.group not in _ENDLESS and not worker.is_finished for worker in pilot.app.workers):
            await pilot.pause(0.01)
