"""What "total" means where a column is called so, and what a person is known by."""

from __future__ import annotations

import pytest

from kbtui.data.nl2sql.computed import with_totals
from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.writer import OfflineSqlWriter
from kbtui.domain.analysis import Column, ColumnKind, Schema, Table

SYNONYMS = {"amount": [("sum",)], "revenue": [("sale",), ("turnover",)]}


def model(*tables: Table) -> SchemaModel:
    return OfflineSqlWriter().model(Schema(source="shop", dialect="sqlite", level="detailed", tables=tables))


def table(name: str, key: str, **columns: ColumnKind) -> Table:
    made = (Column(name=key, kind="integer", is_key=True), *(Column(name=n, kind=kind) for n, kind in columns.items()))
    return Table(name=name, columns=tuple(made))


SHOP = model(
    table("invoices", "invoice_id", total="number", country="text"),
    table("lines", "line_id", quantity="integer", kind="text"),
)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("total sales by country", "sum of total by country"),
        ("total invoice amount for each country", "sum of total for each country"),
        ("total by country", "sum of total by country"),
        ("what is the total revenue in 2010?", "what is the sum of total in 2010?"),
        ("total quantity by kind", "sum of quantity by kind"),
        ("total invoices by country", "number of invoices by country"),
    ],
)
def test_a_total_of_something_is_a_sum_or_a_count(question: str, read: str) -> None:
    assert with_totals(question, SHOP, SYNONYMS) == read


@pytest.mark.parametrize(
    "question",
    [
        "invoices with a total above 20",
        "average total by country",
        "the highest total per country",
        # "profit" is nothing that is known: it must not be dropped without a word.
        "total profit by country",
    ],
)
def test_a_total_that_is_a_column_and_one_of_something_unknown_stay(question: str) -> None:
    assert with_totals(question, SHOP, SYNONYMS) == question


def test_without_a_column_of_that_name_nothing_is_rewritten() -> None:
    bare = model(table("invoices", "invoice_id", amount="number", country="text"))
    assert with_totals("total sales by country", bare, SYNONYMS) == "total sales by country"


def test_somebody_with_a_last_name_is_not_known_by_a_title() -> None:
    people = model(table("employees", "employee_id", last_name="text", first_name="text", title="text"))
    assert people.display("employees").column == "first_name"
    books = model(table("books", "book_id", isbn="text", title="text"))
    assert books.display("books").column == "title"
