"""Names of units: one unit has many."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kbtui.text.units import canonical_units, currencies, units


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("hrs", "hour"),
        ("小时", "hour"),
        ("kilograms", "kg"),
        ("公斤", "kg"),
        ("$", "USD"),
        ("元", "CNY"),
        ("percent", "%"),
        ("m²", "m²"),
    ],
)
def test_every_name_of_a_unit_gives_its_canonical_one(name: str, unit: str) -> None:
    assert canonical_units()[name] == unit


def test_money_has_no_size() -> None:
    assert "usd" not in units()
    assert units()["mile"].size == Fraction("1609.344")


def test_a_currency_is_told_from_other_units_in_capitals() -> None:
    assert "CNY" in currencies()
    assert "BTU" not in currencies()
