"""SQLite files: what they hold, what they answer, and that nothing changes them."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from kbtui.data.sources import open_source
from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Limits, QuerySource
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError
from kbtui.settings.sources import DataSource

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "shop.db"
    with sqlite3.connect(found) as connection:
        connection.executescript(
            """
            CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined TEXT, "odd name" REAL);
            CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INT REFERENCES customer, total DECIMAL(8, 2));
            CREATE VIEW big AS SELECT * FROM "order" WHERE total > 10;
            INSERT INTO customer VALUES (1, '张伟', '2025-03-01', 1.5), (2, 'Bo\x1b[31m', '2025-04-02', NULL);
            INSERT INTO "order" VALUES (1, 1, 9.5), (2, 1, 20), (3, 2, 30);
            """
        )
    connection.close()
    return found


@pytest.fixture
def source(path: Path) -> QuerySource:
    return open_source(DataSource(name="shop", location=str(path)))


def rows(source: QuerySource, sql: str, **limits: float) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(**limits), CancelToken()).rows)  # type: ignore[arg-type]


def test_the_basic_level_names_tables_and_nothing_of_their_columns(source: QuerySource) -> None:
    schema = source.schema("basic")
    assert [(table.name, table.row_estimate, table.is_view, table.columns) for table in schema.tables] == [
        ("customer", 2, False, ()),
        ("order", 3, False, ()),
        ("big", None, True, ()),
    ]


def test_the_detailed_level_has_columns_keys_and_samples(source: QuerySource) -> None:
    schema = source.schema("detailed", ["CUSTOMER", "order"])
    customer, order = schema.tables
    assert [(column.name, column.kind) for column in customer.columns] == [
        ("id", "integer"),
        ("name", "text"),
        ("joined", "date"),
        ("odd name", "number"),
    ]
    assert "张伟" in customer.columns[1].samples
    (key,) = order.foreign_keys
    assert (key.columns, key.referred_table, key.referred_columns) == (("customer_id",), "customer", ("id",))


def test_a_table_that_is_not_there_is_named(source: QuerySource) -> None:
    with pytest.raises(DataSourceError, match="no table parcels"):
        source.schema("detailed", ["parcels"])


def test_cells_are_clean(source: QuerySource) -> None:
    assert rows(source, "SELECT name, x'00ff' FROM customer WHERE id = 2") == [("Bo", "0x00ff")]


def test_what_is_left_out_by_a_limit_is_said(source: QuerySource) -> None:
    table = source.run('SELECT * FROM "order"', Limits(rows=2), CancelToken())
    assert (len(table.rows), table.truncated) == (2, True)
    whole = source.run('SELECT * FROM "order"', Limits(rows=3), CancelToken())
    assert (len(whole.rows), whole.truncated) == (3, False)
    narrow = source.run(
        "SELECT hex(zeroblob_text) FROM (SELECT printf('%1000d', 1) AS zeroblob_text)", Limits(bytes=10), CancelToken()
    )
    assert narrow.truncated


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM customer",
        "UPDATE customer SET name = 'x'",
        "INSERT INTO customer VALUES (3, 'x', NULL, NULL)",
        "DROP TABLE customer",
        "CREATE TABLE more (id INT)",
        "CREATE TEMP TABLE more (id INT)",
        "ATTACH '{other}' AS other",
        "VACUUM INTO '{other}'",
        "PRAGMA journal_mode = wal",
        "PRAGMA writable_schema = 1",
        "SELECT load_extension('{other}')",
        "SELECT 1; DELETE FROM customer",
    ],
)
def test_the_engine_alone_lets_nothing_change(source: QuerySource, path: Path, sql: str) -> None:
    before = path.read_bytes()
    with pytest.raises(DataSourceError):
        rows(source, sql.format(other=path.parent / "other.db"))
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["shop.db"]


def test_a_statement_that_takes_too_long_is_stopped(source: QuerySource) -> None:
    with pytest.raises(DataSourceError, match=r"within 0\.2 s"):
        rows(source, ENDLESS, seconds=0.2)


def test_a_cancelled_statement_is_interrupted_in_the_engine(source: QuerySource) -> None:
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(Cancelled):
        source.run(ENDLESS, Limits(seconds=60), cancel)


def test_a_new_table_changes_the_fingerprint_and_a_new_row_does_not(source: QuerySource, path: Path) -> None:
    first = source.fingerprint()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO customer VALUES (9, 'n', NULL, NULL)")
    assert source.fingerprint() == first
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE fresh (id INT)")
    connection.close()
    assert source.fingerprint() != first


def test_a_statement_is_planned_without_being_run(source: QuerySource) -> None:
    source.explain(ENDLESS)
    with pytest.raises(DataSourceError, match="no such column"):
        source.explain("SELECT colour FROM customer")


@pytest.mark.parametrize(("content", "says"), [(b"no database at all" * 100, "not a sound"), (None, "no file")])
def test_a_file_that_is_no_database_is_told(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(b"")
    source = open_source(DataSource(name="broken", location=str(path)))
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(DataSourceError, match=says):
        source.schema("basic")


def test_a_database_that_is_being_written_is_said_to_be_locked(source: QuerySource, path: Path) -> None:
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(DataSourceError, match="locked"):
            source.schema("basic")
    finally:
        writer.close()
    assert source.schema("basic").tables


@pytest.mark.parametrize(
    "call",
    [
        "zeroblob(1000000)",
        "randomblob(10)",
        "load_extension('x')",
        "fts3_tokenizer('simple')",
        "sqlite_compileoption_get(1)",
        "sqlite_log(1, 'x')",
    ],
)
def test_functions_that_are_not_known_to_be_harmless_are_refused(source: QuerySource, call: str) -> None:
    with pytest.raises(DataSourceError, match="only read"):
        rows(source, f"SELECT {call}")


def test_patterns_and_texts_are_bounded(source: QuerySource) -> None:
    for sql in ("SELECT 'a' LIKE '" + "%a" * 1000 + "'", f"SELECT '{'x' * 2_000_000}'"):
        with pytest.raises(DataSourceError):
            rows(source, sql)
    assert rows(source, "SELECT length(hex(hex(hex(hex('x')))))") == [(16,)]


def test_tables_of_every_make_are_described(tmp_path: Path) -> None:
    path = tmp_path / "odd.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE keyed (code TEXT PRIMARY KEY, at DATETIME, day DATE) WITHOUT ROWID;
            CREATE TABLE "a ""b"" 表" (n INT, twice INT GENERATED ALWAYS AS (n * 2), raw BLOB, "select" TEXT);
            CREATE TABLE loose (a, b, c INTEGER);
            CREATE VIRTUAL TABLE notes USING fts5 (title, body);
            CREATE VIEW broken AS SELECT * FROM gone;
            INSERT INTO keyed VALUES ('x', 1735689600, '31/12/2024'), ('y', 1735689601, '30/12/2024');
            INSERT INTO "a ""b"" 表" (n, raw, "select") VALUES (1, x'00', 'k');
            INSERT INTO loose VALUES (1, '2025-01-01', 'many'), (2, '2025-01-02', 'few');
            INSERT INTO notes VALUES ('t', 'b');
            """
        )
    connection.close()
    source = open_source(DataSource(name="odd", location=str(path)))
    tables = {table.name: table for table in source.schema("detailed").tables}
    assert list(tables) == ["keyed", 'a "b" 表', "loose", "notes", "broken"]
    assert [(column.name, column.kind) for column in tables["keyed"].columns] == [
        ("code", "text"),
        ("at", "integer"),
        ("day", "text"),
    ]
    assert (tables["keyed"].row_estimate, tables["keyed"].columns[0].is_key) == (2, True)
    assert [(column.name, column.samples) for column in tables['a "b" 表'].columns] == [
        ("n", (1,)),
        ("twice", (2,)),
        ("raw", ()),
        ("select", ("k",)),
    ]
    assert [column.kind for column in tables["loose"].columns] == ["integer", "date", "text"]
    assert [column.name for column in tables["notes"].columns] == ["title", "body"]
    assert rows(source, "SELECT title, bm25(notes) < 0 FROM notes WHERE notes MATCH 'b'") == [("t", 1)]
    assert (tables["broken"].is_view, tables["broken"].columns) == (True, ())


