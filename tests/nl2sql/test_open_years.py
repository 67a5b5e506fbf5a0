"""A month without a year is one that the data reach: the plants of the garden go from January 2024 to 1 May 2026."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.nl2sql.open_years import in_years_of_data
from kbtui.question.reader import read
from tests.nl2sql.garden import catalogue

LATER = date(2028, 9, 1)
"""A day on which no March, June or quarter of the garden is the last one that has begun."""


def days(text: str, today: date = LATER) -> list[str]:
    question = in_years_of_data(read(text, today=today), catalogue())
    return [f"{period.first or ''}..{period.last or ''}" for period in question.periods]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plants planted in march", ["2026-03-01..2026-03-31"]),
        ("plants planted in june", ["2025-06-01..2025-06-30"]),
        ("plants planted since february", ["2026-02-01.."]),
        ("三月种了多少", ["2026-03-01..2026-03-31"]),
    ],
)
def test_a_month_beyond_the_data_is_the_last_one_that_they_reach(text: str, expected: list[str]) -> None:
    assert days(text) == expected


def test_two_months_without_a_year_stay_in_the_order_they_have() -> None:
    assert days("plants in march vs april") == ["2026-03-01..2026-03-31", "2026-04-01..2026-04-30"]


@pytest.mark.parametrize("text", ["plants in march 2028", "plants last month", "plants this year"])
def test_a_period_that_tells_its_year_is_kept(text: str) -> None:
    assert days(text) == [f"{p.first or ''}..{p.last or ''}" for p in read(text, today=LATER).periods]


def test_a_month_that_the_data_reach_is_kept() -> None:
    assert days("plants in march", date(2026, 6, 1)) == ["2026-03-01..2026-03-31"]
