"""The bins of a histogram."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_MAX_BINS: Final = 20
_MIN_BINS: Final = 5


def bins(values: Sequence[float]) -> tuple[list[float], list[str]]:
    """Edges and labels of bins: one bin for each of a few integers, else round steps.

    Freedman and Diaconis (1981): a width of ``2 · IQR / n^(1/3)``, rounded to a round step, 5 to 20 bins.
    """
    if not values:
        return [], []
    ordered = sorted(values)
    low, high = ordered[0], ordered[-1]
    are_integers = all(float(value).is_integer() for value in values)
    if low == high or (are_integers and high - low < _MAX_BINS):
        edges = [low + step for step in range(int(high - low) + 1)] if are_integers else [low]
        return edges, [_bin_label(edge) for edge in edges]
    count = len(ordered)
    quartile_range = ordered[(3 * count) // 4] - ordered[count // 4]
    ideal_step = 2 * quartile_range / count ** (1 / 3) or (high - low) / (1 + math.log2(count))
    step = round_step(max(min(ideal_step / 1.5, (high - low) / _MIN_BINS), (high - low) / _MAX_BINS))
    if are_integers:
        step = max(1.0, math.ceil(step))
    first = math.floor(low / step)
    edges = [float(f"{number * step:.12g}") for number in range(first, math.floor(high / step) + 2)]
    return edges, [f"{_bin_label(a)} – {_bin_label(b)}" for a, b in pairwise(edges)]


def round_step(step: float) -> float:
    """The smallest round step (1, 2, 2.5 or 5 times a power of ten) that is at least ``step``."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(float(f"{power * by:.12g}") for by in (1, 2, 2.5, 5, 10) if power * by >= step * (1 - 1e-9))


def _bin_label(value: float) -> str:
    return f"{value:,.12g}" if abs(value) < 1e12 else f"{value:.4g}"
