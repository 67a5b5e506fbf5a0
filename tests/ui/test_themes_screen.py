from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from textual.color import Color

from kbtui.settings import paths
from kbtui.ui.screens.themes import ThemesScreen
from kbtui.ui.theming import shipped_dir
from kbtui.ui.widgets.rows import RowList
from tests.ui.apps import bare_app
from tests.ui.driving import cell_of, until


async def test_moving_wears_the_theme_at_once_and_escape_takes_it_off(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert isinstance(app.screen, ThemesScreen)
        await pilot.press("down")
        await pilot.pause()
        worn = app.theme
        assert worn != "kbtui-dusk"
        assert app.screen_stack[0].styles.background == Color.parse(str(app.current_theme.background))
        await pilot.press("escape")
        await pilot.pause()
        assert app.theme == "kbtui-dusk"
        assert not isinstance(app.screen, ThemesScreen)
    assert not paths.config_file().exists()


async def test_enter_keeps_the_theme_and_remembers_it(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("ctrl+t", "down", "down", "enter")
        await pilot.pause()
        kept = app.theme
        assert not isinstance(app.screen, ThemesScreen)
    assert kept != "kbtui-dusk"
    assert tomllib.loads(paths.config_file().read_text())["ui"]["theme"] == kept


async def test_a_click_wears_a_theme_and_a_second_one_keeps_it(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("ctrl+t")
        await pilot.pause()
        await pilot.click(offset=cell_of(app, "Paper"))
        await until(pilot, lambda: app.theme == "kbtui-paper")
        assert isinstance(app.screen, ThemesScreen)
        assert not paths.config_file().exists()
        await pilot.click(offset=cell_of(app, "Paper"))
        await pilot.pause()
        assert not isinstance(app.screen, ThemesScreen)
    assert tomllib.loads(paths.config_file().read_text())["ui"]["theme"] == "kbtui-paper"


async def test_the_picker_opens_on_the_theme_in_use(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        app.theme = "nord"
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert app.screen.query_one(RowList).selected_key == "nord"
        assert app.theme == "nord"


async def test_a_theme_written_meanwhile_is_there_and_a_broken_one_is_named(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        folder = paths.themes_dir()
        folder.mkdir(parents=True)
        good = (shipped_dir() / "kbtui-ink.toml").read_text(encoding="utf-8")
        (folder / "moss.toml").write_text(good.replace("kbtui-ink", "moss").replace("Ink", "Moss"))
        (folder / "[bold]broken.toml").write_text("name = 3")
        await pilot.press("ctrl+t")
        await pilot.pause()
        shown = app.export_screenshot()
        assert "Moss" in shown
        assert "[bold]broken.toml" in shown.replace("&#160;", " ")


async def test_a_settings_file_that_cannot_be_changed_is_said_and_the_theme_still_worn(tmp_path: Path) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        paths.config_dir().mkdir(parents=True, exist_ok=True)
        paths.config_file().write_text("[ui\n")
        await pilot.press("ctrl+t", "down", "enter")
        await pilot.pause()
        assert app.theme != "kbtui-dusk"
        assert any("not remembered" in str(notice.title) for notice in app._notifications)
    assert paths.config_file().read_text() == "[ui\n"


@pytest.mark.parametrize("size", [(120, 36), (60, 20)])
async def test_every_shipped_theme_can_be_worn_by_the_whole_app(tmp_path: Path, size: tuple[int, int]) -> None:
    app = bare_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("ctrl+t")
        await pilot.pause()
        seen = {app.theme}
        for _ in range(4):
            await pilot.press("down")
            seen.add(app.theme)
        assert {"kbtui-dusk", "kbtui-paper", "kbtui-contrast", "kbtui-ink"} < seen
