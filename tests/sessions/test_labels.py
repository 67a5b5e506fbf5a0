from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.errors import StorageError
from kbtui.sessions.labels import Label, Labels


def test_names_and_pins_are_kept_and_taken_away(tmp_path: Path) -> None:
    labels = Labels(tmp_path / "sessions")
    labels.rename("a", " 九月 \x1b[31mrollout\n")
    labels.pin("a", True)
    labels.pin("b", True)
    assert Labels(tmp_path / "sessions").read() == {
        "a": Label(name="九月 rollout", pinned=True),
        "b": Label(pinned=True),
    }
    labels.pin("b", False)
    labels.rename("a", "")
    assert labels.read() == {"a": Label(pinned=True)}
    labels.forget("a")
    assert labels.read() == {}


def test_only_their_owner_can_read_the_labels(tmp_path: Path) -> None:
    labels = Labels(tmp_path / "sessions")
    labels.rename("a", "x")
    assert labels.path.stat().st_mode & 0o077 == 0


def test_a_damaged_file_of_labels_is_neither_believed_nor_written_over(tmp_path: Path) -> None:
    labels = Labels(tmp_path)
    labels.path.write_text('{"a": ')
    assert labels.read() == {}
    with pytest.raises(StorageError, match="is damaged") as caught:
        labels.pin("a", True)
    assert "move it away" in caught.value.hint
    assert labels.path.read_text() == '{"a": '
