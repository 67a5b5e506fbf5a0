"""Number formats of charts: short, consistent within a chart, and round along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final

_UNITS: Final = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_SCIENTIFIC_FROM: Final = 1e15
"""Numbers from here on are written with powers of ten, which are easier to read."""

_MAX_DIGITS: Final = 9
"""Significant digits of a tick label, at most; more would fill the axis."""

NumberFormat = Callable[[float], str]


def number_formatter(values: Iterable[float | None]) -> NumberFormat:
    """A format for ``values``: thousands separators, millions as ``1.23M``, decimals suited to the largest value."""
    present = [abs(value) for value in values if value is not None and math.isfinite(value)]
    largest = max(present, default=0.0)
    whole = all(float(value).is_integer() for value in present)
    decimals = 0 if whole else next((n for limit, n in ((1e4, 0), (1e3, 1), (1, 2), (0.1, 3)) if largest >= limit), 4)
    return lambda value: format_number(value, decimals)


def format_number(value: float, decimals: int = 2, digits: int = 3) -> str:
    """A number as text, such as ``-1,234.5``, ``1.23M`` or ``2.5e-7``.

    Args:
        value: The number.
        decimals: Decimals of a number in full.
        digits: Significant digits of an abbreviated number such as ``1.23M``.
    """
    size = abs(value)
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞" if value < 0 else "?"
    if size >= _SCIENTIFIC_FROM or 0 < size < 0.5 * 10**-decimals:
        mantissa, _, power = f"{value:.{digits - 2}e}".partition("e")
        return f"{_without_trailing_zeros(mantissa)}e{int(power)}"
    for unit, letter in _UNITS:
        if size >= unit:
            return f"{_digits(value / unit, digits)}{letter}"
    return f"{value:,.{decimals}f}"


def _digits(value: float, digits: int) -> str:
    """A number with ``digits`` significant digits (at least those before the point), without trailing zeros."""
    before = len(str(int(abs(float(f"{value:.{digits}g}")))))
    return _without_trailing_zeros(f"{value:.{max(0, digits - before)}f}")


def _without_trailing_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def ticks(low: float, high: float, limit: int) -> list[float]:
    """At most ``limit`` (but at least 3) round numbers at equal distances that enclose ``low`` and ``high``.

    After Heckbert, "Nice numbers for graph labels" (Graphics Gems, 1990); the step grows until few enough fit.
    """
    if low == high:
        pad = abs(low) / 2 or 1.0
        low, high = low - pad, high + pad
    step = _nice_step((high - low) / max(2, limit - 1))
    while True:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first + 1 <= max(3, limit):
            return [float(f"{number * step:.12g}") for number in range(first, last + 1)]
        step = _nice_step(step * 1.01)


def tick_labels(values: list[float]) -> list[str]:
    """Ticks as text, with the decimals that their step needs, and distinct if nine significant digits suffice."""
    if len(values) < 2:
        return [format_number(value) for value in values]
    step = values[1] - values[0]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    if decimals < 6 and not math.isclose(round(step, decimals), step, rel_tol=1e-6):
        decimals += 1
    # Ticks of 99.5B and 100B need one digit more than a single number would; 0.5 and 0.50025 need five decimals.
    for places in (decimals,) if decimals <= 4 else (2, decimals):
        for digits in range(3, _MAX_DIGITS + 1):
            labels = [format_number(value, places, digits) if value else "0" for value in values]
            if len(set(labels)) == len(labels):
                return labels
    return labels


def _nice_step(minimum: float) -> float:
    power = 10.0 ** math.floor(math.log10(minimum))
    return next(float(f"{power * by:.12g}") for by in (1, 2, 2.5, 5, 10) if power * by >= minimum * (1 - 1e-9))
