"""Texts that were taken out of files: kept beside the index, found by every reader, forgotten with their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.document import EXTRACTED, Place
from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading import extraction_worker, texts
from kbtui.knowledge.reading.formats import Extracted
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.reading.texts import TextStore
from kbtui.settings import paths
from kbtui.settings.model import Settings
from tests.support import documents as made

FOUND = Extracted(text="one\ntwo", kind="markdown", title="T", places=(Place(line=1, name="p.1"),))
TWO_PAGES = made.pdf([made.column(72, 700, [f"The {word} page of the manual."]) for word in ("first", "second")])


def test_a_text_is_kept_for_a_file_as_it_is_and_for_no_other(tmp_path: Path) -> None:
    store = TextStore(tmp_path)
    store.keep("a.pdf", 10, 20, FOUND)
    assert store.read("a.pdf", 10, 20) == FOUND
    assert store.file("a.pdf", 10, 20).read_text() == "one\ntwo"
    assert [store.read("a.pdf", 11, 20), store.read("a.pdf", 10, 21), store.read("b.pdf", 10, 20)] == [None] * 3


def test_texts_of_files_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    store = TextStore(tmp_path)
    store.sweep([])
    store.keep("a.pdf", 10, 20, FOUND)
    store.keep("b.pdf", 10, 20, FOUND)
    store.sweep([("b.pdf", 10, 20)])
    assert store.read("a.pdf", 10, 20) is None
    assert store.read("b.pdf", 10, 20) == FOUND


def test_keeping_a_text_among_thousands_lists_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = TextStore(tmp_path)
    store.keep("a.pdf", 10, 20, FOUND)
    dead = store.file("a.pdf", 10, 20).with_name(".b.1.part")
    dead.write_text("half")
    with monkeypatch.context() as patch:
        patch.setattr("os.scandir", lambda _: pytest.fail("the folder was listed"))
        store.keep("b.pdf", 10, 20, FOUND)
    store.sweep([("a.pdf", 10, 20), ("b.pdf", 10, 20)])
    assert store.read("b.pdf", 10, 20) == FOUND
    assert not dead.exists()


def test_a_damaged_text_is_made_again(tmp_path: Path) -> None:
    store = TextStore(tmp_path)
    store.keep("a.pdf", 10, 20, FOUND)
    store.file("a.pdf", 10, 20).with_suffix(".places").write_bytes(b"\xc1broken")
    assert store.read("a.pdf", 10, 20) is None


def test_a_reader_gives_the_text_its_lines_and_their_places(tmp_path: Path) -> None:
    (tmp_path / "manual.pdf").write_bytes(TWO_PAGES)
    (tmp_path / "notes.org").write_bytes(made.ORG)
    (tmp_path / "a.md").write_text("# A\n")
    reader = SourceReader(tmp_path)
    assert reader.lines("manual.pdf") == ["The first page of the manual.", "", "The second page of the manual."]
    assert [reader.locator("manual.pdf", 1, 1), reader.locator("manual.pdf", 1, 3)] == ["p.1", "p.1-2"]
    text = reader.text("manual.pdf")
    assert (text.encoding, text.is_extracted, text.line_count) == (EXTRACTED, True, 3)
    assert reader.text("notes.org").is_extracted is False
    assert reader.locator("a.md", 1, 1) == ""


def test_what_indexing_took_out_is_not_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "manual.pdf").write_bytes(TWO_PAGES)
    knowledge = KnowledgeBase(tmp_path, Settings())
    knowledge.ensure_fresh(lambda _: None, CancelToken())

    def never(*_: object) -> None:
        raise AssertionError("the text was taken a second time")

    monkeypatch.setattr(extraction_worker, "extract_file_text", never)
    assert knowledge.source.locator("manual.pdf", 3, 3) == "p.2"
    (hit,) = knowledge.grep.search(["second"], 3)
    assert (hit.path, hit.matched_lines) == ("manual.pdf", (3,))


def test_a_document_that_changed_is_found_as_it_is_now(tmp_path: Path) -> None:
    file = tmp_path / "manual.pdf"
    file.write_bytes(TWO_PAGES)
    knowledge = KnowledgeBase(tmp_path, Settings())
    knowledge.ensure_fresh(lambda _: None, CancelToken())
    file.write_bytes(made.pdf([made.column(72, 700, ["A page about walruses."])]))
    assert knowledge.source.lines("manual.pdf") == ["A page about walruses."]
    knowledge.refresh()
    knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert [hit.text for hit in knowledge.grep.search(["walruses"], 3)] == ["A page about walruses."]
    kept = list((paths.index_dir(tmp_path) / texts.FOLDER).glob("*.txt"))
    assert [one.read_text() for one in kept] == ["A page about walruses."]
    file.unlink()
    knowledge.refresh()
    knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert not list((paths.index_dir(tmp_path) / texts.FOLDER).iterdir())


def test_texts_belong_to_their_owner_alone(tmp_path: Path) -> None:
    store = TextStore(tmp_path / "index")
    store.keep("a.pdf", 10, 20, FOUND)
    file = store.file("a.pdf", 10, 20)
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert oct(file.parent.stat().st_mode & 0o777) == "0o700"


def test_where_the_disk_refuses_the_text_is_given_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "manual.pdf").write_bytes(TWO_PAGES)
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    reader = SourceReader(tmp_path, texts=TextStore(blocked))
    assert reader.locator("manual.pdf", 3, 3) == "p.2"
    assert reader.text_file("manual.pdf") is None


def test_a_document_that_cannot_be_read_is_an_error_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(made.pdf([[]]))
    with pytest.raises(KnowledgeBaseError, match=r"scan\.pdf cannot be read: no text layer") as error:
        SourceReader(tmp_path).lines("scan.pdf")
    assert "ocrmypdf" in error.value.hint


def test_a_document_behind_a_link_out_of_the_folder_stays_unread(tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "out.pdf").write_bytes(TWO_PAGES)
    (tmp_path / "kb" / "in.pdf").symlink_to(tmp_path / "out.pdf")
    with pytest.raises(KnowledgeBaseError):
        SourceReader(tmp_path / "kb").lines("in.pdf")
