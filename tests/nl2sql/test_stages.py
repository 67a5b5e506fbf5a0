from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import pytest

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.errors import DataSourceError
from kbtui.nl2sql.reader import AskSource, QuestionReader

SCHEMA = Schema(
    source="shop",
    dialect="sqlite",
    level="detailed",
    fingerprint="1",
    tables=(
        Table(
            name="sales",
            columns=(
                Column(name="id", type="INTEGER", kind="integer", is_key=True),
                Column(name="region", type="TEXT", kind="text"),
                Column(name="amount", type="REAL", kind="number"),
            ),
            row_estimate=4,
        ),
    ),
)


@pytest.fixture
def ask() -> Iterator[AskSource]:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, amount REAL)")
    rows = [(1, "north", 10.5), (2, "south", 4.0), (3, "north", 2.5), (4, "west", 8.0)]
    connection.executemany("INSERT INTO sales VALUES (?, ?, ?)", rows)

    def rows_of(source: str, sql: str) -> Sequence[Sequence[Any]]:
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.Error as error:
            raise DataSourceError(str(error)) from error

    yield rows_of
    connection.close()


def test_the_shipped_stages_read_a_question_to_its_rows(ask: AskSource) -> None:
    readings = QuestionReader(ask, lambda: date(2026, 11, 20)).read("total amount by region", SCHEMA)
    assert readings.best is not None
    assert sorted(ask("shop", readings.best.sql)) == [("north", 13.0), ("south", 4.0), ("west", 8.0)]
    assert readings.best.says
    assert 0 <= readings.best.confidence <= 1


def test_a_word_that_nothing_knows_is_unlinked(ask: AskSource) -> None:
    readings = QuestionReader(ask, lambda: date(2026, 11, 20)).read("total amount by gryphon", SCHEMA)
    assert "gryphon" in readings.unlinked
    assert readings.best is None or readings.best.confidence < 0.7
