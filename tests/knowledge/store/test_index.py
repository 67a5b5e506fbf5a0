"""What readers get from an index."""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np
import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import StorageError
from kbtui.knowledge.store import index_tables, vector_view, vector_writer
from kbtui.knowledge.store.index import Index
from kbtui.settings.model import Settings
from tests.knowledge.indexing import FakeEmbedder, chunk_set, indexer, run, write_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    files = {f"{name}.txt": f"{name} one\n-> b.txt\n\n{name} two\n\nsame everywhere" for name in "abc"}
    return write_folder(tmp_path / "kb", files)


def test_a_folder_that_was_never_indexed_reads_as_empty(root: Path) -> None:
    index = Index(root, Settings())
    assert index.exists is False
    assert (index.files(), index.chunks(), index.relations(), chunk_set(index)) == ([], [], [], [])
    assert index.search(FakeEmbedder().query("x"), 5) == []
    assert index.stats().files == 0
    assert (index.fingerprint, index.version) == ("", "")


def test_an_open_index_sees_what_is_committed_later(root: Path) -> None:
    index = Index(root, Settings())
    assert index.chunks() == []
    run(root)
    assert len(index.chunks()) == 9
    version = index.version
    write_folder(root, {"d.txt": "d"}, age_s=60)
    run(root)
    assert len(index.chunks()) == 10
    assert index.version != version
    run(root, rebuild=True)
    assert len(index.chunks()) == 10


def test_search_gives_the_nearest_chunks_with_their_cosine(root: Path) -> None:
    run(root)
    index = Index(root, Settings())
    query = FakeEmbedder().query("b two")
    hits = index.search(query, 3)
    assert (hits[0][0].path, hits[0][0].start_line, hits[0][0].text) == ("b.txt", 4, "b two")
    assert hits[0][1] == pytest.approx(1.0)
    everything = [float(FakeEmbedder().query(chunk.text) @ query) for chunk in index.chunks()]
    assert [score for _, score in hits] == pytest.approx(sorted(everything, reverse=True)[:3])


@pytest.mark.parametrize("k", [1, 2, 3])
def test_equal_cosines_come_in_the_order_of_paths(root: Path, k: int) -> None:
    run(root)
    hits = Index(root, Settings()).search(FakeEmbedder().query("same everywhere"), k)
    assert [chunk.path for chunk, _ in hits] == ["a.txt", "b.txt", "c.txt"][:k]


def test_nothing_is_nearest_where_nothing_is_asked_for(root: Path) -> None:
    run(root)
    assert Index(root, Settings()).search(FakeEmbedder().query("x"), 0) == []


def test_stats_count_what_is_there(root: Path) -> None:
    run(root)
    stats = Index(root, Settings()).stats()
    assert (stats.files, stats.chunks) == (3, 9)
    assert stats.size_bytes > 1000


def test_vectors_are_stored_as_they_were_encoded(root: Path) -> None:
    run(root)
    index = Index(root, Settings())
    for chunk in index.chunks():
        ((found, cosine),) = index.search(FakeEmbedder().query(chunk.text), 1)
        assert found.text == chunk.text
        assert np.isclose(cosine, 1.0)


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if so few vectors were too many for memory."""
    for module in (vector_view, vector_writer):
        monkeypatch.setattr(module, "IN_MEMORY_UP_TO", 100)


@pytest.mark.usefixtures("on_disk")
def test_vectors_that_are_too_many_for_memory_are_found_through_an_index(root: Path) -> None:
    parts = {f"{n:02}.txt": "\n\n".join(f"text {n} part {part}" for part in range(30)) for n in range(30)}
    write_folder(root, parts)
    run(root)
    index = Index(root, Settings())
    table = index_tables.connect(index.directory / "v1").open_table(index_tables.VECTORS)
    assert {found.name for found in table.list_indices()} == {"key_idx", "vector_idx"}
    for asked in ("text 3 part 7", "text 29 part 29"):
        ((chunk, cosine),) = index.search(FakeEmbedder().query(asked), 1)
        assert (chunk.text, pytest.approx(cosine, abs=1e-5)) == (asked, 1.0)
    assert [chunk.path for chunk, _ in index.search(FakeEmbedder().query("same everywhere"), 3)] == [
        "a.txt",
        "b.txt",
        "c.txt",
    ]


@pytest.mark.usefixtures("on_disk")
def test_vectors_that_come_later_are_found_beside_the_indexed_ones(root: Path) -> None:
    write_folder(root, {"many.txt": "\n\n".join(f"part {part}" for part in range(300))})
    run(root)
    write_folder(root, {"later.txt": "came later\n\nand another"}, age_s=60)
    run(root)
    ((chunk, _),) = Index(root, Settings()).search(FakeEmbedder().query("came later"), 1)
    assert chunk.path == "later.txt"


@pytest.mark.usefixtures("on_disk")
def test_vectors_of_texts_that_are_gone_take_no_place_and_go_once_they_are_many(root: Path) -> None:
    write_folder(root, {"many.txt": "\n\n".join(f"part {part}" for part in range(300))})
    run(root)
    index = Index(root, Settings())
    table = index_tables.connect(index.directory / "v1").open_table(index_tables.VECTORS)
    write_folder(root, {"many.txt": "\n\n".join(f"part {part}" for part in range(200, 300))}, age_s=60)
    found = index.search(FakeEmbedder().query("part 7"), 50)
    assert len(found) == 50
    run(root)
    found = index.search(FakeEmbedder().query("part 7"), 50)
    assert len(found) == 50
    assert "part 7" not in {chunk.text for chunk, _ in found}
    table.checkout_latest()
    assert table.count_rows() < 300


def test_what_another_process_adds_to_the_vectors_is_seen(root: Path) -> None:
    run(root)
    index = Index(root, Settings())
    assert index.vector_share() == 1.0
    write_folder(root, {"d.txt": "d"}, age_s=60)
    indexer(root, FakeEmbedder()).update(lambda _: None, CancelToken())
    assert 0 < index.vector_share() < 1
    assert "d" not in {chunk.text for chunk, _ in index.search(FakeEmbedder().query("d"), 20)}
    run(root)
    assert index.vector_share() == 1.0
    assert index.search(FakeEmbedder().query("d"), 1)[0][0].text == "d"


@pytest.mark.parametrize("name", ["current", "current-vectors", "g1/meta.json"])
def test_an_index_that_cannot_be_read_now_is_not_taken_for_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    root = write_folder(tmp_path / "kb", {"a.txt": "words\n"})
    run(root)
    index = Index(root, Settings())
    blocked = index.directory / name
    read = Path.read_bytes

    def refuse(path: Path, *options: object) -> bytes:
        if path == blocked:
            raise OSError(errno.EMFILE, "Too many open files")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr(Path, "read_text", lambda path, *options: refuse(path).decode())
    with pytest.raises(StorageError, match="Too many open files"):
        index.missing_vectors()
