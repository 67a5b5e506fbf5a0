"""``kbtui index``, with an indexer that says what it is told to."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from kbtui.cli import index as index_command
from kbtui.cli.indexing import Meter, summary
from kbtui.domain.codec import decode
from kbtui.domain.events import Progress, Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import StorageError
from kbtui.knowledge.store import indexer
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.indexer import IndexReport, Staleness
from kbtui.settings.model import Settings
from tests.cli.conftest import Invoke

REPORT = IndexReport(
    files=736,
    chunks=14105,
    relations=1,
    embedded=12,
    reused=3,
    deleted_files=1,
    skipped={"binary": 6, "oversized": 2, "hidden": 0},
    left_out=("Left out: huge.md.",),
    unreadable=("evil\x1b[2J\nname.md",),
    duration_s=1.23,
)


class ScriptedIndexer:
    """Reports what it was given; ``failure`` is raised instead."""

    runs: list[dict[str, Any]]
    failure: Exception | None = None
    stale_times = 0
    interrupt = False

    def __init__(self, root: Path, settings: Any) -> None:
        type(self).runs = []
        self.root = root

    def run(self, emit: Emit, cancel: CancelToken, rebuild: bool = False) -> IndexReport:
        type(self).runs.append({"root": self.root, "rebuild": rebuild})
        emit(Progress(stage="walk", done=10, total=10))
        for done in range(0, 101):
            emit(Progress(stage="embed", done=done, total=100, message="a.md"))
        emit(Warned(message="made anew", where="index"))
        if self.interrupt:
            os.kill(os.getpid(), signal.SIGINT)
        cancel.check()
        if self.failure is not None:
            raise self.failure
        return REPORT

    def staleness(self) -> Staleness:
        type(self).stale_times -= 1
        if self.stale_times < 0:
            os.kill(os.getpid(), signal.SIGINT)
            return Staleness(never_indexed=False)
        return Staleness(never_indexed=False, changed=1)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[ScriptedIndexer]:
    class Fresh(ScriptedIndexer):
        pass

    monkeypatch.setattr(indexer, "Indexer", Fresh)
    monkeypatch.setattr(index_command, "WATCH_INTERVAL_S", 0.01)
    return Fresh


def test_the_summary_is_the_last_line_and_alone_on_stdout(
    scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path
) -> None:
    done = invoke("index", str(tmp_path))
    assert done.exit_code == 0
    assert done.stdout == (
        "736 files · 14,105 chunks · 12 embedded · 3 reused · 1 removed · "
        "8 skipped (6 binary, 2 too large) · 1 unreadable · 1.2 s\n"
    )
    assert "kbtui: warning: could not be read: evil name.md" in done.stderr
    assert "kbtui: warning: Left out: huge.md.\n" in done.stderr
    assert scripted.runs == [{"root": tmp_path, "rebuild": False}]


def test_without_a_terminal_progress_is_a_line_a_stage_and_a_tenth(
    scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path
) -> None:
    lines = invoke("index", str(tmp_path)).stderr.split("\n")
    assert sum(line.startswith("embedding") for line in lines) == 11
    assert "kbtui: warning: made anew" in lines


def test_json_is_one_run_of_valid_events(scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path) -> None:
    done = invoke("index", "--rebuild", "--json", str(tmp_path))
    events = [decode(line) for line in done.stdout.removesuffix("\n").split("\n")]
    assert done.stderr == ""
    assert (events[0].kind, events[-1].kind) == ("run_started", "run_completed")
    assert [event.seq for event in events] == list(range(len(events)))
    assert len({event.run_id for event in events}) == 1
    last = events[-2]
    assert isinstance(last, Progress)
    assert last.message == summary(REPORT)
    assert scripted.runs == [{"root": tmp_path, "rebuild": True}]


def test_a_failure_ends_the_run_of_events_and_the_command(
    scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path
) -> None:
    scripted.failure = StorageError("The disk is full.", "Free some.")
    done = invoke("index", "--json", str(tmp_path))
    assert done.exit_code == 1
    last = json.loads(done.stdout.strip().rpartition("\n")[2])
    assert (last["kind"], last["error"], last["message"]) == ("run_failed", "StorageError", "The disk is full.")
    assert done.stderr == "kbtui: The disk is full.\nhint: Free some.\n"


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_ctrl_c_stops_the_work_and_exits_130(
    options: tuple[str, ...], scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path
) -> None:
    scripted.interrupt = True
    before = signal.getsignal(signal.SIGINT)
    done = invoke("index", *options, str(tmp_path))
    assert done.exit_code == 130
    assert done.stderr.endswith("kbtui: cancelled\n")
    assert signal.getsignal(signal.SIGINT) is before


def test_watching_indexes_again_when_the_folder_changes_until_ctrl_c(
    scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path
) -> None:
    scripted.stale_times = 2
    done = invoke("index", "--watch", str(tmp_path))
    assert len(scripted.runs) == 3
    assert done.exit_code == 130


class Terminal:
    """A standard error that is a terminal."""

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


def test_a_terminal_gets_a_bar_with_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    with Meter() as meter:
        for done in range(0, 101, 50):
            meter(Progress(stage="embed", done=done, total=100, message="x[bold].md\x1b]0;owned\x07"))
        assert meter._bars is not None
        meter._bars.refresh()
    assert "100/100" in terminal.text
    assert "x[bold].md" in terminal.text
    assert "owned" not in terminal.text


@pytest.mark.parametrize("columns", ["80", "100"])
def test_rate_and_time_left_are_whole_whatever_the_file_is_called(
    monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", columns)
    with Meter() as meter:
        meter(Progress(stage="ready", done=1, total=1))
        meter(Progress(stage="read", done=648, total=648))
        meter(Progress(stage="embed", done=7200, total=7221, message="text/2585-unsafe-block-in-unsafe-fn.md" * 2))
        assert meter._bars is not None
        meter._bars.refresh()
    assert "7200/7221" in terminal.text
    assert "0:00:00" in terminal.text
    assert "-:--:--" in terminal.text


def test_what_keeps_failing_while_watching_is_told_once(
    scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path
) -> None:
    def run(self: ScriptedIndexer, emit: Emit, cancel: CancelToken, rebuild: bool = False) -> IndexReport:
        type(self).runs.append({})
        if len(self.runs) > 1:
            raise StorageError("The disk is full.", "Free some.")
        return REPORT

    scripted.run = run  # type: ignore[method-assign]
    scripted.stale_times = 3
    done = invoke("index", "--watch", str(tmp_path))
    assert len(scripted.runs) == 4
    assert done.stderr.count("The disk is full.") == 1


def test_a_folder_that_takes_long_to_look_at_is_looked_at_less_often(
    scripted: type[ScriptedIndexer], invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    pauses: list[float] = []
    monkeypatch.setattr(index_command.time, "monotonic", lambda: now)
    monkeypatch.setattr(index_command, "_wait", lambda pause, cancel: (pauses.append(pause), cancel.check()))

    def staleness(self: ScriptedIndexer) -> Staleness:
        nonlocal now
        now += 3.0
        if len(pauses) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return Staleness(never_indexed=False)

    scripted.staleness = staleness  # type: ignore[method-assign]
    assert invoke("index", "--watch", str(tmp_path)).exit_code == 130
    assert pauses == [0.01, 60.0, 60.0, 60.0]


@pytest.mark.parametrize(
    ("address", "code", "said"),
    [("nowhere", 2, "is no address of a cluster"), ("local", 1, "pip install 'kbtui[ray]'")],
)
def test_a_cluster_that_cannot_be_used_is_said_before_anything_is_indexed(
    invoke: Invoke, kb: Path, monkeypatch: pytest.MonkeyPatch, address: str, code: int, said: str
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = invoke("index", str(kb), "--ray", address)
    assert result.exit_code == code
    assert said in result.stderr
    assert not Index(kb, Settings()).exists
