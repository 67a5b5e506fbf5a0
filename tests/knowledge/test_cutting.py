"""Files cut by several processes come out as if cut by one, whatever becomes of the others."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled
from kbtui.knowledge import cutting, reading
from kbtui.knowledge.cutting import Cut, Failure, cut, cut_all
from kbtui.knowledge.walker import walk
from kbtui.settings.model import IndexSettings
from tests.knowledge.indexing import write_folder

SETTINGS = IndexSettings()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cutting, "PARALLEL_FROM", 20)
    monkeypatch.setattr(cutting, "_cores", lambda: 3)
    text = "# Note {n}\n\nSee [the next](note{m}.md), by PEP {n}.\n\n回滚部署 __init__\n"
    return write_folder(tmp_path / "kb", {f"note{n:02}.md": text.format(n=n, m=n + 1) for n in range(60)})


def all_of(root: Path) -> dict[str, Cut | Failure]:
    files = walk(root, SETTINGS).files
    return {file.path: result for file, result in cut_all(files, SETTINGS, reading.read, CancelToken())}


def alone(root: Path) -> dict[str, Cut | Failure]:
    return {file.path: cut(file, SETTINGS) for file in walk(root, SETTINGS).files}


def test_several_processes_cut_as_one_does(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: object, **kwargs: object) -> None:
            super().__init__(*args, **kwargs)  # type: ignore[call-overload]
            started.append(self)

    monkeypatch.setattr(cutting.subprocess, "Popen", Noted)
    assert all_of(root) == alone(root)
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


def test_a_process_that_dies_costs_no_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "_command", lambda: [sys.executable, "-c", "import sys; sys.stdin.buffer.read(50)"])
    assert all_of(root) == alone(root)


def test_a_process_that_cannot_be_started_costs_no_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "_command", lambda: [str(root / "nothing")])
    assert all_of(root) == alone(root)


def test_a_file_that_cannot_be_read_is_a_failure_with_its_reason(root: Path) -> None:
    files = walk(root, SETTINGS).files
    (root / "note07.md").unlink()
    (root / "note07.md").mkdir()
    results = {file.path: result for file, result in cut_all(files, SETTINGS, reading.read, CancelToken())}
    failure = results["note07.md"]
    assert isinstance(failure, Failure)
    assert "no regular file" in failure.reason
    assert sum(isinstance(result, Cut) for result in results.values()) == 59


def test_a_cancelled_run_ends_the_other_processes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sleeping = [sys.executable, "-c", "import time; time.sleep(600)"]
    started: list[subprocess.Popen[bytes]] = []
    monkeypatch.setattr(cutting, "_command", lambda: sleeping)
    cancel = CancelToken()
    results = cut_all(walk(root, SETTINGS).files, SETTINGS, reading.read, cancel)
    next(results)
    started += results.gi_frame.f_locals["team"]._workers  # type: ignore[attr-defined]
    cancel.cancel()
    with pytest.raises(Cancelled):
        list(results)
    assert [process.returncode for process in started] == [-signal.SIGKILL] * 2


def test_no_module_of_the_folder_one_stands_in_is_imported(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "trap").mkdir()
    (tmp_path / "trap" / "pickle.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')")
    monkeypatch.chdir(tmp_path / "trap")
    assert all_of(root) == alone(root)
    assert not (tmp_path / "sprung").exists()
    assert [path.name for path in (tmp_path / "trap").iterdir()] == ["pickle.py"]
