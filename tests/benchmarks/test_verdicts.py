from __future__ import annotations

import pytest
from _verdicts import (
    Gold,
    verdict_of_rows,
    verdict_of_schema,
    verdict_of_truth,
    verdict_of_unanswerable,
)


def test_surplus_columns_and_another_order_of_columns_are_right() -> None:
    assert Gold([("Oslo", 3), ("Rome", 1)]).matches([[1, "x", "rome"], [3, "y", "OSLO"]])


def test_a_missing_column_is_wrong() -> None:
    assert not Gold([("Oslo", 3)]).matches([["Oslo"]])


def test_columns_that_fit_alone_but_not_row_by_row_are_wrong() -> None:
    assert not Gold([("a", 1), ("b", 2)]).matches([["a", 2], ["b", 1]])


def test_one_column_does_not_stand_for_two() -> None:
    assert not Gold([(1, 1)]).matches([[1, 5]])


def test_the_order_of_rows_counts_only_where_the_gold_is_ordered() -> None:
    rows = [["b"], ["a"]]
    assert Gold([("a",), ("b",)]).matches(rows)
    assert not Gold([("a",), ("b",)], ordered=True).matches(rows)


def test_a_share_may_be_a_fraction_or_a_percentage() -> None:
    assert Gold([(0.25,)]).matches([[25.0]])
    assert Gold([(25.0,)]).matches([[0.25]])
    assert Gold([(45.2381,)]).matches([[0.452381]])
    assert not Gold([(45.2381,)]).matches([[0.45]])
    assert not Gold([(25.0,)]).matches([[0.35]])


def test_numbers_are_equal_to_two_decimals_and_in_text() -> None:
    assert Gold([(1234.5,)]).matches([["1,234.504"]])
    assert not Gold([(1234.5,)]).matches([[1236]])


def test_a_month_is_its_first_day_and_midnight_is_no_time() -> None:
    assert Gold([("2026-03",)]).matches([["2026-03-01"]])
    assert Gold([("2026-03-01",)]).matches([["2026-03-01 00:00:00"]])
    assert not Gold([("2026-03",)]).matches([["2026-04-01"]])


def test_no_rows_are_right_only_where_the_gold_has_none() -> None:
    assert Gold([]).matches([])
    assert not Gold([(1,)]).matches([])
    assert not Gold([]).matches([[1]])


@pytest.mark.parametrize(
    ("outcome", "rows", "verdict"),
    [
        ("answered", [[3]], "right"),
        ("partial", [[3]], "right"),
        ("answered", [[4]], "wrong"),
        ("not_found", [[3]], "none"),
        ("answered", None, "none"),
    ],
)
def test_rows_count_only_where_the_run_stands_by_them(outcome: str, rows: list[list[int]], verdict: str) -> None:
    assert verdict_of_rows(outcome, rows, [Gold([(3,)])]) == verdict


@pytest.mark.parametrize(
    ("markdown", "truth", "verdict"),
    [
        ("Yes, 3 of them.", 1, "right"),
        ("**No**", 1, "wrong"),
        ("没有", 0, "right"),
        ("有 3 条", 0, "wrong"),
    ],
)
def test_yes_or_no_is_read_from_the_first_word(markdown: str, truth: int, verdict: str) -> None:
    assert verdict_of_truth("answered", markdown, None, [Gold([(truth,)])]) == verdict


def test_rows_that_show_the_yes_are_right() -> None:
    golds = [Gold([(1,)]), Gold([("Oslo",)])]
    assert verdict_of_truth("answered", "| city |", [["Oslo"]], golds) == "right"
    assert verdict_of_truth("not_found", "I cannot say", None, golds) == "none"


def test_a_schema_answer_names_everything() -> None:
    assert verdict_of_schema("answered", "Tables: Orders, customers", ["orders", "customers"]) == "right"
    assert verdict_of_schema("answered", "Tables: orders", ["orders", "customers"]) == "wrong"
    assert verdict_of_schema("not_found", "nothing", ["orders"]) == "none"


def test_an_unanswerable_question_may_only_be_refused() -> None:
    assert verdict_of_unanswerable("answered", [[0]]) == "wrong"
    assert verdict_of_unanswerable("answered", None) == "wrong"
    assert verdict_of_unanswerable("not_found", [[0]]) == "none"
    assert verdict_of_unanswerable("partial", None) == "none"
