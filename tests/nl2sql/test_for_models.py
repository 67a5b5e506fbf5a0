from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Limits, Schema
from kbtui.domain.ports import CancelToken
from kbtui.nl2sql.for_models import ForModels
from kbtui.nl2sql.reader import QuestionReader
from tests.analysis.shop import make_shop


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[ForModels, Schema]:
    path: Path = make_shop(tmp_path_factory.mktemp("shop") / "shop.db")
    source = SqliteSource("shop", path)
    reader = QuestionReader(lambda _, sql: source.run(sql, Limits(), CancelToken()).rows, lambda: date(2026, 11, 20))
    return ForModels(reader), source.schema("detailed")


def test_a_statement_of_somebody_else_is_said_in_the_words_of_the_question(shop: tuple[ForModels, Schema]) -> None:
    words, schema = shop
    sql = "SELECT city, COUNT(*) FROM customers GROUP BY city"
    assert words.says(sql, "customers by city", schema) == ("Number of customers, for each city", ())
    assert "各 city" in words.says(sql, "每个城市的客户", schema)[0]


def test_a_statement_that_the_types_do_not_hold_is_not_said(shop: tuple[ForModels, Schema]) -> None:
    words, schema = shop
    assert words.says("WITH RECURSIVE n AS (SELECT 1) SELECT * FROM n", "numbers", schema) == ("", ())


def test_two_spellings_of_one_statement_agree_and_two_statements_do_not(shop: tuple[ForModels, Schema]) -> None:
    words, schema = shop
    one, same = "SELECT COUNT(*) FROM orders", 'select count(*) as "n" from orders AS o'
    assert words.agree(one, same, schema)
    assert not words.agree(one, "SELECT SUM(total) FROM orders", schema)


def test_words_of_the_question_come_with_what_they_may_stand_for(shop: tuple[ForModels, Schema]) -> None:
    words, schema = shop
    links = words.links("orders in Oslo in 2025", schema)
    assert any("customers.city = 'Oslo'" in link for link in links)
    assert any("2025-01-01 to 2025-12-31" in link for link in links)


def test_columns_come_with_what_they_are(shop: tuple[ForModels, Schema]) -> None:
    words, schema = shop
    assert "adds up" in words.column("orders", "total", schema)
    assert words.column("orders", "placed_on", schema).startswith("date")
    assert words.column("nothing", "at_all", schema) == ""
