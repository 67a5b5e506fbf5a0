"""Numbers as a chart writes them: short, alike within one chart, and round along an axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final

_UNITS: Final = ((1e12, "T"), (1e9, "B"), (1e6, "M"))
_LARGE: Final = 1e15
"""From here, and below a ten-thousandth, powers of ten are read more easily than figures."""

_MOST_DIGITS: Final = 9
"""Of a tick: more would fill the axis."""

Figure = Callable[[float], str]


def figures(values: Iterable[float | None]) -> Figure:
    """How to write ``values``: thousands apart, millions as ``1.23M``, as many decimals as the largest needs."""
    present = [abs(value) for value in values if value is not None and math.isfinite(value)]
    largest = max(present, default=0.0)
    whole = all(float(value).is_integer() for value in present)
    decimals = 0 if whole else next((n for limit, n in ((1e4, 0), (1e3, 1), (1, 2), (0.1, 3)) if largest >= limit), 4)
    return lambda value: figure(value, decimals)


def figure(value: float, decimals: int = 2, digits: int = 3) -> str:
    """One number: ``-1,234.5``, ``1.23M``, ``2.5e-7``.

    Args:
        value: What to write.
        decimals: Figures after the point of a number that is written out.
        digits: Figures that count of one that is written short, as ``1.23M``.
    """
    size = abs(value)
    if not math.isfinite(value):
        return "∞" if value > 0 else "-∞" if value < 0 else "?"
    if size >= _LARGE or 0 < size < 0.5 * 10**-decimals:
        mantissa, _, power = f"{value:.{digits - 2}e}".partition("e")
        return f"{_trimmed(mantissa)}e{int(power)}"
    for unit, letter in _UNITS:
        if size >= unit:
            return f"{_digits(value / unit, digits)}{letter}"
    return f"{value:,.{decimals}f}"


def _digits(value: float, digits: int) -> str:
    """``digits`` figures that count (all those before the point at least), without noughts at the end."""
    before = len(str(int(abs(float(f"{value:.{digits}g}")))))
    return _trimmed(f"{value:.{max(0, digits - before)}f}")


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def ticks(low: float, high: float, most: int) -> list[float]:
    """At most ``most`` (3 at least) round numbers, evenly apart, that enclose ``low`` and ``high``.

    Heckbert, Nice numbers for graph labels (Graphics Gems, 1990), with the step taken up until few enough fit.
    """
    if low == high:
        pad = abs(low) / 2 or 1.0
        low, high = low - pad, high + pad
    step = _round((high - low) / max(2, most - 1))
    while True:
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if last - first + 1 <= max(3, most):
            return [float(f"{number * step:.12g}") for number in range(first, last + 1)]
        step = _round(step * 1.01)


def tick_figures(values: list[float]) -> list[str]:
    """Ticks as text, all with the decimals that their step needs, and told apart where nine figures can do that."""
    if len(values) < 2:
        return [figure(value) for value in values]
    step = values[1] - values[0]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    if decimals < 6 and not math.isclose(round(step, decimals), step, rel_tol=1e-6):
        decimals += 1
    # 99.5B and 100B, half a billion apart, need a figure more than a number alone; 0.5 and 0.50025 need five decimals.
    for places in (decimals,) if decimals <= 4 else (2, decimals):
        for digits in range(3, _MOST_DIGITS + 1):
            written = [figure(value, places, digits) if value else "0" for value in values]
            if len(set(written)) == len(written):
                return written
    return written


def _round(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(float(f"{power * by:.12g}") for by in (1, 2, 2.5, 5, 10) if power * by >= wanted * (1 - 1e-9))
