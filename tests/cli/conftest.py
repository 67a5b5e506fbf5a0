"""Ways to run commands: the real program in a process of its own, or its parser in this one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kbtui.cli.main import cli

Program = Callable[..., "subprocess.CompletedProcess[str]"]
Invoke = Callable[..., Result]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Runs ``kbtui`` as users do; standard input is empty unless given."""

    def run(*args: str, stdin: str = "", cwd: Path = tmp_path, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "kbtui", *args],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **env},
            timeout=120,
            check=False,
        )

    return run


@pytest.fixture
def invoke() -> Invoke:
    """Runs a command in this process, where it can be given other parts."""

    def run(*args: str, **kwargs: Any) -> Result:
        return CliRunner().invoke(cli, list(args), **kwargs)

    return run
