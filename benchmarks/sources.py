"""How long data sources take: opened, described, counted, grouped, and stopped in the middle of a statement.

    python benchmarks/sources.py [--rows N] [--tables N] [--only KIND ...] [--json]

Data of N rows (5 million) is made in a temporary folder, as SQLite, DuckDB, CSV, JSON Lines and Parquet; and databases
of many tables (1,000) in SQLite and DuckDB, which the engine is asked questions over as well. With the packages of
PostgreSQL and MariaDB installed, servers are started on loopback and hold the same rows. ``open`` is the first schema,
loading included; ``cancel`` is from the order to stop until the call is back, the worst of five.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from _common import machine, print_result

import kbtui
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled
from kbtui.settings.sources import DataSource

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.support.databases import PASSWORD, MariaDb, Postgres, missing, running

_COLUMNS = "id, city, day, amount"
_ROW = (
    "range AS id, 'city ' || (range * 7919 % 997) AS city, DATE '2020-01-01' + CAST(range % 2000 AS INTEGER) AS day, "
    "(range * 31 % 100000) / 100 AS amount"
)
_ENDLESS = "SELECT count(*) FROM sales a JOIN sales b ON a.city <> b.city JOIN sales c ON b.amount < c.amount"
_CANCELS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--only", nargs="+", choices=[*_FILES, *_SERVERS], help="only these kinds")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    result: dict[str, Any] = {"machine": machine(), "rows": args.rows}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        os.environ["SHOP_PASSWORD"] = PASSWORD
        _make_parquet(folder / "sales.parquet", args.rows)
        for name, make in _FILES.items():
            if not args.only or name in args.only:
                path = make(folder, args.rows)
                result[name] = {"bytes": path.stat().st_size, **_measured(DataSource(name=name, location=str(path)))}
        for name, kind in _SERVERS.items():
            if (not args.only or name in args.only) and not missing(kind):
                with _filled(kind, folder, args.rows) as url:
                    result[name] = _measured(DataSource(name=name, location=url))
        for name in ("sqlite", "duckdb"):
            if not args.only or name in args.only:
                result[f"{name}, {args.tables} tables"] = _described(folder, name, args.tables)
    print_result(result, as_json=args.json)


def _measured(entry: DataSource) -> dict[str, Any]:
    source = open_source(entry)
    try:
        return {
            "open_ms": _timed(lambda: source.schema("basic")),
            "basic_ms": _timed(lambda: source.schema("basic")),
            "detailed_ms": _timed(lambda: source.schema("detailed")),
            "fingerprint_ms": _timed(source.fingerprint),
            "count_ms": _timed(lambda: _run(source, "SELECT count(*) FROM sales")),
            "group_ms": _timed(lambda: _run(source, "SELECT city, sum(amount) FROM sales GROUP BY city")),
            "rows_10k_ms": _timed(lambda: _run(source, f"SELECT {_COLUMNS} FROM sales")),
            "cancel_ms": max(_cancelled(source) for _ in range(_CANCELS)),
        }
    finally:
        source.close()


def _described(folder: Path, name: str, tables: int) -> dict[str, float]:
    path = folder / f"many.{name}"
    definition = "CREATE TABLE table_{0} (id INTEGER PRIMARY KEY, name VARCHAR, made DATE, amount DOUBLE)"
    if name == "sqlite":
        with sqlite3.connect(path) as lite:
            lite.executescript(";".join(definition.format(number) for number in range(tables)))
        lite.close()
    else:
        import duckdb

        with duckdb.connect(str(path)) as duck:
            duck.execute(";".join(definition.format(number) for number in range(tables)))
    source = open_source(DataSource(name=name, location=str(path)))
    return {
        "first_question_ms": _asked(folder, path, 0),
        **{f"question_{number}_ms": _asked(folder, path, number) for number in (7, 70, 700)},
        "basic_ms": _timed(lambda: source.schema("basic")),
        "detailed_ms": _timed(lambda: source.schema("detailed")),
        "detailed_10_ms": _timed(lambda: source.schema("detailed", [f"table_{number}" for number in range(10)])),
    }


def _asked(folder: Path, path: Path, number: int) -> float:
    """A question through the engine; each is about a table that no question before was about."""
    (folder / "empty").mkdir(exist_ok=True)
    engine = kbtui.Engine(kb=str(folder / "empty"), sources=[str(path)], record=False)
    return _timed(lambda: engine.answer_query(f"total amount of table {number} by name"))


def _run(source: QuerySource, sql: str) -> None:
    source.run(sql, Limits(seconds=600), CancelToken())


def _timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return round((time.perf_counter() - start) * 1000, 1)


def _cancelled(source: QuerySource) -> float:
    cancel, told = CancelToken(), 0.0

    def stop() -> None:
        nonlocal told
        told = time.perf_counter()
        cancel.cancel()

    timer = threading.Timer(0.5, stop)
    timer.start()
    try:
        source.run(_ENDLESS, Limits(seconds=600), cancel)
    except Cancelled:
        return round((time.perf_counter() - told) * 1000, 1)
    finally:
        timer.cancel()
    raise SystemExit("the statement ended before it was cancelled: give more --rows")


def _make_parquet(path: Path, rows: int) -> None:
    import duckdb

    duckdb.execute(f"COPY (SELECT {_ROW} FROM range({rows})) TO '{path}'")


def _parquet(folder: Path, _rows: int) -> Path:
    return folder / "sales.parquet"


def _text(suffix: str, form: str) -> Callable[[Path, int], Path]:
    def make(folder: Path, _rows: int) -> Path:
        import duckdb

        path = folder / suffix / f"sales.{suffix}"
        path.parent.mkdir()
        duckdb.execute(f"COPY (FROM '{folder / 'sales.parquet'}') TO '{path}' (FORMAT {form})")
        return path

    return make


def _duckdb(folder: Path, _rows: int) -> Path:
    import duckdb

    path = folder / "sales.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE TABLE sales AS FROM '{folder / 'sales.parquet'}'")
    return path


def _sqlite(folder: Path, _rows: int) -> Path:
    path = folder / "sales.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE sales (id INTEGER PRIMARY KEY, city TEXT, day DATE, amount REAL)")
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", _rows_of(folder))
    connection.close()
    return path


def _rows_of(folder: Path) -> Iterator[tuple[Any, ...]]:
    import duckdb

    connection = duckdb.connect()
    cursor = connection.execute(f"SELECT id, city, CAST(day AS VARCHAR), amount FROM '{folder / 'sales.parquet'}'")
    while batch := cursor.fetchmany(10_000):
        yield from batch
    connection.close()


@contextmanager
def _filled(kind: type[Postgres | MariaDb], folder: Path, _rows: int) -> Iterator[str]:
    import duckdb

    with ExitStack() as stack:
        server = stack.enter_context(running(kind))
        path = server.folder / "sales.tsv"
        duckdb.execute(f"COPY (FROM '{folder / 'sales.parquet'}') TO '{path}' (DELIMITER '\t', HEADER false)")
        path.chmod(0o644)
        server.sql("CREATE TABLE sales (id bigint PRIMARY KEY, city varchar(20), day date, amount double precision)")
        if kind is Postgres:
            server.sql(f"COPY sales FROM '{path}'", "ANALYZE sales")
        else:
            server.sql(f"LOAD DATA INFILE '{path}' INTO TABLE sales", "ANALYZE TABLE sales")
        path.unlink()
        yield server.url()


_FILES: dict[str, Callable[[Path, int], Path]] = {
    "sqlite": _sqlite,
    "duckdb": _duckdb,
    "csv": _text("csv", "csv"),
    "jsonl": _text("jsonl", "json"),
    "parquet": _parquet,
}
_SERVERS: dict[str, type[Postgres | MariaDb]] = {"postgres": Postgres, "mariadb": MariaDb}

if __name__ == "__main__":
    main()
