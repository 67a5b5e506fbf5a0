"""Conditions from numbers that are times: hours of the day (``before 9am``), ages (``over 40``), time since a date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.draft import Scene
from kbtui.nl2sql.query import SWAPPED, Col, Cond, Operator, Part, Ref
from kbtui.text.calendar import add_months

_CLOCK: Final = re.compile(r"\d\d:\d\d(?::\d\d)?")
_MONTHS: Final = {"year": 12, "month": 1, "岁": 12, "周岁": 12}
_DAYS: Final = {"week": 7, "day": 1}
_MAX_AGE: Final = 120
"""Years up to which a number without a unit may be an age."""
_MATCHING_COLUMN: Final = 0.15
_OTHER_COLUMN: Final = 0.05
_SINCE: Final = -0.1
"""Worth of the time since a date that is no birth date."""
_BARE_AGE: Final = -0.05


def time_conds(scene: Scene, numbers: Sequence[int], op: Operator) -> Iterator[tuple[Cond, float]]:
    """Time conditions for a comparison with numbers, each with its worth.

    Args:
        numbers: Positions of number mentions: one, or two for ``between``.
    """
    values = [number for i in numbers if (number := scene[i].number) is not None]
    mentioned = scene.usual_tables()
    tables = [*mentioned, *(parent for name in mentioned for parent in scene.parents(name))]
    columns = [column for name in dict.fromkeys(tables) for column in scene.table(name).columns]
    if any(number.unit == "clock" for number in values):
        for rank, column in enumerate(column for column in columns if has_time_of_day(column)):
            cond = _hour_cond(column, op, [number.value for number in values])
            if cond is not None:
                yield cond, _MATCHING_COLUMN - _OTHER_COLUMN * rank
        return
    ages = [number.value for number in values if number.kind == "cardinal" and number.value.denominator == 1]
    units = {number.unit for number in values if number.unit}
    unit = next(iter(units), "")
    if len(ages) != len(values) or len(units) > 1 or not all(_is_age(age, unit) for age in ages):
        return
    for column in (column for column in columns if column.kind == "date"):
        if "birth" in column.concepts and unit not in _DAYS:
            yield elapsed_cond(scene, column.ref, op, ages, unit), _MATCHING_COLUMN if unit else _BARE_AGE
        elif unit:
            yield elapsed_cond(scene, column.ref, op, ages, unit), _SINCE


def age_cond(scene: Scene, index: int, ref: Ref, *, longer: bool) -> Cond | None:
    """The condition of a comparative of age on a date column: ``older than 40``; None if the number is no age."""
    number = scene[index].number
    if number is None or number.value.denominator != 1 or not _is_age(number.value, number.unit):
        return None
    return elapsed_cond(scene, ref, ">" if longer else "<", [number.value], number.unit)


def _is_age(number: Fraction, unit: str) -> bool:
    """Whether a number in years, or in another unit, is at most the length of a human life."""
    if unit in _DAYS:
        return 0 <= number * _DAYS[unit] <= _MAX_AGE * 366
    return unit in ("", *_MONTHS) and 0 <= number * _MONTHS[unit or "year"] <= _MAX_AGE * 12


def has_time_of_day(column: ColumnInfo) -> bool:
    """Whether a column has times of day: timestamps, or text such as ``08:30``."""
    if column.kind == "date":
        return column.has_time
    texts = [value for value, _ in column.values if value is not None]
    return bool(texts) and all(isinstance(value, str) and _CLOCK.fullmatch(value) for value in texts)


def _hour_cond(column: ColumnInfo, op: Operator, hours: Sequence[Fraction]) -> Cond | None:
    if column.kind != "date":
        clock_texts = [f"{int(hour):02}:{int(hour % 1 * 60):02}" for hour in sorted(hours)]
        if op == "between":
            return Cond(Col(column.ref), "between", (clock_texts[0], clock_texts[1])) if len(clock_texts) > 1 else None
        if op == "=":
            return Cond(Col(column.ref), "like", f"{clock_texts[0]}%")
        return Cond(Col(column.ref), op, clock_texts[0])
    if any(hour.denominator != 1 for hour in hours):
        return None  # Parts of dates are whole hours.
    part, first, last = Part("hour", Col(column.ref)), int(min(hours)), int(max(hours))
    if op == "between":
        return Cond(part, "between", (first, last - 1)) if first < last else None
    if op in ("=", "in"):
        return Cond(part, "=", first) if first == last else Cond(part, "in", (first, last))
    # The hour that begins at nine includes nine itself.
    return Cond(part, ">=" if op in (">", ">=") else "<", first)


def elapsed_cond(scene: Scene, ref: Ref, op: Operator, numbers: Sequence[Fraction], unit: str) -> Cond:
    """Dates from which so much time has passed until today: people over 40 were born before a date."""
    today = scene.lattice.question.today
    first, last = (_days_before(today, int(number), unit) for number in (min(numbers), max(numbers)))
    if op == "between":
        return Cond(Col(ref), "between", (last, first))
    if op in ("=", "in"):
        return Cond(Col(ref), "between", (_days_before(today, int(max(numbers)) + 1, unit) + timedelta(days=1), first))
    return Cond(Col(ref), SWAPPED.get(op, "!="), first)


def _days_before(today: date, number: int, unit: str) -> date:
    if unit in _DAYS:
        return today - timedelta(days=_DAYS[unit] * number)
    return add_months(today, -_MONTHS[unit or "year"] * number)
