"""DuckDB files: what they hold, what they answer, and that a statement reaches nothing but them."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError
from kbtui.settings.sources import DataSource

ENDLESS = "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE a.range + b.range = 7"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "shop.duckdb"
    with duckdb.connect(str(found)) as connection:
        connection.execute(
            """
            CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, joined DATE, "odd name" DOUBLE);
            CREATE TABLE "order" (id BIGINT PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), t DECIMAL(8, 2));
            CREATE SCHEMA staff;
            CREATE TABLE staff.rota (day DATE, raw BLOB, tags VARCHAR[]);
            CREATE VIEW big AS SELECT * FROM "order" WHERE t > 10;
            COMMENT ON TABLE customer IS 'Who buys';
            COMMENT ON COLUMN customer.joined IS 'First order';
            INSERT INTO customer VALUES (1, '张伟', '2025-03-01', 'nan'), (2, 'Bo\x1b[31m', '2025-04-02', 2.5);
            INSERT INTO "order" VALUES (1, 1, 9.5), (2, 1, 20), (3, 2, 30);
            INSERT INTO staff.rota VALUES ('2025-01-01', 'x', ['a']);
            """
        )
    return found


@pytest.fixture
def source(path: Path) -> QuerySource:
    return open_source(DataSource(name="shop", location=str(path)))


def rows(source: QuerySource, sql: str, **limits: float) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(**limits), CancelToken()).rows)  # type: ignore[arg-type]


def test_the_basic_level_names_tables_of_all_schemas(source: QuerySource) -> None:
    assert [
        (table.name, table.row_estimate, table.is_view, table.columns) for table in source.schema("basic").tables
    ] == [
        ("customer", 2, False, ()),
        ("order", 3, False, ()),
        ("staff.rota", 1, False, ()),
        ("big", None, True, ()),
    ]


def test_the_detailed_level_has_columns_keys_comments_and_samples(source: QuerySource) -> None:
    customer, order, rota = source.schema("detailed", ["Customer", "order", "staff.rota"]).tables
    assert [(column.name, column.kind, column.is_key) for column in customer.columns] == [
        ("id", "integer", True),
        ("name", "text", False),
        ("joined", "date", False),
        ("odd name", "number", False),
    ]
    assert (customer.comment, customer.columns[2].comment) == ("Who buys", "First order")
    assert customer.columns[1].samples == ("张伟", "Bo")
    assert customer.columns[3].samples == (2.5,)
    (key,) = order.foreign_keys
    assert (key.columns, key.referred_table, key.referred_columns) == (("customer_id",), "customer", ("id",))
    assert [(column.kind, column.samples) for column in rota.columns] == [
        ("date", ("2025-01-01",)),
        ("other", ()),
        ("other", ("['a']",)),
    ]


def test_a_file_of_duckdb_that_ends_in_db_is_known_by_what_it_holds(path: Path) -> None:
    renamed = path.rename(path.with_suffix(".db"))
    source = open_source(DataSource(name="shop", location=str(renamed)))
    assert rows(source, "SELECT count(*) FROM customer") == [(2,)]


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM customer",
        "CREATE TABLE more (id INT)",
        "CREATE TEMP TABLE more (id INT)",
        "COPY customer TO '{other}'",
        "COPY (SELECT 1) TO '{other}' (FORMAT parquet)",
        "EXPORT DATABASE '{other}'",
        "ATTACH '{other}' AS other",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('{folder}/*')",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "PRAGMA enable_profiling",
        "CALL pragma_version()",
        "CHECKPOINT",
        "SET VARIABLE x = 1",
        "BEGIN",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE customer",
        "EXPLAIN ANALYZE SELECT 1",
        "",
    ],
)
def test_the_engine_alone_lets_nothing_change_and_nothing_else_be_read(
    source: QuerySource, path: Path, sql: str
) -> None:
    secret = path.parent / "secret.csv"
    secret.write_text("a\n1\n")
    before = path.read_bytes()
    with pytest.raises(DataSourceError):
        rows(source, sql.format(other=path.parent / "other", secret=secret, folder=path.parent))
    assert path.read_bytes() == before
    assert sorted(each.name for each in path.parent.iterdir()) == ["secret.csv", "shop.duckdb"]


def test_limits_and_truncation_are_said(source: QuerySource) -> None:
    table = source.run("SELECT * FROM range(10000000000)", Limits(rows=5), CancelToken())
    assert (table.rows, table.truncated) == (((0,), (1,), (2,), (3,), (4,)), True)
    assert not source.run("SELECT * FROM range(5)", Limits(rows=5), CancelToken()).truncated


def test_a_statement_that_takes_too_long_is_stopped(source: QuerySource) -> None:
    with pytest.raises(DataSourceError, match=r"within 0\.2 s"):
        rows(source, ENDLESS, seconds=0.2)


def test_a_cancelled_statement_is_interrupted_in_the_engine(source: QuerySource) -> None:
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(Cancelled):
        source.run(ENDLESS, Limits(seconds=60), cancel)
    assert rows(source, "SELECT 1") == [(1,)]


def test_several_threads_may_ask_at_once(source: QuerySource) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda n: rows(source, f"SELECT {n} + count(*) FROM customer"), range(8))) == [
            [(n + 2,)] for n in range(8)
        ]


def test_what_python_has_no_type_for_is_a_cell_all_the_same(source: QuerySource) -> None:
    ((far, never, huge, many),) = rows(
        source, "SELECT DATE '20000-01-01', 'infinity'::TIMESTAMP, 170141183460469231731687303715884105727, {'a': [1]}"
    )
    assert (far, many) == ("20000-01-01", "{'a': '[1]'}")
    assert isinstance(never, str) and huge == "170141183460469231731687303715884105727"


def test_a_new_table_changes_the_fingerprint_and_a_new_row_does_not(source: QuerySource, path: Path) -> None:
    first = source.fingerprint()
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO customer VALUES (9, 'n', NULL, NULL)")
    assert source.fingerprint() == first == source.schema("basic").fingerprint
    with duckdb.connect(str(path)) as connection:
        connection.execute("ALTER TABLE customer ADD COLUMN city VARCHAR")
    assert source.fingerprint() != first


def test_a_statement_is_planned_without_being_run(source: QuerySource) -> None:
    source.explain(ENDLESS)
    with pytest.raises(DataSourceError, match="colour"):
        source.explain("SELECT colour FROM customer")


def test_a_file_that_another_program_writes_is_said_to_be_locked(source: QuerySource, path: Path) -> None:
    code = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None and writer.stdout.readline()
        with pytest.raises(DataSourceError, match=f"locked by another program.*PID {writer.pid}"):
            source.schema("basic")
    assert source.schema("basic").tables


@pytest.mark.parametrize(("content", "says"), [(b"", "not a sound"), (b"x" * 50_000, "not a sound"), (None, "no file")])
def test_a_file_that_is_no_database_is_told(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "broken.duckdb"
    path.write_bytes(content or b"")
    source = open_source(DataSource(name="broken", location=str(path)))
    if content is None:
        path.unlink()
    with pytest.raises(DataSourceError, match=says) as caught:
        source.schema("basic")
    assert caught.value.hint


def test_a_damaged_file_is_told_and_not_believed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[12288:200_000] = b"\x01" * (200_000 - 12288)
    path.write_bytes(content)
    with pytest.raises(DataSourceError, match="not a sound DuckDB database"):
        open_source(DataSource(name="shop", location=str(path))).schema("detailed")


def test_a_view_that_calculates_for_ever_has_no_samples_and_holds_nobody_up(source: QuerySource, path: Path) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE VIEW slow AS {ENDLESS.replace('count(*)', 'count(*) AS n')}")
    started = time.monotonic()
    (slow,) = source.schema("detailed", ["slow"]).tables
    assert [(column.name, column.samples) for column in slow.columns] == [("n", ())]
    assert time.monotonic() - started < 20


def test_a_view_of_a_file_outside_says_what_to_do(source: QuerySource, path: Path) -> None:
    outside = path.parent / "outside.csv"
    outside.write_text("a\n1\n")
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"CREATE VIEW outside AS SELECT * FROM read_csv('{outside}')")
    assert source.schema("detailed", ["outside"]).tables[0].is_view
    with pytest.raises(DataSourceError, match="outside of the database") as caught:
        rows(source, "SELECT * FROM outside")
    assert "sources add" in caught.value.hint


def test_several_statements_run_on_one_connection(source: QuerySource) -> None:
    tables = source.run_each(["SELECT 1", "SELECT nothing", "DROP TABLE sales", "SELECT 4"], Limits(), seconds=60.0)
    assert [table and table.rows for table in tables] == [((1,),), None, None, ((4,),)]
