"""Groups of the cross-encoder's data: what the lines of a question hold answers it, and nothing like it is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from _pointed import pointed

FILES = {
    "trash.md": "# Trash\n\nRemoved files stay here.\nThey are kept for 30 days.\n\n## Size\n\nIt holds 5 GB.\n",
    "backup.md": "# Backups\n\nA backup is kept for a year.\nWe keep removed files for 30 days, too.\n",
}
ROW = {
    "folder": "help",
    "path": "trash.md",
    "question": "how long are removed files kept",
    "lines": [[4, 4]],
    "value": "30 days",
}


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = tmp_path / "folders" / "help"
    root.mkdir(parents=True)
    for name, text in FILES.items():
        (root / name).write_text(text)
    (tmp_path / "questions.jsonl").write_text(json.dumps(ROW) + "\n")
    return tmp_path


def test_the_sentence_in_the_lines_answers_and_has_its_heading(base: Path) -> None:
    (group,) = pointed(base)
    right = [text for text, worth in zip(group.texts, group.worth, strict=True) if worth]
    assert right == ["Trash: They are kept for 30 days."]


def test_a_sentence_elsewhere_that_holds_the_value_is_not_called_wrong(base: Path) -> None:
    (group,) = pointed(base)
    assert "Backups: A backup is kept for a year." in group.texts
    assert not any("too" in text for text in group.texts)


def test_a_folder_can_be_left_out(base: Path) -> None:
    assert pointed(base, ["help"]) == []


def test_a_question_whose_lines_hold_no_sentence_is_dropped(base: Path) -> None:
    (base / "questions.jsonl").write_text(json.dumps(ROW | {"lines": [[2, 2]]}) + "\n")
    assert pointed(base) == []
