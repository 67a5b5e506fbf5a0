"""Values of a field as what they are: days and figures where nearly all of them are that, else text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final, Literal

from kbtui.text.calendar import MONTH_NUMBERS

ValueType = Literal["date", "number", "text"]

_ENOUGH: Final = 0.85
"""Share of the values that a type must fit."""
_SAMPLED: Final = 400

_ISO = re.compile(r"\(?(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)")
_HAN = re.compile(r"(?P<y>(?:19|20)\d\d)\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日")
_DAY_FIRST = re.compile(
    r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[-\s./]+(?P<mon>[A-Za-z]{3,9})\.?[-\s,./]+(?P<y>(?:19|20)\d\d)\b"
)
_MONTH_FIRST = re.compile(r"(?P<mon>[A-Za-z]{3,9})\.?\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d\d)\b")
_FIGURE = re.compile(
    r"[~≈]?\s*(?P<value>[-+−]?\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?)"
    r"\s*(?P<unit>[^\d\s.,:/-][^\d]{0,11})?$"
)


def day_of(text: str) -> date | None:
    """The day that a value begins with: ``2024-05-01``, ``01-May-2024``, ``May 1, 2024``, ``2024年5月1日``."""
    for pattern in (_ISO, _DAY_FIRST, _MONTH_FIRST, _HAN):
        match = pattern.match(text.strip())
        if match is None:
            continue
        parts = match.groupdict()
        month = MONTH_NUMBERS.get(parts["mon"].lower(), 0) if "mon" in parts else int(parts["m"])
        try:
            return date(int(parts["y"]), month, int(parts["d"]))
        except ValueError:
            return None
    return None


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


def type_of(values: Sequence[str]) -> ValueType:
    """What a field holds.

    Args:
        values: As documents write them, repeats included.
    """
    sample = values[:: max(1, len(values) // _SAMPLED)]
    least = _ENOUGH * len(sample)
    if sample and sum(day_of(value) is not None for value in sample) >= least:
        return "date"
    if sample and sum(figure_of(value) is not None for value in sample) >= least and _is_measured(sample):
        return "number"
    return "text"


def _is_measured(values: Sequence[str]) -> bool:
    """Versions look like figures (``3.9``, ``3.10``); several that differ by a zero alone are none."""
    texts = {value.strip() for value in values}
    return len({figure_of(text) for text in texts}) == len(texts)
