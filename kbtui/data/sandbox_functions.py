"""Functions for calculations in the sandbox: statistics, growth, finance, days. They run outside of it, trusted.

Each takes plain values, raises errors of one line, and does a bounded amount of work. Formulas:
statistics of the sample (n - 1) as in Python's ``statistics``; quantiles by linear interpolation (type 7 of Hyndman and
Fan, 1996); annuities as in the OpenDocument formula specification (payments at the end of each period).
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, Final

_MAX_VALUES: Final = 100_000
_MAX_DAYS: Final = 4_000_000
_MAX_PERIODS: Final = 100_000

Function = Callable[..., Any]


def _numbers(values: Any, least: int = 1) -> list[float]:
    """The numbers among ``values``; None is left out, as SQL leaves out NULL."""
    if not isinstance(values, (list, tuple)):
        raise TypeError("a list of numbers is needed")
    if len(values) > _MAX_VALUES:
        raise ValueError(f"a list may have at most {_MAX_VALUES:,} values")
    numbers = [_number(value) for value in values if value is not None]
    if len(numbers) < least:
        raise ValueError(f"at least {least} number{'s are' if least > 1 else ' is'} needed")
    return numbers


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError("a number is needed")
    if isinstance(value, int) and value.bit_length() > 1000:
        raise ValueError("a number is too large")
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("a number is not finite")
    return number


def _integer(value: Any, most: int) -> int:
    number = _number(value)
    if number != int(number) or abs(number) > most:
        raise ValueError(f"a whole number of at most {most:,} is needed")
    return int(number)


def _pairs(xs: Any, ys: Any) -> tuple[list[float], list[float]]:
    if not isinstance(xs, (list, tuple)) or not isinstance(ys, (list, tuple)) or len(xs) != len(ys):
        raise ValueError("two lists of the same length are needed")
    kept = [(x, y) for x, y in zip(xs, ys, strict=True) if x is not None and y is not None]
    return _numbers([x for x, _ in kept], 2), _numbers([y for _, y in kept], 2)


def mean(values: Any) -> float:
    return statistics.fmean(_numbers(values))


def median(values: Any) -> float:
    return statistics.median(_numbers(values))


def mode(values: Any) -> Any:
    """The most frequent value, the first of several."""
    if not isinstance(values, (list, tuple)) or not values or len(values) > _MAX_VALUES:
        raise ValueError("a list with values is needed")
    if not all(value is None or isinstance(value, (str, int, float)) for value in values):
        raise TypeError("a list of numbers or texts is needed")
    counted = Counter(value for value in values if value is not None)
    return counted.most_common(1)[0][0] if counted else None


def variance(values: Any) -> float:
    """The variance of a sample (n - 1)."""
    return statistics.variance(_numbers(values, 2))


def stdev(values: Any) -> float:
    """The standard deviation of a sample (n - 1)."""
    return math.sqrt(variance(values))


def quantile(values: Any, q: Any) -> float:
    """The quantile ``q`` (0 to 1), interpolated."""
    found, share = sorted(_numbers(values)), _number(q)
    if not 0 <= share <= 1:
        raise ValueError("a share from 0 to 1 is needed")
    place = share * (len(found) - 1)
    low = int(place)
    high = min(low + 1, len(found) - 1)
    return found[low] + (found[high] - found[low]) * (place - low)


def percentile(values: Any, p: Any) -> float:
    """The percentile ``p`` (0 to 100), interpolated."""
    return quantile(values, _number(p) / 100)


def corr(xs: Any, ys: Any) -> float:
    """Pearson's correlation of two lists."""
    return statistics.correlation(*_pairs(xs, ys))


def linear_fit(xs: Any, ys: Any) -> dict[str, float]:
    """The line through points by least squares: slope, intercept and r2."""
    left, right = _pairs(xs, ys)
    line = statistics.linear_regression(left, right)
    r2 = statistics.correlation(left, right) ** 2 if len(set(right)) > 1 else 1.0
    return {"slope": line.slope, "intercept": line.intercept, "r2": r2}


def zscore(values: Any) -> list[float]:
    """How many standard deviations each value is from the mean."""
    numbers = _numbers(values, 2)
    middle, spread = statistics.fmean(numbers), stdev(numbers)
    if spread == 0:
        raise ValueError("the values do not vary")
    return [(value - middle) / spread for value in numbers]


def growth(old: Any, new: Any) -> float:
    """The change from ``old`` to ``new`` as a share of ``old``: 0.1 is 10 percent."""
    start = _number(old)
    if start == 0:
        raise ValueError("growth from nothing has no share")
    return (_number(new) - start) / abs(start)


