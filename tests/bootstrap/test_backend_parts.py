"""Whether a folder can be asked at all."""

from __future__ import annotations

import os
from pathlib import Path

from kbtui.bootstrap.backend_parts import has_documents


def test_a_file_anywhere_below_counts(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert not has_documents(tmp_path)
    (deep / "note.md").write_text("x")
    assert has_documents(tmp_path)


def test_hidden_files_and_sources_of_data_do_not_count(tmp_path: Path) -> None:
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "note.md").write_text("x")
    table = tmp_path / "sales.csv"
    table.write_text("a\n1\n")
    assert not has_documents(tmp_path, {os.path.realpath(table)})
    assert has_documents(tmp_path)


def test_a_folder_that_is_gone_has_none(tmp_path: Path) -> None:
    assert not has_documents(tmp_path / "gone")
