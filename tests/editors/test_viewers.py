from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.editors.templates import VIEWERS
from kbtui.editors.viewers import viewer_argv
from kbtui.errors import EditorError
from kbtui.settings.model import EditorSettings

# What each program's manual says shows page 5 of FILE; written out, so that a row cannot change by accident.
MANUALS = {
    "sioyek": ["sioyek", "--page", "5", "FILE"],
    "zathura": ["zathura", "--page=5", "FILE"],
    "evince": ["evince", "--page-index=5", "FILE"],
    "okular": ["okular", "--page", "5", "FILE"],
    "atril": ["atril", "--page-index=5", "FILE"],
    "xreader": ["xreader", "--page-index=5", "FILE"],
    "qpdfview": ["qpdfview", "FILE#5"],
    "mupdf": ["mupdf", "FILE", "5"],
}
DISPLAY = {"DISPLAY": ":0"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a {page} manual.pdf"
    path.touch()
    return path


@pytest.mark.parametrize("name", sorted(MANUALS))
def test_a_viewer_is_told_the_page_as_its_manual_says(name: str, file: Path) -> None:
    argv = viewer_argv(EditorSettings(), file, 5, DISPLAY, which=lambda one: one if one == name else None)
    assert argv == [word.replace("FILE", str(file)) for word in MANUALS[name]]


def test_skim_is_used_where_it_is_installed_with_the_path_as_an_address(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kbtui.editors import viewers

    skim = next(row for row in VIEWERS if row.name == "Skim")
    assert viewer_argv(EditorSettings(), file, 5, DISPLAY, which=lambda one: one if one == "open" else None) is None
    here = type(skim)(name=skim.name, program=skim.program, args=skim.args, app=str(tmp_path))
    monkeypatch.setattr(viewers, "VIEWERS", (here,))
    argv = viewer_argv(EditorSettings(), file, 5, DISPLAY, which=lambda one: one)
    assert argv == ["open", f"skim://{tmp_path}/a%20%7Bpage%7D%20manual.pdf#page=5"]


def test_no_viewer_is_used_without_a_display_or_where_none_is_installed(file: Path) -> None:
    assert viewer_argv(EditorSettings(), file, 5, DISPLAY, which=lambda _: None) is None
    if __import__("sys").platform != "darwin":
        assert viewer_argv(EditorSettings(), file, 5, {}, which=lambda one: one) is None


def test_the_settings_name_a_viewer_with_or_without_its_page(file: Path) -> None:
    def said(viewer: str) -> list[str] | None:
        return viewer_argv(EditorSettings(viewer=viewer), file, 5, {}, which=lambda one: None if " " in one else one)

    assert said("tdf --at {page} {path}") == ["tdf", "--at", "5", str(file)]
    assert said("zathura --fork") == ["zathura", "--fork", "--page=5", str(file)]
    assert said("mine") == ["mine", str(file)]


def test_a_viewer_that_is_not_there_and_a_file_that_is_gone_are_said(file: Path, tmp_path: Path) -> None:
    with pytest.raises(EditorError, match="there is no program nothing") as error:
        viewer_argv(EditorSettings(viewer="nothing"), file, 5, DISPLAY, which=lambda _: None)
    assert "{page}" in error.value.hint
    with pytest.raises(EditorError, match="is not there any more"):
        viewer_argv(EditorSettings(), tmp_path / "gone.pdf", 5, DISPLAY, which=lambda one: one)
