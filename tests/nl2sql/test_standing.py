"""How a statement stands to the structure of its source."""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Agg, Col, Cond, Order, Query, Ref
from kbtui.nl2sql.standing import Standing
from kbtui.question.model import TokenSpan
from tests.nl2sql.shop import catalogue

NAME, CITY, KEY = (Col(Ref("customer", name)) for name in ("name", "city", "id"))
AMOUNT, BUYER = Col(Ref("orders", "amount")), Col(Ref("orders", "customer_id"))
CUSTOMERS, ORDERS = Col(Ref("customer", "*")), Col(Ref("orders", "*"))


def features(query: Query) -> dict[str, float]:
    return Standing(catalogue()).features(query)


def test_the_number_of_rows_with_a_unique_value_says_little() -> None:
    by_key = Query((Agg("count", CUSTOMERS),), where=(Cond(KEY, "=", 3),))
    by_city = Query((Agg("count", CUSTOMERS),), where=(Cond(CITY, "=", "Rome"),))
    assert features(by_key)["one_row_figure"] == 1.0
    assert features(by_city)["one_row_figure"] == 0.0


def test_a_row_picked_by_its_name_is_told_from_rows_of_a_kind() -> None:
    assert features(Query((Agg("count", CUSTOMERS),), where=(Cond(NAME, "=", "Ana"),)))["names_fixed"] == 1.0
    assert features(Query((Agg("count", CUSTOMERS),), where=(Cond(CITY, "=", "Rome"),)))["names_fixed"] == 0.0


def test_a_column_that_a_condition_leaves_one_value_of_says_nothing_new() -> None:
    fixed = Query((CITY,), where=(Cond(CITY, "=", "Rome"),), distinct=True)
    assert features(fixed)["shown_fixed"] == 1.0
    assert features(Query((CITY,), where=(Cond(CITY, "in", ("Rome", "ROME")),)))["shown_fixed"] == 1.0
    assert features(Query((NAME, CITY), where=(Cond(CITY, "=", "Rome"),)))["shown_fixed"] == 0.0


def test_groups_shown_by_a_reference_hide_the_name_behind_it() -> None:
    assert features(Query((BUYER, Agg("sum", AMOUNT)), group=(BUYER,)))["group_by_reference"] == 1.0
    assert features(Query((NAME, Agg("sum", AMOUNT)), group=(KEY, NAME)))["group_by_reference"] == 0.0


def test_the_highest_row_of_a_child_is_not_the_highest_parent() -> None:
    highest = Query((NAME, AMOUNT), order=(Order(AMOUNT, True),), limit=1)
    assert features(highest)["child_ranked"] == 1.0
    assert features(Query((BUYER, AMOUNT), order=(Order(AMOUNT, True),), limit=1))["child_ranked"] == 0.0


def test_the_main_table_is_described_by_its_references_and_its_size() -> None:
    orders, customers = features(Query((Agg("sum", AMOUNT),))), features(Query((Agg("count", CUSTOMERS),)))
    assert orders["main_parents"] >= 1.0 > customers["main_parents"]
    assert customers["main_children"] >= 1.0
    assert orders["main_smaller"] < customers["main_smaller"]


def test_rows_ranked_by_a_name_that_repeats_are_not_the_things_of_that_name() -> None:
    highest = Query((CITY, KEY), order=(Order(KEY, True),), limit=3)
    cities = Mention(span=TokenSpan(0, 1), kind="column", score=1.0, how="exact", ref=CITY.ref)
    named = replace(cities, ref=KEY.ref)
    assert Standing(catalogue()).features(highest, (Use(cities, "shown"),))["ranks_repeated"] == 1.0
    assert Standing(catalogue()).features(highest, (Use(named, "shown"),))["ranks_repeated"] == 0.0


def test_rows_counted_for_a_name_that_repeats_are_not_the_things_of_that_name() -> None:
    cities = (Use(Mention(span=TokenSpan(0, 1), kind="column", score=1.0, how="exact", ref=CITY.ref), "subject"),)
    rows, names = Agg("count", CUSTOMERS), Agg("count", CITY, distinct=True)
    assert Standing(catalogue()).features(Query((rows,)), cities)["counts_repeated"] == 1.0
    assert Standing(catalogue()).features(Query((names,)), cities)["counts_repeated"] == 0.0


def test_the_highest_row_of_a_child_is_seen_behind_the_figure_it_is_ranked_by() -> None:
    highest = Query((AMOUNT, NAME), order=(Order(AMOUNT, True),), limit=1)
    assert features(highest)["child_ranked"] == 1.0


def test_one_row_of_several_values_that_are_compared_says_little() -> None:
    compared = Cond(CITY, "in", ("Rome", "Oslo"))
    highest = Query((NAME,), where=(compared,), order=(Order(KEY, True),), limit=1)
    assert features(highest)["ranks_compared"] == 1.0
    assert features(Query((NAME,), where=(compared,), order=(Order(KEY, True),), limit=3))["ranks_compared"] == 0.0


def test_rows_ranked_by_what_adds_up_are_parts_of_the_things_that_are_asked_for() -> None:
    highest = Query((NAME, AMOUNT), order=(Order(AMOUNT, True),), limit=1)
    said = Mention(span=TokenSpan(0, 1), kind="column", score=1.0, how="exact", ref=AMOUNT.ref)
    largest = Use(replace(said, order="desc"), "order")
    standing = Standing(catalogue())
    assert standing.features(highest, (Use(said, "shown"),))["ranks_parts"] == 1.0
    assert standing.features(highest, (largest,))["ranks_parts"] == 0.0
    assert standing.features(structs.replace(highest, order=(Order(NAME, True),)))["ranks_parts"] == 0.0


def test_groups_by_what_refers_to_the_rows_have_one_row_in_several() -> None:
    def by_child(counted: Col, group: Col) -> float:
        return features(Query((group, Agg("count", counted)), group=(group,)))["groups_by_child"]

    assert by_child(CUSTOMERS, Col(Ref("orders", "status"))) == 1.0
    assert by_child(ORDERS, CITY) == 0.0
    assert by_child(ORDERS, Col(Ref("orders", "status"))) == 0.0
