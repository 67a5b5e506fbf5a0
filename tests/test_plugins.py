"""The entry points of installed packages, read without their code and without ``importlib.metadata``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kbtui import plugins
from tests.support.plugins import installed, write_package


def test_entry_points_are_those_of_the_group_and_load_what_they_name(tmp_path: Path) -> None:
    write_package(
        tmp_path,
        "yard",
        "class A:\n    b = 7\n",
        {"kbtui.tools": {"seven": "yard:A.b [extra]", "whole": "yard"}, "other.group": {"x": "yard"}},
    )
    with installed(tmp_path):
        found = {entry.name: entry for entry in plugins.entry_points("kbtui.tools") if entry.package == "yard-1.2"}
        assert set(found) == {"seven", "whole"}
        assert found["seven"].load() == 7
        assert found["whole"].load().__name__ == "yard"
        assert "x" not in {entry.name for entry in plugins.entry_points("kbtui.loaders")}


def test_a_package_further_back_in_the_path_is_hidden_by_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, name in (("first", "new"), ("second", "old")):
        write_package(tmp_path / folder, "yard", "", {"kbtui.tools": {name: "yard"}})
    monkeypatch.setattr(sys, "path", [str(tmp_path / "first"), str(tmp_path / "second")])
    assert [entry.name for entry in plugins.entry_points("kbtui.tools")] == ["new"]


@pytest.mark.parametrize(
    "text", ["[kbtui.tools\nx", "[kbtui.tools]\n= y\nx =\n# a = b\nx = a b\n", "\0[kbtui.tools]\n\xff=", ""]
)
def test_broken_metadata_has_no_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    write_package(tmp_path, "yard", "", {})
    (tmp_path / "yard-1.2.dist-info" / "entry_points.txt").write_text(text, "latin-1")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "none")])
    assert plugins.entry_points("kbtui.tools") == ()


def test_to_list_them_imports_nothing_of_their_packages_and_no_metadata() -> None:
    code = (
        "import sys; from kbtui.plugins import entry_points; entry_points('kbtui.tools');"
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "False"
