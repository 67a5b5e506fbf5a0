"""The stages of the rail: each is a pane of its own, and one more is one file and its name."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from kbtui.ui import panes
from kbtui.ui.panes import rail
from kbtui.ui.panes.base import StagePane
from tests.ui.driving import ask, make_app, shown, until

MORE = """
from textual.content import Content

from kbtui.ui.panes.base import StagePane


class WeatherPane(StagePane):
    STAGE = "evidence"
    TITLE = "Weather"
    WORD = "gaze"

    def lines(self, view, width):
        return [Content("it rains while graded")]


PANE = WeatherPane
"""


@pytest.fixture
def one_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file beside the panes, and one name in the registry."""
    (tmp_path / "weather.py").write_text(MORE, encoding="utf-8")
    monkeypatch.setattr(panes, "__path__", [*panes.__path__, str(tmp_path)])
    monkeypatch.setattr(rail, "STAGES", (*rail.STAGES, "weather"))


def test_every_pane_of_a_stage_is_registered_once() -> None:
    modules = [import_module(f"{panes.__name__}.{module.name}") for module in pkgutil.iter_modules(panes.__path__)]
    declared = {module.__name__.rpartition(".")[2]: module.PANE for module in modules if hasattr(module, "PANE")}
    assert sorted(declared) == sorted(rail.STAGES)
    assert all(issubclass(pane, StagePane) for pane in declared.values())


@pytest.mark.usefixtures("one_more")
async def test_a_new_pane_is_one_file_and_one_name_and_stands_in_the_rail() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "Weather" in shown(app))
        app.screen.query_one("#weather").focus()
        await pilot.press("enter")
        await until(pilot, lambda: "it rains while graded" in shown(app))


@pytest.mark.usefixtures("one_more")
async def test_a_new_pane_has_its_word_in_the_line_of_a_narrow_screen() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "write ✓  gaze ✓" in shown(app))


async def test_the_bar_of_the_stages_stands_where_they_are_scrolled_to_after_all_of_them_fitted() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        shown_rail = app.screen.query_one(rail.Rail)
        await pilot.press("escape")
        while not shown_rail.has_focus_within:
            await pilot.press("o")
            await pilot.pause()
        await until(pilot, lambda: shown_rail.scroll_y > 0)
        await pilot.resize_terminal(80, 60)
        await until(pilot, lambda: not shown_rail.show_vertical_scrollbar)
        for stage in app.screen.query(StagePane):
            if not stage.is_open:
                stage.action_unfold()
        await pilot.resize_terminal(80, 20)
        await until(pilot, lambda: shown_rail.show_vertical_scrollbar)
        assert shown_rail.vertical_scrollbar.position == shown_rail.scroll_y
