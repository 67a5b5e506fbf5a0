"""Values of a field as what they are: days and figures where nearly all of them are that, else text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from kbtui.text.days import day_of

ValueType = Literal["date", "number", "version", "text"]

_ENOUGH: Final = 0.85
"""Share of the values that a type must fit."""
_MOSTLY: Final = 0.5
"""The same of versions where the field is called so: a few may say *historical*."""
_SAMPLED: Final = 400

_FIGURE = re.compile(
    r"[~≈]?\s*(?P<value>[-+−]?\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?)"
    r"\s*(?P<unit>[^\d\s.,:/-][^\d]{0,11})?$"
)
_VERSION = re.compile(
    r"[vV]?\.?\s?(?P<numbers>\d+(?:\.\d+)*)(?:[-._ ]?(?P<stage>[A-Za-z]+)[-._ ]?(?P<of>\d*))?(?:\.x)?"
)
_STAGES: Final = {
    -4: ("dev",),
    -3: ("a", "alpha"),
    -2: ("b", "beta"),
    -1: ("c", "rc", "pre", "preview"),
}


def figure_of(text: str) -> float | None:
    """The number a value is, without its unit: 39 of ``39 m``; None for versions, codes and prose."""
    match = _FIGURE.fullmatch(text.strip())
    if match is None or (text.strip().startswith("0") and text.strip().isdigit() and len(text.strip()) > 1):
        return None
    return float(re.sub(r"[ ,]", "", match["value"]).replace("−", "-"))


def unit_of(values: Iterable[str]) -> str:
    """The unit that all figures have; empty where they have none or several."""
    units = {match["unit"] or "" for value in values if (match := _FIGURE.fullmatch(value.strip()))}
    return next(iter(units)).strip() if len(units) == 1 else ""


def type_of(values: Sequence[str], *, versions: bool = False) -> ValueType:
    """What a field holds.

    Args:
        values: As documents write them, repeats included.
        versions: The field is called so: its figures are versions, which have no sum.
    """
    sample = values[:: max(1, len(values) // _SAMPLED)]
    least = _ENOUGH * len(sample)
    if sample and sum(day_of(value) is not None for value in sample) >= least:
        return "date"
    if versions:
        least = _MOSTLY * len(sample)
    elif sample and sum(figure_of(value) is not None for value in sample) >= least and _is_measured(sample):
        return "number"
    if sample and sum(_VERSION.fullmatch(value.strip()) is not None for value in sample) >= least:
        return "version"
    return "text"


def version_key(text: str) -> tuple[tuple[int, ...], tuple[int, int]]:
    """What versions are compared by: their numbers without zeros at the end, then the stage and its number.

    ``1.10`` is above ``1.9``, ``2.0`` is ``2``, and ``1.2rc1`` is below ``1.2``.
    """
    match = _VERSION.match(text.strip())
    if match is None:
        return (), (0, 0)
    numbers = [int(part) for part in match["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    stage = (match["stage"] or "").lower()
    rank = next((rank for rank, names in _STAGES.items() if stage in names), 0)
    return tuple(numbers), (rank, int(match["of"] or 0))


def compare_versions(one: str, other: str) -> int:
    """-1, 0 or 1, as a database orders by."""
    first, second = version_key(one), version_key(other)
    return (first > second) - (first < second)


def _is_measured(values: Sequence[str]) -> bool:
    """Versions look like figures (``3.9``, ``3.10``); several that differ by a zero alone are none."""
    texts = {value.strip() for value in values}
    return len({figure_of(text) for text in texts}) == len(texts)
