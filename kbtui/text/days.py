"""Days as documents write them: ``2024-05-01``, ``2024-May-01``, ``1-May-2024``, ``1 May 2024``, ``2024年5月1日``."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from kbtui.text.calendar import MONTH_NUMBERS

_ISO = re.compile(r"\(?(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)")
_HAN = re.compile(r"(?P<y>(?:19|20)\d\d)\s*年\s*(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})\s*日")
_WEEKDAY = r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,?\s+)?"
_DAY_FIRST = re.compile(
    rf"{_WEEKDAY}(?P<d>\d{{1,2}})(?:st|nd|rd|th)?[-\s./]+(?P<mon>[A-Za-z]{{3,9}})\.?[-\s,./]+(?P<y>(?:19|20)\d\d)\b"
)
_MONTH_FIRST = re.compile(
    rf"{_WEEKDAY}(?P<mon>[A-Za-z]{{3,9}})\.?\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>(?:19|20)\d\d)\b"
)
_YEAR_FIRST = re.compile(r"(?P<y>(?:19|20)\d\d)[-\s./](?P<mon>[A-Za-z]{3,9})\.?[-\s./](?P<d>\d{1,2})(?!\w)")
_MONTH = "|".join(name.capitalize() for name in sorted(MONTH_NUMBERS, key=len, reverse=True))
_WITHOUT_YEAR = re.compile(
    rf"(?<![\w/.-])(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:{_MONTH})|(?:{_MONTH})\s+\d{{1,2}}(?:st|nd|rd|th)?)"
    r"(?![\w/-]|,?\s+(?:19|20)\d\d|[.,:]\d)"
)
_HAN_WITHOUT_YEAR = re.compile(r"(?<![\d年/.-])(?<!年\s)\d{1,2}\s*月\s*\d{1,2}\s*日")
_FORMS = (_ISO, _DAY_FIRST, _MONTH_FIRST, _YEAR_FIRST, _HAN)
_YEAR = re.compile(r"(?:19|20)\d\d")


class FoundDay(NamedTuple):
    """A day, and where its text begins and ends."""

    day: date
    start: int
    end: int


def day_of(text: str) -> date | None:
    """The day that a value begins with; None where it begins with none, or with one that no calendar has."""
    if _YEAR.search(text) is None:
        return None
    stripped = text.strip()
    match = next((match for form in _FORMS if (match := form.match(stripped)) is not None), None)
    return None if match is None else _day(match)


def find_day(text: str) -> FoundDay | None:
    """The first day anywhere in a text."""
    return min(days_in(text), key=lambda day: day.start, default=None)


def days_in(text: str) -> list[FoundDay]:
    """All days in a text, by the way they are written."""
    if _YEAR.search(text) is None:
        return []
    return [
        FoundDay(day, match.start(), match.end())
        for form in _FORMS
        for match in form.finditer(text)
        if not text[max(0, match.start() - 1) : match.start()].isalnum() and (day := _day(match)) is not None
    ]


def _day(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    month = MONTH_NUMBERS.get(parts["mon"].lower(), 0) if "mon" in parts else int(parts["m"])
    try:
        return date(int(parts["y"]), month, int(parts["d"]))
    except ValueError:
        return None


def with_years(text: str, year: int | None) -> str:
    """The text with a year at every day that has none: *Mon 3 March* in a roster of 2025; unchanged without a year."""
    if year is None:
        return text

    return _HAN_WITHOUT_YEAR.sub(rf"{year}年\g<0>", _WITHOUT_YEAR.sub(rf"\g<0> {year}", text))
