"""What a run of the indexer leaves behind, and how little it does when little has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from kbtui.domain.events import Event, Progress, Warned
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError, FolderNotFound
from kbtui.knowledge.reading import extraction as reading
from kbtui.knowledge.reading.extraction import Reading
from kbtui.knowledge.reading.walk_types import WalkedFile
from kbtui.knowledge.store import embedding_run, index_report, index_tables, index_writer, ingestion, vector_writer
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.indexer import Indexer
from kbtui.settings.model import IndexSettings, Settings
from tests.knowledge.indexing import FakeEmbedder, chunk_set, indexer, read_paragraphs, run, write_folder

FILES = {
    "guide.txt": "Guide\n\nfirst paragraph\n-> ops/rollback.txt\n\nsecond paragraph",
    "ops/rollback.txt": "Rollback\n\nre-pin the image\n\nannounce it",
    "empty.txt": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "kb", FILES)


def opened(root: Path) -> Index:
    return Index(root, Settings())


def test_a_first_run_indexes_every_file(root: Path) -> None:
    report = run(root)
    assert (report.files, report.chunks, report.relations) == (3, 6, 1)
    assert (report.embedded, report.reused, report.deleted_files) == (6, 0, 0)
    assert [file.path for file in opened(root).files()] == ["empty.txt", "guide.txt", "ops/rollback.txt"]
    assert [chunk.text for chunk in opened(root).chunks(["ops/rollback.txt"])] == [
        "Rollback",
        "re-pin the image",
        "announce it",
    ]


def test_a_second_run_embeds_nothing_and_does_not_load_the_model(root: Path) -> None:
    run(root)
    embedder = FakeEmbedder()
    before = opened(root).version
    report = run(root, embedder)
    assert (report.embedded, report.reused, embedder.loads, embedder.encoded) == (0, 0, 0, [])
    assert opened(root).version == before


def test_editing_one_file_embeds_only_its_changed_chunk(root: Path) -> None:
    run(root)
    write_folder(root, {"guide.txt": FILES["guide.txt"].replace("second", "other")}, age_s=60)
    embedder = FakeEmbedder()
    report = run(root, embedder)
    assert embedder.encoded == ["other paragraph"]
    assert (report.embedded, report.reused) == (1, 2)
    assert "second paragraph" not in [chunk.text for chunk in opened(root).chunks()]


def test_a_renamed_file_disappears_from_the_index_and_embeds_nothing(root: Path) -> None:
    run(root)
    (root / "guide.txt").rename(root / "manual.txt")
    embedder = FakeEmbedder()
    report = run(root, embedder)
    assert embedder.encoded == []
    assert report.deleted_files == 1
    assert [file.path for file in opened(root).files()] == ["empty.txt", "manual.txt", "ops/rollback.txt"]
    assert {chunk.path for chunk in opened(root).chunks()} == {"manual.txt", "ops/rollback.txt"}
    assert {relation.source_path for relation in opened(root).relations()} == {"manual.txt"}


def test_a_deleted_file_leaves_neither_chunks_nor_relations(root: Path) -> None:
    run(root)
    (root / "guide.txt").unlink()
    report = run(root)
    assert (report.files, report.chunks, report.relations, report.deleted_files) == (2, 3, 0, 1)


def test_what_is_superseded_goes_from_the_disk_too(root: Path) -> None:
    run(root)
    write_folder(root, {"guide.txt": "all\n\nnew"}, age_s=60)
    (root / "ops/rollback.txt").unlink()
    run(root)
    database = index_tables.connect(opened(root).directory / "g1")
    assert database.open_table(index_tables.CHUNKS).count_rows() == 2
    assert database.open_table(index_tables.RELATIONS).count_rows() == 0


def test_two_files_with_the_same_text_are_both_indexed_and_embedded_once(root: Path) -> None:
    write_folder(root, {"copy.txt": FILES["guide.txt"]})
    report = run(root)
    assert (report.files, report.embedded, report.reused) == (4, 6, 3)
    assert len(opened(root).chunks(["copy.txt"])) == len(opened(root).chunks(["guide.txt"])) == 3


def test_a_touched_file_is_not_cut_again_and_no_longer_stale(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(root)
    write_folder(root, {"guide.txt": FILES["guide.txt"]}, age_s=60)
    assert indexer(root, FakeEmbedder()).staleness().changed == 1
    before = chunk_set(opened(root))
    run(root)
    assert indexer(root, FakeEmbedder()).staleness().is_stale is False
    assert chunk_set(opened(root)) == before
    assert len(opened(root).relations()) == 1


def test_an_edit_within_the_same_tick_of_the_clock_is_noticed(root: Path) -> None:
    now = time.time_ns()
    path = root / "guide.txt"
    path.write_text("abc")
    os.utime(path, ns=(now, now))
    run(root)
    assert indexer(root, FakeEmbedder()).staleness().is_stale is False
    path.write_text("xyz")
    os.utime(path, ns=(now, now))
    assert indexer(root, FakeEmbedder()).staleness().changed == 1
    run(root)
    assert [chunk.text for chunk in opened(root).chunks(["guide.txt"])] == ["xyz"]


def test_staleness_counts_what_a_run_would_do(root: Path) -> None:
    fresh = indexer(root, FakeEmbedder()).staleness()
    assert (fresh.never_indexed, fresh.added, fresh.is_stale) == (True, 3, True)
    run(root)
    assert indexer(root, FakeEmbedder()).staleness().is_stale is False
    write_folder(root, {"new.txt": "new", "guide.txt": "changed"}, age_s=5)
    (root / "empty.txt").unlink()
    stale = indexer(root, FakeEmbedder()).staleness()
    assert (stale.added, stale.changed, stale.removed) == (1, 1, 1)


def read_but(name: str, error: Exception) -> Callable[[WalkedFile, IndexSettings], Reading]:
    def read(file: WalkedFile, settings: IndexSettings) -> Reading:
        if file.path == name:
            raise error
        return read_paragraphs(file, settings)

    return read


@pytest.mark.parametrize(
    "error",
    [PermissionError(13, "Permission denied"), ValueError("line 3: \ud800"), RecursionError(), OSError(5, "I/O")],
)
def test_a_file_that_cannot_be_read_is_named_and_costs_no_other(root: Path, error: Exception) -> None:
    run(root)
    write_folder(root, {"guide.txt": "changed"}, age_s=60)
    broken = Indexer(root, Settings(), open_embedder=lambda _: FakeEmbedder(), read=read_but("guide.txt", error))
    report = broken.run(lambda _event: None, CancelToken())
    assert report.unreadable == ("guide.txt",)
    assert [file.path for file in opened(root).files()] == ["empty.txt", "ops/rollback.txt"]
    assert broken.staleness().is_stale is False
    assert run(root).files == 3


def test_a_file_that_goes_between_walk_and_reading_is_no_error(root: Path) -> None:
    run(root)
    write_folder(root, {"guide.txt": "changed"}, age_s=60)

    def read(file: WalkedFile, settings: IndexSettings) -> Reading:
        file.absolute.unlink()
        return read_paragraphs(file, settings)

    going = Indexer(root, Settings(), open_embedder=lambda _: FakeEmbedder(), read=read)
    report = going.run(lambda _event: None, CancelToken())
    assert report.unreadable == ("guide.txt",)
    assert [file.path for file in opened(root).files()] == ["empty.txt", "ops/rollback.txt"]
    assert going.staleness().is_stale is False


def test_text_that_no_column_can_hold_makes_a_file_unreadable(root: Path) -> None:
    def read(file: WalkedFile, settings: IndexSettings) -> Reading:
        result = read_paragraphs(file, settings)
        if file.path != "guide.txt":
            return result
        relation = result.relations[0].__class__(source_path="guide.txt", relation="x", target="\ud800")
        return Reading(record=result.record, chunks=(), embedding_texts=(), relations=(relation,))

    odd = Indexer(root, Settings(), open_embedder=lambda _: FakeEmbedder(), read=read)
    assert odd.run(lambda _event: None, CancelToken()).unreadable == ("guide.txt",)


def test_strange_file_names_are_indexed_and_removed_like_others(root: Path) -> None:
    names = [
        "it's [b]old[/b].txt",
        "back\\slash.txt",
        "new\nline.txt",
        "\x1b[31mred.txt",
        "回滚 手册.txt",
        "100%_x.txt",
    ]
    write_folder(root, {name: f"text of {number}" for number, name in enumerate(names)})
    events: list[Event] = []
    run(root, emit=events.append)
    assert set(names) <= {file.path for file in opened(root).files()}
    assert all(opened(root).chunks([name]) for name in names)
    assert all(event.message.isprintable() for event in events if isinstance(event, Progress))
    for name in names:
        (root / name).unlink()
    assert run(root).deleted_files == len(names)
    assert len(opened(root).files()) == 3


def test_progress_names_every_stage_and_knows_the_total_before_embedding(root: Path) -> None:
    events: list[Event] = []
    run(root, emit=events.append)
    progress = [event for event in events if isinstance(event, Progress)]
    assert list(dict.fromkeys(event.stage for event in progress)) == [
        "walk",
        "read",
        "write",
        "ready",
        "model",
        "embed",
    ]
    embed = [event for event in progress if event.stage == "embed"]
    assert {event.total for event in embed} == {6}
    assert (embed[0].done, embed[-1].done) == (0, 6)


def test_progress_is_at_most_twenty_events_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(index_report.time, "monotonic", lambda: now)
    events: list[Event] = []
    report = index_report.Meter(events.append).report
    for done in range(1000):
        report("embed", done, 1000)
        now += 0.001
    report("embed", 1000, 1000)
    assert 18 <= len(events) <= 22


def test_a_cancelled_run_keeps_what_it_committed_and_the_next_one_goes_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_run, "BATCH_AT_LEAST", 2)
    cancel = CancelToken()
    embedder = FakeEmbedder(before_each=lambda _: cancel.cancel() if len(embedder.encoded) == 3 else None)
    with pytest.raises(Cancelled):
        indexer(root, embedder).run(lambda _event: None, cancel)
    assert len(opened(root).files()) == 3
    assert 0 < opened(root).vector_share() < 1
    again = FakeEmbedder()
    assert run(root, again).chunks == 6
    assert not set(again.encoded) & set(embedder.encoded[:2])
    assert opened(root).vector_share() == 1


def test_a_rebuild_embeds_everything_and_the_old_index_serves_until_it_is_done(root: Path) -> None:
    run(root)
    old = opened(root)
    before = chunk_set(old)
    seen: list[tuple[int, float]] = []
    embedder = FakeEmbedder(
        before_each=lambda _text: seen.append((len(chunk_set(opened(root))), opened(root).vector_share()))
    )
    report = run(root, embedder, rebuild=True)
    assert (report.embedded, report.rebuilt) == (6, "a rebuild was asked for")
    assert set(seen) == {(6, 1.0)}
    assert chunk_set(old) == before
    assert sorted(path.name for path in old.directory.iterdir() if path.is_dir()) == ["g2", "v2"]


def test_another_embedding_model_makes_all_vectors_anew_and_says_why(root: Path) -> None:
    run(root)
    other = FakeEmbedder(fingerprint="fake-2")
    stale = indexer(root, other).staleness()
    assert (stale.is_stale, stale.is_complete, stale.vector_share) == (False, False, 0.0)
    events: list[Event] = []
    report = run(root, other, emit=events.append)
    assert (report.embedded, report.rebuilt) == (6, "")
    assert [event.message for event in events if isinstance(event, Warned)] == [
        "Making all vectors anew: they were made with another embedding model."
    ]
    assert opened(root).fingerprint == "fake-2"


class NamedModel(FakeEmbedder):
    """A model known by name only until it is downloaded, and loaded by whoever asks for its dimension."""

    def __init__(self, downloaded: bool) -> None:
        super().__init__("of its files" if downloaded else "of its name")

    @property
    def dimension(self) -> int:  # type: ignore[override]
        self.loads += 1
        self.fingerprint = "of its files"
        return 16


def test_a_model_that_is_downloaded_by_the_first_run_is_the_same_in_the_second(root: Path) -> None:
    assert run(root, NamedModel(downloaded=False)).embedded == 6
    later = NamedModel(downloaded=True)
    assert run(root, later).embedded == 0
    assert later.loads == 0
    assert opened(root).fingerprint == "of its files"


@pytest.mark.parametrize("taken_back", [False, True])
def test_an_interrupted_change_of_model_is_gone_on_with_or_taken_back(
    root: Path, monkeypatch: pytest.MonkeyPatch, taken_back: bool
) -> None:
    monkeypatch.setattr(embedding_run, "BATCH_AT_LEAST", 2)
    run(root)
    cancel = CancelToken()
    failing = FakeEmbedder("fake-2", before_each=lambda _: cancel.cancel() if len(failing.encoded) == 3 else None)
    with pytest.raises(Cancelled):
        indexer(root, failing).run(lambda _event: None, cancel)
    assert (opened(root).fingerprint, opened(root).vector_share()) == ("fake-2", 4 / 6)
    if taken_back:
        assert run(root, FakeEmbedder("fake-1")).embedded == 0
        assert (opened(root).fingerprint, opened(root).vector_share()) == ("fake-1", 1.0)
    else:
        assert run(root, FakeEmbedder("fake-2")).embedded == 2
        assert (opened(root).fingerprint, opened(root).vector_share()) == ("fake-2", 1.0)
    assert len(list(opened(root).directory.glob("v[0-9]*"))) == 1


def test_files_cut_by_other_code_are_cut_again_with_the_vectors_they_have(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(root)
    monkeypatch.setattr(reading, "recipe", lambda _settings: "another")
    assert indexer(root, FakeEmbedder()).staleness().changed == 3
    report = run(root)
    assert (report.embedded, report.reused) == (0, 6)
    assert indexer(root, FakeEmbedder()).staleness().is_stale is False


def test_the_chunk_length_is_part_of_the_recipe() -> None:
    assert reading.recipe(IndexSettings(chunk_chars=900)) != reading.recipe(IndexSettings())


@pytest.mark.parametrize(("rows", "embedded", "round_"), [(1, 256, 8192), (20_000, 1, 1), (4, 2, 3), (3, 100, 2)])
def test_any_bound_on_memory_and_batches_gives_the_same_index(
    root: Path, monkeypatch: pytest.MonkeyPatch, rows: int, embedded: int, round_: int
) -> None:
    write_folder(root, {"copy.txt": FILES["guide.txt"], "long.txt": "\n\n".join(f"p{n % 7}" for n in range(20))})
    run(root)
    expected = chunk_set(opened(root))
    run(root, rebuild=True)
    monkeypatch.setattr(ingestion, "BATCH_CHUNKS", rows)
    monkeypatch.setattr(embedding_run, "BATCH_AT_LEAST", embedded)
    monkeypatch.setattr(embedding_run, "ROUND", round_)
    embedder = FakeEmbedder()
    run(root, embedder, rebuild=True)
    assert chunk_set(opened(root)) == expected
    assert len(embedder.encoded) == len(set(embedder.encoded))


@pytest.mark.filterwarnings("ignore:optimize:UserWarning")
def test_the_index_does_not_grow_with_the_number_of_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (index_writer, vector_writer):
        monkeypatch.setattr(module, "_OLD_VERSIONS_KEPT", timedelta(0))
        monkeypatch.setattr(module, "_COMPACT_FROM_FRAGMENTS", 3)
    sizes = []
    for number in range(12):
        write_folder(root, {"guide.txt": f"edit {number}"}, age_s=60 - number)
        run(root)
        sizes.append(sum(1 for path in opened(root).directory.rglob("*") if path.is_file()))
    # Without sweeping each run leaves ten files or so.
    assert max(sizes) < 60


def test_a_folder_that_has_gone_is_said_so_and_the_index_stays(root: Path) -> None:
    run(root)
    before = chunk_set(opened(root))
    root.rename(root.with_name("elsewhere"))
    with pytest.raises(FolderNotFound):
        run(root)
    root.with_name("elsewhere").rename(root)
    assert chunk_set(opened(root)) == before


def test_a_model_that_cannot_be_loaded_costs_only_the_vectors_of_what_is_new(root: Path) -> None:
    run(root)
    write_folder(root, {"new.txt": "new"})

    class Missing(FakeEmbedder):
        def load(self, notify: object = None) -> None:
            raise EmbeddingError("There is no such model.", "Install it.")

    with pytest.raises(EmbeddingError):
        run(root, Missing())
    assert [chunk.text for chunk in opened(root).chunks(["new.txt"])] == ["new"]
    assert opened(root).vector_share() == 6 / 7


def test_a_summary_is_the_line_that_says_what_the_document_is_about() -> None:
    from kbtui.domain.document import Document, HeaderField, Heading

    text = "PEP: 1\nTitle: X\n\nAbstract\n========\n\n.. note:: not this\n\nThis one says what it is about.\nMore."
    document = Document(
        path="a.rst", kind="rst", title="X", text=text, headings=(Heading(level=1, text="Abstract", line=4),)
    )
    assert reading.summarise(document) == (9, "This one says what it is about.")
    field = HeaderField(key="description", value="Said in front.", start_line=2, end_line=2)
    stated = Document(
        path="a.md", kind="markdown", title="A", text="---\ndescription: Said in front.\n---\n", fields=(field,)
    )
    assert reading.summarise(stated) == (2, "Said in front.")
    assert reading.summarise(Document(path="e", kind="text", title="e", text="")) == (1, "")
    assert reading.summarise(Document(path="e", kind="text", title="e", text="\nx = 1")) == (2, "x = 1")


def test_a_folder_that_goes_away_while_it_is_read_keeps_its_index(root: Path) -> None:
    run(root)
    before = chunk_set(opened(root))
    write_folder(root, {"guide.txt": "changed", "ops/rollback.txt": "changed"}, age_s=60)

    def read(file: WalkedFile, settings: IndexSettings) -> Reading:
        if root.exists():
            root.rename(root.with_name("elsewhere"))
        return read_paragraphs(file, settings)

    going = Indexer(root, Settings(), open_embedder=lambda _: FakeEmbedder(), read=read)
    with pytest.raises(FolderNotFound, match="went away") as caught:
        going.run(lambda _event: None, CancelToken())
    assert caught.value.hint
    assert chunk_set(opened(root)) == before


def test_what_changed_last_and_what_others_point_at_get_their_vectors_first(tmp_path: Path) -> None:
    root = tmp_path / "linked"
    page = "# {0}\n\nThis page is about {0}.\n"
    write_folder(
        root, {f"old{n}.md": page.format(f"old{n}") + "\nSee [the hub](hub.md).\n" for n in range(3)}, age_s=9e6
    )
    write_folder(root, {"hub.md": page.format("hub")}, age_s=8e6)
    write_folder(root, {"new.md": page.format("new")}, age_s=60)
    embedder = FakeEmbedder()
    Indexer(root, Settings(), open_embedder=lambda _: embedder).run(lambda _event: None, CancelToken())
    order = [next(name for name in ("hub", "new", "old") if f"about {name}" in text) for text in embedder.encoded]
    assert set(order[:2]) == {"hub", "new"}
    assert order[2:] == ["old"] * 3
