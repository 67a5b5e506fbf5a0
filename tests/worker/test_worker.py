"""What a worker's parent can rely on, whatever happens in the worker."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, SqlRefused, StorageError
from kbtui.worker import Allowance, WorkerCrashed, WorkerError, WorkerOutOfMemory, WorkerPool, WorkerTimedOut
from tests.worker import jobs

LONG_S = 60.0


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    pool = WorkerPool("test", Allowance(memory=256 << 20), ["tests.worker.jobs"])
    yield pool
    pool.close()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends(pid: int) -> bool:
    for _ in range(500):
        if not is_running(pid):
            return True
        time.sleep(0.02)
    return False


def test_a_warm_process_serves_one_call_after_the_other(pool: WorkerPool) -> None:
    first = pool.call(jobs.PID, "", seconds=LONG_S)
    assert pool.call(jobs.ECHO, "值班 on call", seconds=LONG_S) == "值班 on call"
    assert pool.call(jobs.PID, "", seconds=LONG_S) == first != os.getpid()


def test_calls_of_two_threads_run_in_two_processes(pool: WorkerPool) -> None:
    slow = threading.Thread(target=pool.call, args=(jobs.SLEEP, 1.0), kwargs={"seconds": LONG_S})
    slow.start()
    assert pool.call(jobs.ECHO, "meanwhile", seconds=LONG_S) == "meanwhile"
    slow.join()


def test_too_much_memory_costs_the_call_and_not_the_parent(pool: WorkerPool) -> None:
    assert pool.call(jobs.ALLOCATE, 32, seconds=LONG_S) == 32 << 20
    with pytest.raises(WorkerOutOfMemory):
        pool.call(jobs.ALLOCATE, 1024, seconds=LONG_S)
    assert pool.call(jobs.ECHO, "next", seconds=LONG_S) == "next"


def test_code_that_never_returns_to_python_is_killed_at_its_deadline(pool: WorkerPool) -> None:
    pid = pool.call(jobs.PID, "", seconds=LONG_S)
    with pytest.raises(WorkerTimedOut):
        pool.call(jobs.BACKTRACK, 60, seconds=0.5)
    assert not is_running(pid)
    assert pool.call(jobs.PID, "", seconds=LONG_S) != pid


@pytest.mark.parametrize("job", [jobs.EXIT, jobs.WRONG_TYPE, jobs.LARGE, jobs.BROKEN_PARSER])
def test_whatever_breaks_a_worker_is_one_kind_of_error(pool: WorkerPool, job: jobs.Job) -> None:
    request = {jobs.EXIT: 3, jobs.LARGE: 2 << 20}.get(job, "")
    with pytest.raises(WorkerCrashed):
        pool.call(job, request, seconds=LONG_S)
    assert pool.call(jobs.ECHO, "next", seconds=LONG_S) == "next"


def test_native_code_that_aborts_counts_as_out_of_memory(pool: WorkerPool) -> None:
    with pytest.raises(WorkerOutOfMemory):
        pool.call(jobs.ABORT, "", seconds=LONG_S)


def test_errors_meant_for_people_arrive_as_they_were_raised_and_keep_the_process(pool: WorkerPool) -> None:
    pid = pool.call(jobs.PID, "", seconds=LONG_S)
    with pytest.raises(SqlRefused) as refused:
        pool.call(jobs.REFUSE, "engine", seconds=LONG_S)
    assert (refused.value.message, refused.value.hint, refused.value.rule) == ("No.", "Ask for data.", "engine")
    with pytest.raises(StorageError, match="full"):
        pool.call(jobs.FAIL, "The disk is full", seconds=LONG_S)
    assert pool.call(jobs.PID, "", seconds=LONG_S) == pid


def test_a_request_that_cannot_be_encoded_is_an_error_of_the_call(pool: WorkerPool) -> None:
    with pytest.raises(WorkerError, match="cannot be sent"):
        pool.call(jobs.ECHO, "\ud800", seconds=LONG_S)


def test_what_a_parser_prints_does_not_come_between_messages(pool: WorkerPool) -> None:
    assert pool.call(jobs.PRINT, "noise", seconds=LONG_S) == "noise"
    assert pool.call(jobs.ECHO, "signal", seconds=LONG_S) == "signal"


def test_cancelling_kills_the_process_and_what_it_started(pool: WorkerPool) -> None:
    pid = pool.call(jobs.PID, "", seconds=LONG_S)
    grandchild = pool.call(jobs.SPAWN, "", seconds=LONG_S)
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(Cancelled):
        pool.call(jobs.SLEEP, 600.0, seconds=LONG_S, cancel=cancel)
    assert not is_running(pid)
    assert ends(grandchild)


def test_a_worker_knows_no_key_of_the_environment(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("DATABASE_URL", "postgres://user:secret@host/db")
    variables = pool.call(jobs.ENVIRONMENT, "", seconds=LONG_S)
    assert "PATH" in variables
    assert not [name for name, value in variables.items() if "secret" in value]


def test_a_worker_that_only_reads_writes_nothing_and_others_write_for_the_owner_alone(
    pool: WorkerPool, tmp_path: Path
) -> None:
    with pytest.raises(WorkerCrashed):
        pool.call(jobs.WRITE, str(tmp_path / "refused"), seconds=LONG_S)
    assert not (tmp_path / "refused").read_bytes()
    writing = WorkerPool("writes", Allowance(memory=256 << 20, writes=1 << 20), ["tests.worker.jobs"])
    assert writing.call(jobs.WRITE, str(tmp_path / "allowed"), seconds=LONG_S) == "0o600"
    writing.close()


def test_a_process_that_ended_while_it_was_idle_is_replaced_without_an_error() -> None:
    pool = WorkerPool("idle", Allowance(memory=256 << 20, idle_s=0.2), ["tests.worker.jobs"])
    first = pool.call(jobs.PID, "", seconds=LONG_S)
    assert ends(first)
    assert pool.call(jobs.PID, "", seconds=LONG_S) != first
    pool.close()


def test_a_process_that_a_call_left_large_is_replaced(pool: WorkerPool) -> None:
    first = pool.call(jobs.PID, "", seconds=LONG_S)
    assert pool.call(jobs.KEEP, 160, seconds=LONG_S) == 1
    assert pool.call(jobs.PID, "", seconds=LONG_S) != first


def test_a_worker_does_not_outlive_a_parent_that_is_killed_in_the_middle_of_a_call(tmp_path: Path) -> None:
    marker = tmp_path / "busy"
    program = (
        "from kbtui.worker import Allowance, WorkerPool\nfrom tests.worker import jobs\n"
        "pool = WorkerPool('orphan', Allowance(), ['tests.worker.jobs'])\n"
        "print(pool.call(jobs.PID, '', seconds=60), flush=True)\n"
        f"pool.call(jobs.TOUCH_AND_SLEEP, {str(marker)!r}, seconds=600)\n"
    )
    root = str(Path(__file__).parents[2])
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=root)
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    while not marker.exists():
        time.sleep(0.02)
    assert is_running(worker)
    parent.kill()
    parent.wait()
    assert ends(worker)


def test_a_worker_loads_nothing_that_only_its_parent_needs() -> None:
    heavy = {
        "kbtui.domain.events",
        "kbtui.worker.pool",
        "subprocess",
        "asyncio",
        "pydantic",
        "sqlglot",
        "numpy",
        "sqlite3",
    }
    code = (
        "import sys; from kbtui.worker.child import main; import kbtui.data.jobs, kbtui.data.files, duckdb; "
        f"print(sorted({heavy} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
