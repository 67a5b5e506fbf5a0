# ruff: noqa: E501 (patterns read best on one line)
"""English date expressions: a table of patterns, each with the days that it names."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Final

from kbtui import late_patterns
from kbtui.question import date_expressions as days_of
from kbtui.question.date_expressions import UNIT_GRAIN, BuiltDays
from kbtui.question.model import Grain
from kbtui.question.words import words
from kbtui.text.calendar import Span, add_months, day_of
from kbtui.text.numbers import english_words, value_of
from kbtui.text.patterns import needle_pattern

Builder = Callable[[re.Match[str], date], BuiltDays | None]
Rule = tuple[re.Pattern[str], Builder]

_YEAR: Final = r"(?:19|20)\d\d"
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\d|[.,]\d|%)"
_OF_YEAR: Final = rf"(?:,?\s*(?:in|of)?\s*(?:the\s+)?(?:year\s+)?(?P<year>{_YEAR}|(?:this|last|next|previous|current)\s+(?:year|yr)|(?<=of the )year))"
_UNITS: Final = {
    "day": "day", "week": "week", "wk": "week", "month": "month", "mth": "month", "quarter": "quarter",
    "qtr": "quarter", "year": "year", "yr": "year", "fortnight": "fortnight", "decade": "decade",
}  # fmt: skip
_UNIT: Final = rf"(?P<unit>{'|'.join(_UNITS)})"
_NEGATED: Final = late_patterns.pattern(r"\bnot\b|n'?t\b|\bno\b|\bnever\b|\bwithout\b|\bnothing\b|\bnobody\b|\bnone\b")
_NTH: Final = r"(?P<nth>first|second|third|fourth|last|final|1st|2nd|3rd|4th)"
_AHEAD: Final = {"next": 1, "coming": 1, "upcoming": 1, "following": 1, "this": 0, "current": 0, "the current": 0}


@cache
def rules() -> tuple[Rule, ...]:
    """The patterns, for lower-case text; of several that match at one place the longest counts."""
    table = words()
    names = "|".join(sorted(table.months, key=len, reverse=True))
    month = rf"(?P<month>{names})\b\.?"
    seasons = "|".join(name for name in table.seasons if name.isascii())
    weekdays = "|".join(sorted((name for name in table.weekdays if not name.endswith("ss")), key=len, reverse=True))
    holidays = "|".join(sorted((name for name in table.holidays if name.isascii()), key=len, reverse=True))
    count = rf"(?P<count>\d{{1,4}}|{english_words()}|couple(?:\s+of)?|an?)"
    rows: list[tuple[str, Callable[[re.Match[str], date], BuiltDays | None]]] = [
        (r"(?P<y>1[5-9]\d\d|20\d\d)[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)(?:[ t]\d\d?:\d\d(?::\d\d)?)?", _iso_day),
        (rf"(?P<a>\d{{1,2}})(?P<sign>[-/.])(?P<b>\d{{1,2}})(?P=sign)(?P<y>{_YEAR})(?!\d)", _written_day),
        (rf"(?P<y>{_YEAR})[-/](?P<m>0[1-9]|1[0-2])(?![\d/-])", _iso_month),
        (rf"(?P<m>0?[1-9]|1[0-2])/(?P<y>{_YEAR})(?!\d)", _iso_month),
        (rf"{month}\s+(?:the\s+)?(?P<day>{_DAY}){_OF_YEAR}?", _day),
        (rf"(?:the\s+)?(?P<day>{_DAY})\s*(?:of\s+)?{month}{_OF_YEAR}?", _day),
        (rf"{month}\s+(?P<day>{_DAY})\s*(?:-|–|to)\s*(?P<last>{_DAY}){_OF_YEAR}?", _day),
        (rf"(?P<day>{_DAY})\s*(?:-|–|to)\s*(?P<last>{_DAY})\s*(?:of\s+)?{month}{_OF_YEAR}?", _day),
        (rf"(?:the\s+month\s+of\s+)?{month}(?:'s)?(?:[-']?{_OF_YEAR})?", _month),
        (rf"(?P<year>{_YEAR})\s+{month}", _month),
        (rf"(?P<which>this|last|next)\s+{month}", _which_month),
        (rf"(?:fy\s*)?q(?P<q>[1-4])(?:(?:'s|-|\s+fy)?{_OF_YEAR})?", _quarter),
        (rf"(?P<year>{_YEAR})[\s-]*q(?P<q>[1-4])\b", _quarter),
        (rf"(?:the\s+)?{_NTH}\s+(?:quarter|qtr){_OF_YEAR}?", _quarter),
        (rf"h(?P<h>[12])\b(?:(?:-|\s+fy)?{_OF_YEAR})?", _half),
        (rf"(?P<year>{_YEAR})[\s-]*h(?P<h>[12])\b", _half),
        (rf"(?:the\s+)?(?P<nth>first|second|1st|2nd|last)\s+half(?:\s+(?:of\s+)?(?:the\s+)?{_OF_YEAR})?", _half),
        (rf"(?P<season>{seasons}){_OF_YEAR}", _season),
        (rf"(?P<year>{_YEAR})\s+(?P<season>{seasons})\b", _season),
        (rf"(?P<which>this|last|past|next)\s+(?P<season>{seasons})\b", _season),
        (rf"(?<=in )(?:the\s+)?(?P<season>{seasons})\b(?!\s+of)", _season),
        (r"(?:the\s+)?(?:(?P<which>this|last|next|previous|prior|preceding|current|coming|upcoming|following)\s+)"
         rf"(?:calendar\s+|full\s+|fiscal\s+)?(?:{_UNIT}|(?P<weekend>weekend))(?:'s)?\b(?!\s+of\b)", _which_unit),
        (r"(?:over|within)\s+the\s+last\s+(?P<unit>year|month|week|quarter)\b(?!\s+of\b)", _past_unit),
        (rf"(?:the\s+)?(?:past|trailing)\s+(?:full\s+)?{_UNIT}\b(?!\s+of\b)", _past_unit),
        (r"(?:the\s+)?(?P<unit>day|week|month|quarter|year)\s+before\s+last\b", lambda m, t: days_of.in_calendar(t, m["unit"], -2)),
        (rf"(?:the\s+)?(?:last|past|previous|prior|preceding|trailing|recent|most\s+recent)\s+{count}\s*-?(?:full\s+|calendar\s+|complete\s+|consecutive\s+)?{_UNIT}s?\b", _last),
        (rf"(?:for|in)\s+(?:(?:more|longer)\s+than|over|at\s+least)?\s*(?:the\s+)?{count}\s+(?:full\s+|whole\s+)?{_UNIT}s?\b", _denied),
        (rf"(?:the\s+)?(?:next|coming|following|upcoming)\s+{count}\s+{_UNIT}s?\b", _next),
        (rf"(?:about\s+|around\s+)?{count}\s+{_UNIT}s?\s+(?:ago|back|earlier)\b", _ago),
        (r"(?:last|prior|previous)(?:\s+year'?s?)?\s+(?:ytd|(?:year|yr)[\s-]to[\s-]date)\b|ytd\s+last\s+(?:year|yr)\b", _last_to_date),
        (r"(?:year|yr)[\s-]to[\s-]date|ytd\b", lambda _, t: (days_of.unit_to_date(t, "year"), "span")),
        (r"month[\s-]to[\s-]date|mtd\b", lambda _, t: (days_of.unit_to_date(t, "month"), "span")),
        (r"quarter[\s-]to[\s-]date|qtd\b", lambda _, t: (days_of.unit_to_date(t, "quarter"), "span")),
        (r"week[\s-]to[\s-]date|wtd\b", lambda _, t: (days_of.unit_to_date(t, "week"), "span")),
        (r"so\s+far\s+this\s+(?P<unit>year|yr|month|quarter|week)|this\s+(?P<other>year|yr|month|quarter|week)\s+so\s+far", _so_far),
        (r"(?:the\s+)?(?P<edge>start|beginning|end)\s+of\s+(?:the|this)\s+(?:current\s+)?(?P<unit>year|month|quarter|week)\b", _edge),
        (r"(?P<unit>year|month|quarter)[\s-](?P<edge>end)\b", _edge),
        (r"(?:the\s+)?day\s+before\s+yesterday\b", lambda _, t: days_of.in_calendar(t, "day", -2)),
        (r"(?:yesterday(?:'?s)?|last\s+night)\b", lambda _, t: days_of.in_calendar(t, "day", -1)),
        (r"(?:today(?:'?s)?|tonight(?:'?s)?|this\s+(?:morning|afternoon|evening)(?:'s)?)\b", lambda _, t: days_of.in_calendar(t, "day", 0)),
        (r"tomorrow(?:'?s)?\b", lambda _, t: days_of.in_calendar(t, "day", 1)),
        (rf"(?P<which>last|this|next|past)\s+(?P<weekday>{weekdays})\b", _weekday),
        (rf"(?:the\s+)?week\s+(?:of|beginning|starting|commencing)\s+(?:the\s+)?(?:{month}\s+(?P<day>{_DAY})|(?P<day_2>{_DAY})\s+(?:of\s+)?(?P<month_2>{names})\b){_OF_YEAR}?", _week_of),
        (rf"(?:calendar\s+)?(?:week|wk|cw|kw)\s*(?:no\.?\s*|number\s*|#)?(?P<w>[1-4]\d|5[0-3]|0?[1-9])\b(?!\s*%){_OF_YEAR}?", _week_number),
        (r"(?:the\s+)?(?P<decade>(?:1[5-9]|20)\d0)'?s\b", lambda m, _: days_of.years_from(int(m["decade"]), 10)),
        (r"(?<=the )'?(?P<decade>[2-9]0)'?s\b", lambda m, _: days_of.years_from(1900 + int(m["decade"]), 10)),
        (r"(?:the\s+)?(?P<c>1[5-9]|2[01])(?:th|st)\s+century\b", lambda m, _: days_of.years_from(int(m["c"]) * 100 - 99, 100)),
        (rf"(?:(?P<which>this|last|next)\s+)?(?P<holiday>{holidays})\b{_OF_YEAR}?", _holiday),
        (rf"(?:the\s+)?(?:calendar\s+year|fiscal\s+year|financial\s+year|fiscal|year|fy)\s*(?P<year>{_YEAR})\b(?!\s*%)", _year),
    ]  # fmt: skip
    return tuple((needle_pattern(rf"(?<![\w.]){pattern}"), build) for pattern, build in rows)


def year_of(text: str | None, today: date) -> int | None:
    """``2025``, ``last year``, ``the year``; None for nothing."""
    if not text:
        return None
    if text.isdigit():
        return int(text)
    return today.year + {"last": -1, "previous": -1, "next": 1}.get(text.split()[0], 0)


def _iso_day(m: re.Match[str], _: date) -> BuiltDays:
    day = day_of(int(m["y"]), int(m["m"]), int(m["d"]))
    return (day, day), "day", day.year


def _written_day(m: re.Match[str], _: date) -> BuiltDays:
    first, second = int(m["a"]), int(m["b"])
    # Month first, as in America, unless it cannot be, or dots say otherwise.
    is_american = first <= 12 and m["sign"] != "."
    day = day_of(int(m["y"]), first if is_american else second, second if is_american else first)
    return (day, day), "day", day.year


def _iso_month(m: re.Match[str], _: date) -> BuiltDays:
    return days_of.month(int(m["y"]), int(m["m"])), "month", int(m["y"])


def _in_year(m: re.Match[str], today: date, at_year: Callable[[int], Span], grain: Grain) -> BuiltDays:
    return at_year, grain, year_of(m.groupdict().get("year"), today)


def _number(text: str) -> int:
    digits = re.match(r"\d+", text)
    assert digits is not None, "days are in digits"
    return int(digits[0])


def _day(m: re.Match[str], today: date) -> BuiltDays:
    month, first = words().months[m["month"]], _number(m["day"])
    last = _number(m["last"]) if "last" in m.groupdict() else first
    return _in_year(m, today, *days_of.days_in_month(month, first, last))


def _month(m: re.Match[str], today: date) -> BuiltDays:
    number = words().months[m["month"]]
    return _in_year(m, today, lambda year: days_of.month(year, number), "month")


def _which_month(m: re.Match[str], today: date) -> BuiltDays:
    number = words().months[m["month"]]
    begun = days_of.latest_begun(lambda year: days_of.month(year, number), today)[0]
    year = begun.year
    if m["which"] == "last" and (begun.year, begun.month) == (today.year, today.month):
        year -= 1
    if m["which"] == "this":
        year = today.year
    if m["which"] == "next":
        year += 1
    return lambda year: days_of.month(year, number), "month", year


def _nth(m: re.Match[str], name: str, most: int) -> int:
    groups = m.groupdict()
    if groups.get(name):
        return int(groups[name])
    if groups["nth"] in ("last", "final"):
        return most
    value = value_of(groups["nth"])
    assert value is not None, "the pattern knows ordinals alone"
    return int(value)


def _quarter(m: re.Match[str], today: date) -> BuiltDays | None:
    groups = m.groupdict()
    if groups.get("nth") in ("last", "final") and not groups.get("year"):
        return None
    number = _nth(m, "q", 4)
    return _in_year(m, today, lambda year: days_of.quarter(year, number), "quarter")


def _half(m: re.Match[str], today: date) -> BuiltDays:
    number = _nth(m, "h", 2)
    return _in_year(m, today, lambda year: days_of.half(year, number), "span")


def _season(m: re.Match[str], today: date) -> BuiltDays:
    first = words().seasons[m["season"]]
    which = m.groupdict().get("which")
    if which in (None, "past"):
        return _in_year(m, today, lambda year: days_of.season(year, first), "span")
    begun = days_of.latest_begun(lambda year: days_of.season(year, first), today)
    year = begun[0].year - (which == "last" and begun[1] >= today)
    return lambda year: days_of.season(year, first), "span", year


def _which_unit(m: re.Match[str], today: date) -> BuiltDays | None:
    if m["unit"] == "day" and m["which"] not in ("previous", "prior"):
        return None
    unit = "weekend" if m["weekend"] else _UNITS[m["unit"]]
    if unit in ("fortnight", "decade"):
        return days_of.rolling(today, 1, unit), "span"
    days, grain = days_of.calendar_unit(today, unit, _AHEAD.get(m["which"], -1)), UNIT_GRAIN.get(unit, "span")
    return (days, grain, days[0].year) if unit == "year" else (days, grain)


def _past_unit(m: re.Match[str], today: date) -> BuiltDays:
    return days_of.rolling(today, 1, _UNITS[m["unit"]]), "span"


def _count(m: re.Match[str]) -> int | None:
    if m["count"].startswith("couple"):
        return 2
    value = 1 if m["count"] in ("a", "an") else value_of(m["count"])
    return int(value) if value is not None and value == int(value) else None


def _last(m: re.Match[str], today: date) -> BuiltDays | None:
    count = _count(m)
    return (
        None
        if count is None or m["count"] in ("a", "an")
        else (days_of.rolling(today, count, _UNITS[m["unit"]]), "span")
    )


def _denied(m: re.Match[str], today: date) -> BuiltDays | None:
    """``not … for 6 months``, ``haven't … in a year``: the time up to today in which nothing happened."""
    count = _count(m)
    if count is None or not _NEGATED.search(m.string, 0, m.start()):
        return None
    return days_of.rolling(today, count, _UNITS[m["unit"]]), "span"


