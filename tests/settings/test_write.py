from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from kbtui.errors import SettingsError, StorageError
from kbtui.settings import paths
from kbtui.settings.write import set_user_value


def config(text: str) -> Path:
    path = paths.config_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_first_choice_makes_the_file() -> None:
    path = set_user_value("ui", "theme", "kbtui-paper")
    assert path == paths.config_file()
    assert tomllib.loads(path.read_text())["ui"] == {"theme": "kbtui-paper"}


def test_comments_order_and_other_values_stay_as_they_were() -> None:
    path = config('# mine\n[agent]\nmax_iterations = 5  # patience\n\n[ui]\ntheme = "nord" # evenings\n\n[web]\n')
    set_user_value("ui", "theme", "kbtui-dusk")
    assert path.read_text() == (
        '# mine\n[agent]\nmax_iterations = 5  # patience\n\n[ui]\ntheme = "kbtui-dusk" # evenings\n\n[web]\n'
    )


def test_a_section_that_is_not_there_is_added_at_the_end() -> None:
    path = config('data_sources = ["a.db"]\n[agent]\nmax_iterations = 5\n')
    set_user_value("ui", "theme", "kbtui-dusk")
    assert path.read_text().startswith('data_sources = ["a.db"]\n[agent]\nmax_iterations = 5\n')
    assert tomllib.loads(path.read_text())["ui"]["theme"] == "kbtui-dusk"


@pytest.mark.parametrize("text", ['ui = { theme = "nord" }\n', 'ui.theme = "nord"\n'])
def test_other_ways_to_write_a_table_are_kept(text: str) -> None:
    path = config(text)
    set_user_value("ui", "theme", "kbtui-dusk")
    assert path.read_text() == text.replace("nord", "kbtui-dusk")


@pytest.mark.parametrize("text", ["[ui\n", "ui = 3\n"])
def test_a_file_that_makes_no_sense_is_named_and_left_alone(text: str) -> None:
    path = config(text)
    with pytest.raises(SettingsError) as caught:
        set_user_value("ui", "theme", "kbtui-dusk")
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert path.read_text() == text


def test_a_link_into_a_dotfiles_folder_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("[ui]\n")
    real.chmod(0o600)
    paths.config_dir().mkdir(parents=True)
    paths.config_file().symlink_to(real)
    set_user_value("ui", "theme", "kbtui-dusk")
    assert paths.config_file().is_symlink()
    assert "kbtui-dusk" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_is_a_storage_error(home: Path) -> None:
    (home / "config").write_text("a file where the folder should be")
    with pytest.raises(StorageError) as caught:
        set_user_value("ui", "theme", "kbtui-dusk")
    assert caught.value.hint
    assert [path.name for path in home.iterdir()] == ["config"]
