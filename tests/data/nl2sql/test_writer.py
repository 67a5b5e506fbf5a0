"""Questions over a small database of orders, in both languages, read by rules."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.nl2sql.writer import THRESHOLD, OfflineSqlWriter
from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError

_SCRIPT = """
create table customers (customer_id integer primary key, name text, city text, country text);
create table orders (
    order_id integer primary key, customer_id integer references customers(customer_id),
    placed_on date, amount numeric, status text
);
create table employees (employee_id integer primary key, full_name text, age integer, salary numeric);
insert into customers values (1,'Ada','Oslo','Norway'),(2,'Bo','Malmö','Sweden'),(3,'Cy','Oslo','Norway'),
  (4,'Di','Lund','Sweden');
insert into orders values (1,1,'2025-03-02',10,'paid'),(2,1,'2025-03-20',30,'open'),(3,2,'2025-04-01',50,'paid'),
  (4,1,'2025-05-05',5,'paid'),(5,3,'2025-10-05',7,'open');
insert into employees values (1,'Eve Ek',30,100),(2,'Finn Foss',50,300),(3,'Gus Gran',41,200);
"""


class Database:
    """A file and how to ask it."""

    def __init__(self, path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.executescript(_SCRIPT)
        connection.close()
        self._path = path
        self.asked: list[str] = []
        self.schema: Schema = SqliteSource("shop", path).schema("detailed")

    def ask(self, _name: str, sql: str) -> Sequence[Sequence[Any]]:
        """Rows of a statement."""
        self.asked.append(sql)
        connection = sqlite3.connect(self._path)
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise DataSourceError(str(error)) from error
        finally:
            connection.close()


@pytest.fixture
def shop(tmp_path: Path) -> Database:
    return Database(tmp_path / "shop.sqlite")


def _writer(shop: Database) -> OfflineSqlWriter:
    return OfflineSqlWriter(ask=shop.ask, today=lambda: date(2025, 4, 15))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many customers are there?", [(4,)]),
        ("What is the average salary of employees?", [(200,)]),
        ("List the names of customers in Oslo", [("Ada",), ("Cy",)]),
        ("How many customers are there in each country?", [("Norway", 2), ("Sweden", 2)]),
        ("Which customer has the most orders?", [("Ada",)]),
        ("Show the names of customers without orders", [("Di",)]),
        ("Show the names of customers with at least two orders", [("Ada",)]),
        ("What are the names of employees older than 40?", [("Finn Foss",), ("Gus Gran",)]),
        ("Find the names of employees whose salary is above the average", [("Finn Foss",)]),
        ("How many orders have an amount between 5 and 10?", [(3,)]),
        ("How many orders were placed in March 2025?", [(2,)]),
        ("How many orders were placed last month?", [(2,)]),
        (
            "What is the total amount of orders by month?",
            [("2025-03", 40), ("2025-04", 50), ("2025-05", 5), ("2025-10", 7)],
        ),
        ("How many different cities do customers live in?", [(3,)]),
        ("有多少个客户？", [(4,)]),
        ("每个国家的客户数量", [("Norway", 2), ("Sweden", 2)]),
        ("订单最多的客户是谁？", [("Ada",)]),
        ("没有订单的客户有哪些？", [("Di",)]),
        ("2025年3月的订单数量", [(2,)]),
        ("金额大于20的订单有多少？", [(2,)]),
        ("挪威的客户名称", [("Ada",), ("Cy",)]),
    ],
)  # fmt: skip
def test_a_question_brings_the_rows_it_asks_for(shop: Database, question: str, rows: list[tuple[Any, ...]]) -> None:
    best = _writer(shop).read(question, shop.schema).best

    assert best is not None
    assert sorted(shop.ask("shop", best.sql)) == rows


def test_an_order_is_kept_as_it_was_asked(shop: Database) -> None:
    best = _writer(shop).read("List the names of employees in descending order of age", shop.schema).best

    assert best is not None
    assert shop.ask("shop", best.sql) == [("Finn Foss",), ("Gus Gran",), ("Eve Ek",)]


def test_words_that_were_taken_for_nothing_are_named(shop: Database) -> None:
    readings = _writer(shop).read("How many customers wear glorious hats?", shop.schema)

    assert {"glorious", "hats"} <= set(readings.unlinked)


def test_a_question_about_something_else_is_not_answered_for_sure(shop: Database) -> None:
    best = _writer(shop).read("How does the firmware of the rocket engine behave?", shop.schema).best

    assert best is None or best.confidence < THRESHOLD


def test_a_statement_that_failed_is_not_offered_again(shop: Database) -> None:
    writer = _writer(shop)
    first = writer.read("How many customers are there in each country?", shop.schema).best
    assert first is not None

    again = writer.read("How many customers are there in each country?", shop.schema, failed=[(first.sql, "no")])

    assert first.sql not in [reading.sql for reading in again.readings]


def test_a_reading_says_itself_in_the_language_of_the_question(shop: Database) -> None:
    writer = _writer(shop)
    english = writer.read("How many customers are there in each country?", shop.schema).best
    chinese = writer.read("每个国家的客户数量", shop.schema).best

    assert english is not None and "number of customer" in english.says
    assert chinese is not None and "分组" in chinese.says


def test_values_are_read_once_for_a_structure(shop: Database) -> None:
    writer = _writer(shop)
    writer.read("How many customers are there?", shop.schema)
    before = sum("AS seen" in sql for sql in shop.asked)
    writer.read("List the names of customers in Oslo", shop.schema)

    assert before > 0
    assert sum("AS seen" in sql for sql in shop.asked) == before


def test_without_a_source_to_ask_the_samples_of_the_schema_are_enough(shop: Database) -> None:
    best = OfflineSqlWriter().read("List the names of customers in Oslo", shop.schema).best

    assert best is not None
    assert sorted(shop.ask("shop", best.sql)) == [("Ada",), ("Cy",)]


def test_a_quote_in_a_question_stays_inside_its_literal(shop: Database) -> None:
    best = _writer(shop).read('List customers whose name is "x\' or 1=1 --"', shop.schema).best

    assert best is not None
    assert shop.ask("shop", best.sql) == []


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "mysql"])
def test_statements_are_written_for_the_engine(shop: Database, dialect: str) -> None:
    import sqlglot

    schema = Schema(source="shop", dialect=dialect, level="detailed", tables=shop.schema.tables, fingerprint=dialect)
    best = OfflineSqlWriter().read("What is the total amount of orders by month?", schema).best

    assert best is not None
    assert sqlglot.parse_one(best.sql, dialect=dialect) is not None
    assert ("`orders`" in best.sql) == (dialect == "mysql")
    assert "strftime" not in best.sql.lower()


def test_the_users_own_glossary_is_used(shop: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "config" / "kbtui"
    folder.mkdir(parents=True)
    (folder / "glossary.tsv").write_text("甲方\tcustomer\n", "utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    best = _writer(shop).read("有多少个甲方？", shop.schema).best

    assert best is not None and shop.ask("shop", best.sql) == [(4,)]


def test_chinese_names_of_a_schema_are_linked_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "zh.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(
        "create table 客户 (编号 integer primary key, 名称 text, 城市 text);"
        "insert into 客户 values (1,'甲','北京'),(2,'乙','上海'),(3,'丙','北京');"
    )
    connection.close()
    source = SqliteSource("zh", path)

    def ask(_name: str, sql: str) -> Sequence[Sequence[Any]]:
        opened = sqlite3.connect(path)
        try:
            return opened.execute(sql).fetchall()
        finally:
            opened.close()

    writer = OfflineSqlWriter(ask=ask)
    best = writer.read("北京有多少个客户？", source.schema("detailed")).best

    assert best is not None and ask("zh", best.sql) == [(2,)]
