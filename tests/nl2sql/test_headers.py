"""What columns of statements are called."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.headers import headers_of
from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Expr, Over, Part, Query, Ref
from kbtui.nl2sql.words import Words
from tests.nl2sql.shop import catalogue

AMOUNT, WHEN = Col(Ref("orders", "amount")), Col(Ref("orders", "ordered_at"))
ORDERS = Col(Ref("orders", "*"))
OPEN = (Cond(Col(Ref("orders", "status")), "=", "open"),)

OPENED = Agg("count", ORDERS, where=OPEN)


@pytest.mark.parametrize(
    ("item", "english", "chinese"),
    [
        (Agg("sum", AMOUNT), "total amount", "amount合计"),
        (Agg("count", ORDERS), "number of orders", "order数"),
        (Agg("count", Col(Ref("orders", "customer_id")), distinct=True), "number of different customer IDs", None),
        (Agg("max", WHEN), "last ordered at", None),
        (Agg("percentile", AMOUNT, level=0.9), "90th percentile of amount", None),
        (Part("month", WHEN), "month", "月份"),
        (
            Agg("count", ORDERS, where=(Cond(Part("weekday", WHEN), "in", (5, 6)),)),
            "number of orders (a weekend day)",
            "order数（周末）",
        ),
        (
            Agg("count", ORDERS, where=(Cond(WHEN, "not null"),)),
            "number of orders (ordered at is given)",
            "order数（ordered at不为空）",
        ),
        (Over("change_year", Agg("sum", AMOUNT)), "change of total amount from a year before", "amount合计同比"),
        (
            Arith("/", Agg("count", ORDERS, where=OPEN), Agg("count", ORDERS)),
            "share of orders (“open”)",
            None,
        ),
        (Arith("-", WHEN, Col(Ref("customer", "joined"))), "days from joined to ordered at", None),
        (AMOUNT, "", ""),
    ],
)
def test_headers_say_what_a_column_holds(item: Expr, english: str, chinese: str | None) -> None:
    query = Query(select=(item,))
    assert headers_of(query, catalogue(), "en") == (english,)
    assert chinese is None or headers_of(query, catalogue(), "zh") == (chinese,)


def test_no_two_columns_have_the_same_header() -> None:
    headers = headers_of(
        Query(select=(Part("month", WHEN), Part("month", Col(Ref("customer", "joined"))))), catalogue(), "en"
    )
    assert headers == ("month", "month 2")


def test_a_total_is_summed_without_a_word_twice() -> None:
    total = Col(Ref("orders", "total"))
    assert Words(catalogue(), 0).figure_of(total, "total", "total {}") == "sum of totals"
    assert Words(catalogue(), 0).figure_of(total, "line total", "total {}") == "sum of line totals"
    assert Words(catalogue(), 0).figure_of(total, "total paid", "total {}") == "total paid"
