"""What queries are said to be, in two languages."""

from __future__ import annotations

from datetime import date
from itertools import combinations

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.listing import row_columns
from kbtui.nl2sql.query import INNER, Agg, AnyOf, Arith, Col, Cond, Order, Over, Part, Query, Ref
from kbtui.nl2sql.says import says
from tests.nl2sql.shop import catalogue

NAME, CITY, CUSTOMER = (Col(Ref("customer", name)) for name in ("name", "city", "id"))
AMOUNT, STATUS, WHEN, DUE = (Col(Ref("orders", name)) for name in ("amount", "status", "ordered_at", "due"))
TITLE, CATEGORY, PRICE = (Col(Ref("product", name)) for name in ("title", "category", "price"))
ORDERS, LINES = Col(Ref("orders", "*")), Col(Ref("line", "*"))
TOTAL, MONTH = Agg("sum", AMOUNT), Part("month", WHEN)
OPEN = Cond(STATUS, "=", "open")
MARCH = Cond(WHEN, "between", (date(2026, 3, 1), date(2026, 3, 31)))
BUYERS = Query(select=(Col(Ref("orders", "customer_id")),))

SAID = [
    (
        Query(select=(CITY, TOTAL), group=(CITY,), where=(MARCH,), order=(Order(TOTAL, True),), limit=5),
        "Total amount of orders, for each city, in March 2026, highest first, the first 5",
        "2026年3月，各 city，order 的 amount 合计，从高到低，前5个",
    ),
    (
        Query(select=(NAME,), where=(Cond(CUSTOMER, "not in", BUYERS),)),
        "Customers without any order",
        "没有 order 的 customer",
    ),
    (
        Query(select=(NAME,), where=(Cond(CUSTOMER, "in", replace(BUYERS, where=(OPEN,))), Cond(CITY, "=", "Rome"))),
        "Customers whose city is “Rome” with an order (whose status is “open”)",
        "city 为“Rome”且有 order（status 为“open”）的 customer",
    ),
    (
        Query(select=(Arith("/", Agg("count", ORDERS, where=(OPEN,)), Agg("count", ORDERS)),)),
        "Share of orders whose status is “open”",
        "order 中 status 为“open”的占比",
    ),
    (
        Query(select=(Agg("count", LINES),), where=(Cond(Col(Ref("line", "quantity")), ">", 3),)),
        "Number of lines whose quantity is over 3",
        "quantity 大于3的 line 数",
    ),
    (
        Query(select=(MONTH, Over("change_year", TOTAL)), group=(MONTH,), order=(Order(MONTH),)),
        "Change of the total amount from the same month of the year before, for each month, by month, earliest first",
        "各月份，amount 合计同比，按月份从早到晚",
    ),
    (
        Query(select=(TITLE,), order=(Order(PRICE, True),), per=(CATEGORY,), limit=1),
        "Products, by price, highest first, only the first of each category",
        "product，按 price 从高到低，每个 category 的前1个",
    ),
    (
        Query(select=(NAME,), where=(Cond(CITY, "=", "Oslo"),), truth=True),
        "Whether there are any customers whose city is “Oslo”",
        "是否有 city 为“Oslo”的 customer",
    ),
    (
        Query(select=(Agg("count", ORDERS),), where=(Cond(Part("weekday", WHEN), "in", (5, 6)), AnyOf((OPEN, MARCH)))),
        "Number of orders whose weekday is a weekend day and (status is “open” or ordered at is in March 2026)",
        "星期为周末且（status 为“open”或 ordered at 在2026年3月）的 order 数",
    ),
    (
        Query(select=(Agg("avg", Col(Ref(INNER, "c1"))),), inner=Query(select=(NAME, TOTAL), group=(NAME,))),
        "Average (total amount), over: (total amount of orders, for each customer)",
        "平均（amount 合计），基于：（各 customer，order 的 amount 合计）",
    ),
]


@pytest.mark.parametrize(("query", "english", "chinese"), SAID)
def test_queries_in_words(query: Query, english: str, chinese: str) -> None:
    assert says(query, catalogue(), "en") == english
    assert says(query, catalogue(), "zh") == chinese


def test_whole_periods_are_named() -> None:
    def said(first: date, last: date) -> tuple[str, str]:
        query = Query(select=(TOTAL,), where=(Cond(WHEN, "between", (first, last)),))
        english, chinese = (says(query, catalogue(), language) for language in ("en", "zh"))
        return english.removeprefix("Total amount of orders, "), chinese.partition("，")[0]

    assert said(date(2025, 1, 1), date(2025, 12, 31)) == ("in 2025", "2025年")
    assert said(date(2025, 4, 1), date(2025, 6, 30)) == ("in Q2 2025", "2025年第2季度")
    assert said(date(2025, 2, 1), date(2025, 2, 28)) == ("in February 2025", "2025年2月")
    assert said(date(2025, 2, 3), date(2025, 2, 3)) == ("on 3 February 2025", "2025年2月3日")
    assert said(date(2025, 2, 3), date(2025, 3, 1)) == (
        "from 3 February 2025 to 1 March 2025",
        "2025年2月3日至2025年3月1日",
    )


