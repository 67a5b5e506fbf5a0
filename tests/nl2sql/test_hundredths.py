"""Money that is kept in cents."""

from __future__ import annotations

import pytest

from kbtui.domain.analysis import AnsweredStatement, Column
from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.follow_ups import follow_up
from kbtui.nl2sql.hundredths import name_without_hundredths
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages
from tests.nl2sql.sources import TODAY, Memory

CENTS = '("amount_cents" / 100.0)'


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("amount_cents", "amount"),
        ("price_in_cents", "price"),
        ("FeePence", "Fee"),
        ("totalInCents", "total"),
        ("金额_分", "金额"),
        ("cents", ""),
        ("recents", ""),
        ("price_per_kwh_cents", ""),
        ("amount", ""),
    ],
)
def test_names_tell_which_integers_are_hundredths(name: str, bare: str) -> None:
    assert name_without_hundredths(Column(name=name, kind="integer")) == bare
    assert not name_without_hundredths(Column(name=name, kind="number"))


@pytest.fixture
def invoices() -> Memory:
    memory = Memory("CREATE TABLE invoices(id INTEGER PRIMARY KEY, plan TEXT, amount_cents INTEGER);")
    return memory.fill("invoices", [(n, ("basic", "pro")[n % 2], 4_900 * (n % 20 + 1)) for n in range(1, 101)])


def test_figures_and_comparisons_are_in_the_unit_that_people_name(invoices: Memory) -> None:
    reader = QuestionReader(lambda _source, sql: invoices.ask(sql), lambda: TODAY, shipped_stages)
    (over, *_) = reader.read("how many invoices over 500 euros", invoices.schema).readings
    assert over.sql.endswith(f"WHERE {CENTS} > 500")
    (total, *_) = reader.read("total amount by plan", invoices.schema).readings
    assert f"SUM({CENTS})" in total.sql
    followed = follow_up(reader, "only pro", invoices.schema, AnsweredStatement(source="memory", sql=over.sql))
    assert followed is not None
    assert f"{CENTS} > 500" in followed.readings.readings[0].sql


@pytest.mark.parametrize(
    ("stored", "meant"),
    [
        ("SELECT SUM(amount_cents) / 100.0 FROM invoices", f"SUM({CENTS})"),
        ("SELECT COUNT(*) FROM invoices WHERE amount_cents > 50000", f"({CENTS} * 100) > 50000"),
        ("SELECT id, amount_cents FROM invoices ORDER BY amount_cents DESC", 'SELECT "id", "amount_cents"'),
    ],
)
def test_statements_of_others_keep_their_meaning(invoices: Memory, stored: str, meant: str) -> None:
    catalogue = invoices.catalogue()
    query = query_of(stored, catalogue)
    assert query is not None
    written = sql_of(query, catalogue)
    assert meant in written
    assert invoices.ask(written) == invoices.ask(stored)


def test_the_cents_of_things_are_what_they_cost() -> None:
    memory = Memory("CREATE TABLE repairs(id INTEGER PRIMARY KEY, bike TEXT, price REAL, parts_pence INTEGER);")
    memory.fill("repairs", [(n, ("red", "blue")[n % 2], 9.5 + n, 250 * (n % 8)) for n in range(1, 61)])
    reader = QuestionReader(lambda _source, sql: memory.ask(sql), lambda: TODAY, shipped_stages)
    (total, *_) = reader.read("total cost of parts", memory.schema).readings
    assert total.sql.startswith('SELECT SUM(("parts_pence" / 100.0))')
