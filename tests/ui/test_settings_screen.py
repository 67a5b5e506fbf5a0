"""Settings as a screen: what is in effect and why, and changes that go into the user's file alone."""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Input

from kbtui.settings import paths
from kbtui.settings.load import load_settings
from kbtui.settings.reference import all_settings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.help import HelpScreen
from kbtui.ui.screens.setting import Field, SettingScreen
from kbtui.ui.screens.settings import SettingsScreen
from kbtui.ui.screens.themes import ThemesScreen
from kbtui.ui.started import Started
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.rows import RowList
from tests.ui.driving import make_app, shown, until


def config(text: str) -> Path:
    path = paths.config_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def app_over(kb: Path, theme: str = "", **flags: Any) -> KbtuiApp:
    """An app started as the command starts it."""
    given = {name.replace("__", "."): value for name, value in flags.items()}
    read = partial(load_settings, kb, given)
    return make_app(settings=read().settings, kb=kb, started=Started(settings=read, theme=theme))


async def opened(pilot: Pilot[Any], key: str = "") -> None:
    """Open the screen, with a setting selected."""
    await pilot.press("f4")
    await until(pilot, lambda: pilot.app.screen.query_one("#setting-list", RowList).option_count)
    if key:
        pilot.app.screen.query_one("#setting-list", RowList).show_key(key)
        await pilot.pause()


async def typed(pilot: Pilot[Any], text: str) -> None:
    """Replace what the field holds, and press Enter."""
    await until(pilot, lambda: isinstance(pilot.app.screen, SettingScreen))
    pilot.app.screen.query_one(Field).text = text
    await pilot.press("enter")
    await pilot.pause()


def lines_of(app: KbtuiApp, name: str) -> str:
    """What a widget says, on one line."""
    return " ".join(line.plain for line in app.screen.query_one(name, LinesView)._lines(500))


def notices(app: KbtuiApp) -> str:
    return " ".join(f"{one.title} {one.message}" for one in app._notifications)


async def test_every_setting_is_listed_under_its_section_and_explained(tmp_path: Path) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 80)) as pilot:
        await opened(pilot, "retrieval.top_k")
        text = shown(app)
        for setting in all_settings().values():
            assert setting.name in text, setting.key
        assert "Passages each search brings back." in text
        assert "a whole number from 1 to 200" in text
        assert "takes effect when kbtui is started" in text


async def test_each_value_says_where_it_came_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config("[retrieval]\ntop_k = 7\nrrf_k = 40\n[agent]\nmax_iterations = 2\n")
    paths.folder_file(tmp_path).write_text("[retrieval]\ntop_k = 20\n")
    monkeypatch.setenv("KBTUI_RETRIEVAL__RRF_K", "50")
    app = app_over(tmp_path, model__name="ollama:x")
    async with app.run_test(size=(140, 80)) as pilot:
        await opened(pilot)
        rows = " / ".join(" ".join(line.split()) for line in shown(app).replace("│", "\n").split("\n"))
        assert "top_k 20 this folder" in rows
        assert "rrf_k 50 environment" in rows
        assert "max_iterations 2 yours" in rows
        assert 'name "ollama:x" command line' in rows
        assert 'fusion "auto" default' in rows
        for key, told in (
            ("retrieval.top_k", "folder's own file sets it"),
            ("retrieval.rrf_k", "variable KBTUI_RETRIEVAL__RRF_K sets it"),
            ("model.name", "option of the command line sets it"),
        ):
            app.screen.query_one(RowList).show_key(key)
            await until(pilot, lambda told=told: told in lines_of(app, "#setting-text"))
            assert "has no effect here" in lines_of(app, "#setting-text")


async def test_words_narrow_the_list_and_escape_brings_it_back(tmp_path: Path) -> None:
    config("[retrieval]\ntop_k = 7\n")
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"colour theme")
        await until(pilot, lambda: "offline" not in shown(app).split("╭─ Settings")[1].split("allowed")[0])
        await pilot.press("enter")
        assert app.screen.query_one(RowList).selected_key == "ui.theme"
        await pilot.press("slash", *"xyzzy")
        await until(pilot, lambda: "No setting has these words" in shown(app))
        app.screen.query_one(Input).value = "yours"
        await until(pilot, lambda: app.screen.query_one(RowList).selected_key == "retrieval.top_k")
        await pilot.press("escape")
        await until(pilot, lambda: "max_output_tokens" in shown(app))
        await pilot.press("escape")
        assert not isinstance(app.screen, SettingsScreen)


