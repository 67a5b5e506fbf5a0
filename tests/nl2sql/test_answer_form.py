"""Answers whose form contradicts the question."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kbtui.nl2sql.answer_form import answer_form
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Agg, Query
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory


@pytest.fixture(scope="module")
def orders() -> Catalogue:
    memory = Memory(
        """
        CREATE TABLE couriers(courier_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE orders(order_no INTEGER PRIMARY KEY, courier_id INTEGER REFERENCES couriers, city TEXT,
          received_on TEXT, closed_on TEXT, status TEXT, delivery_fee REAL, tip_amount REAL);
        """
    )
    memory.fill("couriers", [(n, f"Courier {n}") for n in range(1, 11)])
    memory.fill(
        "orders",
        [
            (n, n % 10 + 1, ("Lindau", "Hafen", "Moor")[n % 3], f"2026-{n % 9 + 1:02}-11", f"2026-{n % 9 + 1:02}-20",
             ("received", "failed", "sent")[n % 3], n % 7 + 0.5, n % 5 + 0.25)
            for n in range(1, 301)
        ],
    )  # fmt: skip
    return profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of)


def names(catalogue: Catalogue, text: str, holds: Callable[[Query], bool]) -> set[frozenset[str]]:
    """The features of the readings of a question whose statements are of a kind."""
    lattice = link(read(text, today=TODAY), catalogue)
    cues = lattice.question.cues
    return {frozenset(answer_form(c, lattice, cues)) for c in candidates(lattice) if holds(c.query)}


def _sums(query: Query) -> bool:
    return any(isinstance(expr, Agg) and expr.fn == "sum" for expr in query.select)


def _conditions(query: Query) -> set[str]:
    return {cond.left.ref.column for cond in query.conditions()}  # type: ignore[union-attr]


def test_the_first_row_is_no_answer_for_each(orders: Catalogue) -> None:
    first = names(orders, "biggest tip each courier ever got", lambda query: query.limit == 1)
    assert first and all("first_of_each" in features for features in first)
    assert not any("first_of_each" in f for f in names(orders, "courier with the most orders", lambda _: True))


def test_money_is_no_answer_to_how_many(orders: Catalogue) -> None:
    assert frozenset({"amount_for_count"}) in names(orders, "how many deliveries failed", _sums)
    assert not any("amount_for_count" in features for features in names(orders, "how much delivery fee", _sums))


def test_an_event_in_a_period_is_no_state_besides(orders: Catalogue) -> None:
    def both(query: Query) -> bool:
        return {"status", "received_on"} <= _conditions(query)

    found = names(orders, "orders received last month", both)
    assert found and all("event_as_state" in features for features in found)
    dated = names(orders, "orders received last month", lambda query: _conditions(query) == {"received_on"})
    assert frozenset() in dated


def test_a_period_belongs_to_the_date_that_is_named(orders: Catalogue) -> None:
    other = names(orders, "orders closed in march", lambda query: _conditions(query) == {"received_on"})
    assert any("other_date_filtered" in features for features in other)
    own = names(orders, "orders closed in march", lambda query: _conditions(query) == {"closed_on"})
    assert frozenset() in own


def test_how_many_cities_is_no_list_of_cities(orders: Catalogue) -> None:
    grouped = names(orders, "how many cities", lambda query: bool(query.group))
    assert grouped and all("counted_is_group" in features for features in grouped)
    assert frozenset() in names(orders, "how many orders per city", lambda query: bool(query.group))


def test_a_courier_is_not_told_by_the_name_that_was_given(orders: Catalogue) -> None:
    shown = names(orders, "which courier is Courier 3", lambda query: not query.group)
    assert any("shows_its_filter" in features for features in shown)
