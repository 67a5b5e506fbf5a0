"""A real Spark Connect server: what it holds and answers, what it refuses, and how it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.data.guard import check
from kbtui.data.server import open_url
from kbtui.data.spark import SparkSource
from kbtui.domain.analysis import Limits, Schema, Table
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError, KbtuiError
from kbtui.settings.sources import DataSource
from tests.support.spark import Spark, missing_spark, running_spark
from tests.support.statements import statements

pytestmark = [pytest.mark.cluster, pytest.mark.xdist_group("spark")]
HERE = Path(__file__).parent
SHOP = (
    "CREATE TABLE customers (id INT, name STRING COMMENT 'As on the card', city STRING) USING parquet COMMENT 'Buyers'",
    "CREATE TABLE orders (id INT, customer_id INT, total DECIMAL(8, 2), placed TIMESTAMP, note STRING) USING parquet",
    "INSERT INTO customers VALUES (1, 'Ada', 'Paris'), (2, 'Bo Li', 'Rome'), (3, '张伟', 'Paris')",
    "INSERT INTO orders VALUES (1, 1, 5, TIMESTAMP'2025-01-03 10:00:00', NULL), (2, 1, 12.5, "
    "TIMESTAMP'2025-02-04 11:30:00', NULL), (3, 2, 30, TIMESTAMP'2025-06-05 12:00:00', '7'), "
    "(4, 2, 4.25, TIMESTAMP'2025-06-20 09:15:00', NULL)",
    "ANALYZE TABLE customers COMPUTE STATISTICS",
    "CREATE VIEW big AS SELECT * FROM orders WHERE total > 10",
    "CREATE SCHEMA staff",
    "CREATE TABLE staff.rota (day DATE) USING parquet",
)
ENDLESS = "SELECT count(*) FROM range(100000000) a, range(100000) b"


@pytest.fixture(scope="module")
def server() -> Iterator[Spark]:
    if why := missing_spark():
        pytest.skip(why)
    with running_spark() as started:
        started.sql(*SHOP)
        yield started


def opened(location: str) -> SparkSource:
    source = open_url(DataSource(name="shop", location=location))
    assert isinstance(source, SparkSource)
    return source


@pytest.fixture(scope="module")
def source(server: Spark) -> Iterator[SparkSource]:
    source = opened(server.url)
    yield source
    source.close()


def rows(source: SparkSource, sql: str, seconds: float = 60.0) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(seconds=seconds), CancelToken()).rows)


def test_tables_of_all_schemas_are_described(source: SparkSource) -> None:
    basic = source.schema("basic")
    assert [(table.name, table.is_view) for table in basic.tables] == [
        *(("customers", False), ("orders", False), ("staff.rota", False), ("big", True)),
    ]
    customers, rota, big = source.schema("detailed", ["customers", "staff.rota", "BIG"]).tables
    assert (customers.comment, customers.row_estimate) == ("Buyers", 3)
    assert [(column.name, column.kind, column.comment) for column in customers.columns] == [
        *(("id", "integer", ""), ("name", "text", "As on the card"), ("city", "text", "")),
    ]
    assert customers.columns[2].samples == ("Paris", "Rome")
    assert [(column.name, column.kind) for column in rota.columns] == [("day", "date")]
    assert [column.kind for column in big.columns] == ["integer", "integer", "number", "datetime", "text"]
    assert source.fingerprint() == basic.fingerprint


def test_one_schema_can_be_named_in_the_address(server: Spark) -> None:
    source = opened(f"{server.url}/;schema=staff")
    assert [table.name for table in source.schema("basic").tables] == ["rota"]
    assert rows(source, "SELECT count(*) FROM rota") == [(0,)]
    source.close()
    nowhere = opened(f"{server.url}/;schema=nowhere")
    with pytest.raises(DataSourceError, match="nowhere") as caught:
        nowhere.schema("basic")
    assert caught.value.hint


def test_cells_are_what_the_session_of_the_server_shows(source: SparkSource) -> None:
    table = source.run(
        "SELECT INTERVAL '1' DAY, INTERVAL '2' MONTH, map('a', 1), array(1), named_struct('a', 1), X'ff', "
        "TIMESTAMP'2025-01-01 00:00:00', CAST(1.50 AS DECIMAL(30, 2)), CAST('nan' AS DOUBLE), NULL, true, "
        "current_timezone(), DATE'2025-03-01', 1 AS twice, 2 AS twice",
        Limits(),
        CancelToken(),
    )
    assert table.rows[0] == (
        *("INTERVAL '1' DAY", "INTERVAL '2' MONTH", "{'a': 1}", "[1]", "[1]", "0xff"),
        *("2025-01-01 00:00:00", 1.5, None, None, True, "Asia/Tokyo", "2025-03-01", 1, 2),
    )
    assert table.columns[-2:] == ("twice", "twice")


def test_limits_and_truncation_are_said_and_the_order_is_kept(source: SparkSource) -> None:
    table = source.run("SELECT id FROM orders ORDER BY id DESC", Limits(rows=2), CancelToken())
    assert (table.rows, table.truncated) == (((4,), (3,)), True)
    assert not source.run("SELECT id FROM orders", Limits(rows=4), CancelToken()).truncated
    assert source.run("SELECT repeat('x', 5000)", Limits(bytes=100), CancelToken()).truncated
    assert rows(source, "SELECT 1") == [(1,)]


def test_what_the_guard_lets_through_answers_what_the_original_answers(server: Spark, source: SparkSource) -> None:
    schema = Schema(
        source="shop", dialect="spark", level="basic", tables=(Table(name="orders"), Table(name="customers"))
    )
    asked = statements(HERE / "harmless" / "spark.txt")
    for statement in asked:
        assert rows(source, check(statement.sql, "spark", schema)) == rows_of(server, source, statement.sql)


def rows_of(server: Spark, source: SparkSource, sql: str) -> list[tuple[object, ...]]:
    """The statement as it was written, without the guard; comments would be refused."""
    sql = sql.replace("-- all\n", "")
    return rows(source, sql.rstrip(";"))


def test_the_server_alone_lets_no_row_change_and_reaches_no_file(
    server: Spark, source: SparkSource, tmp_path: Path
) -> None:
    loot = tmp_path / "loot"
    tmp_path.chmod(0o777)
    state = "SELECT (SELECT count(*) FROM orders), (SELECT sum(total) FROM orders), (SELECT count(*) FROM customers)"
    before = (server.sql(state), server.sql("SHOW TABLES"))
    for statement in statements(HERE / "attacks" / "spark.txt"):
        if statement.tries == "bomb":
            continue
        try:
            table = source.run(statement.at(loot), Limits(rows=20, seconds=20), CancelToken())
        except KbtuiError:
            continue
        said = str(table.rows)
        assert statement.tries not in ("write", "settings"), statement.sql
        assert "root:" not in said and "/root" not in said, statement.sql
    assert (server.sql(state), server.sql("SHOW TABLES")) == before
    assert not loot.exists()


def test_a_file_is_no_table_even_where_nothing_looks_at_the_statement(
    server: Spark, source: SparkSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkSource, "_check_statement", lambda _self, _sql: None)
    assert server.sql("SELECT count(*) FROM text.`/etc/hostname`")[0][0] == 1
    with pytest.raises(DataSourceError, match="cannot be found"):
        rows(source, "SELECT count(*) FROM text.`/etc/hostname`")
    assert rows(source, "SELECT '${env:HOME}'") == [("${env:HOME}",)]
    for command in (
        "DROP TABLE orders",
        "SET spark.sql.runSQLOnFiles = true",
        "INSERT INTO orders SELECT * FROM orders",
    ):
        with pytest.raises(DataSourceError):
            rows(source, command)


def test_a_statement_that_takes_too_long_is_stopped_and_the_next_one_runs(source: SparkSource) -> None:
    with pytest.raises(DataSourceError, match=r"within 1 s"):
        rows(source, ENDLESS, seconds=1.0)
    assert rows(source, "SELECT 1") == [(1,)]


def test_a_cancelled_statement_is_interrupted_on_the_server(server: Spark, source: SparkSource) -> None:
    cancel = CancelToken()
    threading.Timer(2.0, cancel.cancel).start()
    with pytest.raises(Cancelled):
        source.run(ENDLESS, Limits(seconds=120), cancel)
    idle = False
    for _ in range(30):
        before = server.busy_s()
        time.sleep(1.0)
        if idle := server.busy_s() - before < 0.5:
            break
    assert idle, "two cores would be at work still"
    assert rows(source, "SELECT 1") == [(1,)]


def test_a_new_column_changes_the_fingerprint_and_a_new_row_does_not(server: Spark, source: SparkSource) -> None:
    server.sql("CREATE TABLE passing (id INT) USING parquet")
    first = source.fingerprint()
    server.sql("INSERT INTO passing VALUES (1)")
    assert source.fingerprint() == first
    server.sql("ALTER TABLE passing ADD COLUMN more INT")
    assert source.fingerprint() != first
    server.sql("DROP TABLE passing")
    with pytest.raises(DataSourceError, match="passing"):
        rows(source, "SELECT * FROM passing")


def test_a_statement_is_planned_without_being_run(source: SparkSource) -> None:
    source.explain(ENDLESS)
    with pytest.raises(DataSourceError, match="colour"):
        source.explain("SELECT colour FROM customers")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many orders are there per city?", {("Paris", 2), ("Rome", 2)}),
        ("total of orders per month in 2025", {("2025-01", 5), ("2025-02", 12.5), ("2025-06", 34.25)}),
        ("top 2 orders by total", {30, 12.5}),
        ("average total of orders", {12.9375}),
    ],
)
def test_questions_are_answered_in_the_dialect(server: Spark, question: str, answer: set[object]) -> None:
    from datetime import date

    from kbtui.bootstrap.sources import OpenedSources
    from kbtui.nl2sql.reader import QuestionReader

    sources = OpenedSources([f"shop={server.url}"])
    assert sources.open_missing() == []
    schema = sources.manager().peek("shop", "detailed", None)
    reader = QuestionReader(sources.ask, ask_each=sources.ask_each, today=lambda: date(2026, 1, 15))
    best = reader.read(question, schema).best
    assert best is not None
    found = sources.manager().source("shop").run(best.sql, Limits(), CancelToken()).rows
    cells = {cell for row in found for cell in row} | set(found)
    assert answer <= cells, (best.sql, found)
    sources.manager().source("shop").close()


def test_a_server_that_dies_in_the_middle_is_told(server: Spark, source: SparkSource) -> None:
    threading.Timer(2.0, server.stop).start()
    with pytest.raises(DataSourceError, match="went away") as caught:
        rows(source, ENDLESS, seconds=60)
    assert "Ask again" in caught.value.hint
    with pytest.raises(DataSourceError, match="nothing answers"):
        source.schema("basic")
