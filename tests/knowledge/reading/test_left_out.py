"""What is said of files that are not indexed."""

from __future__ import annotations

from pathlib import Path

from kbtui.knowledge.reading.left_out import left_out, nothing_to_read
from kbtui.knowledge.reading.walker import Walk, walk
from kbtui.settings.model import IndexSettings


def said(root: Path, **settings: object) -> tuple[str, ...]:
    chosen = IndexSettings.model_validate(settings)
    return left_out(walk(root, chosen), chosen)


def test_a_usual_folder_needs_no_words(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / ".hidden").write_text("text")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    assert said(tmp_path) == ()
    assert nothing_to_read(walk(tmp_path, IndexSettings())) == ()


def test_a_file_that_is_too_large_is_named_with_the_setting_that_changes_it(tmp_path: Path) -> None:
    (tmp_path / "big\x1b[31m.md").write_text("x" * 4000)
    (note,) = said(tmp_path, max_file_mb=0.002)
    assert note == "Left out: big.md (larger than 0.002 MB). Raise index.max_file_mb to index what is larger."


def test_each_reason_is_one_sentence_and_many_names_are_counted() -> None:
    names = tuple(f"{number}.md" for number in range(7))
    notes = left_out(Walk(root=Path(), named={"unreadable": names, "name": ("a\udcff",)}), IndexSettings())
    assert notes == (
        "Left out: 0.md, 1.md, 2.md and 4 more (may not be read). Check the permissions.",
        "Left out: a\ufffd (the name is not UTF-8). Rename it.",
    )


def test_an_empty_folder_and_one_that_is_all_left_out_are_told_apart(tmp_path: Path) -> None:
    message, hint = nothing_to_read(walk(tmp_path, IndexSettings()))
    assert message == "There are no files in this folder."
    assert hint
    (tmp_path / "a.png").write_bytes(b"x")
    (tmp_path / ".b").write_text("x")
    message, hint = nothing_to_read(walk(tmp_path, IndexSettings()))
    assert "(1 binary, 1 hidden)" in message
    assert hint
