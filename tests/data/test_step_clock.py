"""Time in steps: the same statements are answered however fast the day goes by."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

import pytest

from kbtui.data.sqlite import SqliteSource
from kbtui.data.watch import MAX_SLOWDOWN, STEPS_COUNTED, StepClock
from kbtui.domain.analysis import Limits

COUNTING = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < {}) SELECT max(x) FROM n"
STATEMENTS = [COUNTING.format(10_000)] * 4 + [COUNTING.format(10_000_000)] + [COUNTING.format(10_000)] * 40


@pytest.fixture
def source(tmp_path: Path) -> SqliteSource:
    sqlite3.connect(tmp_path / "empty.sqlite").execute("CREATE TABLE t (n)").connection.close()
    return SqliteSource("empty", tmp_path / "empty.sqlite")


def answered(source: SqliteSource) -> list[bool]:
    return [table is not None for table in source.run_each(STATEMENTS, Limits(seconds=0.05), seconds=0.1)]


def test_a_busy_machine_answers_the_same_statements(source: SqliteSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbtui.data.watch.MAX_SLOWDOWN", 1e6)
    found, real = answered(source), time.monotonic
    assert found[:5] == [True] * 4 + [False]
    assert len(found) < len(STATEMENTS)
    monkeypatch.setattr("kbtui.data.watch.time.monotonic", lambda: 3 * real())
    assert answered(source) == found


def test_steps_that_take_very_long_are_stopped_by_the_time_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("kbtui.data.watch.time.monotonic", lambda: now[0])
    clock = StepClock()
    is_up = clock.timer(seconds=1.0)
    assert not is_up()
    now[0] += 1.1 * MAX_SLOWDOWN
    assert is_up()
    assert clock.now() == pytest.approx(1.1)


def test_a_timer_begins_where_the_statement_before_ended() -> None:
    clock = StepClock()
    first = clock.timer(seconds=1e9)
    while clock.now() < 0.01:
        assert not first()
    spent = clock.now()
    second = clock.timer(seconds=0.01)
    assert not second()
    assert clock.now() > spent
    assert STEPS_COUNTED > 0
