"""After a failure or a kill at any point there is a clear message, and after a restart all is as if nothing had been.

N runs over the whole range in each of these: every open, write, rename and removal below kbtui's own folders.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]

CHEAP = [("beginning", "kill"), ("beginning", "on"), ("recording", "kill"), ("recording", "on")]
WORKS = ("beginning", "recording", "keeping", "indexing", "updating", "rebuilding", "asking", "asking-data")
ERRORS = ("ENOSPC", "EIO", "EMFILE", "EACCES")


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("needs a C compiler on Linux: the faults are put in by a preloaded library")
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    source = Path(__file__).with_name("shim.c")
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def run(shim: Path, place: Path, work: str, action: str, *options: str, timeout_s: float = 300) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.harness", work, action, str(place), *options],
        cwd=PROJECT,
        env={**os.environ, "LD_PRELOAD": str(shim)},
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def told(report: dict[str, Any]) -> str:
    lines = [f"{one['at']}: {one['call']}: {one['problem']}\n{one['errors']}" for one in report["findings"]]
    return f"{len(lines)} of {report['calls']} calls\n" + "\n".join(lines[:20])


@pytest.mark.parametrize(("work", "action"), CHEAP)
def test_a_fault_at_any_call_is_made_good_by_a_restart(shim: Path, tmp_path: Path, work: str, action: str) -> None:
    report = run(shim, tmp_path / "place", work, action)
    assert report["calls"] >= 15
    assert report["findings"] == [], told(report)


@pytest.mark.soak
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("action", ["once", "on"])
@pytest.mark.parametrize("work", WORKS)
def test_every_error_at_any_call(shim: Path, tmp_path: Path, work: str, action: str, error: str) -> None:
    report = run(shim, tmp_path / "place", work, action, "--error", error, timeout_s=7200)
    assert report["findings"] == [], told(report)


@pytest.mark.soak
@pytest.mark.parametrize("work", WORKS)
def test_a_kill_at_any_call(shim: Path, tmp_path: Path, work: str) -> None:
    report = run(shim, tmp_path / "place", work, "kill", timeout_s=7200)
    assert report["findings"] == [], told(report)


@pytest.mark.soak
@pytest.mark.parametrize("work", WORKS)
def test_an_allocation_that_fails(shim: Path, tmp_path: Path, work: str) -> None:
    report = run(shim, tmp_path / "place", work, "once", "--kinds", "allocate", "--error", "ENOMEM", timeout_s=7200)
    assert report["findings"] == [], told(report)
