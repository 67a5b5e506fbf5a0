"""Settings and doctor as screens, in a real terminal."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from kbtui.settings import paths
from tests.support.terminal import Terminal, kbtui

MINE = """# Settings of mine.
[ui]
notify_after_s = 30.0  # lunch

# How much is looked at.
[retrieval]
top_k = 7  # seven is enough
"""


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
def test_a_setting_is_changed_and_the_comments_of_the_file_stay(kb: Path, size: tuple[int, int]) -> None:
    file = paths.config_file()
    file.parent.mkdir(parents=True)
    file.write_text(MINE, encoding="utf-8")
    with Terminal(kbtui(str(kb)), cols=size[0], rows=size[1]) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("/settings")
        terminal.keys("Enter")
        terminal.wait("max_output_tokens")
        terminal.type("/top_k")
        terminal.keys("Enter")
        terminal.wait("Passages each search brings back")
        terminal.keys("Enter")
        terminal.wait("leave as it was")
        terminal.keys("C-u")
        terminal.type("1000")
        terminal.keys("Enter")
        terminal.wait("is not allowed")
        terminal.keys("C-u")
        terminal.type("12")
        terminal.keys("Enter")
        terminal.wait("after a restart")
        assert file.read_text(encoding="utf-8") == MINE.replace("top_k = 7", "top_k = 12")
        terminal.keys("Escape")
        terminal.wait("chunk_chars")
        terminal.type("/theme")
        terminal.keys("Enter", "Enter")
        terminal.wait("Colour theme")
        terminal.keys("j", "Enter")
        terminal.wait("from now on")
        terminal.keys("Escape", "Escape", "C-q")
        terminal.wait("[exit 0]")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    assert tables["ui"].keys() == {"notify_after_s", "theme"}
    assert "# lunch" in file.read_text(encoding="utf-8")
    assert not paths.folder_file(kb).exists()


def test_the_doctor_says_what_is_not_well_while_the_folder_is_open(kb: Path, home: Path) -> None:
    themes = paths.themes_dir()
    themes.mkdir(parents=True)
    (themes / "mine.toml").write_text("nonsense")
    with Terminal(kbtui(str(kb), "--model", "nosuchprovider:x")) as terminal:
        terminal.wait("ask about handbook")
        terminal.type("/doctor")
        terminal.keys("Enter")
        terminal.wait(lambda screen: "well" in screen and "checking" not in screen)
        terminal.keys("p")
        screen = terminal.wait(lambda screen: "mine.toml" in screen and "✓ python" not in screen)
        assert "✗ chat model" in screen
        assert "nosuchprovider" in screen
        assert "✓" not in screen.split("╭─ Doctor")[1].split("╰")[0]
        terminal.keys("Escape", "C-q")
        terminal.wait("[exit 0]")
