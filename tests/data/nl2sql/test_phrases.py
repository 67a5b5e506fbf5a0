"""Turns of phrase over a small company of its own: what each of them asks for, as rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.nl2sql.writer import THRESHOLD, OfflineSqlWriter
from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Readings, Schema
from kbtui.errors import DataSourceError

_SCRIPT = """
create table teams (team_id integer primary key, name text, city text);
create table matches (
    match_id integer primary key, home_team_id integer references teams(team_id),
    away_team_id integer references teams(team_id), played_on date, home_goals integer, away_goals integer
);
create table employees (
    employee_id integer primary key, name text, salary numeric, title text, hired_on date,
    manager_id integer references employees(employee_id)
);
create table products (
    product_id integer primary key, name text, size text, grade text, price numeric, cost numeric
);
create table orders (
    order_id integer primary key, product_id integer references products(product_id),
    employee_id integer references employees(employee_id), placed_on date, quantity integer, kind text
);
insert into teams values (1,'Reds','Oslo'),(2,'Blues','Bergen'),(3,'Greens','Oslo');
insert into matches values (1,1,2,'2025-01-05',3,1),(2,2,1,'2025-02-05',0,0),(3,3,1,'2025-04-11',2,5),
  (4,1,3,'2025-05-02',1,2),(5,1,2,'2026-05-02',1,2);
insert into employees values (1,'Ann',900,'Chief','2019-01-03',null),(2,'Bob',500,'Clerk','2020-04-01',1),
  (3,'Cat',950,'Clerk','2021-09-01',1),(4,'Dan',300,'Driver','2021-10-01',2);
insert into products values (1,'Cap','S','A',10,4),(2,'Hat','M','B',20,15),
  (3,'Bag','S','B',35,20),(4,'Box','L','A',8,7);
insert into orders values (1,1,2,'2025-01-09',3,'web'),(2,2,2,'2025-02-10',1,'shop'),(3,3,3,'2025-02-17',2,'web'),
  (4,1,3,'2025-07-01',4,'web'),(5,2,4,'2026-01-20',2,'phone');
"""


class Company:
    """The database, read-only, and the offline writer over it."""

    def __init__(self, path: Path) -> None:
        connection = sqlite3.connect(path)
        connection.executescript(_SCRIPT)
        connection.close()
        self._uri = f"file:{path}?mode=ro"
        self.schema: Schema = SqliteSource("company", path).schema("detailed")
        self.writer = OfflineSqlWriter(ask=lambda _name, sql: self.ask(sql), today=lambda: date(2025, 6, 15))

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a statement."""
        connection = sqlite3.connect(self._uri, uri=True)
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise DataSourceError(str(error)) from error
        finally:
            connection.close()

    def read(self, question: str) -> Readings:
        """What the question may mean."""
        return self.writer.read(question, self.schema)

    def header(self, question: str) -> list[str]:
        """The headers of the likeliest reading."""
        best = self.read(question).best
        assert best is not None
        connection = sqlite3.connect(self._uri, uri=True)
        try:
            return [column[0] for column in connection.execute(best.sql).description]
        finally:
            connection.close()


@pytest.fixture(scope="module")
def company(tmp_path_factory: pytest.TempPathFactory) -> Company:
    return Company(tmp_path_factory.mktemp("company") / "company.sqlite")


def _rows(company: Company, question: str) -> Sequence[tuple[Any, ...]]:
    best = company.read(question).best
    assert best is not None
    return company.ask(best.sql)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many orders per month?", [("2025-01", 1), ("2025-02", 2), ("2025-07", 1), ("2026-01", 1)]),
        ("number of orders by quarter", [("2025-Q1", 3), ("2025-Q3", 1), ("2026-Q1", 1)]),
        ("total quantity of orders each year", [("2025", 10), ("2026", 2)]),
        ("orders per month", [("2025-01", 1), ("2025-02", 2), ("2025-07", 1), ("2026-01", 1)]),
        ("revenue per month", [("2025-01", 30), ("2025-02", 90), ("2025-07", 40), ("2026-01", 40)]),
        ("Which month had the most orders?", [("2025-02",)]),
        # Of a month it is the sum: the smallest order is one of February.
        ("Which month had the lowest quantity?", [("2026-01",)]),
    ],
)
def test_a_stretch_of_time_groups_and_runs_forwards(
    company: Company, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert _rows(company, question) == rows


@pytest.mark.parametrize("question", ["How many orders per month?", "number of orders by quarter"])
def test_a_stretch_of_time_is_no_reason_to_doubt(company: Company, question: str) -> None:
    best = company.read(question).best

    assert best is not None and best.confidence >= THRESHOLD


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many orders per kind, top 2", [("web", 3)]),
        ("Number of orders by product, top 2", [("Cap", 2), ("Hat", 2)]),
    ],
)
def test_the_first_of_groups_are_those_with_the_highest_count(
    company: Company, question: str, rows: list[tuple[Any, ...]]
) -> None:
    found = [tuple(sorted(row, key=lambda cell: not isinstance(cell, str))) for row in _rows(company, question)]

    assert len(found) == 2
    assert set(rows) <= set(found)


