"""Several folders as one folder of links."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.errors import UsageError
from kbtui.settings.joined import NamedFolder, file_in, is_within, joined_folder, members_of


@pytest.fixture
def folders(tmp_path: Path, home: Path) -> tuple[Path, Path, Path]:
    made = (tmp_path / "a" / "docs", tmp_path / "b" / "docs", tmp_path / "notes")
    for folder in made:
        folder.mkdir(parents=True)
        (folder / "x.md").write_text(f"# {folder.parent.name}\n")
    return made


def joined(*paths: Path) -> Path:
    return joined_folder([NamedFolder(path) for path in paths])


def test_one_folder_is_itself_and_stands_for_no_other(folders: tuple[Path, Path, Path]) -> None:
    assert joined(folders[0]) == folders[0]
    assert joined(folders[0], folders[0] / ".") == folders[0]
    assert members_of(folders[0]) == {}


def test_folders_are_named_after_their_last_part_and_each_name_is_had_once(folders: tuple[Path, Path, Path]) -> None:
    root = joined(*folders)
    assert root.name == "docs + docs-2 + notes"
    assert members_of(root) == {"docs": folders[0], "docs-2": folders[1], "notes": folders[2]}
    assert list(members_of(root)) == ["docs-2", "docs", "notes"], "ordered as their paths are"
    assert joined(*folders) == root, "the same folders give the same one again"
    assert (root / "docs-2" / "x.md").read_text() == "# b\n"


def test_a_given_name_is_kept_and_its_place_is_the_folder_itself(folders: tuple[Path, Path, Path]) -> None:
    root = joined_folder([NamedFolder(folders[0], "notes"), NamedFolder(folders[2])])
    assert members_of(root) == {"notes": folders[0], "notes-2": folders[2]}
    assert file_in(root, "notes-2/x.md") == folders[2] / "x.md"
    assert file_in(folders[0], "x.md") == folders[0] / "x.md"


def test_a_path_out_of_a_member_is_not_within(folders: tuple[Path, Path, Path], tmp_path: Path) -> None:
    root = joined(*folders)
    (folders[2] / "out.md").symlink_to(folders[0] / "x.md")
    assert is_within(root, "notes/x.md")
    for path in ("notes/out.md", "notes/../x.md", "../x.md", "", "notes/../../../etc/passwd"):
        assert is_within(root, path) is (path == ""), path
    assert not is_within(tmp_path, "../x")


@pytest.mark.parametrize("name", ["..", "a/b", "x" * 41, " x", "a\nb"])
def test_what_is_no_part_of_a_path_is_no_name(folders: tuple[Path, Path, Path], name: str) -> None:
    with pytest.raises(UsageError):
        joined_folder([NamedFolder(folders[0], name), NamedFolder(folders[2])])


def test_folders_within_each_other_and_two_of_one_name_are_wrong_usage(folders: tuple[Path, Path, Path]) -> None:
    with pytest.raises(UsageError, match="lies in"):
        joined(folders[0].parent, folders[0])
    with pytest.raises(UsageError, match="named x"):
        joined_folder([NamedFolder(folders[0], "x"), NamedFolder(folders[2], "x")])
