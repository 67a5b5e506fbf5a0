from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from kbtui.ui.widgets.session_rows import ago


@pytest.fixture(autouse=True)
def _east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Eight hours east: days begin while it is yesterday in UTC."""
    monkeypatch.setenv("TZ", "CST-8")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


NOW = datetime.fromisoformat("2026-11-24T09:30:00+08:00")


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=3, seconds=50), "3 min ago"),
        (timedelta(hours=9), "9 h ago"),
        (timedelta(hours=10), "yesterday"),
        (timedelta(hours=33), "yesterday"),
        (timedelta(hours=34), "2026-11-22"),
        (timedelta(minutes=-10), "2026-11-24"),
    ],
)
def test_a_time_is_told_as_people_do(before: timedelta, words: str) -> None:
    assert ago((NOW - before).isoformat(), NOW) == words


def test_a_time_that_is_none_is_not_told() -> None:
    assert ago("", NOW) == ago("soon", NOW) == ""
