"""Which folders are answered from before they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.knowledge.reading.walk_types import Walk, WalkedFile
from kbtui.knowledge.store.freshness import Staleness, is_worth_a_look


@pytest.mark.parametrize(("files", "expected"), [(100, False), (2_000, True), (100_000, True), (300_000, False)])
def test_a_folder_of_many_files_has_a_first_answer_and_an_enormous_one_has_none(files: int, expected: bool) -> None:
    file = WalkedFile(root=Path("/kb"), path="note.md", size=4_000, mtime_ns=0)
    state = Staleness(never_indexed=True, added=files, walk=Walk(root=Path("/kb"), files=(file,) * files))
    assert is_worth_a_look(state) is expected