def _next(m: re.Match[str], today: date) -> BuiltDays | None:
    count = _count(m)
    return None if count is None else (days_of.rolling(today, -count, _UNITS[m["unit"]]), "span")


def _ago(m: re.Match[str], today: date) -> BuiltDays | None:
    count, unit = _count(m), _UNITS[m["unit"]]
    if unit in ("fortnight", "decade"):
        count, unit = (count or 0) * (2 if unit == "fortnight" else 10), "week" if unit == "fortnight" else "year"
    return None if count is None else days_of.units_ago(today, count, unit)


def _last_to_date(_: re.Match[str], today: date) -> BuiltDays:
    first, last = days_of.unit_to_date(add_months(today, -12), "year")
    return (first, last), "span"


def _so_far(m: re.Match[str], today: date) -> BuiltDays:
    return days_of.unit_to_date(today, _UNITS[m["unit"] or m["other"]]), "span"


def _edge(m: re.Match[str], today: date) -> BuiltDays:
    return days_of.unit_edge(today, m["unit"], is_last=m["edge"] == "end"), "day"


def _weekday(m: re.Match[str], today: date) -> BuiltDays:
    number = words().weekdays[m["weekday"]]
    monday = days_of.week(today)[0]
    ahead = number - today.weekday()
    if m["which"] in ("last", "past"):
        ahead = ahead if ahead < 0 else ahead - 7
    elif m["which"] == "next":
        ahead = (monday - today).days + 7 + number
    return days_of.in_calendar(today, "day", ahead)


def _week_of(m: re.Match[str], today: date) -> BuiltDays:
    month, day = words().months[m["month"] or m["month_2"]], _number(m["day"] or m["day_2"])
    return _in_year(m, today, lambda year: days_of.week(day_of(year, month, day)), "week")


def _week_number(m: re.Match[str], today: date) -> BuiltDays:
    return _in_year(m, today, lambda year: days_of.iso_week(year, int(m["w"])), "week")


def _year(m: re.Match[str], _: date) -> BuiltDays:
    return days_of.whole_year(int(m["year"])), "year", int(m["year"])


def _holiday(m: re.Match[str], today: date) -> BuiltDays:
    """A holiday on a fixed day: of the year given, the last or next one, or open."""
    month, day = words().holidays[m["holiday"]]

    of, grain = days_of.days_in_month(month, day, day)
    which = m.groupdict().get("which")
    if which is None:
        return _in_year(m, today, of, grain)
    last = days_of.latest_begun(of, today)
    return (of(last[0].year + 1) if which == "next" else last), grain
