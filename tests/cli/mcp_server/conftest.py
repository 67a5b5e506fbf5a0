"""Servers of the real program, and the SDK's own client."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import StdioServerParameters

ROOT = Path(__file__).parents[3]
SERVE = ("-P", "-m", "kbtui", "mcp")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A small source of data."""
    path = tmp_path / "orders.csv"
    path.write_text("city,amount\nOslo,3\nBergen,4\nOslo,5\n")
    return path


@pytest.fixture
def stdio() -> Callable[..., StdioServerParameters]:
    """What starts ``kbtui mcp`` with the given arguments."""

    def made(*args: object) -> StdioServerParameters:
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        return StdioServerParameters(command=sys.executable, args=[*SERVE, *map(str, args)], env=env)

    return made


@pytest.fixture
def served() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts ``kbtui mcp`` with pipes; what still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*args: object, **more: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *SERVE, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            **more,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
