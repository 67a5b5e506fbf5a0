"""Units in the names of columns."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.name_hints import unit_of


@pytest.mark.parametrize(
    ("name", "unit", "bare"),
    [
        ("实收(元)", "CNY", "实收(元)"),
        ("fare_eur", "EUR", "fare"),
        ("delay_min", "minute", "delay"),
        ("重量kg", "kg", "重量"),
        ("floor_area_m2", "m²", "floor_area"),
        ("Rebate %", "%", "Rebate"),
        ("hours", "hour", "hours"),
        ("price_min", "", "price_min"),
        ("pence_per_kwh", "", "pence_per_kwh"),
        ("status", "", "status"),
        ("Seconds To Resolve", "second", "Seconds To Resolve"),
    ],
)
def test_a_unit_in_a_name_is_no_word_of_it(name: str, unit: str, bare: str) -> None:
    assert unit_of(name) == (unit, bare)


def test_min_beside_a_maximum_is_no_minute() -> None:
    assert unit_of("wind_min", frozenset({"maximum"})) == ("", "wind_min")
