from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.editors.launch import resolve
from kbtui.editors.templates import BY_NAME, INSTALLED_ORDER, TEMPLATES
from kbtui.settings.model import EditorSettings

# What each program's manual says opens FILE at line 12; written out, so that a row cannot change by accident.
MANUALS = {
    "vi": ["+12", "FILE"],
    "vim": ["+12", "FILE"],
    "nvim": ["+12", "FILE"],
    "gvim": ["+12", "FILE"],
    "neovide": ["FILE", "--", "+12"],
    "emacs": ["+12", "FILE"],
    "emacsclient": ["+12", "FILE"],
    "nano": ["+12", "FILE"],
    "micro": ["+12:1", "FILE"],
    "hx": ["+12", "FILE"],
    "helix": ["+12", "FILE"],
    "kak": ["+12", "FILE"],
    "joe": ["+12", "FILE"],
    "ne": ["+12", "FILE"],
    "ed": ["FILE"],
    "code": ["--goto", "FILE:12"],
    "codium": ["--goto", "FILE:12"],
    "cursor": ["--goto", "FILE:12"],
    "windsurf": ["--goto", "FILE:12"],
    "zed": ["FILE:12"],
    "subl": ["FILE:12"],
    "pulsar": ["FILE:12"],
    "idea": ["--line", "12", "FILE"],
    "pycharm": ["--line", "12", "FILE"],
    "goland": ["--line", "12", "FILE"],
    "webstorm": ["--line", "12", "FILE"],
    "clion": ["--line", "12", "FILE"],
    "rubymine": ["--line", "12", "FILE"],
    "phpstorm": ["--line", "12", "FILE"],
    "rider": ["--line", "12", "FILE"],
    "kate": ["--line", "12", "FILE"],
    "gedit": ["+12", "FILE"],
    "mousepad": ["--line=12", "FILE"],
    "notepad++": ["-n12", "FILE"],
}
TERMINAL = {"vi", "vim", "nvim", "nano", "micro", "hx", "helix", "kak", "joe", "ne", "ed"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a note.md"
    path.touch()
    return path


@pytest.mark.parametrize("name", sorted(MANUALS))
def test_an_editor_is_told_the_line_as_its_manual_says(name: str, file: Path) -> None:
    command = resolve(EditorSettings(command=name), {"DISPLAY": ":0"}, which=lambda program: f"/usr/bin/{program}")
    expected = [name] + [arg.replace("FILE", str(file)) for arg in MANUALS[name]]
    assert command.argv(file, 12) == expected
    assert command.terminal == (name in TERMINAL)


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_every_row_passes_the_path_once_and_leaves_no_placeholder(name: str, file: Path) -> None:
    argv = resolve(EditorSettings(command=name), {}, which=lambda program: program).argv(file, 3)
    assert argv[0] == name
    assert sum(str(file) in arg for arg in argv) == 1
    assert not any("{" in arg for arg in argv)


def test_no_program_stands_in_two_rows() -> None:
    assert len(BY_NAME) == sum(len(row.names) for row in TEMPLATES)


def test_what_is_tried_without_a_choice_is_in_the_table() -> None:
    assert set(INSTALLED_ORDER) <= set(BY_NAME)