def test_things_by_kind_are_counted_in_a_picture_and_ordered_in_a_list(company: Company) -> None:
    assert sorted(_rows(company, "orders by kind as a pie chart")) == [("phone", 1), ("shop", 1), ("web", 3)]
    assert _rows(company, "list products by price") == [("Box",), ("Cap",), ("Hat",), ("Bag",)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many products have size S?", [(2,)]),
        ("products of grade A", [("Box",), ("Cap",)]),
        ("names of products in size M", [("Hat",)]),
    ],
)
def test_a_short_code_counts_beside_the_name_of_its_column(
    company: Company, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert sorted(_rows(company, question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total profit of products", [(27,)]),
        (
            "What is the difference between price and cost for each product?",
            [("Bag", 15), ("Box", 1), ("Cap", 6), ("Hat", 5)],
        ),
        ("Which product has the highest profit?", [("Bag",)]),
        ("Show the ratio of price to cost of the product Cap", [(2.5,)]),
        ("matches where home goals are greater than away goals", [(1,)]),
    ],
)
def test_figures_are_computed_from_two_columns(company: Company, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert sorted(_rows(company, question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("name of employees and their managers", [("Bob", "Ann"), ("Cat", "Ann"), ("Dan", "Bob")]),
        ("Which employees earn more than their manager?", [("Cat",)]),
        ("How many employees report to Ann?", [(2,)]),
        ("Which manager has the most employees?", [("Ann",)]),
        ("How many matches have the home team Reds?", [(3,)]),
        ("How many matches have the away team Reds?", [(2,)]),
    ],
)
def test_one_table_is_joined_in_each_of_its_roles(company: Company, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert sorted(_rows(company, question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("products that cost more than the average", [("Bag",), ("Hat",)]),
        ("products with a price higher than the average price of products of grade A", [("Bag",), ("Cap",), ("Hat",)]),
        ("What is the average salary of the employees with the latest hire date?", [(300,)]),
        ("Show the names of products with more than one order", [("Cap",), ("Hat",)]),
        ("products without any orders", [("Box",)]),
        ("names of employees without orders placed after 2025", [("Ann",), ("Bob",), ("Cat",)]),
        ("products with grade A or a price above 30", [("Bag",), ("Box",), ("Cap",)]),
        ("names of products or teams", [("Bag",), ("Blues",), ("Box",), ("Cap",), ("Greens",), ("Hat",), ("Reds",)]),
        ("names of employees that start with C", [("Cat",)]),
        ("names of employees without the letter n", [("Bob",), ("Cat",)]),
        ("What are the average price and cost of products?", [(18.25, 11.5)]),
        ("How many employees have placed orders?", [(3,)]),
    ],
)
def test_nested_and_joined_questions_bring_their_rows(
    company: Company, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert sorted(_rows(company, question)) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Sort the names of all products in alphabetical order", [("Bag",), ("Box",), ("Cap",), ("Hat",)]),
        ("names of the 2 cheapest products", [("Box",), ("Cap",)]),
        ("What are the two products with the highest price?", [("Bag",), ("Hat",)]),
        ("names of products starting with the most expensive", [("Bag",), ("Hat",), ("Cap",), ("Box",)]),
    ],
)
def test_what_is_ordered_comes_in_its_order(company: Company, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert _rows(company, question) == rows


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many orders per month?", ["month", "number of orders"]),
        ("What is the average salary of employees?", ["average salary"]),
        ("List the names of employees", ["name"]),
        ("每个月有多少订单？", ["月", "订单数量"]),
    ],
)
def test_computed_columns_are_called_as_the_question_says(company: Company, question: str, names: list[str]) -> None:
    assert company.header(question) == names
