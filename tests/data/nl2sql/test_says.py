"""Readings in words, as a person would say them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kbtui.data.nl2sql.query import Cond, Expr, Query, Ref
from kbtui.data.nl2sql.says import says

ORDERS = Expr(Ref("orders", "*"), agg="count")
CITY = Expr(Ref("customers", "city"))
NAME = Expr(Ref("customers", "name"))
TOTAL = Expr(Ref("orders", "total"), agg="sum")
MONTH = Expr(Ref("orders", "placed_on"), bucket="month")
PLACED = Expr(Ref("orders", "placed_on"))


@pytest.mark.parametrize(
    ("query", "english", "chinese"),
    [
        (Query(select=(ORDERS,)), "number of orders", "order数量"),
        (
            Query(select=(ORDERS,), where=(Cond(PLACED, "between", ("2025-01-01", "2025-12-31 23:59:59")),)),
            "number of orders where placed on is in 2025",
            "order数量，其中placed on在2025",
        ),
        (
            Query(select=(ORDERS,), where=(Cond(PLACED, "between", ("2024-02-01", "2024-02-29 23:59:59")),)),
            "number of orders where placed on is in 2024-02",
            "order数量，其中placed on在2024-02",
        ),
        (
            Query(select=(ORDERS,), where=(Cond(PLACED, "between", ("2024-02-01", "2024-03-15 23:59:59")),)),
            "number of orders where placed on is between 2024-02-01 and 2024-03-15",
            "order数量，其中placed on在2024-02-01到2024-03-15之间",
        ),
        (
            Query(select=(CITY, ORDERS), group=(CITY,)),
            "number of orders from customers for each city",
            "order数量（来自customer），按city分组",
        ),
        (
            Query(select=(MONTH, TOTAL), group=(MONTH,), order=((MONTH, False),)),
            "total total from orders for each month of placed on",
            "total总和（来自order），按placed on（按月）分组",
        ),
        (
            Query(select=(NAME,), group=(NAME,), order=((ORDERS, True),), limit=1),
            "name from customers and orders, the one with the highest number of orders",
            "name（来自customer、order），order数量最多的一个",
        ),
        (
            Query(select=(NAME,), order=((CITY, False),), limit=3),
            "name from customers, the 3 with the lowest city",
            "name（来自customer），city最低的3个",
        ),
        (
            Query(select=(NAME,), order=((CITY, True),)),
            "name from customers, by city, highest first",
            "name（来自customer），按city从高到低",
        ),
        (Query(select=(NAME,), limit=5), "name from customers, the first 5", "name（来自customer），前5个"),
    ],
)
def test_a_reading_is_said_in_both_languages(query: Query, english: str, chinese: str) -> None:
    assert says(query, "en") == english
    assert says(query, "zh") == chinese


def test_tables_are_named_in_the_plural() -> None:
    query = Query(select=(replace(ORDERS, ref=Ref("categories", "*")),))
    assert says(query, "en") == "number of categories"
    assert says(Query(select=(Expr(Ref("box", "size")),)), "en") == "size from boxes"
