"""How a statement stands to the structure of its source."""

from __future__ import annotations

from kbtui.nl2sql.query import Agg, Col, Query, Ref
from kbtui.nl2sql.type_fit import TablePosition
from tests.nl2sql.shop import catalogue

NAME, CITY, KEY = (Col(Ref("customer", name)) for name in ("name", "city", "id"))
AMOUNT, BUYER = Col(Ref("orders", "amount")), Col(Ref("orders", "customer_id"))
CUSTOMERS, ORDERS = Col(Ref("customer", "*")), Col(Ref("orders", "*"))


def features(query: Query) -> dict[str, float]:
    return TablePosition(catalogue()).features(query)


def test_the_main_table_is_described_by_its_references_and_its_size() -> None:
    orders, customers = features(Query((Agg("sum", AMOUNT),))), features(Query((Agg("count", CUSTOMERS),)))
    assert orders["main_parents"] >= 1.0 > customers["main_parents"]
    assert customers["main_children"] >= 1.0
    assert orders["main_smaller"] < customers["main_smaller"]