async def test_a_choice_is_made_in_a_list_and_the_comments_stay(tmp_path: Path) -> None:
    path = config("# mine\n[sessions]\nrecord = true  # for the archive\n[web]\n")
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "sessions.record")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SettingScreen))
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        assert path.read_text() == "# mine\n[sessions]\nrecord = false  # for the archive\n[web]\n"
        assert "started again" in notices(app)
        await until(pilot, lambda: "after a restart" in shown(app))


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("retrieval.top_k", "15", 15),
        ("retrieval.vector_weight", "0.5", 0.5),
        ("model.name", "openai:gpt-5-mini", "openai:gpt-5-mini"),
        ("index.exclude", "build/\n*.log", ["build/", "*.log"]),
        ("keys", "copy = C, f6", {"copy": "C, f6"}),
    ],
)
async def test_a_value_is_typed_checked_and_written(tmp_path: Path, key: str, text: str, value: object) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, key)
        await pilot.press("enter")
        await typed(pilot, text)
        assert isinstance(app.screen, SettingsScreen)
        section, _, name = key.rpartition(".")
        tables = tomllib.loads(paths.config_file().read_text())
        assert (tables[section] if section else tables)[name] == value
        assert app.screen.query_one(RowList).selected_key == key


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("retrieval.top_k", "0", "a whole number from 1 to 200"),
        ("model.name", "opnai:x", "Did you mean openai?"),
        ("keys", "cpy = C", "Did you mean copy?"),
        ("keys", "copy = nokey", "is no key"),
    ],
)
async def test_what_cannot_be_is_said_beside_the_value_and_not_written(
    tmp_path: Path, key: str, text: str, told: str
) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, key)
        await pilot.press("enter")
        await typed(pilot, text)
        assert isinstance(app.screen, SettingScreen)
        await until(pilot, lambda: told in " ".join(shown(app).replace("│", " ").split()))
        await pilot.press("escape")
        assert isinstance(app.screen, SettingsScreen)
    assert not paths.config_file().exists()


async def test_a_default_takes_the_line_out_and_undo_brings_it_back(tmp_path: Path) -> None:
    path = config("[retrieval]\ntop_k = 7\nrrf_k = 40\n")
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "retrieval.top_k")
        await pilot.press("d")
        await until(pilot, lambda: path.read_text() == "[retrieval]\nrrf_k = 40\n")
        await pilot.press("enter")
        await typed(pilot, "12")
        assert "top_k = 12" in path.read_text()
        await pilot.press("u")
        await until(pilot, lambda: path.read_text() == "[retrieval]\nrrf_k = 40\n")
        await pilot.press("u", "u")
        await until(pilot, lambda: tomllib.loads(path.read_text()) == {"retrieval": {"rrf_k": 40, "top_k": 7}})


async def test_a_change_without_effect_is_said_and_the_folder_is_never_written(tmp_path: Path) -> None:
    folder = paths.folder_file(tmp_path)
    folder.write_text("[retrieval]\ntop_k = 20\n")
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "retrieval.top_k")
        await pilot.press("enter")
        await until(pilot, lambda: "no effect here" in lines_of(app, "#setting-about"))
        await typed(pilot, "15")
        assert "saved, and not used" in notices(app)
    assert folder.read_text() == "[retrieval]\ntop_k = 20\n"
    assert tomllib.loads(paths.config_file().read_text()) == {"retrieval": {"top_k": 15}}


async def test_a_secret_is_nowhere_on_the_screen_and_survives_the_edit_of_another_item(tmp_path: Path) -> None:
    config('data_sources = ["shop=postgresql://ann:hunter2hunter2@db/shop", "a=a.db"]\n')
    app = app_over(tmp_path)
    async with app.run_test(size=(200, 50)) as pilot:
        await opened(pilot, "data_sources")
        assert "hunter2" not in shown(app)
        assert "ann:****" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SettingScreen))
        assert "hunter2" not in shown(app)
        field = app.screen.query_one(Field)
        await typed(pilot, field.text.replace("a.db", "b.db"))
    saved = tomllib.loads(paths.config_file().read_text())["data_sources"]
    assert saved == ["shop=postgresql://ann:hunter2hunter2@db/shop", "a=b.db"]


