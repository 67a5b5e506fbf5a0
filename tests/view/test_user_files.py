"""Texts of the screen as files of the user."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from kbtui.errors import StorageError
from kbtui.view.user_files import page_of, read_text, write_extracted, write_pasted_text, write_text


def test_what_was_written_is_read_again_safe_to_show(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "a.txt"
    write_text(path, "谁\x1b[31m red")
    assert read_text(path) == "谁 red"
    assert path.stat().st_mode & 0o077 == 0


def test_a_file_that_is_not_to_be_replaced_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("changed in the editor", encoding="utf-8")
    write_text(path, "anew", replace=False)
    assert read_text(path) == "changed in the editor"


def test_the_oldest_of_too_many_files_are_forgotten(tmp_path: Path) -> None:
    for number in range(103):
        write_text(tmp_path / f"{number}.txt", str(number))
    assert len(list(tmp_path.iterdir())) == 100
    assert read_text(tmp_path / "0.txt") is None
    assert read_text(tmp_path / "102.txt") == "102"


def test_what_is_no_text_or_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(StorageError, match="cannot be read as text"):
        read_text(tmp_path / "a.txt")
    with pytest.raises(StorageError, match="cannot be written"):
        write_text(tmp_path / "a.txt" / "b.txt", "x")


def test_a_text_without_a_place_is_kept_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert write_pasted_text("pasted") == write_pasted_text("pasted")
    assert read_text(write_pasted_text("pasted")) == "pasted"


def test_the_text_of_a_file_is_written_for_its_owner_under_a_name_that_says_what_it_is() -> None:
    first, second = write_extracted("a/hand book.docx", "one\ntwo"), write_extracted("b/hand book.docx", "three")
    assert first.name.startswith("hand-book.docx-")
    assert first.suffix == ".txt"
    assert first != second
    assert first.read_text("utf-8") == "one\ntwo"
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert write_extracted("a/hand book.docx", "new") == first
    assert first.read_text("utf-8") == "new"


def test_only_a_pdf_has_pages_that_a_viewer_can_show() -> None:
    assert page_of("manual.pdf", "p.5") == 5
    assert page_of("Manual.PDF", "p.12-13") == 12
    assert page_of("bundle.zip", "papers/ice.pdf p.2") is None
    assert page_of("deck.pptx", "slide 3") is None
    assert page_of("manual.pdf", "") is None
