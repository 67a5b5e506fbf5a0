"""Dates without separators and counts since 1970, as statements read them."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from sqlglot import exp

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.column_casts import cast_date
from kbtui.nl2sql.date_formats import has_time
from kbtui.nl2sql.query import Ref


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