def test_comments_behind_columns_are_read(tmp_path: Path) -> None:
    path = tmp_path / "commented.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE tickets (id INTEGER PRIMARY KEY, -- of the tracker
              "urgency level" INTEGER NOT NULL DEFAULT 1, -- 1=low, 2=high
              note TEXT DEFAULT 'a -- b', /* what was said */
              -- a remark on a line of its own
              plain TEXT);
            """
        )
    (table,) = SqliteSource("commented", path).schema("detailed").tables
    assert {column.name: column.comment for column in table.columns} == {
        "id": "of the tracker", "urgency level": "1=low, 2=high", "note": "what was said", "plain": "",
    }  # fmt: skip


def test_of_very_many_tables_only_those_named_are_looked_into(tmp_path: Path) -> None:
    path = tmp_path / "many.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "BEGIN;"
            + "".join(f"CREATE TABLE t{n} (a INT); INSERT INTO t{n} VALUES ({n});" for n in range(320))
            + "COMMIT"
        )
    connection.close()
    source = open_source(DataSource(name="many", location=str(path)))
    everything = source.schema("detailed")
    assert len(everything.tables) == 320
    assert not any(column.samples for table in everything.tables for column in table.columns)
    assert source.schema("detailed", ["t7"]).tables[0].columns[0].samples == (7,)


def test_large_tables_are_estimated_and_small_ones_counted(tmp_path: Path) -> None:
    path = tmp_path / "large.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1), (5000000); "
            "CREATE TABLE s (id INTEGER PRIMARY KEY); INSERT INTO s VALUES (1), (500);"
        )
    connection.close()
    source = open_source(DataSource(name="large", location=str(path)))
    assert [table.row_estimate for table in source.schema("basic").tables] == [5_000_000, 2]


def test_a_view_that_calculates_for_ever_has_no_samples_and_holds_nobody_up(source: QuerySource, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE VIEW slow AS {ENDLESS}")
    connection.close()
    (slow,) = source.schema("detailed", ["slow"]).tables
    assert [column.samples for column in slow.columns] == [()]


def test_a_damaged_page_is_told_when_it_is_met(source: QuerySource, path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE wide (a TEXT)")
        connection.executemany("INSERT INTO wide VALUES (?)", [("x" * 500,) for _ in range(200)])
    connection.close()
    content = bytearray(path.read_bytes())
    content[-40_000:] = b"\xff" * 40_000
    path.write_bytes(content)
    with pytest.raises(DataSourceError, match="not a sound"):
        rows(source, "SELECT count(a) FROM wide")


def test_a_file_that_went_away_is_told_and_found_again(source: QuerySource, path: Path) -> None:
    moved = path.rename(path.with_name("moved.db"))
    with pytest.raises(DataSourceError, match="no file"):
        rows(source, "SELECT 1")
    moved.rename(path)
    assert rows(source, "SELECT count(*) FROM customer") == [(2,)]


def test_a_database_in_a_folder_that_may_not_be_written_is_read_as_it_is(
    source: QuerySource, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert rows(source, "SELECT count(*) FROM customer") == [(2,)]
    source = SqliteSource("shop", path)
    connect = sqlite3.connect

    def refusing(database: str, /, **how: object) -> sqlite3.Connection:
        if "immutable" not in database:
            raise sqlite3.OperationalError("unable to open database file")
        return connect(database, **how)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", refusing)
    with pytest.raises(DataSourceError, match="cannot be opened"):
        rows(source, "SELECT 1")
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    assert rows(source, "SELECT count(*) FROM customer") == [(2,)]


def test_of_several_statements_those_that_fail_or_take_too_long_cost_the_others_nothing(source: QuerySource) -> None:
    statements = ["SELECT name FROM parcels", ENDLESS, "DELETE FROM customer", "SELECT count(*) FROM customer"]
    tables = source.run_each(statements, Limits(seconds=0.1), seconds=60.0)
    assert tables[:3] == [None, None, None]
    assert tables[3] is not None
    assert tables[3].rows == ((2,),)


def test_when_time_is_up_no_further_statement_is_begun(source: QuerySource) -> None:
    tables = source.run_each(["SELECT 1", "SELECT nothing", "SELECT 3", "SELECT 4"], Limits(), seconds=-1.0, enough=3)
    assert [table and table.rows for table in tables] == [((1,),), None, ((3,),)]


def test_each_of_several_statements_passes_the_guard(path: Path) -> None:
    def guard(sql: str, _dialect: str) -> str:
        if "total" in sql:
            raise DataSourceError("No totals.")
        return sql

    source = open_source(DataSource(name="shop", location=str(path)), guard=guard)
    tables = source.run_each(["SELECT total FROM big", "SELECT 2", "SELECT 3"], Limits(), seconds=-1.0, enough=1)
    assert [table and table.rows for table in tables] == [None, ((2,),)]
