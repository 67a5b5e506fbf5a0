"""Dates without separators and counts since 1970, as statements read them."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from sqlglot import exp

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.date_casts import cast_date
from kbtui.nl2sql.date_formats import has_time
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.query import Ref
from tests.nl2sql.sources import Memory


def _column(form: str, value: Any) -> ColumnInfo:
    return ColumnInfo(
        ref=Ref("t", "c"), kind="date", words=("day",), own=("day",), encoding="date", date_format=form,
        values=((value, 1),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("form", "value", "read"),
    [
        ("unix", 1_772_668_800, "2026-03-05 00:00:00"),
        ("unix_ms", 1_772_668_800_000, "2026-03-05 00:00:00"),
        ("%Y%m%d", 20260305, "2026-03-05"),
        ("%Y%m%d%H%M%S", "20260305142530", "2026-03-05 14:25:30"),
        ("%d %b", "5 March", "2000-03-05"),
    ],
)
def test_sqlite_and_duckdb_read_the_same_time(form: str, value: Any, read: str) -> None:
    import duckdb

    info = _column(form, value)
    kind = "BIGINT" if isinstance(value, int) else "VARCHAR"
    for dialect, connection in (("sqlite", sqlite3.connect(":memory:")), ("duckdb", duckdb.connect())):
        connection.execute(f"CREATE TABLE t (c {kind})")
        connection.execute("INSERT INTO t VALUES (?)", (value,))
        sql = cast_date(exp.column("c", quoted=True), info, dialect).sql(dialect)
        row = connection.execute(f"SELECT {sql} FROM t").fetchone()
        assert row is not None and str(row[0]) == read, dialect
        connection.close()


def test_a_count_of_seconds_has_a_time_of_day() -> None:
    assert has_time(_column("unix", 1_772_668_800))
    assert not has_time(_column("%Y%m%d", 20260305))


@pytest.mark.parametrize(
    ("condition", "written"),
    [
        ("datetime(started, 'unixepoch') >= '2026-10-01'", "DATETIME(\"started\", 'unixepoch') >= '2026-10-01'"),
        (
            "strftime('%Y', started, 'unixepoch') = '2026'",
            "STRFTIME('%Y', DATETIME(\"started\", 'unixepoch')) = '2026'",
        ),
    ],
)
def test_timestamps_since_1970_are_read_back_so_that_follow_ups_can_change_them(condition: str, written: str) -> None:
    memory = Memory("CREATE TABLE trips(id INTEGER PRIMARY KEY, started INTEGER);")
    catalogue = memory.fill("trips", [(n, 1_790_000_000 + 90_000 * n) for n in range(1, 61)]).catalogue()
    stored = f"SELECT COUNT(*) FROM trips WHERE {condition}"
    query = query_of(stored, catalogue)
    assert query is not None
    assert written in sql_of(query, catalogue)
    assert memory.ask(sql_of(query, catalogue)) == memory.ask(stored)


def test_other_functions_of_numbers_are_no_timestamps() -> None:
    memory = Memory("CREATE TABLE trips(id INTEGER PRIMARY KEY, started INTEGER, fare INTEGER);")
    catalogue = memory.fill("trips", [(n, 1_790_000_000 + 90_000 * n, n % 7) for n in range(1, 61)]).catalogue()
    assert query_of("SELECT COUNT(*) FROM trips WHERE datetime(fare, 'unixepoch') >= '2026-10-01'", catalogue) is None
    assert query_of("SELECT COUNT(*) FROM trips WHERE time(started, 'unixepoch') >= '12:00'", catalogue) is None
