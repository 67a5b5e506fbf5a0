"""The command palette: what a search without a match does while the palette is closed."""

from __future__ import annotations

from textual.command import CommandList

from kbtui.ui.palette import Palette
from tests.ui.driving import make_app, until


async def test_a_palette_that_is_being_closed_does_not_say_that_nothing_matches() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        palette = Palette()
        app.push_screen(palette)
        await until(pilot, lambda: palette.query(CommandList))
        await palette.query_one(CommandList).remove()
        palette._start_no_matches_countdown("zzz")
        await pilot.pause(palette._NO_MATCHES_COUNTDOWN + 0.1)
        assert app.is_running
        assert app._exception is None
