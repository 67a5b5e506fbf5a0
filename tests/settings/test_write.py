from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from kbtui.errors import SettingsError, StorageError
from kbtui.settings import paths
from kbtui.settings.reference import sample_config
from kbtui.settings.write import set_user_value, unset_user_value


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


def test_a_new_key_stands_under_the_line_in_which_it_is_commented_out() -> None:
    path = config(sample_config())
    set_user_value("agent", "max_iterations", 5)
    set_user_value("", "data_sources", ["a.db"])
    text = path.read_text(encoding="utf-8")
    assert "# max_iterations = 3\nmax_iterations = 5\n\n" in text
    assert '# data_sources = []\ndata_sources = ["a.db"]\n' in text
    assert text.replace("\nmax_iterations = 5", "").replace('\ndata_sources = ["a.db"]', "") == sample_config()


def test_a_new_key_stands_before_the_comment_about_the_next_section() -> None:
    path = config('[ui]\ntheme = "nord"\n\n# about the web\n[web]\nsearch = "off"\n')
    set_user_value("ui", "window", False)
    assert path.read_text() == '[ui]\ntheme = "nord"\nwindow = false\n\n# about the web\n[web]\nsearch = "off"\n'


def test_a_new_key_at_the_top_stands_behind_what_the_file_says_of_itself() -> None:
    path = config('# My settings.\n\n# evenings\n[ui]\ntheme = "nord"\n')
    set_user_value("", "data_sources", ["a.db"])
    text = path.read_text()
    assert text == '# My settings.\ndata_sources = ["a.db"]\n\n# evenings\n[ui]\ntheme = "nord"\n'


@pytest.mark.parametrize(
    "text", ['exclude = """\n[web]\n"""\n[web]\n', "[ 'web' ]\n", "[web] # mine", "web.search = 'off'\n"]
)
def test_a_new_key_is_in_its_section_however_the_file_is_written(text: str) -> None:
    before = tomllib.loads(text)
    path = config(text)
    set_user_value("web", "allow_private", True)
    after = tomllib.loads(path.read_text())
    assert after["web"].pop("allow_private") is True
    assert after == {"web": {}} | before


def test_line_ends_of_windows_stay() -> None:
    path = config("")
    path.write_bytes(b'[ui]\r\ntheme = "nord"\r\n\r\n[web]\r\n')
    set_user_value("ui", "window", False)
    assert path.read_bytes() == b'[ui]\r\ntheme = "nord"\r\nwindow = false\r\n\r\n[web]\r\n'


def test_the_comments_between_the_items_of_a_list_stay() -> None:
    path = config('[index]\nexclude = [\n    "build/",  # made\n    "*.log",\n]\n')
    set_user_value("index", "exclude", ["build/", "*.tmp"])
    text = path.read_text()
    assert "# made" in text
    assert tomllib.loads(text)["index"]["exclude"] == ["build/", "*.tmp"]
    set_user_value("index", "exclude", ["*.tmp", "build/"])
    assert tomllib.loads(path.read_text())["index"]["exclude"] == ["*.tmp", "build/"]


def test_of_a_table_only_what_differs_is_changed() -> None:
    path = config('[keys]\n# a letter of its own\ncopy = "C"\nexport = "f6"  # like elsewhere\n')
    set_user_value("", "keys", {"copy": "F7", "fold": "f8"})
    text = path.read_text()
    assert text.startswith('[keys]\n# a letter of its own\ncopy = "F7"\n')
    assert tomllib.loads(text) == {"keys": {"copy": "F7", "fold": "f8"}}
    set_user_value("", "keys", {})
    assert tomllib.loads(path.read_text()) == {"keys": {}}


def test_a_first_table_is_written_as_one() -> None:
    path = config("[ui]\n")
    set_user_value("", "keys", {"copy": "C"})
    assert path.read_text() == '[ui]\n\n[keys]\ncopy = "C"\n'


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            '# mine\n[ui]\n# colours\ntheme = "nord" # evenings\nwindow = true\n',
            "# mine\n[ui]\n# colours\nwindow = true\n",
        ),
        ('[ui]\ntheme = "nord"\n\n# about the web\n[web]\n', "[ui]\n\n# about the web\n[web]\n"),
        ('ui.theme = "nord"\nui.window = true\n', "ui.window = true\n"),
    ],
)
def test_a_default_takes_the_line_out_and_nothing_else(text: str, left: str) -> None:
    path = config(text)
    assert unset_user_value("ui", "theme") == path
    assert path.read_text() == left


def test_no_file_is_made_to_take_a_key_out_of_it() -> None:
    assert not unset_user_value("ui", "theme").exists()


def test_a_file_without_the_key_stays_as_it_is() -> None:
    path = config("[ui]\nwindow   = true\n")
    unset_user_value("ui", "theme")
    assert path.read_text() == "[ui]\nwindow   = true\n"
