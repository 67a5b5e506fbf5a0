"""Full-text search as tools call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.search.lexical import LexicalSearcher
from kbtui.knowledge.store import index_tables
from kbtui.knowledge.store.index import Index
from kbtui.settings.model import Settings
from tests.knowledge.indexing import FakeEmbedder, indexer, run, write_folder

FILES = {
    "a.txt": "Alpha\n\nre-pin the last green image\n\nannounce the rollback of __class_getitem__",
    "b.txt": "Beta\n\n\u56de\u6eda\u90e8\u7f72\u7684\u6b65\u9aa4\n\nan image of the rollback, a rollback of the image",
    "c.txt": "Gamma\n\nnothing of the kind",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "kb", FILES)


def found(root: Path, query: str, k: int = 10) -> list[tuple[str, int]]:
    hits = LexicalSearcher(Index(root, Settings())).search(query, k)
    return [(hit.path, hit.start_line) for hit in hits]


def test_a_hit_is_the_chunk_with_its_bm25(root: Path) -> None:
    run(root)
    hit, *others = LexicalSearcher(Index(root, Settings())).search("green image", 5)
    assert (hit.path, hit.start_line, hit.end_line, hit.text) == ("a.txt", 3, 3, "re-pin the last green image")
    assert (hit.tool, hit.title) == ("lexical", "Alpha")
    assert hit.score == hit.signals["bm25"] > others[0].score > 0


def test_text_can_be_searched_before_any_vector_is_there(root: Path) -> None:
    indexer(root, FakeEmbedder()).update(lambda _: None, CancelToken())
    assert Index(root, Settings()).vector_share() == 0
    assert found(root, "green")[0] == ("a.txt", 3)


def test_words_are_cut_alike_on_both_sides(root: Path) -> None:
    run(root)
    assert found(root, "rollbacks announced", 1) == [("a.txt", 5)]
    assert found(root, "__class_getitem__", 1) == [("a.txt", 5)]
    assert found(root, "\u56de\u6eda", 1) == [("b.txt", 3)]


def test_what_is_replaced_is_no_longer_found_and_what_is_new_is(root: Path) -> None:
    run(root)
    write_folder(root, {"a.txt": "Alpha\n\npurple image"}, age_s=60)
    indexer(root, FakeEmbedder()).update(lambda _: None, CancelToken())
    assert found(root, "green") == []
    assert found(root, "purple") == [("a.txt", 3)]


def test_rows_of_no_committed_file_are_not_found(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(root)
    write_folder(root, {"a.txt": "Alpha\n\ngreen " * 20}, age_s=60)
    with monkeypatch.context() as patch:
        patch.setattr("kbtui.knowledge.store.index_writer.IndexWriter.commit", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(root)
    database = index_tables.connect(Index(root, Settings()).directory / "g1")
    assert database.open_table(index_tables.CHUNKS).count_rows() > 8
    assert found(root, "green", 1) == [("a.txt", 3)]


def test_nothing_is_found_for_nothing_or_in_nothing(root: Path, tmp_path: Path) -> None:
    assert found(tmp_path, "image") == []
    run(root)
    assert found(root, "  ") == []
    assert found(root, "image", 0) == []
    assert found(root, "\x00 ' OR 1=1 --") == []


def test_equal_scores_come_in_the_order_of_paths(root: Path) -> None:
    write_folder(root, {f"{name}.txt": "same words here" for name in "zxy"})
    run(root)
    assert found(root, "same words", 3) == [("x.txt", 1), ("y.txt", 1), ("z.txt", 1)]