async def test_keys_the_window_and_the_theme_change_at_once(tmp_path: Path) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "keys")
        await pilot.press("enter")
        await typed(pilot, "settings = f5")
        await pilot.press("escape", "f5")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        app.screen.query_one(RowList).show_key("ui.theme")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ThemesScreen))
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        worn = app.theme
        assert worn != "kbtui-dusk"
        await until(pilot, lambda: f'"{worn}"' in shown(app))
        await pilot.press("d")
        await until(pilot, lambda: app.theme == "kbtui-dusk")
        app.screen.query_one(RowList).show_key("ui.window")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SettingScreen))
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        assert not app.window._decorated
        assert "after a restart" not in shown(app)


async def test_without_a_theme_a_light_terminal_keeps_the_light_one(tmp_path: Path) -> None:
    config('[ui]\ntheme = "nord"\n')
    app = app_over(tmp_path, theme="kbtui-paper")
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "ui.theme")
        assert app.theme == "nord"
        await pilot.press("d")
        await until(pilot, lambda: app.theme == "kbtui-paper")
        await until(pilot, lambda: "Worn now is kbtui-paper." in shown(app))


async def test_what_an_editor_writes_is_shown_while_the_list_is_open(tmp_path: Path) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "ui.notify_after_s")
        config("[ui]\nnotify_after_s = 33.0\n")
        await until(pilot, lambda: "33.0" in shown(app))


async def test_a_broken_file_is_named_and_nothing_is_written_over_it(tmp_path: Path) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        path = config("[retrieval]\ntop_kk = 3\n")
        await opened(pilot)
        await until(pilot, lambda: "Did you mean retrieval.top_k?" in " ".join(shown(app).replace("│", " ").split()))
        await pilot.press("enter", "d", "u")
        assert path.read_text() == "[retrieval]\ntop_kk = 3\n"
        path.write_text("[retrieval]\ntop_k = 3\n")
        await until(pilot, lambda: "Did you mean" not in shown(app) and "timeout_s" in shown(app))


async def test_a_file_that_breaks_under_the_list_is_left_alone(tmp_path: Path) -> None:
    path = config("[retrieval]\ntop_k = 3\n")
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "retrieval.top_k")
        path.write_text("[retrieval\n")
        await pilot.press("d")
        await until(pilot, lambda: "is not valid TOML" in notices(app))
    assert path.read_text() == "[retrieval\n"


async def test_a_page_in_a_browser_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "editor.command")
        monkeypatch.setattr(KbtuiApp, "is_web", property(lambda _: True))
        await pilot.press("enter", "e")
        await until(pilot, lambda: "not changed from a browser" in notices(app))
        assert isinstance(app.screen, SettingsScreen)
    assert not paths.config_file().exists()


async def test_the_file_is_opened_in_the_editor_at_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened_at: list[tuple[Path, int]] = []
    monkeypatch.setattr("kbtui.ui.editing.edit_settings", lambda _app, path, line: opened_at.append((path, line)))
    app = app_over(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot, "retrieval.top_k")
        await pilot.press("e")
        await until(pilot, lambda: opened_at)
        ((path, line),) = opened_at
        assert path == paths.config_file()
        assert path.read_text().split("\n")[line - 1] == "[retrieval]"
        path.write_text("[ui]\n\n[retrieval]\nrrf_k = 3\ntop_k = 3\n")
        await pilot.press("e")
        await until(pilot, lambda: len(opened_at) == 2)
        assert opened_at[1][1] == 5


async def test_the_list_is_used_by_mouse(tmp_path: Path) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=(200, 50)) as pilot:
        await opened(pilot)
        rows = shown(app).split("\n")
        row = next(number for number, line in enumerate(rows) if "temperature" in line)
        await pilot.click(offset=(cell_len(rows[row].partition("temperature")[0]), row))
        await until(pilot, lambda: isinstance(app.screen, SettingScreen))
        assert "model.temperature" in shown(app)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 50)])
async def test_list_and_explanation_have_room_at_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    app = app_over(tmp_path)
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "embedding.model")
        text = " ".join(shown(app).replace("│", " ").split())
        assert 'model "bundled"' in text
        assert "all-MiniLM-L6-v2" in text
        assert "takes effect" in lines_of(app, "#setting-text")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, SettingScreen))
        assert "esc leave as it was" in shown(app)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
