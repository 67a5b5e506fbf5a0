"""How long a statement may take, whatever else the computer does."""

from __future__ import annotations

import pytest

from kbtui.data.watch import MAX_SLOWDOWN, busy_clock


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """The time of day and the processor time, both set by the test."""
    times = {"monotonic": 100.0, "process_time": 5.0}
    for name in times:
        monkeypatch.setattr(f"kbtui.data.watch.time.{name}", lambda name=name: times[name])
    return times


def test_waiting_for_a_busy_computer_hardly_counts(times: dict[str, float]) -> None:
    clock = busy_clock()
    times["monotonic"] += 1.2
    times["process_time"] += 0.2
    assert clock() == pytest.approx(0.2)


def test_threads_that_work_at_once_count_once(times: dict[str, float]) -> None:
    clock = busy_clock()
    times["monotonic"] += 0.1
    times["process_time"] += 1.6
    assert clock() == pytest.approx(0.1)


def test_a_statement_that_only_waits_ends_too(times: dict[str, float]) -> None:
    clock = busy_clock()
    times["monotonic"] += MAX_SLOWDOWN
    assert clock() == pytest.approx(1.0)
