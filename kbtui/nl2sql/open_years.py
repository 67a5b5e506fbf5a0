"""Periods whose year a question leaves open, in the years that the data reach.

``in march`` is the last March that has begun. An export of two years ago has no rows of it, and its own last March is
meant: the year that the data reach takes its place, and the words of the statement tell it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.question.model import Period, Question
from kbtui.text.calendar import add_months


def in_years_of_data(question: Question, catalogue: Catalogue) -> Question:
    """The question with its open periods, by the same number of years, in the last years that some date reaches.

    The question itself where its periods tell their year, or where rows may lie in one of those that do not.
    """
    periods = [period for period in question.periods if period.leaves_year_open]
    ends = list(_ends(catalogue)) if periods else []
    if not ends or any(low <= _last(period) and _first(period) <= high for period in periods for low, high in ends):
        return question
    latest = max((high for _, high in ends if high < min(map(_first, periods))), default=None)
    if latest is None:
        return question
    begins = min(map(_first, periods))
    years = begins.year - latest.year
    if add_months(begins, -12 * years) > latest:
        years += 1
    moved = tuple(_earlier(period, years) if period in periods else period for period in question.periods)
    return replace(question, periods=moved)


def _ends(catalogue: Catalogue) -> Iterator[tuple[date, date]]:
    for table in catalogue.tables.values():
        for column in table.columns:
            if column.kind == "date" and isinstance(column.low, date) and isinstance(column.high, date):
                yield _day(column.low), _day(column.high)


def _day(value: date) -> date:
    """A moment as its day."""
    return date(value.year, value.month, value.day)


def _first(period: Period) -> date:
    return period.first or date.min


def _last(period: Period) -> date:
    return period.last or date.max


def _earlier(period: Period, years: int) -> Period:
    first, last = (day and add_months(day, -12 * years) for day in (period.first, period.last))
    return replace(period, first=first, last=last)
