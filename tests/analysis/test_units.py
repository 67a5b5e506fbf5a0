from __future__ import annotations

import sys
from fractions import Fraction

import pytest

from kbtui.analysis.units import conversion, is_about_rates


@pytest.mark.parametrize(
    ("asked", "amount", "symbol"),
    [
        ("3 miles to km", "4.828032", "km"),
        ("how many feet in a mile", "5280", "ft"),
        ("5 feet 11 in cm", "180.34", "cm"),
        ("5'11\" in cm", "180.34", "cm"),
        ("-40 c to f", "-40", "°F"),
        ("100华氏度是多少摄氏度", "340/9", "°C"),
        ("三斤二两是多少克", "1600", "g"),
        ("3斤半是多少公斤", "1.75", "kg"),
        ("半斤是几两", "5", "两"),
        ("1亩等于多少平方米", "2000/3", "m²"),
        ("五公里是多少里", "10", "里"),
        ("一尺等于多少厘米", "100/3", "cm"),
        ("2公斤=?斤", "4", "斤"),
        ("1.5 tb to gb", "1500", "GB"),
        ("how many bytes are in a kib", "1024", "B"),
        ("2 hours 15 minutes in minutes", "135", "min"),
        ("60 mph in km/h", "96.56064", "km/h"),
        ("8 ounces in cups", "1", "cup"),
        ("half a mile in meters", "804.672", "m"),
        ("公斤换算成磅", str(1 / Fraction("0.45359237")), "lb"),
    ],
)
def test_units_are_converted_exactly(asked: str, amount: str, symbol: str) -> None:
    found = conversion(asked)
    assert found is not None
    assert (found.amount, found.symbol) == (Fraction(amount), symbol)


def test_rare_units_are_left_to_pint_which_nothing_else_loads() -> None:
    loaded_before = "pint" in sys.modules
    assert conversion("3 miles to km") is not None
    assert ("pint" in sys.modules) == loaded_before
    found = conversion("10 slugs in kg")
    assert found is not None and found.is_rounded
    assert round(float(found.amount), 3) == 145.939


@pytest.mark.parametrize(
    "asked",
    [
        "convert the config to toml",
        "how long is the timeout",
        "how many pages are in the handbook",
        "3 kg to miles",
        "年假有多少天",
        "how many seconds does the retry wait",
        "100 dollars in euros",
        "72 f",
        "the meeting is 2 hours in the minutes",
        "how many slugs are in the url table",
    ],
)
def test_what_converts_nothing_is_left_alone(asked: str) -> None:
    assert conversion(asked) is None


@pytest.mark.parametrize("asked", ["100 dollars in euros", "what is the exchange rate for yen", "100美元是多少人民币"])
def test_money_is_known_to_need_a_rate(asked: str) -> None:
    assert is_about_rates(asked)


@pytest.mark.parametrize("asked", ["10 pounds in kilos", "how much did we spend in euros", "总共多少元"])
def test_weights_and_plain_sums_of_money_need_no_rate(asked: str) -> None:
    assert not is_about_rates(asked)
