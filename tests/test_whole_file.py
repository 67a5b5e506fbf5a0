"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kbtui.whole_file import remove_dead_drafts, write_whole


def test_a_file_is_replaced_and_keeps_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    write_whole(path, b"one")
    write_whole(path, b"two", mode=0o640)
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["kept.txt"]


def test_a_file_that_may_not_be_replaced_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    write_whole(path, b"one", replace=False)
    with pytest.raises(FileExistsError):
        write_whole(path, b"two", replace=False)
    assert path.read_bytes() == b"one"
    assert [file.name for file in tmp_path.iterdir()] == ["kept.txt"]


def test_the_draft_of_a_process_that_is_gone_is_removed_and_that_of_a_running_one_is_not(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    dead, other = tmp_path / f".kept.txt.{gone.pid}.part", tmp_path / f".other.txt.{gone.pid}.part"
    alive = tmp_path / f".kept.txt.{os.getppid()}.part"
    for draft in (dead, other, alive):
        draft.write_text("half")
    write_whole(tmp_path / "kept.txt", b"whole")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([alive.name, other.name, "kept.txt"])
    remove_dead_drafts(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([alive.name, "kept.txt"])


def test_the_draft_of_a_process_that_was_killed_is_removed_where_its_file_was_named_already(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    path, draft = tmp_path / "kept.txt", tmp_path / f".kept.txt.{gone.pid}.part"
    path.write_text("whole")
    draft.hardlink_to(path)
    with pytest.raises(FileExistsError):
        write_whole(path, b"new", replace=False)
    assert not draft.exists()
    assert path.read_text() == "whole"
