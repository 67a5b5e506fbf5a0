"""Trino through its own client, over a stand-in that speaks its protocol: addresses, structure, limits, cancel."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import duckdb
import pytest
import sqlglot

from kbtui.data.guard import check
from kbtui.data.server import open_url
from kbtui.data.trino import TrinoSource
from kbtui.domain.analysis import Limits, Schema, Table
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, DataSourceError
from kbtui.nl2sql.reader import QuestionReader
from kbtui.settings.sources import DataSource
from tests.support.databases import free_port
from tests.support.statements import statements
from tests.support.trino import TrinoStandIn, missing_trino, running_stand_in

HERE = Path(__file__).parent
SHOP = (HERE / "harmless" / "shop.sql").read_text("utf-8").replace("DECIMAL(8, 2)", "DOUBLE")


@pytest.fixture
def server() -> Iterator[TrinoStandIn]:
    if why := missing_trino():
        pytest.skip(why)
    with running_stand_in(SHOP, "CREATE VIEW big AS SELECT * FROM orders WHERE total > 10") as started:
        yield started


def opened(location: str) -> TrinoSource:
    source = open_url(DataSource(name="shop", location=location))
    assert isinstance(source, TrinoSource)
    return source


@pytest.fixture
def source(server: TrinoStandIn) -> TrinoSource:
    return opened(server.url())


def rows(source: TrinoSource, sql: str, seconds: float = 30.0) -> list[tuple[object, ...]]:
    return list(source.run(sql, Limits(seconds=seconds), CancelToken()).rows)


def test_tables_of_the_schema_are_described(source: TrinoSource) -> None:
    basic = source.schema("basic")
    assert [(table.name, table.is_view) for table in basic.tables] == [
        *(("customers", False), ("orders", False), ("big", True)),
    ]
    customers = source.schema("detailed", ["customers"]).tables[0]
    assert [(column.name, column.kind, column.samples) for column in customers.columns] == [
        *(
            ("id", "integer", (1, 2, 3)),
            ("name", "text", ("Ada", "Bo Li", "张伟")),
            ("city", "text", ("Paris", "Rome")),
        ),
    ]
    assert source.fingerprint() == basic.fingerprint


def test_without_a_schema_in_the_address_all_of_the_catalogue_are_meant(server: TrinoStandIn) -> None:
    source = opened(server.url("lake"))
    assert [table.name for table in source.schema("basic").tables] == ["sales.customers", "sales.orders", "sales.big"]
    assert rows(source, "SELECT count(*) FROM sales.orders") == [(4,)]


def test_limits_and_truncation_are_said_and_the_rest_is_not_fetched(server: TrinoStandIn, source: TrinoSource) -> None:
    table = source.run("SELECT id FROM orders ORDER BY id", Limits(rows=2), CancelToken())
    assert (table.columns, table.rows, table.truncated) == (("id",), ((1,), (2,)), True)
    assert not source.run("SELECT id FROM orders", Limits(rows=4), CancelToken()).truncated
    assert server.running == {}


def test_a_statement_that_takes_too_long_is_cancelled_on_the_server(server: TrinoStandIn, source: TrinoSource) -> None:
    with pytest.raises(DataSourceError, match=r"within 0\.5 s"):
        rows(source, "SELECT 'endless'", seconds=0.5)
    assert server.stopped == ["SELECT 'endless'"]
    assert rows(source, "SELECT 1") == [(1,)]


def test_a_cancelled_statement_is_cancelled_on_the_server(server: TrinoStandIn, source: TrinoSource) -> None:
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(Cancelled):
        source.run("SELECT 'endless'", Limits(seconds=60), cancel)
    assert server.stopped == ["SELECT 'endless'"]


def test_what_is_wrong_is_told(server: TrinoStandIn, source: TrinoSource) -> None:
    with pytest.raises(DataSourceError, match="colour") as caught:
        source.explain("SELECT colour FROM orders")
    assert caught.value.hint
    with pytest.raises(DataSourceError, match="does not let nobody in"):
        opened(server.url().replace("me@", "nobody@")).schema("basic")
    away = opened(f"trino://me@127.0.0.1:{free_port()}/lake/sales?kbtui_read_only=account")
    with pytest.raises(DataSourceError, match="nothing answers"):
        away.schema("basic")


@pytest.mark.parametrize(
    ("location", "says", "hint"),
    [
        ("trino://me@h:8080/lake/sales", "keep trino from writing", "kbtui_read_only=account"),
        ("trino://me@h:8080?kbtui_read_only=account", "names no catalogue", "catalog/schema"),
    ],
)
def test_an_address_that_is_not_enough_says_what_is_missing(location: str, says: str, hint: str) -> None:
    with pytest.raises(DataSourceError, match=says) as caught:
        opened(location)
    assert hint in caught.value.hint


def test_a_missing_client_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trino", None)
    with pytest.raises(DataSourceError, match="not installed") as caught:
        opened("trino://me@h:8080/lake/sales?kbtui_read_only=account").schema("basic")
    assert "kbtui[trino]" in caught.value.hint


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many orders are there per city?", {("Paris", 2), ("Rome", 2)}),
        ("total of orders per month in 2025", {("2025-01", 5), ("2025-02", 12.5), ("2025-06", 34.25)}),
        ("total of orders per quarter", {("2025-Q1", 17.5), ("2025-Q2", 34.25)}),
        ("orders of customers in Paris", {1, 2}),
        ("top 2 orders by total", {30, 12.5}),
        ("average total of orders", {12.9375}),
        ("2025年每个月的订单数", {("2025-01", 1), ("2025-06", 2)}),
    ],
)
def test_questions_become_statements_of_the_dialect_that_pass_the_guard(question: str, answer: set[object]) -> None:
    connection = duckdb.connect()
    connection.execute(SHOP)
    schema = trino_shop()

    def ask(_source: str, sql: str) -> list[tuple[object, ...]]:
        return connection.execute(translated(check(sql, "trino", schema))).fetchall()

    best = QuestionReader(ask, today=lambda: date(2026, 1, 15)).read(question, schema).best
    assert best is not None
    found = ask("shop", best.sql)
    assert answer <= {cell for row in found for cell in row} | set(found), (best.sql, found)


def translated(sql: str) -> str:
    return sqlglot.transpile(sql, read="trino", write="duckdb")[0]


def trino_shop() -> Schema:
    from kbtui.domain.analysis import Column

    def column(name: str, type_name: str, kind: str) -> Column:
        return Column(name=name, type=type_name, kind=kind)  # type: ignore[arg-type]

    customers = (
        column("id", "integer", "integer"),
        column("name", "varchar", "text"),
        column("city", "varchar", "text"),
    )
    orders = (
        *(column("id", "integer", "integer"), column("customer_id", "integer", "integer")),
        *(column("total", "double", "number"), column("placed", "timestamp(6)", "datetime")),
        column("note", "varchar", "text"),
    )
    tables = (Table(name="customers", columns=customers), Table(name="orders", columns=orders))
    return Schema(source="shop", dialect="trino", level="detailed", tables=tables, fingerprint="1")


def test_what_the_guard_writes_is_read_the_same_way_again() -> None:
    schema = trino_shop()
    for statement in statements(HERE / "harmless" / "trino.txt"):
        written = check(statement.sql, "trino", schema)
        assert sqlglot.parse_one(written, read="trino").sql("trino") == written
