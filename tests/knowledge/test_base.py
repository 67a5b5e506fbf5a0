"""KnowledgeBase: parts are made once, the index is brought up to date when asked, and a check is not repeated."""

from __future__ import annotations

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kbtui.domain.events import Event, Warned
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError, FolderNotFound, KnowledgeBaseError, StorageError
from kbtui.knowledge import base, embedding
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.reading import folder_worker
from kbtui.knowledge.reading.folder_worker import walk_folder
from kbtui.knowledge.store import indexer
from kbtui.knowledge.store.indexer import Indexer, IndexReport
from kbtui.knowledge.store.locks import exclusive_lock
from kbtui.settings.model import IndexSettings, Settings
from tests.knowledge.indexing import FakeEmbedder


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def embedder(monkeypatch: pytest.MonkeyPatch) -> FakeEmbedder:
    fake = FakeEmbedder()
    monkeypatch.setattr(embedding, "open_embedder", lambda _: fake)
    return fake


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "kb"
    root.mkdir()
    (root / "a.md").write_text("# Rollback\n\nRe-pin the last green image.\n\nSee [deploys](b.md).\n")
    (root / "b.md").write_text("# Deploys\n\nA deploy takes four minutes.\n")
    return root


def fresh(knowledge: KnowledgeBase) -> list[Event]:
    events: list[Event] = []
    knowledge.ensure_fresh(events.append, CancelToken())
    return events


def embed(folder: Path) -> IndexReport:
    """What `kbtui index` does, in its own process."""
    return Indexer(folder, Settings(), open_embedder=embedding.open_embedder).run(lambda _: None, CancelToken())


