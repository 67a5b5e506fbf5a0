# ruff: noqa: E501 (statements)
"""SQL read back into queries."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.query import INNER, Agg, AnyOf, Arith, Col, Cond, Expr, Order, Over, Part, Query, Ref
from tests.nl2sql.shop import catalogue, connection

CITY, NAME = Col(Ref("customer", "city")), Col(Ref("customer", "name"))
AMOUNT, STATUS, WHEN = (Col(Ref("orders", name)) for name in ("amount", "status", "ordered_at"))
ORDERS = Col(Ref("orders", "*"))
TOTAL = Agg("sum", AMOUNT)


def where(condition: str) -> tuple[Cond | AnyOf, ...]:
    query = query_of(f"SELECT * FROM orders WHERE {condition}", catalogue())
    assert query is not None
    return query.where


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select count(*) from orders", Query(select=(Agg("count", ORDERS),))),
        ("SELECT DISTINCT city FROM customer LIMIT 3", Query(select=(CITY,), distinct=True, limit=3)),
        (
            "SELECT c.city, SUM(o.amount) AS s FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY 1 "
            "HAVING s > 5 ORDER BY s DESC",
            Query(select=(CITY, TOTAL), group=(CITY,), having=(Cond(TOTAL, ">", 5),), order=(Order(TOTAL, desc=True),)),
        ),
        (
            "SELECT strftime('%Y-%m', ordered_at), count(*) FROM orders GROUP BY 1",
            Query(select=(Part("month", WHEN), Agg("count", ORDERS)), group=(Part("month", WHEN),)),
        ),
        (
            "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM orders)",
            Query(
                select=(NAME,),
                where=(Cond(Col(Ref("customer", "id")), "not in", Query(select=(Col(Ref("orders", "customer_id")),))),),
            ),
        ),
        (
            "SELECT AVG(n) FROM (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) t",
            Query(
                select=(Agg("avg", Col(Ref(INNER, "c1"))),),
                inner=Query(
                    select=(Col(Ref("orders", "customer_id")), Agg("count", ORDERS)),
                    group=(Col(Ref("orders", "customer_id")),),
                ),
            ),
        ),
        (
            "SELECT name, amount FROM (SELECT c.name, o.amount, ROW_NUMBER() OVER (PARTITION BY c.city ORDER BY o.amount "
            "DESC) AS n FROM customer c JOIN orders o ON o.customer_id = c.id) WHERE n <= 2",
            Query(select=(NAME, AMOUNT), per=(CITY,), order=(Order(AMOUNT, desc=True),), limit=2),
        ),
        ("SELECT EXISTS(SELECT 1 FROM orders WHERE amount > 5)", None),
    ],
)
def test_statements(sql: str, expected: Query | None) -> None:
    query = query_of(sql, catalogue())
    if expected is None:
        assert query is not None
        assert query.truth
    else:
        assert query == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("COUNT(DISTINCT status)", Agg("count", STATUS, distinct=True)),
        ("ROUND(AVG(amount), 2)", Agg("avg", AMOUNT)),
        ("SUM(CASE WHEN status = 'open' THEN 1 ELSE 0 END)", Agg("count", ORDERS, where=(Cond(STATUS, "=", "open"),))),
        (
            "SUM(CASE WHEN status = 'open' THEN 0 ELSE amount END)",
            Agg("sum", AMOUNT, where=(Cond(STATUS, "!=", "open"),)),
        ),
        ("SUM(status = 'open')", Agg("count", ORDERS, where=(Cond(STATUS, "=", "open"),))),
        ("100.0 * SUM(amount) / COUNT(*)", Arith("*", Arith("/", TOTAL, Agg("count", ORDERS)), 100.0)),
        ("SUM(amount) / SUM(SUM(amount)) OVER ()", Over("share", TOTAL)),
        ("julianday(due) - julianday(ordered_at)", Arith("-", Col(Ref("orders", "due")), WHEN)),
        ("LOWER(status)", Col(Ref("orders", "status"), fold=True)),
    ],
)
def test_expressions(sql: str, expected: Expr) -> None:
    query = query_of(f"SELECT {sql} FROM orders", catalogue())
    assert query is not None
    assert query.select == (expected,)


def test_conditions() -> None:
    assert where("status = 'open' AND amount >= 5.5") == (Cond(STATUS, "=", "open"), Cond(AMOUNT, ">=", 5.5))
    assert where("5 < amount") == (Cond(AMOUNT, ">", 5),)
    assert where("NOT (amount > 5 OR status LIKE 'a%')") == (Cond(AMOUNT, "<=", 5), Cond(STATUS, "not like", "a%"))
    assert where("amount NOT BETWEEN 1 AND 2") == (AnyOf((Cond(AMOUNT, "<", 1), Cond(AMOUNT, ">", 2))),)
    assert where("LOWER(status) = 'open'") == (Cond(STATUS, "=", "open", fold=True),)
    assert where("status NOT LIKE '%x%'") == (Cond(STATUS, "not like", "%x%"),)
    assert where('status = "open"') == (Cond(STATUS, "=", "open"),)
    assert where("status IS NOT NULL") == (Cond(STATUS, "not null"),)


def test_days_and_parts_of_dates() -> None:
    year = Cond(WHEN, "between", (date(2025, 1, 1), date(2025, 12, 31)))
    assert where("ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01'") == (year,)
    # A moment compared as text with a day leaves out most of that day.
    assert where("ordered_at <= '2025-12-31'") == (Cond(WHEN, "<=", "2025-12-31"),)
    assert where("ordered_at LIKE '2025-03%'") == (Cond(Part("month", WHEN), "=", "2025-03"),)
    assert where("strftime('%w', ordered_at) IN ('0', '6')") == (Cond(Part("weekday", WHEN), "in", (6, 5)),)
    assert where("CAST(strftime('%Y', ordered_at) AS INTEGER) = 2025") == (Cond(Part("year", WHEN), "=", 2025),)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.amount > 30)",
        "SELECT c.name FROM customer c LEFT JOIN orders o ON o.customer_id = c.id AND o.amount > 30 WHERE o.id IS NULL",
        "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM orders WHERE amount > 30)",
        "WITH big AS (SELECT * FROM orders) SELECT COUNT(*) FROM big",
        "SELECT name FROM customer WHERE city = 'Oslo' UNION SELECT title FROM product ORDER BY 1 LIMIT 2",
        "SELECT COUNT(*) FROM orders o JOIN line l ON l.order_id = o.id WHERE l.quantity > 1",
        "SELECT SUM(o.amount) FROM orders o, line l WHERE l.order_id = o.id",
        "SELECT city, COUNT(*) FROM customer GROUP BY city HAVING COUNT(*) > 1",
        "SELECT title FROM product WHERE price = (SELECT MAX(price) FROM product)",
    ],
)
def test_what_is_built_from_a_reading_brings_the_same_rows(sql: str) -> None:
    query = query_of(sql, catalogue())
    assert query is not None
    shop = connection("sqlite")
    assert sorted(shop.execute(sql_of(query, catalogue()))) == sorted(shop.execute(sql))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a.name FROM customer a JOIN customer b ON a.city = b.city",
        "SELECT c.name, COUNT(*) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.name",
        "SELECT c.name FROM customer c JOIN orders o ON o.id = c.id",
        "SELECT name FROM customer LIMIT 3 OFFSET 2",
        "SELECT soundex(name) FROM customer",
        "SELECT nothing FROM customer",
        "SELECT name FROM strangers",
        "DELETE FROM customer",
        "SELECT FROM WHERE",
    ],
)
def test_what_no_type_expresses_is_not_read(sql: str) -> None:
    assert query_of(sql, catalogue()) is None
