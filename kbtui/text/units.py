"""Names and sizes of units, English and Chinese: ``kg``, ``公斤`` and ``kilograms`` are one unit.

The table is ``units.toml``. Money has names (``USD``, ``元`` is ``CNY``) but no size.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, partial
from typing import Final

from msgspec import Struct

from kbtui.text.word_lists import toml_once

_table = partial(toml_once, __package__, "units.toml")

_CANONICAL: Final = {
    "s": "second", "min": "minute", "h": "hour", "d": "day", "wk": "week", "yr": "year", "one": "",
}  # fmt: skip


class Unit(Struct, frozen=True):
    """A unit: ``size`` of the base unit of what it measures (``dimension``); shown as ``symbol``."""

    symbol: str
    dimension: str
    size: Fraction


@cache
def units() -> dict[str, Unit]:
    """Units with a size by name, in lower case; the first unit of a name that two share."""
    units_by_name: dict[str, Unit] = {}
    for dimension, rows in _table().items():
        if dimension == "money":
            continue
        for symbol, row in rows.items():
            size, english, *chinese = (part.strip() for part in row.split(";"))
            unit = Unit(symbol, dimension, Fraction(size))
            names = [name.replace("_", " ") for name in english.split()]
            # One letter is a name where it is listed as one: ``m`` is a million as well.
            own = [symbol.lower()] if len(symbol) > 1 else []
            for name in (*names, *map(_plural, names), *own, *(chinese[0].split() if chinese else ())):
                units_by_name.setdefault(name, unit)
    return units_by_name


@cache
def canonical_units() -> dict[str, str]:
    """Canonical names by name in lower case, money included: ``hour``, ``kg``, ``USD``, ``%``."""
    canonical_names = {name: _CANONICAL.get(unit.symbol, unit.symbol) for name, unit in units().items()}
    for code, row in _table()["money"].items():
        canonical_names |= dict.fromkeys((name.replace("_", " ") for name in row.split()), code)
    canonical_names |= dict.fromkeys(("%", "％", "percent", "pct", "per cent", "百分比"), "%")
    canonical_names |= {
        "hrs": "hour",
        "mins": "minute",
        "secs": "second",
        "yrs": "year",
        "mth": "month",
        "mths": "month",
    }
    return {name: unit for name, unit in canonical_names.items() if unit}


@cache
def currencies() -> frozenset[str]:
    """Canonical names of money."""
    return frozenset(_table()["money"])


def _plural(name: str) -> str:
    """``miles an hour``, ``square meters``; ``km`` and ``feet`` stay."""
    match = _PLURAL.fullmatch(name)
    assert match is not None
    takes_one = len(match[1]) > 2 and match[1][-1] != "s" and match[1].replace(" ", "").isalpha()
    return f"{match[1]}s{match[2]}" if takes_one else name


_PLURAL: Final = re.compile(r"(degree|.*?)((?: (?:per|an) .*| [cf]| celsius| fahrenheit| centigrade)?)")
