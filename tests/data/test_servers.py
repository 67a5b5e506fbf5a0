"""Real PostgreSQL and MariaDB servers: what they hold and answer, what they refuse, and how they fail."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal

import pytest
from sqlalchemy.engine import make_url

from kbtui.data.mysql import MySqlSource
from kbtui.data.other_servers import OtherSource
from kbtui.data.postgres import PostgresSource
from kbtui.data.server import ServerSource, open_url
from kbtui.data.sources import open_source
from kbtui.domain.analysis import Limits, Table
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError
from kbtui.settings import keys
from kbtui.settings.sources import DataSource
from tests.support.databases import PASSWORD, MariaDb, Postgres, free_port, missing, running

pytestmark = pytest.mark.xdist_group("servers")
Server = Postgres | MariaDb

POSTGRES = (
    "CREATE TYPE size AS ENUM ('S', 'M')",
    "CREATE TABLE customer (id int PRIMARY KEY, name text NOT NULL, joined date, size size, raw bytea, secret text)",
    'CREATE TABLE "order" (id bigint PRIMARY KEY, customer_id int REFERENCES customer, total numeric(8, 2), '
    '"Größe" double precision, made timestamptz)',
    'CREATE VIEW big AS SELECT * FROM "order" WHERE total > 10',
    "CREATE SCHEMA staff",
    "CREATE TABLE staff.rota (day date)",
    "COMMENT ON TABLE customer IS 'Who buys'",
    "COMMENT ON COLUMN customer.joined IS 'First order'",
    "INSERT INTO customer VALUES (1, '张伟', '2025-03-01', 'S', 'x', 's'), (2, E'Bo\\x1b[31m', NULL, 'M', NULL, 's')",
    "INSERT INTO \"order\" VALUES (1, 1, 9.5, 'NaN', '2025-01-01 10:00+00')",
    'INSERT INTO "order" VALUES (2, 1, 20, 1.5), (3, 2, 30, 2)',
    "GRANT SELECT (id, name) ON customer TO reader",
    'GRANT SELECT ON "order" TO reader',
    "CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS 'DELETE FROM customer RETURNING id'",
)
MARIADB = (
    "CREATE TABLE customer (id int PRIMARY KEY, name varchar(40) NOT NULL, joined date COMMENT 'First order', "
    "size enum('S', 'M'), raw blob, secret text) COMMENT 'Who buys'",
    "CREATE TABLE `order` (id bigint PRIMARY KEY, customer_id int, total decimal(8, 2), `Größe` double, made datetime, "
    "FOREIGN KEY (customer_id) REFERENCES customer(id))",
    "CREATE VIEW big AS SELECT * FROM `order` WHERE total > 10",
    "INSERT INTO customer VALUES (1, '张伟', '2025-03-01', 'S', 'x', 's'), (2, 'Bo\x1b[31m', NULL, 'M', NULL, 's')",
    "INSERT INTO `order` VALUES (1, 1, 9.5, NULL, '2025-01-01 10:00'), (2, 1, 20, 1.5, NULL), (3, 2, 30, 2, NULL)",
    "ANALYZE TABLE customer, `order`",
)
ENDLESS = {
    Postgres: "SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 100000) b",
    MariaDb: "WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 4000000000) SELECT count(*) "
    "FROM n a, n b, n c",
}


@pytest.fixture(scope="module", params=[Postgres, MariaDb])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    if why := missing(request.param):
        pytest.skip(why)
    with running(request.param) as found:
        found.sql(*(POSTGRES if request.param is Postgres else MARIADB))
        yield found


def opened(server: Server, user: str = "boss", database: str = "shop", password: str = PASSWORD) -> ServerSource:
    entry = DataSource(name="shop", location=server.url(user, database))
    source = open_url(entry, environ={"SHOP_PASSWORD": password})
    assert isinstance(source, ServerSource)
    return source


@pytest.fixture(params=["boss", "reader"])
def source(server: Server, request: pytest.FixtureRequest) -> Iterator[ServerSource]:
    found = opened(server, request.param)
    yield found
    found.close()


@pytest.fixture
def boss(server: Server) -> Iterator[ServerSource]:
    found = opened(server)
    yield found
    found.close()


def rows(source: ServerSource, sql: str, **limits: float) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(**limits), CancelToken()).rows)  # type: ignore[arg-type]


def named(server: Server, name: str) -> str:
    return f'"{name}"' if isinstance(server, Postgres) else f"`{name}`"


def test_the_basic_level_names_what_the_user_may_read(server: Server, source: ServerSource) -> None:
    tables = source.schema("basic").tables
    found = {table.name: (table.row_estimate, table.is_view, table.comment, table.columns) for table in tables}
    assert found["customer"] == (2, False, "Who buys", ())
    assert found["order"] == (3, False, "", ())
    if source.url.username == "boss":
        assert found["big"] == (None, True, "", ())
        assert ("staff.rota" in found) == isinstance(server, Postgres)


def test_the_detailed_level_has_columns_keys_comments_and_samples(server: Server, boss: ServerSource) -> None:
    customer, order = boss.schema("detailed", ["Customer", "order"]).tables
    assert [(column.name, column.kind, column.is_key, column.nullable) for column in customer.columns[:5]] == [
        ("id", "integer", True, False),
        ("name", "text", False, False),
        ("joined", "date", False, True),
        ("size", "text", False, True),
        ("raw", "other", False, True),
    ]
    assert customer.columns[1].samples == ("张伟", "Bo")
    assert customer.columns[2].samples == ("2025-03-01",)
    assert customer.columns[2].comment == "First order"
    assert [column.kind for column in order.columns] == ["integer", "integer", "number", "number", "datetime"]
    (key,) = order.foreign_keys
    assert (key.columns, key.referred_table, key.referred_columns) == (("customer_id",), "customer", ("id",))


def test_cells_are_what_json_can_hold(server: Server, boss: ServerSource) -> None:
    order, size = named(server, "order"), named(server, "Größe")
    first, *rest = rows(boss, f"SELECT total, {size}, made FROM {order} ORDER BY id")
    assert first[:2] == (9.5, None) and str(first[2]).startswith("2025-01-01 10:00:00")
    assert rest == [(20, 1.5, None), (30, 2.0, None)]
    assert rows(boss, "SELECT name, raw FROM customer ORDER BY id") == [("张伟", "0x78"), ("Bo", None)]


def test_percent_signs_are_only_percent_signs(boss: ServerSource) -> None:
    assert rows(boss, "SELECT id FROM customer WHERE name LIKE 'B%' AND 7 % 4 = 3") == [(2,)]


COMMON = [
    "DELETE FROM customer",
    "UPDATE customer SET name = 'x'",
    "INSERT INTO customer (id, name) VALUES (9, 'x')",
    "DROP TABLE customer",
    "CREATE TABLE more (id int)",
    "CREATE TEMPORARY TABLE more (id int)",
    "TRUNCATE customer",
    "SELECT 1; DELETE FROM customer",
    "COMMIT",
    "ROLLBACK; DELETE FROM customer",
    "SELECT 1; COMMIT; DELETE FROM customer",
    "SET SESSION TRANSACTION READ WRITE",
    "GRANT ALL ON customer TO reader",
    "CREATE USER eve",
    "",
]
ONLY = {
    Postgres: [
        "WITH d AS (DELETE FROM customer RETURNING id) SELECT * FROM d",
        "SELECT id INTO more FROM customer",
        "SELECT * FROM customer FOR UPDATE",
        "SELECT wipe()",
        "COPY customer TO '/tmp/kbtui-stolen'",
        "COPY customer TO PROGRAM 'touch /tmp/kbtui-stolen'",
        "SELECT pg_read_file('/etc/passwd')",
        "SELECT lo_import('/etc/passwd')",
        "SELECT lo_export(1, '/tmp/kbtui-stolen')",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT set_config('role', 'none', false)",
        "SELECT U&\"set\\005fconfig\"('role', 'none', false)",
        "SELECT query_to_xml('DELETE FROM customer', true, true, '')",
        "SELECT pg_terminate_backend(1)",
        "SELECT pg_catalog . \"pg_ls_dir\" ('/')",
        "DO $$ BEGIN DELETE FROM customer; END $$",
        "SHOW ALL",
        "EXPLAIN ANALYZE DELETE FROM customer",
    ],
    MariaDb: [
        "SELECT * FROM customer INTO OUTFILE '/tmp/kbtui-stolen'",
        "SELECT 'x' INTO DUMPFILE '/tmp/kbtui-stolen'",
        "SELECT /*!50000 'x' INTO OUTFILE '/tmp/kbtui-stolen' */",
        "/*! DELETE FROM customer */",
        "SELECT 1 /*M!100000 ; DELETE FROM customer */",
        "SELECT load_file('/etc/passwd')",
        "LOAD DATA INFILE '/etc/passwd' INTO TABLE customer",
        "SET GLOBAL read_only = 1",
        "KILL 1",
        "SELECT @x := 1",
        "SELECT 1 INTO @x",
        "SELECT get_lock('x', 0)",
        "WITH d AS (SELECT 1) DELETE FROM customer",
        "SELECT * FROM customer PROCEDURE ANALYSE()",
        "CALL wipe()",
        "DO 1",
        "PREPARE s FROM 'DELETE FROM customer'",
        "EXPLAIN SELECT 1",
        "-- SELECT\nDELETE FROM customer",
    ],
}


def test_the_engine_alone_lets_nothing_change_even_for_a_superuser(server: Server, boss: ServerSource) -> None:
    count = "SELECT count(*) FROM customer"
    tables = "SELECT count(*) FROM information_schema.tables"
    before = (server.sql(count), server.sql(tables))
    for sql in COMMON + ONLY[type(server)]:
        with pytest.raises(DataSourceError) as caught:
            rows(boss, sql)
        assert caught.value.hint, sql
        assert (server.sql(count), server.sql(tables)) == before, sql
    assert rows(boss, count) == [(2,)]


def test_each_lock_holds_by_itself(server: Server, boss: ServerSource, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(boss), "_check_statement", lambda _self, _sql: None)
    before = server.sql("SELECT count(*) FROM customer")
    # Settings of the session are its own, and each transaction says for itself that it only reads.
    for sql in (sql for sql in COMMON if sql not in ("COMMIT", "SET SESSION TRANSACTION READ WRITE")):
        with pytest.raises(DataSourceError):
            rows(boss, sql)
    assert server.sql("SELECT count(*) FROM customer") == before
    if isinstance(server, Postgres):
        assert rows(boss, "SELECT current_user::text") == [("pg_read_all_data",)]
        for sql in ("SELECT pg_read_file('/etc/passwd')", "SELECT lo_import('/etc/passwd')", "SELECT wipe()"):
            with pytest.raises(DataSourceError):
                rows(boss, sql)


def test_limits_and_truncation_are_said(server: Server, source: ServerSource) -> None:
    order = named(server, "order")
    table = source.run(f"SELECT id FROM {order} ORDER BY id", Limits(rows=2), CancelToken())
    assert (table.rows, table.truncated) == (((1,), (2,)), True)
    assert not source.run(f"SELECT id FROM {order}", Limits(rows=3), CancelToken()).truncated
    assert source.run("SELECT repeat('x', 5000)", Limits(bytes=100), CancelToken()).truncated


def test_rows_that_are_left_out_are_not_read_behind_anybodys_back(
    server: Server, boss: ServerSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    unraised: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", unraised.append)
    order = named(server, "order")
    many = ", ".join(f"{order} t{number}" for number in range(9))
    assert boss.run(f"SELECT t1.id FROM {many}", Limits(rows=1), CancelToken()).truncated
    gc.collect()
    assert not unraised
    assert rows(boss, "SELECT 1") == [(1,)]


def test_a_statement_that_takes_too_long_is_stopped_and_the_next_one_runs(server: Server, boss: ServerSource) -> None:
    with pytest.raises(DataSourceError, match=r"within 0\.3 s"):
        rows(boss, ENDLESS[type(server)], seconds=0.3)
    assert rows(boss, "SELECT 1") == [(1,)]


def test_a_cancelled_statement_is_interrupted_on_the_server(server: Server, boss: ServerSource) -> None:
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(Cancelled):
        boss.run(ENDLESS[type(server)], Limits(seconds=60), cancel)
    busy = (
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series(1, 1000%' "
        "AND pid <> pg_backend_pid()"
        if isinstance(server, Postgres)
        else "SELECT count(*) FROM information_schema.processlist WHERE info LIKE 'WITH RECURSIVE%'"
    )
    for _ in range(100):
        if server.sql(busy) == [(0,)]:
            break
        threading.Event().wait(0.1)
    assert server.sql(busy) == [(0,)]
    assert rows(boss, "SELECT 1") == [(1,)]


def test_a_server_that_dies_in_the_middle_is_told_and_found_again(server: Server, boss: ServerSource) -> None:
    threading.Timer(0.5, server.stop).start()
    try:
        with pytest.raises(DataSourceError, match="went away") as caught:
            rows(boss, ENDLESS[type(server)], seconds=60)
        assert "Ask again" in caught.value.hint
        with pytest.raises(DataSourceError):
            boss.schema("basic")
    finally:
        server.start()
    assert rows(boss, "SELECT count(*) FROM customer") == [(2,)]


def test_a_connection_that_died_while_nobody_asked_is_made_anew_in_silence(server: Server, boss: ServerSource) -> None:
    assert rows(boss, "SELECT 1") == [(1,)]
    server.stop()
    server.start()
    assert rows(boss, "SELECT count(*) FROM customer") == [(2,)]


def test_a_new_column_changes_the_fingerprint_and_a_new_row_does_not(server: Server, boss: ServerSource) -> None:
    first = boss.fingerprint()
    assert first == boss.schema("basic").fingerprint
    server.sql("CREATE TABLE passing (id int)")
    try:
        second = boss.fingerprint()
        server.sql("INSERT INTO passing VALUES (1)")
        assert first != second == boss.fingerprint()
        assert boss.schema("detailed", ["passing"]).table("passing") is not None
    finally:
        server.sql("DROP TABLE passing")
    with pytest.raises(DataSourceError, match="passing"):
        rows(boss, "SELECT * FROM passing")


def test_a_statement_is_planned_without_being_run(server: Server, boss: ServerSource) -> None:
    boss.explain("SELECT count(*) FROM customer a, customer b WHERE a.name LIKE 'x%'")
    with pytest.raises(DataSourceError, match="colour"):
        boss.explain("SELECT colour FROM customer")
    assert rows(boss, "SELECT 1") == [(1,)]


def test_what_a_user_may_not_read_is_told(server: Server) -> None:
    reader = opened(server, "reader")
    sql = "SELECT secret FROM customer" if isinstance(server, Postgres) else "SELECT * FROM mysql.user"
    try:
        with pytest.raises(DataSourceError) as caught:
            rows(reader, sql)
        assert caught.value.hint == "Its user may not read that."
        table = reader.schema("detailed", ["customer"]).table("customer")
        assert isinstance(table, Table) and (isinstance(server, MariaDb) or table.column("secret") is None)
    finally:
        reader.close()


@pytest.mark.parametrize(
    ("user", "database", "password", "says"),
    [
        ("boss", "shop", "wrong-password-1", "does not let boss in"),
        ("nobody", "shop", PASSWORD, "does not let nobody in"),
        ("boss", "nowhere", PASSWORD, "no database nowhere"),
    ],
)
def test_why_nobody_was_let_in_is_told_without_the_password(
    server: Server, user: str, database: str, password: str, says: str
) -> None:
    with pytest.raises(DataSourceError, match=says) as caught:
        opened(server, user, database, password).schema("basic")
    assert caught.value.hint and password not in str(caught.value)


@pytest.mark.parametrize("engine", ["postgresql", "mysql"])
def test_where_no_server_is_is_told(engine: str) -> None:
    for host, says in ((f"127.0.0.1:{free_port()}", "nothing answers"), ("no-such-host.invalid", "no host")):
        source = open_url(DataSource(name="shop", location=f"{engine}://u:hunter22@{host}/db"))
        with pytest.raises(DataSourceError, match=says) as caught:
            source.fingerprint()
        assert caught.value.hint and "hunter22" not in str(caught.value)


@pytest.mark.parametrize(("engine", "package"), [("postgresql", "psycopg"), ("mysql", "pymysql")])
def test_a_missing_driver_says_what_to_install(engine: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(DataSourceError, match="not installed") as caught:
        open_url(DataSource(name="shop", location=f"{engine}://u@127.0.0.1/db")).schema("basic")
    assert "kbtui[" in caught.value.hint


def test_a_variable_that_is_not_set_is_named() -> None:
    with pytest.raises(DataSourceError, match="SHOP_PASSWORD"):
        open_url(DataSource(name="shop", location="postgresql://u:${SHOP_PASSWORD}@h/db"), environ={})


def test_passwords_come_from_url_environment_or_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_read_keyring", lambda name: (f"kept-for-{name}", ""))

    def password(location: str, **environ: str) -> object:
        source = open_url(DataSource(name="shop", location=location), environ=environ)
        assert isinstance(source, ServerSource)
        return source.url.password

    assert password("postgres://u:plain%40one@h/db") == "plain@one"
    assert password("postgresql://u:${PW}@h/db", PW="p@ss:w/rd%40") == "p@ss:w/rd%40"
    assert password("mariadb://u@h/db") == "kept-for-data_shop"
    monkeypatch.setattr(keys, "_read_keyring", lambda name: ("", ""))
    assert password("mysql://u@h/db", MYSQL_PWD="from-there") == "from-there"


def test_a_url_that_was_mistyped_shows_no_password() -> None:
    with pytest.raises(DataSourceError, match="no file") as caught:
        open_source(DataSource(name="x", location="postgresql:/boss:hunter22@h/db"))
    assert "hunter22" not in str(caught.value)


def test_urls_lead_to_the_engine_they_name() -> None:
    for location, kind in (("postgres://h/d", PostgresSource), ("mariadb+pymysql://h/d", MySqlSource)):
        assert isinstance(open_url(DataSource(name="x", location=location)), kind)
    for location, says in (
        ("postgresql://h:no-port/d", "no database URL"),
        ("nonsense://h/d", "no package"),
        ("mssql://u:hunter22@h/d", "keep mssql from writing"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:////nowhere/at/all.db", "no file"),
    ):
        with pytest.raises(DataSourceError, match=says) as caught:
            open_url(DataSource(name="x", location=location))
        assert caught.value.hint and "hunter22" not in str(caught.value)


@pytest.fixture
def other(tmp_path: object) -> Iterator[OtherSource]:
    import sqlite3

    path = f"{tmp_path}/other.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE b (a_id INTEGER REFERENCES a(id));"
            "INSERT INTO a VALUES (1, 'x'), (2, 'y'); CREATE VIEW v AS SELECT * FROM a;"
        )
    connection.close()
    source = OtherSource("other", make_url(f"sqlite:///{path}?kbtui_read_only=account"))
    yield source
    source.close()


def test_any_dialect_is_described_and_asked_the_same_way(other: OtherSource) -> None:
    assert [(table.name, table.is_view) for table in other.schema("basic").tables] == [
        ("a", False),
        ("b", False),
        ("v", True),
    ]
    a, b = other.schema("detailed", ["a", "b"]).tables
    assert [(column.name, column.kind, column.samples) for column in a.columns] == [
        ("id", "integer", (1, 2)),
        ("name", "text", ("x", "y")),
    ]
    assert b.foreign_keys[0].referred_table == "a"
    table = other.run("SELECT * FROM a WHERE name LIKE '%x'", Limits(), CancelToken())
    assert (table.columns, table.rows) == (("id", "name"), ((1, "x"),))
    assert other.run("SELECT * FROM a", Limits(rows=1), CancelToken()).truncated
    with pytest.raises(DataSourceError, match="colour"):
        other.explain("SELECT colour FROM a")


def test_any_dialect_is_stopped_when_the_driver_can_be(other: OtherSource) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(DataSourceError, match="within"):
        other.run(endless, Limits(seconds=0.2), CancelToken())
    assert other.run("SELECT 1", Limits(), CancelToken()).rows == ((1,),)


def test_decimals_that_no_float_holds_stay_whole(server: Server, boss: ServerSource) -> None:
    assert rows(boss, "SELECT CAST('12345678901234567890.12' AS DECIMAL(30, 2))") == [
        (str(Decimal("12345678901234567890.12")),)
    ]


def test_dates_that_python_does_not_know_are_cells_all_the_same(server: Server, boss: ServerSource) -> None:
    if isinstance(server, Postgres):
        sql = "SELECT 'infinity'::date, '20000-01-01'::timestamp, '0044-03-15 BC'::timestamptz, 1"
        ((never, far, before, one),) = rows(boss, sql)
        assert (never, far, one) == ("infinity", "20000-01-01 00:00:00", 1)
        assert str(before).endswith("BC")
    else:
        assert rows(boss, "SELECT CAST('-25:30:00' AS TIME), DATE_SUB('2024-03-01', INTERVAL 1 DAY)") == [
            ("-2 days, 22:30:00", "2024-02-29")
        ]


def test_columns_named_like_functions_are_only_columns(server: Server, boss: ServerSource) -> None:
    assert rows(boss, "SELECT lo_revenue, benchmark FROM (SELECT 1 AS lo_revenue, 2 AS benchmark) AS t") == [(1, 2)]


def test_a_superuser_sees_the_rows_that_rules_keep_from_others(server: Server) -> None:
    if isinstance(server, MariaDb):
        return
    server.sql(
        "CREATE TABLE ruled (id int)", "INSERT INTO ruled VALUES (1)", "ALTER TABLE ruled ENABLE ROW LEVEL SECURITY"
    )
    source = opened(server)
    try:
        assert rows(source, "SELECT count(*) FROM ruled") == [(1,)]
        for sql in ("SELECT lo_export(1, '/tmp/kbtui-stolen')", "SELECT wipe()"):
            with pytest.raises(DataSourceError, match="only read"):
                rows(source, sql)
    finally:
        source.close()
        server.sql("DROP TABLE ruled")


def test_without_a_database_in_the_url_all_schemas_are_shown(server: Server) -> None:
    if isinstance(server, Postgres):
        return
    source = opened(server, database="")
    try:
        assert {"shop.customer", "shop.order"} <= {table.name for table in source.schema("basic").tables}
        customer, order = source.schema("detailed", ["shop.customer", "shop.order"]).tables
        assert customer.columns[1].samples == ("张伟", "Bo")
        assert order.foreign_keys[0].referred_table == "shop.customer"
        assert rows(source, "SELECT count(*) FROM shop.customer") == [(2,)]
    finally:
        source.close()
