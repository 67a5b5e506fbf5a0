"""Date arithmetic of questions, within the limits of the calendar for any number.

Python's dates end with the years 1 and 9999, and its own arithmetic says so in many ways; here every day and span
outside of them is one error, which a user can read.
"""

from __future__ import annotations

import calendar
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Final

from kbtui.errors import KbtuiError
from kbtui.text.language import Language

Span = tuple[date, date]
"""The first and the last day."""

_LAST: Final = date.max.toordinal()
_DAYS: Final = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS: Final = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_MAX_WORKDAYS: Final = 5_000_000
_MONTH_NAMES: Final = """
january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sept,sep october,oct
november,nov december,dec
"""
MONTH_NUMBERS: Final = {
    name: number for number, names in enumerate(_MONTH_NAMES.split(), start=1) for name in names.split(",")
}
"""1 to 12 by the English names of the months, in full and shortened, lower case."""


class BeyondCalendar(KbtuiError):
    """A day before the year 1 or after the year 9999, or one that no calendar has."""

    def __init__(self, message: str = "That day is beyond the calendar (years 1 to 9999).") -> None:
        super().__init__(message, "Ask about another day.")

    @staticmethod
    def said(language: Language) -> str:
        return "那天超出了日历范围（公元 1 至 9999 年）。" if language == "zh" else BeyondCalendar().message


def day_of(year: int, month: int, day: int) -> date:
    """A day.

    Raises:
        BeyondCalendar: There is none.
    """
    try:
        return date(year, month, day)
    except (ValueError, OverflowError) as error:
        if not 1 <= year <= date.max.year:
            raise BeyondCalendar from error
        raise BeyondCalendar(f"The calendar has no such day: {year:04d}-{month:02d}-{day:02d}.") from error


def add_days(day: date, days: int) -> date:
    """``days`` later.

    Raises:
        BeyondCalendar: It is no day of the years 1 to 9999.
    """
    ordinal = day.toordinal() + days
    if not 1 <= ordinal <= _LAST:
        raise BeyondCalendar
    return date.fromordinal(ordinal)


def add_months(day: date, months: int) -> date:
    """``months`` later; the last day of a shorter month where the day does not exist.

    Raises:
        BeyondCalendar: It is no day of the years 1 to 9999.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= date.max.year:
        raise BeyondCalendar
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def shifted(day: date, amount: int, unit: str) -> date:
    """``amount`` of ``unit`` (day, workday, week, fortnight, month, quarter, year, decade) later.

    Raises:
        BeyondCalendar: It is no day of the years 1 to 9999.
    """
    if unit == "workday":
        return _workdays_later(day, amount)
    return add_days(day, amount * _DAYS[unit]) if unit in _DAYS else add_months(day, amount * _MONTHS[unit])


def _workdays_later(day: date, amount: int) -> date:
    if abs(amount) > _MAX_WORKDAYS:
        raise BeyondCalendar
    weeks, rest = divmod(abs(amount), 5)
    step = 1 if amount >= 0 else -1
    while rest:
        day = add_days(day, step)
        rest -= day.weekday() < 5
    return add_days(day, 7 * weeks * step)


def months_span(year: int, first: int, last_year: int, last: int) -> Span:
    """The days from the first of a month to the end of another.

    Raises:
        BeyondCalendar: A year or month is none.
    """
    end = day_of(last_year, last, 1)
    return day_of(year, first, 1), end.replace(day=calendar.monthrange(last_year, last)[1])


def month_back(today: date, months: int) -> Span:
    """The whole month that many months ago.

    Raises:
        BeyondCalendar: It is before the year 1.
    """
    first = add_months(today.replace(day=1), -months)
    return months_span(first.year, first.month, first.year, first.month)


def earlier(moment: datetime, amount: Fraction | int, unit: timedelta) -> datetime:
    """``amount`` of ``unit`` before a moment; the beginning of the calendar where that is before it."""
    start = datetime(1, 1, 2, tzinfo=moment.tzinfo)
    most = (moment - start) / unit
    return start if amount >= most else moment - float(amount) * unit
