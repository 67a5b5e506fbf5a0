"""Textual's pilot waits until the process is idle, and looks 50 times a second; here it looks more often."""

from __future__ import annotations

import pytest
from textual import _wait


@pytest.fixture(autouse=True)
def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each key and each pause costs two looks or one: thousands in all, which were a third of the time of a test."""
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 1 / 200)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 1 / 200 / 20)
