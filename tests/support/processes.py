"""Waits for processes to end."""

from __future__ import annotations

import time
from pathlib import Path

import pytest


def wait_until_gone(pid: int) -> None:
    """Wait up to five seconds for a process to end; fails the test where it goes on."""
    command = Path(f"/proc/{pid}/cmdline")
    for _ in range(100):
        if not command.exists() or not command.read_bytes():
            return
        time.sleep(0.05)
    pytest.fail(f"process {pid} goes on")
