"""Which days are compared when a question sets one period beside another."""

from __future__ import annotations

from datetime import date

from kbtui.nl2sql.period_comparisons import changes, compared_days
from kbtui.nl2sql.query import Agg, Arith, Col, Ref
from tests.nl2sql.sources import TODAY

YEAR = (date(2026, 1, 1), date(2026, 12, 31))
LAST_YEAR = (date(2025, 1, 1), date(2025, 12, 31))


def test_a_year_that_runs_is_compared_with_all_and_with_as_much_of_the_year_before() -> None:
    pairs = [pair[0] for pair in compared_days([YEAR, LAST_YEAR], "change", TODAY)]
    assert pairs == [LAST_YEAR, (date(2025, 1, 1), date(2025, 11, 20))]


def test_the_same_period_of_last_year_ends_on_the_day_of_today() -> None:
    best = max(compared_days([YEAR], "change_year", TODAY), key=lambda pair: pair[2])
    assert best[0] == (date(2025, 1, 1), date(2025, 11, 20))


def test_periods_that_are_over_are_compared_whole() -> None:
    august, july = (date(2026, 8, 1), date(2026, 8, 31)), (date(2026, 7, 1), date(2026, 7, 31))
    assert list(compared_days([august], "change", TODAY)) == [(july, august, 0.0)]


def test_a_month_that_runs_is_compared_with_as_many_days_of_the_one_before() -> None:
    november = (date(2026, 11, 1), date(2026, 11, 30))
    assert [pair[0][1] for pair in compared_days([november], "change", TODAY)] == [
        date(2026, 10, 31),
        date(2026, 10, 20),
    ]


def test_a_change_shows_both_figures_their_difference_and_the_percentage() -> None:
    shown = changes(Agg("count", Col(Ref("jobs", "*"))), Ref("jobs", "done_on"), LAST_YEAR, YEAR)
    assert len(shown) == 4
    assert shown[2] == Arith("-", shown[1], shown[0])
    assert isinstance(shown[3], Arith)
    assert shown[3].right == 100


def test_part_of_a_year_is_also_compared_with_the_same_part_of_the_year_that_is_named() -> None:
    spring = (date(2026, 3, 1), date(2026, 5, 31))
    pairs = [pair[0] for pair in compared_days([spring, LAST_YEAR], "change_year", TODAY)]
    assert pairs == [LAST_YEAR, (date(2025, 3, 1), date(2025, 5, 31))]
