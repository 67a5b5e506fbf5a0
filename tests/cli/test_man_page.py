"""The manual page is what the commands say of themselves, and one that man can set."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

from benchmarks.man_page import man_page
from kbtui.cli.main import COMMANDS
from tests.e2e.conftest import needs

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "kbtui.1"


def test_the_page_is_current_and_comes_with_the_wheel() -> None:
    assert PAGE.read_text(encoding="utf-8") == man_page(), "run: python benchmarks/man_page.py > docs/kbtui.1"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert shared == {"docs/kbtui.1": "share/man/man1/kbtui.1"}


@needs("groff")
def test_every_command_is_on_it_and_nothing_of_it_is_wrong() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", str(PAGE)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    shown = subprocess.run(
        ["groff", "-man", "-Tascii", "-P-cbou", str(PAGE)], capture_output=True, text=True, check=True
    ).stdout
    for name in COMMANDS:
        assert f"kbtui {name}" in shown
    assert "--timeout S" in shown
    assert "kbtui sources add" in shown