def cagr(first: Any, last: Any, periods: Any) -> float:
    """The growth per period that leads from ``first`` to ``last``."""
    start, end, count = _number(first), _number(last), _number(periods)
    if start <= 0 or end < 0 or count <= 0:
        raise ValueError("positive values and a positive number of periods are needed")
    return float((end / start) ** (1 / count) - 1)


def moving_average(values: Any, window: Any) -> list[float | None]:
    """The mean of each value and those before it, ``window`` in all; None where there are not that many yet."""
    found, size = _numbers(values), _integer(window, _MAX_VALUES)
    if size < 1:
        raise ValueError("a window of at least 1 is needed")
    total, averages = 0.0, []
    for place, value in enumerate(found):
        total += value - (found[place - size] if place >= size else 0.0)
        averages.append(total / size if place >= size - 1 else None)
    return averages


def _growth_factor(rate: Any, periods: Any) -> tuple[float, float, float]:
    interest, count = _number(rate), _number(periods)
    if interest <= -1 or not 0 <= count <= _MAX_PERIODS:
        raise ValueError("a rate above -1 and a sensible number of periods are needed")
    grown = math.exp(count * math.log1p(interest))
    return interest, count, grown


def pmt(rate: Any, periods: Any, amount: Any) -> float:
    """The payment per period of a loan of ``amount``; ``rate`` is per period, 0.01 for 1 percent."""
    interest, count, grown = _growth_factor(rate, periods)
    if count == 0:
        raise ValueError("at least one period is needed")
    borrowed = _number(amount)
    return borrowed / count if interest == 0 else borrowed * interest * grown / (grown - 1)


def fv(rate: Any, periods: Any, payment: Any, start: Any = 0) -> float:
    """The future value of ``start`` and a ``payment`` each period."""
    interest, count, grown = _growth_factor(rate, periods)
    paid = count if interest == 0 else (grown - 1) / interest
    return _number(start) * grown + _number(payment) * paid


def pv(rate: Any, periods: Any, payment: Any) -> float:
    """The present value of a ``payment`` each period."""
    interest, count, grown = _growth_factor(rate, periods)
    return _number(payment) * (count if interest == 0 else (1 - 1 / grown) / interest)


def npv(rate: Any, flows: Any) -> float:
    """The net present value of cash flows, the first of them one period from now."""
    interest = _number(rate)
    if interest <= -1:
        raise ValueError("a rate above -1 is needed")
    return math.fsum(flow / (1 + interest) ** place for place, flow in enumerate(_numbers(flows), start=1))


def irr(flows: Any) -> float:
    """The rate at which the net present value of cash flows, the first of them now, is 0; by bisection."""
    amounts = _numbers(flows, 2)
    if len(amounts) > 2000 or not (min(amounts) < 0 < max(amounts)):
        raise ValueError("flows that change their sign are needed, at most 2,000 of them")

    def worth(rate: float) -> float:
        total = 0.0
        for flow in reversed(amounts):
            total = total / (1 + rate) + flow
        return total

    low, high = -0.99, 10.0
    if worth(low) * worth(high) > 0:
        raise ValueError("no single rate explains these flows")
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if worth(low) * worth(middle) > 0 else (low, middle)
    return (low + high) / 2


def compound_interest(amount: Any, rate: Any, years: Any, per_year: Any = 1) -> float:
    """The value of ``amount`` with interest of ``rate`` a year (0.05 for 5 percent), credited ``per_year`` times."""
    times = _integer(per_year, 366)
    if times < 1:
        raise ValueError("interest is credited at least once a year")
    return _number(amount) * _growth_factor(_number(rate) / times, _number(years) * times)[2]


def days_between(first: Any, last: Any) -> int:
    """Days from one date (YYYY-MM-DD) to another."""
    return (_date(last) - _date(first)).days


def add_days(day: Any, days: Any) -> str:
    """The date ``days`` later, as YYYY-MM-DD."""
    try:
        return (_date(day) + timedelta(days=_integer(days, _MAX_DAYS))).isoformat()
    except OverflowError as error:
        raise ValueError("the date is too far away") from error


def _date(value: Any) -> date:
    if isinstance(value, date):
        return date(value.year, value.month, value.day)
    if not isinstance(value, str) or len(value) > 40:
        raise TypeError("a date as YYYY-MM-DD is needed")
    return date.fromisoformat(value[:10])


FUNCTIONS: Final[Mapping[str, Function]] = {
    function.__name__: function
    for function in (
        *(mean, median, mode, stdev, variance, quantile, percentile, corr, linear_fit, zscore),
        *(growth, cagr, moving_average, pmt, fv, pv, npv, irr, compound_interest, days_between, add_days),
    )
}