def test_the_first_question_indexes_the_text_of_the_folder_and_the_second_does_not(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    assert knowledge.file_count() is None
    report = knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert report is not None
    assert report.files == 2
    assert knowledge.file_count() == 2
    assert knowledge.ensure_fresh(lambda _: None, CancelToken()) is None


def test_a_folder_that_is_read_ahead_is_listed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walks: list[Path] = []
    monkeypatch.setattr(indexer, "walk_folder", lambda *args: walks.append(args[0]) or walk_folder(*args))
    knowledge = KnowledgeBase(folder, Settings())
    with knowledge.reading_ahead():
        report = knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert report is not None
    assert [record.path for record in knowledge.file_records()] == ["a.md", "b.md"]
    assert len(walks) == 1


def test_what_is_read_ahead_and_not_asked_for_is_dropped(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    with knowledge.reading_ahead():
        pass
    assert not knowledge.index.exists
    assert not folder_worker.POOL._busy
    assert knowledge.ensure_fresh(lambda _: None, CancelToken()) is not None


def test_a_folder_that_was_indexed_is_not_read_ahead(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh(KnowledgeBase(folder, Settings()))
    monkeypatch.setattr(indexer, "walk_folder", lambda *_: pytest.fail("it was listed"))
    with KnowledgeBase(folder, Settings()).reading_ahead():
        pass


def test_a_folder_that_has_gone_is_told_to_whoever_asks_it(folder: Path) -> None:
    shutil.rmtree(folder)
    knowledge = KnowledgeBase(folder, Settings())
    with knowledge.reading_ahead(), pytest.raises(FolderNotFound):
        knowledge.ensure_fresh(lambda _: None, CancelToken())


def test_a_changed_file_is_noticed_once_the_last_check_is_old_enough(folder: Path) -> None:
    clock = Clock()
    knowledge = KnowledgeBase(folder, Settings(), clock)
    fresh(knowledge)
    (folder / "c.md").write_text("# New\n\nBrand new text.\n")
    clock.now += 1
    assert knowledge.ensure_fresh(lambda _: None, CancelToken()) is None
    clock.now += 2
    report = knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert report is not None
    assert [record.path for record in knowledge.file_records()] == ["a.md", "b.md", "c.md"]


def test_refresh_makes_the_next_question_look_again(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings(), Clock())
    fresh(knowledge)
    (folder / "b.md").unlink()
    knowledge.refresh()
    assert knowledge.ensure_fresh(lambda _: None, CancelToken()) is not None
    assert knowledge.file_count() == 1


def test_with_auto_off_a_folder_never_indexed_is_refused_with_a_hint(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings(index=IndexSettings(auto=False)))
    with pytest.raises(KnowledgeBaseError) as caught:
        fresh(knowledge)
    assert "kbtui index" in caught.value.hint


def test_with_auto_off_an_index_is_used_as_it_is(folder: Path) -> None:
    fresh(KnowledgeBase(folder, Settings()))
    (folder / "c.md").write_text("# New\n")
    knowledge = KnowledgeBase(folder, Settings(index=IndexSettings(auto=False)))
    assert knowledge.ensure_fresh(lambda _: None, CancelToken()) is None
    assert knowledge.file_count() == 2


def test_a_cancelled_check_raises_and_is_done_again_next_time(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        knowledge.ensure_fresh(lambda _: None, cancel)
    assert knowledge.ensure_fresh(lambda _: None, CancelToken()) is not None


def test_every_part_is_made_once_even_by_many_threads(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    fresh(knowledge)
    barrier = threading.Barrier(4)

    def parts(_: int) -> tuple[object, ...]:
        barrier.wait()
        return (
            knowledge.index, knowledge.embedder, knowledge.vectors, knowledge.grep, knowledge.hybrid,
            knowledge.files,
        )  # fmt: skip

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(parts, range(4)))
    assert all(all(one is other for one, other in zip(made[0], each, strict=True)) for each in made)


def test_files_follow_the_index(folder: Path) -> None:
    clock = Clock()
    knowledge = KnowledgeBase(folder, Settings(), clock)
    fresh(knowledge)
    records = knowledge.file_records()
    assert knowledge.file_records() is records
    (folder / "c.md").write_text("# New\n\nBrand new text.\n")
    clock.now += 5
    fresh(knowledge)
    assert len(knowledge.file_records()) == 3


def test_what_another_process_indexed_is_seen(folder: Path) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    fresh(knowledge)
    (folder / "c.md").write_text("# New\n\nBrand new text.\n")
    fresh(KnowledgeBase(folder, Settings()))
    assert knowledge.file_count() == 3
    assert [hit.path for hit in knowledge.grep.search("brand", 5)] == ["c.md"]


def test_warming_loads_the_model_and_answers_as_before(folder: Path, embedder: FakeEmbedder) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    knowledge.warm()
    assert embedder.loads == 1
    fresh(knowledge)
    embed(folder)
    knowledge.warm()
    assert [hit.path for hit in knowledge.grep.search("green image", 5)] == ["a.md"]
    assert knowledge.vectors.search("anything", 5)


@pytest.mark.parametrize("table", ["chunks", "relations"])
def test_an_index_that_lost_a_table_is_made_anew_by_the_next_question(folder: Path, table: str) -> None:
    fresh(KnowledgeBase(folder, Settings()))
    shutil.rmtree(next(KnowledgeBase(folder, Settings()).index.directory.glob(f"g*/{table}.lance")))
    knowledge = KnowledgeBase(folder, Settings())
    assert knowledge.staleness().never_indexed
    assert any("made anew" in event.message for event in fresh(knowledge) if isinstance(event, Warned))
    assert not knowledge.staleness().is_stale
    assert knowledge.lexical.search("green image", 5)


class Refused(Indexer):
    def update(self, *_: object, **__: object) -> IndexReport:
        raise StorageError("The disk is full.", "Free some space.")


def test_when_the_disk_refuses_a_newer_index_the_old_one_serves_with_a_warning(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh(KnowledgeBase(folder, Settings()))
    (folder / "c.md").write_text("# New\n\nBrand new text.\n")
    monkeypatch.setattr(indexer, "Indexer", Refused)
    knowledge = KnowledgeBase(folder, Settings())
    (warning,) = fresh(knowledge)
    assert isinstance(warning, Warned)
    assert "The disk is full. (Free some space.)" in warning.message
    assert [hit.path for hit in knowledge.grep.search("green image", 5)] == ["a.md"]


def test_when_the_disk_refuses_the_first_index_that_is_the_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexer, "Indexer", Refused)
    with pytest.raises(StorageError):
        fresh(KnowledgeBase(folder, Settings()))


def test_what_is_left_out_is_known_after_a_look_at_the_folder(folder: Path) -> None:
    (folder / "big.md").write_text("x" * 4000)
    knowledge = KnowledgeBase(folder, Settings(index=IndexSettings(max_file_mb=0.002)))
    assert knowledge.left_out() == ()
    fresh(knowledge)
    assert ["big.md" in note for note in knowledge.left_out()] == [True]
    assert knowledge.nothing_to_read() == ()


def test_a_few_missing_vectors_are_made_before_the_question_and_many_are_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    knowledge = KnowledgeBase(folder, Settings(), clock)
    monkeypatch.setattr(base, "_FEW_TEXTS", 3)
    fresh(knowledge)
    assert (knowledge.vector_share(), knowledge.vectors_note()) == (1.0, "")
    (folder / "c.md").write_text("\n\n".join(f"# Part {n}\n\n" + f"What stands in part {n}. " * 50 for n in range(9)))
    clock.now += 5
    fresh(knowledge)
    assert 0 < knowledge.vector_share() < 1
    assert "`kbtui index`" in knowledge.vectors_note()
    knowledge.complete(lambda _: None, CancelToken())
    assert (knowledge.vector_share(), knowledge.vectors_note()) == (1.0, "")


def test_an_answer_does_not_wait_for_another_process_that_is_embedding(folder: Path, embedder: FakeEmbedder) -> None:
    knowledge = KnowledgeBase(folder, Settings())
    directory = knowledge.index.directory
    directory.mkdir(parents=True)
    with exclusive_lock(directory / "vectors.lock", lambda: None):
        fresh(knowledge)
    assert knowledge.file_count() == 2
    assert (knowledge.vector_share(), embedder.encoded) == (0.0, [])
    assert [hit.path for hit in knowledge.lexical.search("green image", 5)] == ["a.md"]


def test_a_model_that_cannot_be_loaded_leaves_the_words(folder: Path, embedder: FakeEmbedder) -> None:
    def refuse(_: str) -> None:
        raise EmbeddingError("There is no such model.", "Install it.")

    embedder._before_each = refuse
    knowledge = KnowledgeBase(folder, Settings())
    fresh(knowledge)
    assert [hit.path for hit in knowledge.lexical.search("green image", 5)] == ["a.md"]


def test_a_question_does_not_wait_for_ever_for_another_process_that_makes_everything_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "_PATIENCE_S", 0.1)
    fresh(KnowledgeBase(folder, Settings()))
    (folder / "c.md").write_text("# New\n\nBrand new text.\n")
    knowledge = KnowledgeBase(folder, Settings())
    with exclusive_lock(knowledge.index.directory / "lock", lambda: None):
        (warning,) = (event for event in fresh(knowledge) if isinstance(event, Warned))
    assert "as it was" in warning.message
    assert knowledge.file_count() == 2
    knowledge.refresh()
    fresh(knowledge)
    assert knowledge.file_count() == 3
