"""Plain questions are made from a database, and their statements bring rows."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from datetime import date

import pytest
from _plain import Plain, drawn_questions, plain_questions

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge, TableInfo
from kbtui.nl2sql.query import Ref

CITIES = ("Leeds", "Hull", "York")


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE gardens (id INTEGER PRIMARY KEY, title TEXT)")
    connection.execute("CREATE TABLE plants (id INTEGER, garden_id INTEGER, city TEXT, weight REAL, planted TEXT)")
    gardens = [(n, name) for n, name in enumerate(("Old Yard", "Long Lawn", "East Bed", "Bare Spot"), 1)]
    connection.executemany("INSERT INTO gardens VALUES (?, ?)", gardens)
    rows = [(n, 1 + n % 3 * (n % 2), CITIES[n % 5 % 3], 2.5 * n, f"2025-{1 + n % 12:02d}-03") for n in range(40)]
    connection.executemany("INSERT INTO plants VALUES (?, ?, ?, ?, ?)", rows)
    yield connection
    connection.close()


def catalogue(database: sqlite3.Connection) -> Catalogue:
    def column(table: str, name: str, kind: str, **more: object) -> ColumnInfo:
        return ColumnInfo(ref=Ref(table, name), kind=kind, words=(name,), own=(name,), **more)  # type: ignore[arg-type]

    counts = tuple(database.execute("SELECT city, COUNT(*) FROM plants GROUP BY 1 ORDER BY 2 DESC").fetchall())
    plants = TableInfo(
        name="plants",
        words=("plant",),
        columns=(
            column("plants", "city", "category", values=counts, complete=True, distinct=3),
            column("plants", "weight", "measure", low=0.0, high=97.5, distinct=40),
            column("plants", "planted", "date", low=date(2025, 1, 3), high=date(2025, 12, 3)),
            column("plants", "garden_id", "reference"),
        ),
        rows=40,
    )
    title = Ref("gardens", "title")
    gardens = TableInfo(
        name="gardens", words=("garden",), columns=(column("gardens", "title", "name"),), naming=(title,), rows=4
    )
    edge = Edge(Ref("plants", "garden_id"), Ref("gardens", "id"))
    return Catalogue(source="s", dialect="sqlite", tables={"plants": plants, "gardens": gardens}, edges=(edge,))


def asked(database: sqlite3.Connection) -> list[Plain]:
    def ask(sql: str) -> list[tuple[object, ...]]:
        return database.execute(sql).fetchall()

    return list(plain_questions(catalogue(database), ask, random.Random(1)))


def test_the_statements_of_all_questions_bring_rows(database: sqlite3.Connection) -> None:
    questions = asked(database)
    assert {"total_by", "median", "share", "total_in_year", "most_children", "parents_without"} <= {
        question.template for question in questions
    }
    for question in questions:
        assert not set(question.text) & set("{}"), question
        assert all(database.execute(gold).fetchall() for gold in question.golds), question


def test_a_statement_answers_its_question(database: sqlite3.Connection) -> None:
    golds = {question.template: question.golds[0] for question in asked(database)}
    weights = sorted(row[0] for row in database.execute("SELECT weight FROM plants"))
    assert database.execute(golds["median"]).fetchall() == [((weights[19] + weights[20]) / 2,)]
    assert database.execute(golds["parents_without"]).fetchall() == [("Bare Spot",)]


def test_of_each_template_one_question_is_drawn_at_most(database: sqlite3.Connection) -> None:
    drawn = drawn_questions(catalogue(database), lambda sql: database.execute(sql).fetchall(), random.Random(1), 10)
    assert len(drawn) == len({question.template for question in drawn}) == 10