def _variants() -> list[Query]:
    """Queries that differ from each other in one thing each."""
    rows = Query(select=(NAME,))
    total = Query(select=(CITY, TOTAL), group=(CITY,))
    found = [query for query, _, _ in SAID] + [rows, total, replace(total, select=(TOTAL,))]
    found += [replace(rows, **change) for change in ({"distinct": True}, {"limit": 1}, {"limit": 2}, {"truth": True})]  # type: ignore[arg-type]
    found += [replace(rows, select=select) for select in ((CUSTOMER,), (NAME, CITY), (Col(Ref("customer", "*")),))]
    for op in ("=", "!=", ">", ">=", "<", "<="):
        for right in (3, 3.5, "3", date(2026, 3, 3)):
            found.append(replace(total, where=(Cond(WHEN if isinstance(right, date) else AMOUNT, op, right),)))
    texts = [Cond(STATUS, op, value) for op in ("like", "not like") for value in ("%a%", "a%", "%a", "a_%", "a")]
    texts += [Cond(STATUS, op, ("a", "b")) for op in ("in", "not in", "between")]
    texts += [Cond(STATUS, "null"), Cond(STATUS, "not null"), OPEN, replace(OPEN, fold=True), replace(OPEN, left=CITY)]
    texts += [
        Cond(MONTH, "=", "2026-04"),
        Cond(Part("month_of_year", WHEN), "=", 3),
        Cond(Part("year", WHEN), "=", 2026),
    ]
    texts += [Cond(DUE, "between", MARCH.right), Cond(AMOUNT, ">", Query(select=(Agg("avg", AMOUNT),))), MARCH]
    found += [replace(total, where=(cond,)) for cond in texts]
    found += [replace(total, having=(Cond(TOTAL, op, 3),)) for op in (">", "<")]
    found += [replace(total, order=(Order(item, desc),)) for item in (TOTAL, CITY) for desc in (True, False)]
    functions = ("count", "sum", "avg", "min", "max", "median", "stddev")
    found += [replace(total, select=(CITY, Agg(fn, AMOUNT))) for fn in functions if fn != "sum"]
    found += [replace(total, select=(CITY, Agg(fn, AMOUNT, distinct=True))) for fn in ("count", "sum")]
    found += [replace(total, select=(CITY, Agg("percentile", AMOUNT, level=level))) for level in (0.9, 0.95)]
    found += [replace(total, select=(CITY, replace(TOTAL, where=(OPEN,)))), replace(total, where=(OPEN, MARCH))]
    found += [
        replace(total, where=(AnyOf((OPEN, MARCH)),)),
        replace(total, group=(CITY, MONTH)),
        replace(total, flat=True),
    ]
    share = Query(select=(CITY, MONTH, Over("share", TOTAL)), group=(CITY, MONTH))
    found += [share, replace(share, per=(MONTH,)), replace(share, select=(CITY, MONTH, Over("running", TOTAL)))]
    found += [
        Query(select=(CITY,), set_op=op, other=Query(select=(STATUS,))) for op in ("union", "intersect", "except")
    ]  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_two_statements_are_said_in_the_same_words(language: str) -> None:
    shop = catalogue()
    said = [(says(query, shop, language), sql_of(query, shop)) for query in _variants()]  # type: ignore[arg-type]
    same = [
        (words, sql, other)
        for (words, sql), (others, other) in combinations(said, 2)
        if words == others and sql != other
    ]
    assert not same


def test_the_usual_columns_of_rows_are_said_as_their_details():
    shop = catalogue()
    usual = tuple(map(Col, row_columns(shop, shop.tables["orders"])))
    late = Query(select=(NAME, *usual), where=(OPEN,))
    assert says(Query(select=usual, where=(OPEN,)), shop, "en") == "Details of orders whose status is “open”"
    assert says(late, shop, "en").startswith("Customer name and details of orders")
    assert says(Query(select=usual), shop, "zh") == "order 的明细"
    assert "details" not in says(Query(select=usual[1:]), shop, "en")


@pytest.mark.parametrize(
    ("column", "op", "value", "said"),
    [
        ("is_deprecated", "=", "yes", "Amount of orders that are deprecated"),
        ("is_deprecated", "!=", True, "Amount of orders that are not deprecated"),
        ("has_refund", "=", 0, "Amount of orders without refund"),
        ("has_refund", "=", "Partly", "Amount of orders whose has refund is “Partly”"),
    ],
)
def test_a_column_that_is_called_so_is_said_of_its_rows(column: str, op: str, value: object, said: str) -> None:
    shop = catalogue()
    orders = shop.tables["orders"]
    words = tuple(column.split("_"))
    info = replace(orders.columns[4], ref=Ref("orders", column), words=words, own=words)
    tables = {**shop.tables, "orders": replace(orders, columns=(*orders.columns, info))}
    query = Query(select=(AMOUNT,), where=(Cond(Col(Ref("orders", column)), op, value),))
    assert says(query, replace(shop, tables=tables), "en").startswith(said)
