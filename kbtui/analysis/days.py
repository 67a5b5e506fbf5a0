"""Reads what people write for a day: ``next Friday``, ``March 5th``, ``三天后``, ``下周三``, ``Christmas``.

Everything counts from a day that is given, never from the clock. A phrase is a day as a whole or not at all.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Final, Literal

from kbtui.question.words import words
from kbtui.text.calendar import add_days, add_months, day_of, shifted
from kbtui.text.numbers import value_of, with_digits

Prefer = Literal["next", "last", "near"]

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = tuple(name.lower() for name in calendar.month_name[1:])
WEEKDAYS_ZH: Final = "一二三四五六日"

_MONTH = "|".join(sorted({name for month in MONTHS for name in (month, month[:3])} | {"sept"}, key=len, reverse=True))
_WEEKDAY = "|".join(
    sorted({*WEEKDAYS, *(day[:3] for day in WEEKDAYS), "tues", "wednes", "thur", "thurs"}, key=len, reverse=True)
)
_WHICH: Final = {"this": 0, "next": 1, "last": -1, "": 0}
_YEARS_ZH: Final = {"今": 0, "明": 1, "去": -1, "后": 2, "前": -2}
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_SPAN = re.compile(r"(an?|\d{1,60})\s+(business |working |work)?(day|week|fortnight|month|year|decade)s?")
_RELATIVE: Final = {
    "today": 0, "now": 0, "right now": 0, "this day": 0, "the current day": 0, "tomorrow": 1, "tommorow": 1,
    "tomorow": 1,
    "tomorrows": 1, "yesterday": -1, "the day after tomorrow": 2, "day after tomorrow": 2, "overmorrow": 2,
    "the day before yesterday": -2, "day before yesterday": -2,
    "今天": 0, "今日": 0, "现在": 0, "今儿": 0, "当天": 0, "明天": 1, "明日": 1, "明儿": 1, "后天": 2,
    "大后天": 3, "昨天": -1, "昨日": -1,
    "前天": -2, "大前天": -3,
}  # fmt: skip


@cache
def _holidays() -> Mapping[str, tuple[int, int]]:
    """Month and day by name; 五一 as well as the 51 that it is once numbers are in digits."""
    named = words().holidays
    return {**named, **{name.replace("五一", "51").replace("六一", "61"): day for name, day in named.items()}}


class NoSuchDay(ValueError):
    """A day that the calendar does not have, such as 30 February; its text says which."""


def read_day(phrase: str, today: date, prefer: Prefer = "next") -> date | None:
    """The day that ``phrase`` (lower case, simplified) names; None when it names none.

    Args:
        prefer: Which one, where the year is left open: the next one (today counts), the last one, or that of this year.

    Raises:
        NoSuchDay: It is written like a day that the calendar does not have.
        BeyondCalendar: It is beyond the calendar.
    """
    text = re.sub(r"\s+", " ", phrase).strip(" ,.?'")
    if text in _RELATIVE:
        return add_days(today, _RELATIVE[text])
    text = with_digits(text.removeprefix("on ").removeprefix("the date "))
    if text in _RELATIVE:
        return add_days(today, _RELATIVE[text])
    try:
        english = _dated(text, today, prefer) or _around(text, today) or _counted(text, today, prefer)
        return english or _chinese(text.replace(" ", ""), today, prefer)
    except NoSuchDay:
        raise
    except ValueError as error:
        raise NoSuchDay(text) from error


def _dated(text: str, today: date, prefer: Prefer) -> date | None:
    """A day by its month and number, or a holiday."""
    if match := re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", text):
        return date(int(match[1]), int(match[2]), int(match[3]))
    if match := re.fullmatch(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})", text):
        one, other = int(match[1]), int(match[2])
        # Month first, as in America, unless it cannot be, or dots say otherwise.
        is_american = one <= 12 and "." not in text
        return date(int(match[3]), one if is_american else other, other if is_american else one)
    if match := re.fullmatch(rf"({_MONTH})\.? (?:the )?{_DAY}(?:,? (?:of )?(\d{{4}}))?", text):
        return _in_year(today, _month(match[1]), int(match[2]), match[3], prefer)
    if match := re.fullmatch(rf"(?:the )?{_DAY} (?:of )?({_MONTH})\.?(?:,? (?:of )?(\d{{4}}))?", text):
        return _in_year(today, _month(match[2]), int(match[1]), match[3], prefer)
    holiday, _, year = text.partition(" 2")
    holiday = holiday.removeprefix("this ").removeprefix("next ")
    if holiday in _holidays() and (not year or re.fullmatch(r"\d{3}", year)):
        month, day = _holidays()[holiday]
        return _in_year(today, month, day, f"2{year}" if year else None, prefer)
    if match := re.fullmatch(r"(?:thanksgiving(?: day)?)(?: (\d{4}))?", text):

        def thanksgiving(year: int) -> date:
            return _nth_weekday(date(year, 11, 1), "fourth", "thursday")

        return thanksgiving(int(match[1])) if match[1] else _preferred(today, prefer, thanksgiving)
    return None


def _around(text: str, today: date) -> date | None:
    """A day of this week, month or year, or of the one before or after."""
    if match := re.fullmatch(rf"(?:the )?{_DAY} of (this|next|last) month", text):
        first = add_months(today.replace(day=1), _WHICH[match[2]])
        return first.replace(day=int(match[1]))
    if match := re.fullmatch(rf"(this|next|last|the next|the last|coming|this coming)? ?({_WEEKDAY})", text):
        return _weekday(today, match[1] or "", [day[:3] for day in WEEKDAYS].index(match[2][:3]))
    if match := re.fullmatch(r"(next|last|this) (week|month|year)", text):
        return shifted(today, _WHICH[match[1]], match[2])
    if match := re.fullmatch(
        r"(?:the )?(first|last|1st|end|start|beginning)(?: day)? of (?:the |this )?(next |last )?(month|year)", text
    ):
        return _edge(today, match[1] in ("last", "end"), (match[2] or "").strip(), match[3])
    return None


def _counted(text: str, today: date, prefer: Prefer) -> date | None:
    """A day so far from another one, or so many weekdays into a month."""
    if match := re.fullmatch(
        rf"(?:in )?{_SPAN.pattern}(?: (from now|from today|later|hence|ago|from tomorrow|before today|after today))?",
        text,
    ):
        if match[4] is None and not text.startswith("in "):
            return None
        return _after(today, match, match[4] or "")
    if match := re.fullmatch(rf"{_SPAN.pattern} (from|after|before|since|prior to|following) (.+)", text):
        base = read_day(match[5], today, prefer)
        return None if base is None else _after(base, match, match[4])
    if match := re.fullmatch(rf"(.+?) ?(?:plus|\+|minus|-) ?{_SPAN.pattern}", text):
        base = read_day(match[1], today, prefer)
        back = re.search(rf"(?:minus|-) ?{_SPAN.pattern}$", text) is not None
        return None if base is None else _moved(base, match[2], match[3], match[4], -1 if back else 1)
    if match := re.fullmatch(
        rf"(?:the )?(1st|first|2nd|second|3rd|third|4th|fourth|5th|fifth|last) ({_WEEKDAY}) (?:of|in) "
        rf"(?:(this|next|last) month|({_MONTH})(?:,? (?:of )?(\d{{4}}))?)",
        text,
    ):
        first = (
            add_months(today.replace(day=1), _WHICH[match[3]])
            if match[3]
            else _in_year(today, _month(match[4]), 1, match[5], prefer)
        )
        return _nth_weekday(first, match[1], match[2])
    return None


def _after(base: date, match: re.Match[str], how: str) -> date:
    if how == "from tomorrow":
        base = add_days(base, 1)
    return _moved(base, match[1], match[2], match[3], -1 if how in ("ago", "before", "before today", "prior to") else 1)


def _moved(base: date, amount: str, business: str | None, unit: str, sign: int) -> date:
    count = 1 if amount[0] == "a" else int(amount)
    return shifted(base, sign * count, "workday" if business and unit == "day" else unit)


def _month(name: str) -> int:
    return [month[:3] for month in MONTHS].index(name[:3]) + 1


def _in_year(today: date, month: int, day: int, year: str | None, prefer: Prefer) -> date:
    def of(number: int) -> date | None:
        return date(number, month, day) if day <= calendar.monthrange(number, month)[1] else None

    return date(int(year), month, day) if year else _preferred(today, prefer, of)


def _preferred(today: date, prefer: Prefer, of: Callable[[int], date | None]) -> date:
    """Of the days of each year the one that is meant."""
    years = range(max(1, today.year - 8), min(date.max.year, today.year + 8) + 1)
    candidates = [day for year in years if (day := of(year)) is not None]
    if not candidates:
        raise ValueError("no such day")
    if prefer == "near":
        return min(candidates, key=lambda candidate: abs(candidate.year - today.year))
    if prefer == "next":
        return next(candidate for candidate in candidates if candidate >= today)
    return next(candidate for candidate in reversed(candidates) if candidate <= today)


def _weekday(today: date, which: str, weekday: int) -> date:
    ahead = (weekday - today.weekday()) % 7
    if which in ("last", "the last"):
        return add_days(today, -((today.weekday() - weekday) % 7 or 7))
    if which == "next":
        # The one of next week, as most people mean it.
        return add_days(today, 7 - today.weekday() + weekday)
    return add_days(today, ahead or (7 if which in ("the next", "coming", "this coming") else 0))


def _nth_weekday(first: date, which: str, weekday: str) -> date:
    """A weekday of the month that begins on ``first``; NoSuchDay where there is no fifth one."""
    ahead = ([day[:3] for day in WEEKDAYS].index(weekday[:3]) - first.weekday()) % 7
    found = add_days(first, ahead)
    if which == "last":
        days = calendar.monthrange(first.year, first.month)[1]
        return add_days(found, (days - found.day) // 7 * 7)
    number = value_of(which)
    assert number is not None, "the pattern knows ordinals alone"
    found = add_days(found, 7 * (int(number) - 1))
    if found.month != first.month:
        raise NoSuchDay(f"{which} {weekday} of {MONTHS[first.month - 1].title()} {first.year}")
    return found


def _edge(today: date, is_last: bool, which: str, unit: str) -> date:
    offset = _WHICH[which]
    first = add_months(today.replace(day=1), offset) if unit == "month" else day_of(today.year + offset, 1, 1)
    if not is_last:
        return first
    last = 12 if unit == "year" else first.month
    return first.replace(month=last, day=calendar.monthrange(first.year, last)[1])


_UNIT_ZH: Final = {
    "天": "day", "日": "day", "个工作日": "workday", "工作日": "workday", "周": "week", "个星期": "week",
    "星期": "week", "个礼拜": "week", "个周": "week", "个月": "month", "月": "month", "年": "year",
}  # fmt: skip
_SPAN_ZH: Final = r"(\d{1,60}|半)(个工作日|工作日|天|日|个星期|星期|个礼拜|个周|周|个月|年)"


def _year_zh(said: str | None, today: date) -> str | None:
    return said if not said or said.isdigit() else str(today.year + _YEARS_ZH[said])


def _chinese(text: str, today: date, prefer: Prefer) -> date | None:
    if text in _RELATIVE:
        return add_days(today, _RELATIVE[text])
    if match := re.fullmatch(r"(?:(\d{4}|今|明|去|后|前)年的?)?(\d{1,2})月(?:份)?(\d{1,2})[日号]?", text):
        return _in_year(today, int(match[2]), int(match[3]), _year_zh(match[1], today), prefer)
    if match := re.fullmatch(r"(下下|下|上上|上|这|本)?个?(?:周|星期|礼拜)([1-6日天末])", text):
        weekday = 6 if match[2] in "日天" else 5 if match[2] == "末" else int(match[2]) - 1
        weeks = {"下下": 2, "下": 1, "上": -1, "上上": -2}.get(match[1] or "", 0)
        return add_days(today, weekday - today.weekday() + 7 * weeks)
    if match := re.fullmatch(r"(下|上|这|本)个?月(\d{1,2})[日号]", text):
        return add_months(today.replace(day=1), {"下": 1, "上": -1}.get(match[1], 0)).replace(day=int(match[2]))
    if match := re.fullmatch(r"(明|去|后|前)年的?今天", text):
        return add_months(today, 12 * _YEARS_ZH[match[1]])
    if match := re.fullmatch(r"(本|这个|下个|上个|今|明|去)?(月|年)的?(底|末|初|最后1天|第1天)", text):
        offset = {"下个": "next", "明": "next", "上个": "last", "去": "last"}.get(match[1] or "", "")
        return _edge(today, match[3] not in ("初", "第1天"), offset, {"月": "month", "年": "year"}[match[2]])
    if match := re.fullmatch(
        rf"(?:(.+?(?<!\d))的?)?(?:再过|过了?)?{_SPAN_ZH}(?:之|以)?(后|前)(?:的今天|的那天)?", text
    ):
        base = today if not match[1] or match[1] in ("从今天起", "今天起") else read_day(match[1], today, prefer)
        if base is None or match[2] == "半":
            return None
        return shifted(base, int(match[2]) * (1 if match[4] == "后" else -1), _UNIT_ZH[match[3]])
    if match := re.fullmatch(rf"(?:再过|过){_SPAN_ZH}", text):
        return None if match[1] == "半" else shifted(today, int(match[1]), _UNIT_ZH[match[2]])
    if match := re.fullmatch(r"(\d{4}|今|明|去)?(?:年的?)?(\D.*|51.*|61.*)", text):
        name = match[2].removeprefix("年").removeprefix("的")
        if name in _holidays():
            return _in_year(today, *_holidays()[name], _year_zh(match[1], today), prefer)
    return None
