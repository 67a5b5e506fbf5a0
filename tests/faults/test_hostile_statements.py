"""Statements and files of data that engines themselves do not stop: the worker around them does."""

from __future__ import annotations

import random
import sqlite3
import threading
from pathlib import Path

import duckdb
import pytest

from kbtui.data.isolated import IsolatedSource
from kbtui.data.sandbox import calculate
from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError, KbtuiError, ToolError

SHORT = Limits(seconds=1.0)


@pytest.fixture
def source(tmp_path: Path) -> QuerySource:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT 'x' AS a, 1 AS n")
    return IsolatedSource("duckdb", "shop", path)


def works(source: QuerySource) -> bool:
    return source.run("SELECT n FROM t", Limits(), CancelToken()).rows == ((1,),)


def doubled(times: int) -> str:
    """A text of 1,000 characters, made four times as long in each of ``times`` common table expressions."""
    steps = ["c0 AS (SELECT repeat('x', 1000) AS a)"]
    steps += [f"c{number} AS (SELECT a||a||a||a AS a FROM c{number - 1})" for number in range(1, times + 1)]
    return f"WITH {', '.join(steps)} SELECT length(a) FROM c{times}"


@pytest.mark.parametrize(
    "sql", [doubled(11), "SELECT len(range(1000000000))"], ids=["concatenated texts", "a list of a billion"]
)
def test_an_expression_past_the_engines_own_memory_limit_ends_in_an_error(source: QuerySource, sql: str) -> None:
    with pytest.raises(DataSourceError, match=r"memory|room"):
        source.run(sql, Limits(seconds=20.0), CancelToken())
    assert works(source)


def test_an_expression_that_meets_no_interrupt_is_stopped_by_its_limit(source: QuerySource) -> None:
    """One call of a native function, which DuckDB's interrupt does not reach."""
    with pytest.raises(DataSourceError, match="did not answer within 1 s"):
        source.run("SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))", SHORT, CancelToken())
    assert works(source)


def test_an_expression_that_meets_no_interrupt_ends_when_the_run_is_cancelled(source: QuerySource) -> None:
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(Cancelled):
        source.run("SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))", Limits(), cancel)
    assert works(source)


def test_a_calculation_whose_value_is_larger_than_its_memory_is_refused_outside_of_this_process() -> None:
    before = peak_memory()
    with pytest.raises(ToolError, match="more than 64 MB"):
        calculate("[[1] * 1000] * 300000", {}, CancelToken())
    assert peak_memory() - before < 50_000


def peak_memory() -> int:
    """Kilobytes: the most that this process has ever had in memory."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def database(path: Path) -> bytes:
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT REFERENCES town(id));"
        "CREATE TABLE 订单 (id INT, 金额 REAL, note TEXT, day DATE);"
        "CREATE VIEW v AS SELECT name, 金额 FROM customer JOIN 订单 ON customer.id = 订单.id;"
        "CREATE INDEX i ON customer (name)"
    )
    connection.executemany("INSERT INTO customer (name, city) VALUES (?, ?)", [("Ann" * 5, "Oslo")] * 200)
    connection.executemany(
        "INSERT INTO 订单 VALUES (?, ?, ?, ?)", [(n, n / 2, "备注", "2024-01-01") for n in range(200)]
    )
    connection.commit()
    connection.close()
    return path.read_bytes()


def damaged(content: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    data = bytearray(content)
    for _ in range(chance.choice([1, 2, 5, 20, 200])):
        place = chance.choice([chance.randrange(len(data)), chance.randrange(4096), chance.randrange(100)])
        data[place] = chance.choice([0, 255, 128, chance.randrange(256)])
    return bytes(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)


def test_a_database_with_damaged_bytes_is_read_or_refused_in_words(tmp_path: Path) -> None:
    """150 seeds; 36 and 52 made names of columns that are no UTF-8, which ended in a traceback."""
    path = tmp_path / "shop.db"
    content = database(path)
    refused = 0
    for seed in range(150):
        path.write_bytes(damaged(content, seed))
        source = SqliteSource("shop", path)
        for sql in ("SELECT * FROM customer", 'SELECT "金额", * FROM "订单"', "SELECT * FROM v"):
            try:
                source.schema("detailed")
                source.run(sql, Limits(seconds=5.0), CancelToken())
                source.explain(sql)
            except KbtuiError as error:
                refused += bool(error.message)
    assert 50 < refused < 400


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.duckdb", b"\0" * 8 + b"DUCK" + b"\xff" * 9000),
        ("a.parquet", b"PAR1" + b"\xff" * 500 + b"PAR1"),
        ("a.xlsx", b"PK\x03\x04" + b"\xff" * 500),
        ("a.json", b"[" * 100_000),
        ("a.json", b'{"a":' * 50_000 + b"1" + b"}" * 50_000),
        ("a.csv", b""),
    ],
    ids=["duckdb", "parquet", "excel", "brackets", "nested objects", "empty"],
)
def test_a_file_of_data_that_is_none_is_refused_in_words(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    kind = "duckdb" if name.endswith("duckdb") else "file"
    source = IsolatedSource(kind, "it", path)
    with pytest.raises(DataSourceError) as refused:
        source.run("SELECT * FROM a", Limits(seconds=5.0), CancelToken())
    assert "it" in refused.value.message or name in refused.value.message
