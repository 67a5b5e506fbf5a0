"""Statements of every type of query, run on two engines over the same rows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from kbtui.data.guard import check
from kbtui.nl2sql.build import Unjoinable, sql_of
from kbtui.nl2sql.query import INNER, Agg, AnyOf, Arith, Col, Cond, Expr, Order, Over, Part, Query, Ref
from tests.nl2sql.shop import catalogue, connection

NAME, CITY = Col(Ref("customer", "name")), Col(Ref("customer", "city"))
AMOUNT, STATUS, WHEN = Col(Ref("orders", "amount")), Col(Ref("orders", "status")), Col(Ref("orders", "ordered_at"))
FEE, DUE = Col(Ref("orders", "fee")), Col(Ref("orders", "due"))
TITLE, CATEGORY, PRICE = (Col(Ref("product", name)) for name in ("title", "category", "price"))
QUANTITY = Col(Ref("line", "quantity"))
CUSTOMERS, ORDERS = Col(Ref("customer", "*")), Col(Ref("orders", "*"))


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Any]]:
    opened = connection(request.param)
    yield request.param, opened
    opened.close()


def rows(engine: tuple[str, Any], query: Query) -> list[tuple[Any, ...]]:
    dialect, opened = engine
    sql = sql_of(query, catalogue(dialect))
    found = opened.execute(check(sql, dialect)).fetchall()
    return [tuple(round(cell, 4) if isinstance(cell, float) else cell for cell in row) for row in found]


def value(engine: tuple[str, Any], *select: Expr, **parts: Any) -> Any:
    ((only,),) = rows(engine, Query(select=select, **parts))
    return only


class TestFigures:
    def test_rows_are_counted(self, engine: Any) -> None:
        assert value(engine, Agg("count", ORDERS)) == 5

    def test_the_functions_of_all_engines(self, engine: Any) -> None:
        select = tuple(Agg(fn, AMOUNT) for fn in ("sum", "avg", "min", "max", "count"))
        assert rows(engine, Query(select=select)) == [(250, 50, 10, 100, 5)]

    def test_the_median_of_each_group(self, engine: Any) -> None:
        query = Query(select=(NAME, Agg("median", AMOUNT)), group=(NAME,), order=(Order(NAME),))
        assert rows(engine, query) == [("Ada", 15), ("Bob", 60), ("Cy", 100)]

    def test_a_median_beside_other_figures(self, engine: Any) -> None:
        query = Query(select=(Agg("median", AMOUNT), Agg("count", ORDERS), Agg("sum", AMOUNT)))
        assert rows(engine, query) == [(40, 5, 250)]

    @pytest.mark.parametrize(("level", "expected"), [(0.9, 92), (0.25, 20), (0.1, 14), (1.0, 100), (0.0, 10)])
    def test_percentiles_lie_between_values(self, engine: Any, level: float, expected: float) -> None:
        assert value(engine, Agg("percentile", AMOUNT, level=level)) == expected

    def test_the_standard_deviation_is_of_a_sample(self, engine: Any) -> None:
        assert value(engine, Agg("stddev", AMOUNT)) == 38.7298

    def test_groups_are_kept_by_a_median(self, engine: Any) -> None:
        many = Cond(Agg("median", AMOUNT), ">", 50)
        query = Query(select=(NAME,), group=(NAME,), having=(many,), order=(Order(Agg("median", AMOUNT), True),))
        assert rows(engine, query) == [("Cy",), ("Bob",)]

    def test_only_rows_that_meet_a_condition_are_counted_in(self, engine: Any) -> None:
        is_open = (Cond(STATUS, "=", "open"),)
        select = (Agg("count", ORDERS, where=is_open), Agg("sum", AMOUNT, where=is_open))
        assert rows(engine, Query(select=select)) == [(2, 50)]

    def test_a_quotient_of_counts_is_no_whole_number(self, engine: Any) -> None:
        part = Arith("/", Agg("count", ORDERS, where=(Cond(STATUS, "=", "open"),)), Agg("count", ORDERS))
        assert value(engine, part) == 0.4

    def test_dividing_by_nothing_is_nothing(self, engine: Any) -> None:
        none = Agg("count", ORDERS, where=(Cond(STATUS, "=", "lost"),))
        assert value(engine, Arith("/", Agg("count", ORDERS), none)) is None

    def test_columns_are_calculated_with(self, engine: Any) -> None:
        assert value(engine, Agg("sum", Arith("*", QUANTITY, PRICE))) == 76.0


class TestText:
    def test_money_in_text_adds_up(self, engine: Any) -> None:
        assert value(engine, Agg("sum", FEE)) == 1521.0

    def test_money_in_text_compares_as_a_number(self, engine: Any) -> None:
        query = Query(select=(FEE,), where=(Cond(FEE, "<", 400),), order=(Order(FEE),))
        assert rows(engine, query) == [("$20.5",), ("$300",)]

    def test_text_that_is_no_number_is_no_zero(self, engine: Any) -> None:
        assert value(engine, Agg("min", FEE)) == 20.5

    def test_a_literal_of_the_column_compares_as_text(self, engine: Any) -> None:
        assert value(engine, Agg("count", ORDERS), where=(Cond(FEE, "=", "$300"),)) == 1

    def test_dates_without_padding_sort_by_time(self, engine: Any) -> None:
        query = Query(select=(DUE,), where=(Cond(DUE, "not null"),), order=(Order(DUE, True),))
        assert [row[0] for row in rows(engine, query)] == ["2025/10/1", "2025/9/30", "2025/2/10", "2025/2/3"]

    def test_dates_in_text_fall_into_months(self, engine: Any) -> None:
        month = Part("month", DUE)
        query = Query(
            select=(month, Agg("count", ORDERS)), group=(month,), order=(Order(month),), where=(Cond(DUE, "not null"),)
        )
        assert rows(engine, query) == [("2025-02", 2), ("2025-09", 1), ("2025-10", 1)]

    def test_dates_in_text_compare_with_days(self, engine: Any) -> None:
        cond = Cond(DUE, "between", (date(2025, 2, 4), date(2025, 9, 30)))
        assert value(engine, Agg("count", ORDERS), where=(cond,)) == 2

    def test_case_is_ignored_where_asked(self, engine: Any) -> None:
        assert value(engine, Agg("count", ORDERS), where=(Cond(STATUS, "=", "OPEN", fold=True),)) == 3
        assert value(engine, Agg("count", ORDERS), where=(Cond(STATUS, "in", ("OPEN", "lost"), fold=True),)) == 3

    def test_groups_without_regard_to_case(self, engine: Any) -> None:
        status = Col(Ref("orders", "status"), fold=True)
        query = Query(select=(status, Agg("count", ORDERS)), group=(status,), order=(Order(status),))
        assert rows(engine, query) == [("open", 3), ("paid", 2)]

    def test_empty_text_is_missing(self, engine: Any) -> None:
        assert rows(engine, Query(select=(NAME,), where=(Cond(CITY, "null"),))) == [("Di",)]


class TestDates:
    def test_the_last_day_is_included(self, engine: Any) -> None:
        cond = Cond(WHEN, "between", (date(2025, 2, 1), date(2025, 2, 28)))
        assert value(engine, Agg("sum", AMOUNT), where=(cond,)) == 60

    @pytest.mark.parametrize(("op", "count"), [("=", 1), ("!=", 4), ("<", 2), ("<=", 3), (">", 2), (">=", 3)])
    def test_moments_compare_with_a_whole_day(self, engine: Any, op: Any, count: int) -> None:
        assert value(engine, Agg("count", ORDERS), where=(Cond(WHEN, op, date(2025, 2, 28)),)) == count

    @pytest.mark.parametrize(
        ("unit", "first"),
        [
            *(("year", "2025"), ("quarter", "2025-Q1"), ("month", "2025-01"), ("week", "2025-01-27")),
            *(("day", "2025-01-31"), ("month_of_year", 1), ("hour", 10), ("weekday", "Friday")),
        ],
    )
    def test_dates_are_cut_to_units(self, engine: Any, unit: Any, first: Any) -> None:
        assert value(engine, Part(unit, WHEN), where=(Cond(Col(Ref("orders", "id")), "=", 1),)) == first

    @pytest.mark.parametrize(
        ("unit", "right", "count"),
        [("year", 2025, 3), ("year", "2025", 3), ("month", "2025-02", 2), ("weekday", 4, 2), ("hour", 12, 1)],
    )
    def test_parts_compare_as_numbers_or_labels(self, engine: Any, unit: Any, right: Any, count: int) -> None:
        assert value(engine, Agg("count", ORDERS), where=(Cond(Part(unit, WHEN), "=", right),)) == count

    def test_two_dates_differ_by_days(self, engine: Any) -> None:
        gap = Arith("-", DUE, Col(Ref("customer", "joined")))
        query = Query(select=(gap,), where=(Cond(Col(Ref("orders", "id")), "=", 1),))
        assert rows(engine, query) == [(395,)]


class TestWindows:
    MONTH = Part("month", WHEN)

    def test_shares_of_the_whole(self, engine: Any) -> None:
        share = Over("share", Agg("sum", AMOUNT))
        query = Query(select=(NAME, share), group=(NAME,), order=(Order(share, True),), limit=2)
        assert rows(engine, query) == [("Bob", 0.48), ("Cy", 0.4)]

    def test_shares_within_a_group(self, engine: Any) -> None:
        share = Over("share", Agg("sum", QUANTITY))
        query = Query(select=(TITLE, share), group=(CATEGORY, TITLE), per=(CATEGORY,), order=(Order(TITLE),))
        assert rows(engine, query) == [("Ink", 0.5), ("Mug", 1), ("Pen", 0.5)]

    def test_change_and_running_total(self, engine: Any) -> None:
        total = Agg("sum", AMOUNT)
        query = Query(
            select=(self.MONTH, Over("change", total), Over("running", total)),
            group=(self.MONTH,),
            order=(Order(self.MONTH),),
        )
        expected = [("2025-01", None, 10), ("2025-02", 5, 70), ("2026-02", 0.3333, 150), ("2026-03", 0.25, 250)]
        assert rows(engine, query) == expected

    @pytest.mark.parametrize("unit", ["year", "quarter", "month"])
    def test_change_from_the_year_before(self, engine: Any, unit: Any) -> None:
        part = Part(unit, WHEN)
        query = Query(
            select=(part, Over("change_year", Agg("sum", AMOUNT))), group=(part,), order=(Order(part, True),), limit=2
        )
        expected = {
            "year": [("2026", 1.5714), ("2025", None)],
            "quarter": [("2026-Q1", 1.5714), ("2025-Q1", None)],
            "month": [("2026-03", None), ("2026-02", 0.3333)],
        }
        assert rows(engine, query) == expected[unit]

    def test_the_first_of_each_group(self, engine: Any) -> None:
        total = Agg("sum", QUANTITY)
        query = Query(
            select=(CATEGORY, TITLE, total),
            group=(CATEGORY, TITLE),
            order=(Order(total, True),),
            per=(CATEGORY,),
            limit=1,
        )
        assert [row[0] for row in rows(engine, query)] == ["Desk", "Kitchen"]

    def test_the_first_rows_of_each_group(self, engine: Any) -> None:
        query = Query(select=(NAME, AMOUNT), order=(Order(AMOUNT, True),), per=(NAME,), limit=1)
        assert rows(engine, query) == [("Ada", 20), ("Bob", 80), ("Cy", 100)]


class TestJoins:
    IS_PEN = Cond(TITLE, "=", "Pen")

    def test_a_filter_over_parts_does_not_multiply_a_sum(self, engine: Any) -> None:
        desk = Cond(CATEGORY, "=", "Desk")
        assert value(engine, Agg("sum", AMOUNT), where=(desk,)) == 150
        assert value(engine, Agg("avg", AMOUNT), where=(desk,)) == 37.5

    def test_as_rows_of_the_join_where_that_is_asked(self, engine: Any) -> None:
        desk = Cond(CATEGORY, "=", "Desk")
        assert value(engine, Agg("sum", AMOUNT), where=(desk,), flat=True) == 160

    def test_customers_are_counted_once_in_each_group(self, engine: Any) -> None:
        query = Query(select=(TITLE, Agg("count", CUSTOMERS)), group=(TITLE,), order=(Order(TITLE),))
        assert rows(engine, query) == [("Ink", 2), ("Mug", 2), ("Pen", 2)]

    def test_amounts_are_added_once_in_each_group(self, engine: Any) -> None:
        query = Query(
            select=(CATEGORY, Agg("sum", AMOUNT), Agg("count", Col(Ref("line", "*")))),
            group=(CATEGORY,),
            order=(Order(CATEGORY),),
        )
        assert rows(engine, query) == [("Desk", 150, 5), ("Kitchen", 140, 2)]

    def test_a_median_of_rows_that_a_join_repeats(self, engine: Any) -> None:
        query = Query(select=(CATEGORY, Agg("median", AMOUNT)), group=(CATEGORY,), order=(Order(CATEGORY),))
        assert rows(engine, query) == [("Desk", 30), ("Kitchen", 70)]

    def test_a_list_names_each_row_once(self, engine: Any) -> None:
        query = Query(select=(NAME,), where=(self.IS_PEN,), order=(Order(NAME),))
        assert rows(engine, query) == [("Ada",), ("Bob",)]

    def test_two_conditions_hold_for_the_same_row(self, engine: Any) -> None:
        both = (self.IS_PEN, Cond(QUANTITY, ">", 1))
        assert rows(engine, Query(select=(NAME,), where=both)) == [("Ada",)]

    def test_tables_without_keys_between_them(self, engine: Any) -> None:
        alone = replace(catalogue(engine[0]), edges=())
        with pytest.raises(Unjoinable):
            sql_of(Query(select=(NAME, TITLE)), alone)


class TestOrder:
    def test_different_values_are_sorted_by_something_else(self, engine: Any) -> None:
        query = Query(select=(CITY,), distinct=True, order=(Order(NAME, True),))
        assert sorted(rows(engine, query)) == [("",), ("Oslo",), ("Rome",)]

    def test_groups_are_sorted_by_a_column_of_their_rows(self, engine: Any) -> None:
        query = Query(select=(CITY, Agg("count", CUSTOMERS)), group=(CITY,), order=(Order(NAME, True),))
        assert sorted(rows(engine, query)) == [("", 1), ("Oslo", 2), ("Rome", 1)]

    def test_missing_values_are_neither_first_nor_last(self, engine: Any) -> None:
        for desc, expected in ((False, "$20.5"), (True, "$1,200.50")):
            assert value(engine, FEE, order=(Order(FEE, desc),), limit=1) == expected


class TestNested:
    def test_rows_without_any_other(self, engine: Any) -> None:
        ordered = Query(select=(Col(Ref("orders", "customer_id")),))
        query = Query(select=(NAME,), where=(Cond(Col(Ref("customer", "id")), "not in", ordered),))
        assert rows(engine, query) == [("Di",)]

    def test_a_missing_value_does_not_empty_not_in(self, engine: Any) -> None:
        dues = Query(select=(DUE,))
        query = Query(select=(Agg("count", ORDERS),), where=(Cond(STATUS, "not in", dues),))
        assert rows(engine, query) == [(5,)]

    def test_above_the_average(self, engine: Any) -> None:
        mean = Query(select=(Agg("avg", AMOUNT),))
        assert value(engine, Agg("count", ORDERS), where=(Cond(AMOUNT, ">", mean),)) == 2

    def test_figures_over_groups(self, engine: Any) -> None:
        groups = Query(select=(NAME, Agg("count", ORDERS)), group=(NAME,))
        assert value(engine, Agg("avg", Col(Ref(INNER, "c1"))), inner=groups) == 1.6667

    def test_both_and_either_and_without(self, engine: Any) -> None:
        first = Query(select=(CITY,), where=(Cond(NAME, "=", "Ada"),))
        for op, expected in (("union", ["", "Oslo", "Rome"]), ("intersect", ["Oslo"]), ("except", ["", "Rome"])):
            names: Any = Query(select=(CITY,))
            query = Query(select=(CITY,), set_op=op, other=first if op == "except" else names)
            query = query if op != "intersect" else Query(select=(CITY,), set_op=op, other=first)
            assert sorted(row[0] for row in rows(engine, query)) == expected

    def test_the_limit_of_a_part_stays_with_it(self, engine: Any) -> None:
        low = Query(select=(AMOUNT,), order=(Order(AMOUNT),), limit=1)
        query = Query(select=(AMOUNT,), order=(Order(AMOUNT, True),), limit=1, set_op="union", other=low)
        assert sorted(rows(engine, query)) == [(10,), (100,)]

    def test_alternatives(self, engine: Any) -> None:
        either = AnyOf((Cond(STATUS, "=", "paid"), Cond(AMOUNT, ">", 90)))
        assert value(engine, Agg("count", ORDERS), where=(either, Cond(AMOUNT, ">", 30))) == 2

    @pytest.mark.parametrize(("low", "count"), [(30, 3), (500, 0)])
    def test_a_question_of_truth_is_a_number(self, engine: Any, low: int, count: int) -> None:
        cond = (Cond(AMOUNT, ">", low),)
        assert rows(engine, Query(select=(NAME,), where=cond, truth=True)) == [(min(count, 2),)]
        assert rows(engine, Query(select=(ORDERS,), where=cond, truth=True)) == [(count,)]

    def test_truth_of_groups_and_of_a_figure(self, engine: Any) -> None:
        twice = (Cond(Agg("count", ORDERS), ">", 1),)
        assert rows(engine, Query(select=(NAME,), group=(NAME,), having=twice, truth=True)) == [(2,)]
        assert rows(
            engine, Query(select=(Agg("avg", AMOUNT),), having=(Cond(Agg("avg", AMOUNT), ">", 60),), truth=True)
        ) == [(0,)]


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgres", "mysql"])
def test_the_guard_lets_every_type_of_statement_run(dialect: str) -> None:
    shop = catalogue(dialect)
    units = ("year", "quarter", "month", "week", "day", "weekday", "month_of_year", "hour")
    functions = ("count", "sum", "avg", "min", "max", "median", "stddev", "percentile")
    queries = [Query(select=(Part(unit, column),)) for unit in units for column in (WHEN, DUE)]
    queries += [Query(select=(Agg(fn, column),)) for fn in functions for column in (AMOUNT, FEE)]
    month = Part("month", WHEN)
    windows = ("share", "change", "change_year", "running")
    queries += [Query(select=(month, Over(kind, Agg("sum", AMOUNT))), group=(month,)) for kind in windows]
    queries += [
        Query(select=(CATEGORY, Agg("sum", AMOUNT)), group=(CATEGORY,), order=(Order(Agg("sum", AMOUNT), True),)),
        Query(select=(Arith("-", DUE, Col(Ref("customer", "joined"))),), where=(Cond(DUE, ">", date(2025, 1, 1)),)),
        Query(select=(Arith("-", WHEN, DUE),)),
        Query(select=(NAME, AMOUNT), order=(Order(AMOUNT),), per=(NAME,), limit=1),
        Query(select=(NAME,), where=(Cond(NAME, "like", "A%", fold=True), Cond(TITLE, "=", "Pen"))),
    ]
    for query in queries:
        assert check(sql_of(query, shop), dialect)
