"""What is said of files that are not indexed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kbtui.knowledge.reading.left_out import left_out, nothing_to_read, to_read
from kbtui.knowledge.reading.walker import Walk, walk
from kbtui.settings.model import IndexSettings
from kbtui.text import file_formats


def said(root: Path, **settings: Any) -> tuple[str, ...]:
    chosen = IndexSettings(**settings)
    return left_out(walk(root, chosen), chosen)


def test_a_usual_folder_needs_no_words(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / ".hidden").write_text("text")
    assert said(tmp_path) == ()
    assert nothing_to_read(walk(tmp_path, IndexSettings())) == ()


def test_a_file_that_is_too_large_is_named_with_the_setting_that_changes_it(tmp_path: Path) -> None:
    (tmp_path / "big\x1b[31m.md").write_text("x" * 4000)
    (note,) = said(tmp_path, max_file_mb=0.002)
    assert note == "Left out: big.md (larger than 0.002 MB). Raise index.max_file_mb to index what is larger."


def test_each_reason_is_one_sentence_and_many_names_are_counted() -> None:
    names = tuple(f"{number}.md" for number in range(7))
    notes = left_out(Walk(root=Path(), paths_by_reason={"unreadable": names, "name": ("a\udcff",)}), IndexSettings())
    assert notes == (
        "Left out: 0.md, 1.md, 2.md and 4 more (may not be read). Check the permissions.",
        "Left out: a\ufffd (the name is not UTF-8). Rename it.",
    )


def test_binary_files_are_counted_by_kind_with_what_would_make_them_readable(tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "c.mp4", "old.doc", "older.xls", "data.parquet", "x.7z", "noend"):
        (tmp_path / name).write_bytes(b"\x7fELF\0\0")
    assert said(tmp_path) == (
        "Left out: 1 .doc (an older format). Save as .docx or PDF.",
        "Left out: 1 .xls (an older format). Save as .xlsx.",
        "Left out: 1 .7z (an archive that is not opened). Unpack it, or pack it as .zip.",
        "Left out: 1 .parquet (data). Ask it with --data.",
        "Left out: 2 .png, 1 binary, 1 .mp4 (no text).",
    )


def test_documents_that_an_extra_would_read_are_counted_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_formats, "_is_there", lambda module: module == "pptx")
    for name in ("a.pdf", "b.pdf", "c.docx", "d.pptx", "e.xlsx"):
        (tmp_path / name).write_bytes(b"x")
    walked = walk(tmp_path, IndexSettings())
    assert [file.path for file in walked.files] == ["d.pptx", "e.xlsx"]
    (note,) = left_out(walked, IndexSettings())
    assert note == (
        "Left out: 2 PDF, 1 Word (what reads them is not installed). To read them: pip install 'kbtui[documents]'"
    )


def test_files_that_could_not_be_read_are_named_by_reason() -> None:
    failures = {"b.pdf": "no text layer (OCR)", "a.pdf": "no text layer (OCR)", "c.docx": "damaged (save it again)"}
    assert left_out(Walk(root=Path()), IndexSettings(), failures) == (
        "Left out: a.pdf, b.pdf: no text layer (OCR).",
        "Left out: c.docx: damaged (save it again).",
    )
    many = {f"{number}.pdf": f"reason {number}" for number in range(7)}
    assert left_out(Walk(root=Path()), IndexSettings(), many)[-1] == (
        "Left out: 2 more files that could not be read. `kbtui index` names them."
    )


def test_an_empty_folder_and_one_that_is_all_left_out_are_told_apart(tmp_path: Path) -> None:
    message, hint = nothing_to_read(walk(tmp_path, IndexSettings()))
    assert message == "There are no files in this folder."
    assert hint
    (tmp_path / "a.png").write_bytes(b"x")
    (tmp_path / ".b").write_text("x")
    message, hint = nothing_to_read(walk(tmp_path, IndexSettings()))
    assert "(1 .png, 1 hidden)" in message
    assert hint


def test_what_is_read_and_what_is_not_is_counted(tmp_path: Path) -> None:
    for name in ("a.md", "B.MD", "c.txt", "Makefile"):
        (tmp_path / name).write_text("some words\n")
    (tmp_path / ".hidden.md").write_text("x\n")
    (tmp_path / "tool.bin").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "other.bin").write_bytes(bytes(range(256)) * 20)
    told = to_read(walk(tmp_path, IndexSettings()))
    assert (told.files, told.bytes) == (4, 44)
    assert told.kinds[0] == (".md", 2)
    assert dict(told.kinds) == {".md": 2, ".txt": 1, "": 1}
    assert told.left_out == (("binary", 2), ("hidden", 1))
