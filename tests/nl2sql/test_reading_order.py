"""The order of groups where a question asks for none."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Order, Over, Part, Query, Ref
from kbtui.nl2sql.reading_order import in_reading_order, without_reading_order

AMOUNT, WHEN, STATUS = (Col(Ref("orders", name)) for name in ("amount", "ordered_at", "status"))
TOTAL = Agg("sum", AMOUNT)
MONTH = Part("month", WHEN)


def test_the_highest_figure_comes_first_and_names_settle_ties() -> None:
    query = Query((STATUS, TOTAL), group=(STATUS,))
    assert in_reading_order(query).order == (Order(TOTAL, desc=True), Order(STATUS))


def test_periods_come_in_their_order() -> None:
    query = Query((MONTH, STATUS, TOTAL), group=(MONTH, STATUS))
    assert in_reading_order(query).order == (Order(MONTH), Order(STATUS))


def test_shares_are_sorted_by_the_figure_they_are_shares_of() -> None:
    query = Query((STATUS, Over("share", TOTAL)), group=(STATUS,))
    assert in_reading_order(query).order[0] == Order(TOTAL, desc=True)


@pytest.mark.parametrize(
    "query",
    [
        Query((AMOUNT,)),
        Query((TOTAL,)),
        Query((STATUS, TOTAL), group=(STATUS,), order=(Order(STATUS, desc=True),)),
        Query((STATUS, TOTAL), group=(STATUS,), limit=3),
        Query((STATUS,), group=(STATUS,), truth=True),
    ],
)
def test_other_statements_are_left_as_they_are(query: Query) -> None:
    assert in_reading_order(query) is query


def test_a_follow_up_sees_the_statement_without_it() -> None:
    query = Query((STATUS, Arith("*", TOTAL, 2)), where=(Cond(AMOUNT, ">", 1),), group=(STATUS,))
    assert without_reading_order(in_reading_order(query)) == query
    ranked = replace(query, order=(Order(TOTAL),))
    assert without_reading_order(ranked) == ranked
