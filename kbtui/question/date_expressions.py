"""Date expressions without prepositions and ranges: ``march``, ``last 6 months``, ``q3``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from msgspec import Struct

from kbtui.question.model import Grain
from kbtui.text.calendar import BeyondCalendar, Span, add_days, add_months, day_of, month_back, months_span, shifted

UNIT_GRAIN: Final[dict[str, Grain]] = {
    "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year",
}  # fmt: skip


class DateExpression(Struct, frozen=True, kw_only=True):
    """The days that characters ``start`` to ``end`` of a question name.

    Attributes:
        days: First and last day.
        year: The year in the words, by number or relative to today; None if it is left open.
        at_year: The days of the same expression in another year; None if it is no part of a year.
        is_bare: It is the number of a year alone.
        is_invalid: It names a day that does not exist.
    """

    start: int
    end: int
    days: Span
    grain: Grain
    year: int | None = None
    at_year: Callable[[int], Span] | None = None
    is_bare: bool = False
    is_invalid: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it is a part of a year that the words do not name."""
        return self.year is None and self.at_year is not None


BuiltDays = tuple[Span, Grain] | tuple[Span, Grain, int] | tuple[Callable[[int], Span], Grain, int | None]
"""Days, grain and the year if named; for a part of a year a function of the year, and None if the year is open."""


def days_in_month(month: int, first: int, last: int) -> tuple[Callable[[int], Span], Grain]:
    """The days of a month from ``first`` to ``last``, as a function of the year."""
    grain: Grain = "day" if first == last else "span"
    return lambda year: (day_of(year, month, first), day_of(year, month, last)), grain


def years_from(first: int, count: int) -> BuiltDays:
    """``count`` whole years from ``first``."""
    return (whole_year(first)[0], whole_year(first + count - 1)[1]), "span"


def in_calendar(today: date, unit: str, ahead: int) -> BuiltDays:
    """The calendar unit ``ahead`` units after the current one."""
    return calendar_unit(today, unit, ahead), UNIT_GRAIN.get(unit, "span")


def latest_begun(at_year: Callable[[int], Span], today: date) -> Span:
    """The latest occurrence that has begun by today, up to eight years back (for leap days)."""
    for year in range(today.year, today.year - 9, -1):
        try:
            days = at_year(year)
        except (ValueError, BeyondCalendar):
            continue
        if days[0] <= today:
            return days
    raise ValueError("no such day in the last years")


def month(year: int, number: int) -> Span:
    return months_span(year, number, year, number)


def quarter(year: int, number: int) -> Span:
    """A calendar quarter, 1 to 4."""
    return months_span(year, number * 3 - 2, year, number * 3)


def half(year: int, number: int) -> Span:
    """A half of a year, 1 or 2."""
    return months_span(year, number * 6 - 5, year, number * 6)


def whole_year(year: int) -> Span:
    return months_span(year, 1, year, 12)


def season(year: int, first_month: int) -> Span:
    """Three months of the northern seasons; the winter of a year begins in its December."""
    return months_span(year, first_month, year + (first_month == 12), (first_month + 1) % 12 + 1)


def week(day: date) -> Span:
    """Monday to Sunday around a day."""
    monday = add_days(day, -day.weekday())
    return monday, add_days(monday, 6)


def iso_week(year: int, number: int) -> Span:
    """A week by its number of ISO 8601."""
    return week(date.fromisocalendar(year, number, 1))


def weekend(day: date) -> Span:
    """Saturday and Sunday of the week around a day."""
    monday, sunday = week(day)
    return monday + timedelta(5), sunday


def calendar_unit(today: date, unit: str, ahead: int) -> Span:
    """The day, week, month, quarter or year that many after the one today is in.

    Raises:
        KeyError: ``unit`` is none of these.
        BeyondCalendar: It is beyond the calendar.
    """
    match unit:
        case "month":
            return month_back(today, -ahead)
        case "quarter":
            first = add_months(today.replace(day=1), 3 * ahead)
            return quarter(first.year, (first.month + 2) // 3)
        case "year":
            return whole_year(today.year + ahead)
        case "week":
            return week(add_days(today, 7 * ahead))
        case "weekend":
            return weekend(add_days(today, 7 * ahead))
        case _:
            day = shifted(today, ahead, unit)
            return day, day


def rolling(today: date, amount: int, unit: str) -> Span:
    """The days from ``amount`` units ago to today, both included (``>= today - 30``); if negative, the next ones."""
    if amount >= 0:
        return shifted(today, -amount, unit), today
    return add_days(today, 1), shifted(today, -amount, unit)


def units_ago(today: date, amount: int, unit: str) -> tuple[Span, Grain]:
    """The calendar unit ``amount`` units ago: three months ago is a month, two years ago a year."""
    return calendar_unit(today, unit, -amount), UNIT_GRAIN.get(unit, "span")


def unit_edge(today: date, unit: str, *, is_last: bool) -> Span:
    """The first or the last day of the calendar unit today is in."""
    day = calendar_unit(today, unit, 0)[1 if is_last else 0]
    return day, day


def unit_to_date(today: date, unit: str) -> Span:
    """From the beginning of the calendar unit to today."""
    return calendar_unit(today, unit, 0)[0], today
