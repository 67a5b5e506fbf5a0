"""Another size: it is drawn once, with everything where it stays."""

from __future__ import annotations

from typing import Any

import pytest
from textual._compositor import Compositor
from textual.events import Resize

from kbtui.ui.panes.transcript import Transcript
from tests.ui.driving import ask, ask_screen, make_app, until


@pytest.mark.parametrize("size", [(80, 24), (140, 30)])
async def test_another_size_is_drawn_whole_once_with_the_current_turn_at_the_top(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    app = make_app()
    pictures: list[tuple[float, float]] = []
    render = Compositor.render_update

    def note(compositor: Compositor, *args: Any, **kwargs: Any) -> Any:
        # The screen says its new size before it is laid out for it: the end of the answer may be drawn between the two.
        if compositor.size == size and compositor.size.region in compositor._dirty_regions:
            transcript = ask_screen(app).query_one(Transcript)
            assert transcript.current is not None
            top = min(transcript.current.virtual_region.y, transcript.max_scroll_y)
            pictures.append((transcript.scroll_y, top))
        return render(compositor, *args, **kwargs)

    async with app.run_test(size=(120, 36)) as pilot:
        for _turn in range(4):
            await ask(pilot)
        monkeypatch.setattr(Compositor, "render_update", note)
        await pilot.resize_terminal(*size)
        await until(pilot, lambda: pictures)
        scrolled, top = pictures[0]
        assert scrolled == top > 0
        await pilot.pause(0.1)
        assert len(pictures) == 1


async def test_a_screen_that_has_kept_its_size_is_drawn_whole_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = make_app()
    render, pictures = Compositor.render_update, []

    def note(compositor: Compositor, *args: Any, **kwargs: Any) -> Any:
        pictures.append(compositor.size.region in compositor._dirty_regions)
        return render(compositor, *args, **kwargs)

    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        await pilot.pause()
        monkeypatch.setattr(Compositor, "render_update", note)
        app.draw_again()
        # As after a stop: the terminal says what size it has.
        app.screen.post_message(Resize.from_dimensions((120, 36), None))
        await until(pilot, lambda: any(pictures))


async def test_a_screen_below_a_dialog_has_the_new_size_when_it_is_seen_again() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        app.action_help()
        await until(pilot, lambda: app.screen is not ask_screen(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: app.screen.size == (80, 24))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is ask_screen(app))
        await until(pilot, lambda: ask_screen(app).query_one("#hints").region.bottom == 24)
        assert not ask_screen(app)._is_settling
