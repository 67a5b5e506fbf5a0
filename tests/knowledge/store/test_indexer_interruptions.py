"""What the index is after a kill -9, beside another process, on a full or unwritable disk, and after damage."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbtui.domain.events import Event, Progress, Warned
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, IndexCorrupt, StorageError
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.locks import exclusive_lock
from kbtui.settings import paths
from kbtui.settings.model import Settings
from tests.knowledge.indexing import FakeEmbedder, chunk_set, indexer, run, write_folder

PROJECT = Path(__file__).parents[3]
FILES = {
    f"notes/{number}.txt": "\n\n".join(f"paragraph {number}-{part}\n-> notes/{part}.txt" for part in range(6))
    for number in range(8)
} | {"long.txt": "\n\n".join(f"part {part} of a long file" for part in range(30))}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "kb", FILES)


def opened(root: Path) -> Index:
    return Index(root, Settings())


def child(root: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.knowledge.indexing_child", str(root), *options]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    report: dict[str, Any] = json.loads(output.strip().split("\n")[-1])
    return report


def undisturbed(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Any, Any, Any]:
    """What an index of ``root`` made in another cache, in one go, holds."""
    with monkeypatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "undisturbed"))
        run(root)
        index = opened(root)
        return chunk_set(index), index.relations(), [file.path for file in index.files()]


def content(root: Path) -> tuple[Any, Any, Any]:
    index = opened(root)
    return chunk_set(index), index.relations(), [file.path for file in index.files()]


def change(root: Path) -> None:
    """Rename, remove, change and add files."""
    (root / "notes/1.txt").rename(root / "moved.txt")
    (root / "notes/2.txt").unlink()
    write_folder(
        root, {"notes/3.txt": "new\n\nparagraph 3-1\n-> notes/1.txt", "more.txt": "a\n\n" * 20 + "b"}, age_s=60
    )
    write_folder(root, {"long.txt": "\n\n".join(f"part {part} of another file" for part in range(40))}, age_s=60)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Any]:
    """What the index of the changed folder holds where nothing was killed."""
    base = tmp_path_factory.mktemp("undisturbed")
    root = write_folder(base / "kb", FILES)
    change(root)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("HOME", "XDG_CACHE_HOME"):
            patch.setenv(variable, str(base / "home"))
        run(root)
        return content(root)


@pytest.mark.parametrize(
    "point",
    [
        "text:3",
        "before-append:1",
        "after-append:4",
        "before-commit:2",
        "after-commit:2",
        "before-sweep:1",
        "after-sweep:1",
        "before-vectors-append:1",
        "after-vectors-append:3",
        "before-vectors-tidy:1",
        "before-vectors-seal:1",
    ],
)
def test_a_run_killed_anywhere_is_made_good_by_the_next(root: Path, point: str, expected: Any) -> None:
    run(root)
    change(root)
    killed = child(root, "--die", point)
    killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert [file.chunk_count for file in opened(root).files()] == [
        len(opened(root).chunks([file.path])) for file in opened(root).files()
    ]
    embedder = FakeEmbedder()
    report = run(root, embedder)
    assert content(root) == expected
    assert report.rebuilt == ""
    assert indexer(root, FakeEmbedder()).staleness().is_complete


def test_a_first_run_killed_at_random_keeps_what_it_had(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = undisturbed(root, monkeypatch, tmp_path)
    embedded = 0
    for _ in range(2):
        process = child(root, "--delay", "0.02")
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("embed"):
                break
        time.sleep(random.uniform(0.1, 0.5))
        process.kill()
        process.communicate(timeout=60)
    # On a busy machine both may be killed before the first vectors are written; this one is not.
    child(root, "--die", "after-vectors-append:1").communicate(timeout=60)
    embedder = FakeEmbedder()
    embedded = run(root, embedder).embedded
    assert content(root) == expected
    assert embedded < len({text for _, _, _, text, *_ in expected[0]})


def test_a_killed_rebuild_leaves_the_old_index_in_use(root: Path) -> None:
    run(root)
    before = content(root)
    killed = child(root, "--rebuild", "--die", "before-make_current:1")
    killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert content(root) == before
    assert run(root).embedded == 0
    assert content(root) == before
    assert sorted(path.name for path in opened(root).directory.iterdir() if path.is_dir()) == ["g1", "v2"]


def test_two_processes_index_one_folder_once(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expected = undisturbed(root, monkeypatch, tmp_path)
    first = child(root, "--delay", "0.02")
    assert first.stdout is not None
    while not first.stdout.readline().startswith("embed"):
        pass
    # It stands still until the other one has met it, however long that takes to start.
    first.send_signal(signal.SIGSTOP)
    second = child(root)
    assert second.stdout is not None
    while "another kbtui is indexing this folder" not in (line := second.stdout.readline()):
        assert line, "it did not wait"
    first.send_signal(signal.SIGCONT)
    counts: list[int] = []
    while first.poll() is None:
        counts.append(len(opened(root).chunks()))
        time.sleep(0.05)
    output, errors = second.communicate(timeout=120)
    assert second.returncode == 0, errors
    assert finished(first)["encoded"] > 0
    assert json.loads(output.strip().split("\n")[-1])["encoded"] == 0
    assert content(root) == expected
    assert counts == sorted(counts)


def test_waiting_for_another_process_can_be_cancelled(root: Path) -> None:
    cancel = CancelToken()
    waiting: list[str] = []

    def emit(event: Event) -> None:
        if isinstance(event, Progress) and event.stage == "wait":
            waiting.append(event.message)
            cancel.cancel()

    directory = paths.index_dir(root)
    directory.mkdir(parents=True)
    with exclusive_lock(directory / "lock", lambda: None), pytest.raises(Cancelled):
        indexer(root, FakeEmbedder()).run(emit, cancel)
    assert waiting == ["another kbtui is indexing this folder"]
    assert run(root).files == len(FILES)


def test_a_reader_sees_every_file_whole_while_a_writer_replaces_it(root: Path) -> None:
    for number in range(2):
        write_folder(root, {"moving.txt": f"edit {number}\n\nmore {number}"}, age_s=100 - number)
        run(root)
    stop = threading.Event()
    seen: list[tuple[str, ...]] = []
    problems: list[Exception] = []

    def read() -> None:
        index = opened(root)
        while not stop.is_set():
            try:
                seen.append(tuple(chunk.text for chunk in index.chunks(["moving.txt"])))
            except Exception as error:  # noqa: BLE001 - any of them fails the test
                problems.append(error)
                return

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(2, 10):
        write_folder(root, {"moving.txt": f"edit {number}\n\nmore {number}"}, age_s=100 - number)
        run(root, rebuild=number % 5 == 0)
    stop.set()
    reader.join()
    assert problems == []
    assert {texts for texts in seen if len(texts) != 2 or texts[0][5:] != texts[1][5:]} == set()
    assert len(set(seen)) > 1


def test_a_full_disk_is_reported_and_the_index_is_as_it_was(root: Path) -> None:
    # RLIMIT_FSIZE stands in for the full disk: a small file system of its own needs the right to mount one.
    run(root)
    before = content(root)
    write_folder(root, {"large.txt": "\n\n".join(random.Random(n).randbytes(400).hex() for n in range(400))}, age_s=60)
    report = finished(child(root, "--limit-bytes", "6000"))
    assert report["error"] == "StorageError"
    assert "large" in report["message"].lower()
    assert "Free some space" in report["hint"]
    assert content(root) == before
    assert run(root).files == len(FILES) + 1


def test_what_will_not_fit_is_refused_before_anything_is_embedded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 1_000_000

    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage)
    embedder = FakeEmbedder()
    with pytest.raises(StorageError, match="1 MB are free"):
        run(root, embedder)
    assert embedder.encoded == []


def test_a_cache_folder_that_cannot_be_written_is_reported(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file in place of the folder refuses root too, whom permissions do not stop.
    (tmp_path / "cache").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(StorageError) as caught:
        run(root)
    assert "XDG_CACHE_HOME" in caught.value.hint


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwrite(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(path.stat().st_size))


def blank_the_start(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(b" " * (len(data) // 2) + data[len(data) // 2 :])


def flip_one_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


DAMAGE = [
    *(
        ("chunks.lance/data/*", damage)
        for damage in (truncate, overwrite, blank_the_start, flip_one_bit, empty, remove)
    ),
    *(("files.lance/data/*", damage) for damage in (overwrite, flip_one_bit)),
    *(("relations.lance/data/*", damage) for damage in (truncate, flip_one_bit)),
    *(("chunks.lance/_versions/*", damage) for damage in (overwrite, empty, remove)),
    *(("meta.json", damage) for damage in (truncate, overwrite, remove)),
    *(("seal.json", damage) for damage in (overwrite, remove)),
    ("../current", overwrite),
]


@pytest.mark.parametrize(("pattern", "damage"), DAMAGE)
def test_a_damaged_index_is_refused_by_readers_and_made_anew_by_the_next_run(
    root: Path, pattern: str, damage: Callable[[Path], None]
) -> None:
    run(root)
    before = content(root)
    index = opened(root)
    generation = index.directory / "g1"
    targets = (
        [index.directory / "current"]
        if pattern == "../current"
        else [p for p in generation.glob(pattern) if p.is_file()]
    )
    assert targets
    for target in targets:
        damage(target)
    problem = None
    try:
        found = content(root)
    except IndexCorrupt as error:
        problem, found = error, None
    # Lance keeps spare copies of some of it, and without `current` the folder reads as never indexed.
    assert found in (None, before, ([], [], []))
    assert problem is None or "kbtui index --rebuild" in problem.hint
    events: list[Event] = []
    report = run(root, emit=events.append)
    assert content(root) == before
    assert indexer(root, FakeEmbedder()).staleness().is_stale is False
    if report.rebuilt:
        assert any(isinstance(event, Warned) for event in events)


def test_a_corrupt_index_is_stale(root: Path) -> None:
    run(root)
    for path in (opened(root).directory / "g1/files.lance/data").iterdir():
        truncate(path)
    stale = indexer(root, FakeEmbedder()).staleness()
    assert stale.never_indexed
    assert stale.rebuild_reason == "the index is damaged"
