"""What the screen looks like, fed by hand-made events: three sizes, a dark and a light theme."""

from __future__ import annotations

from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from kbtui.settings.model import Settings, UiSettings
from kbtui.settings.write import set_user_value
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.doctor import DoctorScreen
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import RowList
from tests.ui.data_runs import DataEngine
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.made import FakeEngine
from tests.ui.model_runs import ModelEngine, an_audit
from tests.ui.test_doctor_screen import ALL as FINDINGS
from tests.ui.test_why import Explaining

SIZES = [(80, 24), (120, 36), (200, 50)]
THEMES = ["kbtui-dusk", "kbtui-paper"]


def looks(*sizes: tuple[int, int]) -> pytest.MarkDecorator:
    """Each size in both themes."""
    params = [
        pytest.param(size, theme, id=f"{size[0]}x{size[1]}-{theme}") for size in sizes or SIZES for theme in THEMES
    ]
    return pytest.mark.parametrize(("size", "theme"), params)


def still(theme: str, engine: FakeEngine | None = None) -> KbtuiApp:
    """An app whose pictures do not depend on the moment they are taken."""
    return make_app(engine, Settings(ui=UiSettings(theme=theme)))


def still_cursors(app: App[Any]) -> None:
    """Let no cursor blink."""
    for field in (*app.screen.query(Prompt), *app.screen.query(Input)):
        field.cursor_blink = False


async def at_rest(pilot: Pilot[Any]) -> None:
    """No blinking cursor, no bar that is still being drawn."""
    app = pilot.app
    await until(pilot, lambda: app.screen.query(Prompt))
    still_cursors(app)
    assert isinstance(app, KbtuiApp)
    await until(pilot, lambda: app.workspace.status.phase == "ready")
    await pilot.pause()


@looks()
def test_an_answer_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await pilot.press("escape")
        await at_rest(pilot)

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_what_there_is_to_ask_about_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        await until(pilot, lambda: "4,000 rows" in shown(pilot.app))  # type: ignore[arg-type]
        await pilot.press("escape", "j", "j", "j", "l")
        await until(pilot, lambda: "Taipei" in shown(pilot.app))  # type: ignore[arg-type]
        await pilot.press("j", "j")
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_an_explanation_of_evidence_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await pilot.press("escape")
        pilot.app.screen.query_one("#evidence-rows").focus()
        await at_rest(pilot)
        await pilot.press("w")
        await until(pilot, lambda: pilot.app.screen.query_one("#why").border_subtitle)
        await pilot.pause()

    assert snap_compare(still(theme, Explaining()), terminal_size=size, run_before=run)


@looks()
def test_a_preview_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await at_rest(pilot)
        await pilot.press("alt+1")
        await until(pilot, lambda: pilot.app.screen.query_one("#proof").border_subtitle)
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_an_answer_of_a_chat_model_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await pilot.press("escape")
        await at_rest(pilot)

    assert snap_compare(still(theme, ModelEngine()), terminal_size=size, run_before=run)


@looks()
def test_the_audit_of_a_run_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await at_rest(pilot)
        await pilot.press("ctrl+backslash")
        await until(pilot, lambda: "decisions" in str(pilot.app.screen.query_one("#audit").border_subtitle))
        await pilot.pause()

    engine = ModelEngine(audits={"r1": an_audit()})
    assert snap_compare(still(theme, engine), terminal_size=size, run_before=run)


@looks()
def test_a_cancelled_question_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KbtuiApp)
        await at_rest(pilot)
        screen = ask_screen(app)
        screen.ask("How does rollback work?")
        await until(pilot, lambda: screen.conversation.latest.calls)
        await pilot.press("escape")
        view = screen.conversation.latest
        # The elapsed time of a run cut short is real time: this picture shows the run without it.
        from msgspec.structs import replace

        screen.conversation.runs[-1] = replace(view, last_at=view.started_at)
        screen._draw()
        await pilot.pause()

    assert snap_compare(still(theme, FakeEngine(hold_after=6)), terminal_size=size, run_before=run)


@looks()
def test_the_help_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        await pilot.press("f1")
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_an_answer_from_data_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot, "哪个城市的包裹最多?")
        await pilot.press("escape")
        await until(pilot, lambda: pilot.app.screen.query(".part"))
        await at_rest(pilot)

    assert snap_compare(still(theme, DataEngine()), terminal_size=size, run_before=run)


@looks()
def test_a_cited_statement_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await at_rest(pilot)
        await pilot.press("alt+1")
        await until(pilot, lambda: pilot.app.screen.query_one("#proof").border_subtitle)
        await pilot.pause()

    assert snap_compare(still(theme, DataEngine()), terminal_size=size, run_before=run)


@looks()
def test_letters_to_jump_by_look_as_they_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await ask(pilot)
        await pilot.press("escape")
        await at_rest(pilot)
        await pilot.press("f")
        await until(pilot, lambda: pilot.app.screen.query(".jump"))
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_the_settings_look_as_they_should(
    snap_compare: Any, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], theme: str
) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        await pilot.press("f4")
        await until(pilot, lambda: pilot.app.screen.query_one("#settings").border_subtitle)
        pilot.app.screen.query_one("#settings").border_subtitle = "~/.config/kbtui/config.toml"
        pilot.app.screen.query_one("#setting-list", RowList).show_key("retrieval.top_k")
        await pilot.pause()

    monkeypatch.setenv("KBTUI_RETRIEVAL__TOP_K", "20")
    set_user_value("retrieval", "top_k", 12)
    set_user_value("index", "hidden", True)
    set_user_value("ui", "theme", theme)
    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@pytest.mark.parametrize("key", ["model.structured", "index.exclude"])
@looks((60, 20), *SIZES[1:])
def test_a_setting_that_is_changed_looks_as_it_should(
    snap_compare: Any, size: tuple[int, int], key: str, theme: str
) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        await pilot.press("f4")
        await until(pilot, lambda: pilot.app.screen.query_one("#settings").border_subtitle)
        pilot.app.screen.query_one("#settings").border_subtitle = "~/.config/kbtui/config.toml"
        pilot.app.screen.query_one("#setting-list", RowList).show_key(key)
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: pilot.app.screen.query("#setting"))
        await pilot.pause()

    set_user_value("index", "exclude", ["build/", "*.log"])
    set_user_value("ui", "theme", theme)
    assert snap_compare(still(theme), terminal_size=size, run_before=run)


@looks()
def test_the_doctor_looks_as_it_should(snap_compare: Any, size: tuple[int, int], theme: str) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        pilot.app.push_screen(DoctorScreen(lambda: iter(FINDINGS)))
        await until(pilot, lambda: "1 failure" in str(pilot.app.screen.query_one("#doctor").border_subtitle))
        await until(pilot, lambda: "checking" not in str(pilot.app.screen.query_one("#doctor").border_subtitle))
        await pilot.pause()

    assert snap_compare(still(theme), terminal_size=size, run_before=run)
