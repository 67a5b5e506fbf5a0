"""How near the places of documents are to a question."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.knowledge.search.nearness import near_places
from kbtui.knowledge.store.index import Index
from kbtui.settings.model import Settings
from tests.knowledge.indexing import FakeEmbedder, run, write_folder

LONG = "\n".join(
    f"Line {number} speaks of the tide and the harbour wall, and of much that is beside it." for number in range(8)
)


def opened(tmp_path: Path) -> Index:
    root = write_folder(tmp_path / "kb", {"a.txt": "Alpha\n\n" + LONG, "b.txt": "Beta\n\nre-pin the image"})
    run(root, FakeEmbedder())
    return Index(root, Settings())


def test_the_stretches_of_the_documents_that_are_asked_for_come_in_order_with_their_lines(tmp_path: Path) -> None:
    found = near_places(opened(tmp_path), FakeEmbedder().query("the harbour wall"), ["a.txt"])
    assert list(found) == ["a.txt"]
    assert len(found["a.txt"]) > 1
    assert all(1 <= place.start_line <= place.end_line <= 10 for place in found["a.txt"])
    assert "Line 7" in found["a.txt"][-1].text and found["a.txt"][-1].end_line == 10


def test_a_stretch_of_the_words_that_are_asked_for_is_as_near_as_can_be(tmp_path: Path) -> None:
    found = near_places(opened(tmp_path), FakeEmbedder().query("re-pin the image"), ["b.txt"])
    assert found["b.txt"][-1].cosine == pytest.approx(1.0, abs=0.01)


def test_what_is_not_indexed_is_left_out(tmp_path: Path) -> None:
    vector = FakeEmbedder().query("image")
    assert near_places(opened(tmp_path), vector, ["c.txt"]) == {}
    assert near_places(Index(tmp_path / "other", Settings()), vector, ["a.txt"]) == {}
