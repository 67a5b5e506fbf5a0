"""Moves periods without a year to the years of the data.

``in march`` is the last March that has begun. An export that ends two years ago has no rows of it, so its own last
March is meant; the description of the statement shows the year.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.incomplete_periods import days_of
from kbtui.question.model import Period, Question
from kbtui.text.calendar import add_months


def in_years_of_data(question: Question, catalogue: Catalogue) -> Question:
    """The question, with its open periods moved to the last years with data, all by the same number of years.

    The question is unchanged if its periods have years, or if some date column covers one of the open periods.
    """
    periods = [period for period in question.periods if period.leaves_year_open]
    ranges = list(_date_ranges(catalogue)) if periods else []
    if not ranges or any(low <= _last(period) and _first(period) <= high for period in periods for low, high in ranges):
        return question
    last_day = max((high for _, high in ranges if high < min(map(_first, periods))), default=None)
    if last_day is None:
        return question
    first_day = min(map(_first, periods))
    years = first_day.year - last_day.year
    if add_months(first_day, -12 * years) > last_day:
        years += 1
    moved = tuple(_earlier(period, years) if period in periods else period for period in question.periods)
    return replace(question, periods=moved)


def _date_ranges(catalogue: Catalogue) -> Iterator[tuple[date, date]]:
    for column in (column for table in catalogue.tables.values() for column in table.columns if column.kind == "date"):
        low, high = days_of(column)
        if low is not None and high is not None:
            yield low, high


def _first(period: Period) -> date:
    return period.first or date.min


def _last(period: Period) -> date:
    return period.last or date.max


def _earlier(period: Period, years: int) -> Period:
    first, last = (day and add_months(day, -12 * years) for day in (period.first, period.last))
    return replace(period, first=first, last=last)
