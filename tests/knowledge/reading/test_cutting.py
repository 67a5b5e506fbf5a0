"""Files cut by several workers come out as if cut by one, and a file that breaks a worker costs that file alone."""

from __future__ import annotations

import errno
import time
from pathlib import Path

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, StorageError
from kbtui.knowledge.reading import cutting, folder_worker
from kbtui.knowledge.reading.cutting import Cut, CuttingAhead, Failure, cut, cut_all
from kbtui.knowledge.reading.extraction import Reading
from kbtui.knowledge.reading.walker import walk
from kbtui.settings.model import IndexSettings
from tests.knowledge import cutting_jobs
from tests.knowledge.indexing import write_folder

SETTINGS = IndexSettings()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cutting, "_FILES_PER_WORKER", 20)
    monkeypatch.setattr(cutting, "usable_cores", lambda: 2)
    text = "# Note {n}\n\nSee [the next](note{m}.md), by PEP {n}.\n\n回滚部署 __init__\n"
    return write_folder(tmp_path / "kb", {f"note{n:02}.md": text.format(n=n, m=n + 1) for n in range(60)})


def all_of(root: Path) -> dict[str, Cut | Failure]:
    files = walk(root, SETTINGS).files
    return {file.path: result for file, result in cut_all(files, SETTINGS, CancelToken())}


def alone(root: Path) -> dict[str, Cut | Failure]:
    return {file.path: cut(file, SETTINGS) for file in walk(root, SETTINGS).files}


def test_several_workers_cut_as_one_does(root: Path) -> None:
    assert all_of(root) == alone(root)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("abort.md", "more memory"),  # how native code ends that cannot allocate
        ("memory.md", "more memory"),
        ("time.md", "longer than 2 s"),
        ("large.md", "sent more than"),
    ],
)
def test_a_file_that_breaks_its_worker_costs_that_file_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str
) -> None:
    (root / name).write_text("x")
    monkeypatch.setattr(cutting, "CUT", cutting_jobs.CUT)
    if name == "time.md":
        monkeypatch.setattr(cutting, "_BATCH_S", 2.0)
    results = all_of(root)
    failed = results.pop(name)
    assert isinstance(failed, Failure)
    assert reason in failed.reason
    (root / name).unlink()
    assert results == alone(root)


def test_what_a_parser_prints_does_not_come_between_the_results(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "print.md").write_text("x")
    monkeypatch.setattr(cutting, "CUT", cutting_jobs.CUT)
    assert all_of(root) == alone(root)


def test_a_worker_that_cannot_be_started_is_an_error_with_a_hint(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_worker.POOL.close()
    monkeypatch.setattr("sys.executable", str(root / "nothing"))
    with pytest.raises(StorageError) as error:
        all_of(root)
    assert error.value.hint


def test_a_file_that_cannot_be_read_is_a_failure_with_its_reason(root: Path) -> None:
    files = walk(root, SETTINGS).files
    (root / "note07.md").unlink()
    (root / "note07.md").mkdir()
    results = {file.path: result for file, result in cut_all(files, SETTINGS, CancelToken())}
    failure = results["note07.md"]
    assert isinstance(failure, Failure)
    assert "no regular file" in failure.reason
    assert sum(isinstance(result, Cut) for result in results.values()) == 59


def test_a_cancelled_run_ends_its_workers_at_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "time.md").write_text("x")
    monkeypatch.setattr(cutting, "CUT", cutting_jobs.CUT)
    cancel = CancelToken()
    results = cut_all(walk(root, SETTINGS).files, SETTINGS, cancel)
    next(results)
    cancel.cancel()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        list(results)
    assert time.monotonic() - started < 10
    assert not folder_worker.POOL._busy


def test_what_is_cut_ahead_is_what_is_cut_and_is_taken_once(root: Path) -> None:
    files = walk(root, SETTINGS).files
    ahead = CuttingAhead(files, SETTINGS)
    for _ in range(2):
        assert {file.path: result for file, result in cut_all(files, SETTINGS, CancelToken(), None, ahead)} == alone(
            root
        )


def test_files_that_changed_since_are_not_taken_from_what_was_cut_ahead(root: Path) -> None:
    ahead = CuttingAhead(walk(root, SETTINGS).files, SETTINGS)
    (root / "note07.md").write_text("# Changed\n")
    files = walk(root, SETTINGS).files
    assert {file.path: result for file, result in cut_all(files, SETTINGS, CancelToken(), None, ahead)} == alone(root)
    ahead.end()


def test_what_is_cut_ahead_leaves_a_core_to_whoever_will_take_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "usable_cores", lambda: 1)
    begun: list[str] = []
    monkeypatch.setattr(cutting, "cut_batch", lambda batch, *_: begun.append(batch[0].path) or [])
    ahead = CuttingAhead(walk(root, SETTINGS).files, SETTINGS)
    assert not begun
    assert list(ahead.take_all(CancelToken())) == []
    assert len(begun) == 8


def test_what_nobody_takes_ends_its_workers(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "time.md").write_text("x")
    monkeypatch.setattr(cutting, "CUT", cutting_jobs.CUT)
    CuttingAhead(walk(root, SETTINGS).files, SETTINGS).end()
    assert not folder_worker.POOL._busy


def test_no_module_of_the_folder_one_stands_in_is_imported(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "trap").mkdir()
    (tmp_path / "trap" / "msgspec.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    folder_worker.POOL.close()
    monkeypatch.chdir(tmp_path / "trap")
    assert all_of(root) == alone(root)
    assert not (tmp_path / "sprung").exists()
    assert [path.name for path in (tmp_path / "trap").iterdir()] == ["msgspec.py"]


def test_a_system_without_resources_is_no_failure_of_the_file_that_met_it(root: Path) -> None:
    def starved(_file: object, _settings: object) -> Reading:
        raise OSError(errno.EMFILE, "Too many open files")

    with pytest.raises(StorageError, match="Too many open files"):
        list(cut_all(walk(root, SETTINGS).files, SETTINGS, CancelToken(), starved))
