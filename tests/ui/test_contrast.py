"""What stands on the screen can be read: the colours of every letter and figure, as drawn, in every shipped theme."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import ModalScreen

from kbtui.settings.model import Settings, UiSettings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.theming import load_themes
from tests.ui.data_runs import DataEngine
from tests.ui.driving import ask, make_app, until
from tests.ui.made import FakeEngine
from tests.ui.model_runs import ModelEngine, an_audit
from tests.ui.test_theming import contrast
from tests.ui.test_why import Explaining

THEMES = [theme.name for theme in load_themes(user=Path("/nonexistent")).loaded]
SIZE = (170, 50)
MIN_SIZE = 4.5

Steps = Callable[[Pilot[Any]], Awaitable[None]]


async def nothing(pilot: Pilot[Any]) -> None:
    """The first page."""
    await until(pilot, lambda: pilot.app.workspace.status.phase == "ready")  # type: ignore[attr-defined]


async def reading(pilot: Pilot[Any]) -> None:
    await ask(pilot)
    await pilot.press("escape", "j")


def pressed(*keys: str, asked: bool = True) -> Steps:
    async def steps(pilot: Pilot[Any]) -> None:
        await (reading if asked else nothing)(pilot)
        await pilot.press(*keys)

    return steps


async def explained(pilot: Pilot[Any]) -> None:
    await reading(pilot)
    pilot.app.screen.query_one("#evidence-rows").focus()
    await pilot.pause()
    await pilot.press("w")


async def examined(pilot: Pilot[Any]) -> None:
    """One finding of each kind."""
    from kbtui.ui.screens.doctor import DoctorScreen
    from tests.ui.test_doctor_screen import ALL

    await reading(pilot)
    pilot.app.push_screen(DoctorScreen(lambda: iter(ALL)))
    await until(pilot, lambda: "1 failure" in str(pilot.app.screen.query_one("#doctor").border_subtitle))


SCREENS: dict[str, tuple[Callable[[], FakeEngine], Steps]] = {
    "welcome": (FakeEngine, nothing),
    "typing": (FakeEngine, pressed(*"What is", asked=False)),
    "offers": (FakeEngine, pressed("slash", "e", asked=False)),
    "answer": (FakeEngine, reading),
    "answer_from_data": (DataEngine, reading),
    "answer_of_a_model": (ModelEngine, reading),
    "why": (Explaining, explained),
    "audit": (lambda: ModelEngine(audits={"r1": an_audit()}), pressed("ctrl+backslash")),
    "help": (FakeEngine, pressed("f1")),
    "sessions": (FakeEngine, pressed("ctrl+o")),
    "themes": (FakeEngine, pressed("ctrl+t")),
    "palette": (FakeEngine, pressed("ctrl+p")),
    "settings": (FakeEngine, pressed("f4")),
    "a_setting": (FakeEngine, pressed("f4", "enter", *"x:", "enter")),
    "doctor": (FakeEngine, examined),
}


def drawn(app: KbtuiApp) -> Iterator[tuple[str, Any]]:
    """Each piece of text on the topmost screen with its style; what a dialog dims below it is not meant to be read."""
    screen = app.screen
    over = [child.region for child in screen.children] if isinstance(screen, ModalScreen) else [screen.region]
    for y, strip in enumerate(screen._compositor.render_strips()[: app.size.height]):
        x = 0
        for segment in strip:
            if any(region.contains(x, y) for region in over):
                yield segment.text, segment.style
            x += segment.cell_length


def faint(app: KbtuiApp) -> set[str]:
    """Texts whose colour is too near to what is behind them."""
    from textual.color import Color

    found = set()
    for text, style in drawn(app):
        if style is None or not any(character.isalnum() for character in text):
            continue
        if style.color is None or style.bgcolor is None:
            continue
        one, other = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
        if (ratio := contrast(one, other)) < MIN_SIZE:
            found.add(f"{ratio:.2f} {one.hex} on {other.hex}: {text.strip()[:40]}")
    return found


@pytest.mark.parametrize("name", SCREENS)
async def test_every_letter_on_the_screen_can_be_read(name: str) -> None:
    engine, steps = SCREENS[name]
    app = make_app(engine(), Settings(ui=UiSettings(theme=THEMES[0])))
    async with app.run_test(size=SIZE) as pilot:
        await steps(pilot)
        for theme in THEMES:
            app.theme = theme
            await pilot.pause()
            await until(pilot, lambda: not app._animator.is_being_animated(app.screen, "opacity"))
            assert not faint(app), theme
