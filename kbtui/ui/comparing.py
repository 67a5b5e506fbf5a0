"""Compares a run with the previous run of its question, for any screen that shows runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from textual.app import App

from kbtui.errors import KbtuiError
from kbtui.i18n import made
from kbtui.text.terminal import one_line
from kbtui.view.view_state import RunView


async def compare_with_previous(app: App[Any], view: RunView, unrecorded: Sequence[RunView]) -> None:
    """Show the changes since the previous run of the question; ``unrecorded`` are runs that may not be recorded."""
    from kbtui.sessions.store import SessionStore
    from kbtui.ui.screens.compare import CompareScreen
    from kbtui.view.comparing import with_previous_run

    try:
        runs = await asyncio.to_thread(with_previous_run, SessionStore(), view, unrecorded)
    except KbtuiError as error:
        app.notify(one_line(made(error.hint)), title=one_line(made(error.message)), severity="warning", markup=False)
    else:
        app.push_screen(CompareScreen(*runs))
