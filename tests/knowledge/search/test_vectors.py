"""Vector search as tools call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.search.ranking import ranked
from kbtui.knowledge.search.vectors import VectorSearcher
from kbtui.knowledge.store.index import Index
from kbtui.settings.model import Settings
from tests.knowledge.indexing import FakeEmbedder, run, write_folder


class Multilingual(FakeEmbedder):
    def trust(self, text: str) -> float:
        return 1.0


@pytest.fixture
def index(tmp_path: Path) -> Index:
    root = write_folder(tmp_path / "kb", {"a.txt": "Alpha\n\nre-pin the image", "b.txt": "Beta\n\n回滚部署"})
    run(root, Multilingual())
    return Index(root, Settings())


def test_a_hit_is_the_chunk_with_its_cosine(index: Index) -> None:
    hit, *others = VectorSearcher(index, FakeEmbedder()).search("re-pin the image", 2)
    assert (hit.path, hit.start_line, hit.end_line, hit.text) == ("a.txt", 3, 3, "re-pin the image")
    assert (hit.tool, hit.title) == ("vector_search", "Alpha")
    assert hit.score == hit.signals["cosine"] == pytest.approx(1.0, abs=0.005)
    assert len(others) == 1
    assert others[0].score <= hit.score


def test_a_chinese_question_is_left_to_the_lexical_side_when_the_model_knows_no_chinese(index: Index) -> None:
    assert VectorSearcher(index, FakeEmbedder()).search("回滚部署", 5) == []
    assert VectorSearcher(index, FakeEmbedder()).search("deploy the image 回滚", 5)
    assert VectorSearcher(index, Multilingual()).search("回滚部署", 1)[0].path == "b.txt"


def test_vectors_of_another_model_are_not_compared(index: Index) -> None:
    with pytest.raises(KnowledgeBaseError) as caught:
        VectorSearcher(index, FakeEmbedder("fake-2")).search("image", 5)
    assert "kbtui index" in caught.value.hint


def test_nothing_is_found_for_nothing_or_in_nothing(index: Index, tmp_path: Path) -> None:
    assert VectorSearcher(index, FakeEmbedder()).search("  ", 5) == []
    assert VectorSearcher(Index(tmp_path, Settings()), FakeEmbedder()).search("image", 5) == []


def test_a_text_that_the_model_cannot_read_is_not_embedded_and_nothing_finds_it_by_meaning(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    root = write_folder(tmp_path / "kb", {"a.txt": "re-pin the image", "b.txt": "回滚部署", "c.txt": "用 image 回滚"})
    report = run(root, embedder)
    index = Index(root, Settings())
    assert "回滚部署" not in embedder.encoded
    assert report.embedded == 3
    assert index.vector_share() == 1.0
    assert {hit.path for hit in VectorSearcher(index, embedder).search("the image", 5)} == {"a.txt"}
    found = ranked(index, embedder.query("the image"), ["回滚", "image"], 10, 10)
    told = {chunk.path: one.candidate.cosine is not None for chunk, one in found}
    assert told == {"a.txt": True, "b.txt": False, "c.txt": False}


def test_what_was_not_embedded_is_not_tried_again(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "kb", {"b.txt": "回滚部署"})
    assert run(root).embedded == 1
    assert run(root).embedded == 0
