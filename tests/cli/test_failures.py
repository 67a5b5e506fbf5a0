"""Every failure is two lines and an exit code; nobody sees a traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from kbtui.cli.failures import run_guarded
from kbtui.cli.logs import log_file
from kbtui.errors import Cancelled, IndexCorrupt, SettingsError, TimedOut, UsageError


def raising(error: BaseException) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (IndexCorrupt("The index is broken.", "Rebuild it."), 1),
        (UsageError("No.", "Yes."), 2),
        (SettingsError("Bad.", "Good."), 2),
        (TimedOut("Too long.", "Shorter."), 124),
        (Cancelled(), 130),
        (click.UsageError("No."), 2),
        (click.ClickException("Broken."), 1),
        (click.Abort(), 130),
        (KeyboardInterrupt(), 130),
        (OSError(errno.ENOSPC, "No space left on device"), 1),
        (RuntimeError("boom"), 1),
    ],
)
def test_each_failure_has_its_exit_code(error: BaseException, code: int) -> None:
    assert run_guarded(raising(error)) == code


def test_a_commands_own_code_is_kept() -> None:
    assert run_guarded(lambda: 3) == 3
    assert run_guarded(lambda: None) == 0


def test_an_error_is_a_message_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    run_guarded(raising(IndexCorrupt("The index\nis \x1b[31mbroken.", "Rebuild it.")))
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "kbtui: The index is broken.\nhint: Rebuild it.\n"


def test_the_unforeseen_is_logged_with_its_traceback_and_shown_without(capsys: pytest.CaptureFixture[str]) -> None:
    run_guarded(raising(ZeroDivisionError("in a deep place")))
    err = capsys.readouterr().err
    assert err.startswith("kbtui: unexpected error (ZeroDivisionError); details in ")
    assert "Traceback" not in err
    assert str(log_file()) in err
    logged = log_file().read_text(encoding="utf-8")
    assert "Traceback" in logged
    assert "in a deep place" in logged


def test_a_log_that_cannot_be_written_changes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert run_guarded(raising(ZeroDivisionError())) == 1
    assert "no log could be written" in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "kbtui", "events", "--schema"],
            stdout=gone,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_streams_are_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m kbtui config path"
    for closed in (">&-", "2>&-", "<&-", ">&- 2>&- <&-"):
        done = subprocess.run(["/bin/sh", "-c", f"{command} {closed}"], cwd=Path(__file__).parents[2], check=False)
        assert done.returncode == 0, closed


def test_a_locale_that_knows_few_characters_shows_what_it_can(tmp_path: Path) -> None:
    folder = tmp_path / "中文"
    done = subprocess.run(
        [sys.executable, "-m", "kbtui", "index", str(folder)],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"},
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 2
    assert b"There is no folder" in done.stderr
    assert b"\\u4e2d\\u6587" in done.stderr


@pytest.mark.parametrize("words", [["ask", "-"], []], ids=["a question from it", "a screen on it"])
def test_a_closed_standard_input_is_an_empty_one(words: list[str], tmp_path: Path) -> None:
    command = " ".join([sys.executable, "-m", "kbtui", *words])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} <&-"], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "unexpected" not in done.stderr
    assert "hint: " in done.stderr
