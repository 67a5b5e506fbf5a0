"""Parses expressions for a day: ``next Friday``, ``March 5th``, ``三天后``, ``下周三``, ``Christmas``.

Named days are date expressions of `kbtui.question`; this module adds relative days. All are relative to a given day,
never to the clock. A phrase must be a day as a whole.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date
from typing import Final, Literal

from kbtui.question import date_expressions_en, date_expressions_zh
from kbtui.question.words import words
from kbtui.text.calendar import BeyondCalendar, add_days, add_months, day_of, months_span, shifted
from kbtui.text.language import has_cjk
from kbtui.text.numbers import value_of, with_digits
from kbtui.text.patterns import Patterns

Prefer = Literal["next", "last", "near"]

WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = tuple(name.lower() for name in calendar.month_name[1:])
WEEKDAYS_ZH: Final = "一二三四五六日"

_OFFSETS: Final = {
    "next": 1,
    "last": -1,
    "下": 1,
    "上": -1,
    "下个": 1,
    "上个": -1,
    "明": 1,
    "去": -1,
    "后": 2,
    "前": -2,
}
_UNITS_ZH: Final = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_BACKWARD: Final = frozenset({"ago", "before", "before today", "prior to", "minus", "-", "前"})
_RE: Final = Patterns(__package__, "days.toml", WEEKDAY="|".join(day[:3] for day in WEEKDAYS))


class NoSuchDay(ValueError):
    """A day that the calendar does not have, such as 30 February; the message names it."""


def read_day(phrase: str, today: date, prefer: Prefer = "next") -> date | None:
    """The day that ``phrase`` (lower case, simplified) names; None when it names none.

    Args:
        prefer: The occurrence if the year is open: the next one (today counts), the last one, or that of this year.

    Raises:
        NoSuchDay: It is written like a day that the calendar does not have.
        BeyondCalendar: It is beyond the calendar.
    """
    text = re.sub(r"\s+", " ", phrase).strip(" ,.?'").removeprefix("on ").removeprefix("the date ")
    if has_cjk(text):
        text = text.replace(" ", "")
    try:
        for candidate in dict.fromkeys((text, with_digits(text))):
            if (day := _named_day(candidate, today, prefer) or _relative_day(candidate, today, prefer)) is not None:
                return day
    except NoSuchDay:
        raise
    except ValueError as error:
        raise NoSuchDay(text) from error
    return None


def _named_day(text: str, today: date, prefer: Prefer) -> date | None:
    """A day by its name: a date expression, or one of some further forms."""
    if match := _RE.away.fullmatch(text):
        return add_days(
            today, next(int(name[1:].replace("_", "-")) for name, group in match.groupdict().items() if group)
        )
    if match := _RE.weekday.fullmatch(text):
        ahead = ([day[:3] for day in WEEKDAYS].index(match["day"]) - today.weekday()) % 7
        return add_days(today, ahead or 7 * bool(match["coming"]))
    if match := _RE.day_of_month.fullmatch(text):
        return add_months(today.replace(day=1), _OFFSETS.get(match["which"], 0)).replace(day=int(match["number"]))
    if match := _RE.edge.fullmatch(text):
        groups = match.groupdict()
        offset = _OFFSETS.get((match["which"] or match["which_zh"] or "").strip(), 0)
        is_month = (match["unit"] or match["unit_zh"]) in ("month", "月")
        month = add_months(today.replace(day=1), offset) if is_month else day_of(today.year + offset, 1, 1)
        period = months_span(month.year, month.month, month.year, month.month if is_month else 12)
        return period[any(groups[name] in ("last", "end", "底", "末", "最后1天") for name in ("edge", "edge_zh"))]
    if match := _RE.nth_weekday.fullmatch(text):
        first = add_months(today.replace(day=1), _OFFSETS.get(match["which"] or "", 0))
        if match["month"]:
            number = words().months[match["month"]]
            first = (
                date(int(match["year"]), number, 1)
                if match["year"]
                else _preferred_day(today, prefer, lambda year: date(year, number, 1))
            )
        return _nth_weekday(first, match["nth"], match["day"])
    if match := re.fullmatch(r"thanksgiving(?: day)?(?: (\d{4}))?", text):
        return _day_of_year(match[1], today, prefer, lambda year: _nth_weekday(date(year, 11, 1), "fourth", "thu"))
    if match := re.fullmatch(r"(.+?),? (1\d{3})", text):
        return _expression_day(match[1], today, prefer, match[2])
    bare = "这" if text.startswith(("周", "星期", "礼拜")) else ""
    return _expression_day(bare + _RE.workers.sub(r"五一\1", text), today, prefer)


def _expression_day(text: str, today: date, prefer: Prefer, in_year: str | None = None) -> date | None:
    """The day of a date expression of one day."""
    rules = date_expressions_zh.rules() if has_cjk(text) else date_expressions_en.rules()
    bare = text.removeprefix("the ")
    for candidate, pattern, build in (
        (candidate, pattern, build) for candidate in dict.fromkeys((text, bare)) for pattern, build in rules
    ):
        try:
            built = build(match, today) if (match := pattern.fullmatch(candidate)) else None
            if built is None or built[1] != "day":
                continue
            days, year = built[0], in_year or (built[2] if len(built) > 2 else None)
            if not callable(days):
                return days[0]
            return _day_of_year(year, today, prefer, lambda number, days=days: days(number)[0])  # type: ignore[misc]
        except BeyondCalendar as error:
            raise NoSuchDay(text) from error
    return None


def _day_of_year(year: int | str | None, today: date, prefer: Prefer, of: Callable[[int], date]) -> date:
    return of(int(year)) if year else _preferred_day(today, prefer, of)


def _preferred_day(today: date, prefer: Prefer, of: Callable[[int], date]) -> date:
    """The occurrence of a yearly day that ``prefer`` selects."""
    candidates = []
    for year in range(max(1, today.year - 8), min(date.max.year, today.year + 8) + 1):
        try:
            candidates.append(of(year))
        except (ValueError, BeyondCalendar):
            continue
    if not candidates:
        raise ValueError("no such day")
    if prefer == "near":
        return min(candidates, key=lambda candidate: abs(candidate.year - today.year))
    if prefer == "next":
        return next(candidate for candidate in candidates if candidate >= today)
    return next(candidate for candidate in reversed(candidates) if candidate <= today)


def _relative_day(text: str, today: date, prefer: Prefer) -> date | None:
    """A day at a distance from another one, or from today."""
    if match := re.fullmatch(r"(next|last|this) (week|month|year)", text):
        return shifted(today, _OFFSETS.get(match[1], 0), match[2])
    if match := re.fullmatch(r"([明去后前])年的?今天", text):
        return add_months(today, 12 * _OFFSETS[match[1]])
    match = _RE.plus.fullmatch(text) or _RE.from_day.fullmatch(text) or _RE.counted_zh.fullmatch(text)
    if match is None:
        return None
    groups = match.groupdict()
    base: date | None = add_days(today, 1) if groups["how"] == "from tomorrow" else today
    if groups["base"] and groups["base"] not in ("从今天起", "今天起"):
        base = read_day(groups["base"], today, prefer)
    if base is None or not (groups["how"] or groups["within"]):
        return None
    count = 1 if groups["count"][0] == "a" else int(groups["count"])
    unit = _UNITS_ZH.get(groups["unit"].removeprefix("个"), groups["unit"])
    is_workday = unit.endswith("工作日") or (groups["business"] and unit == "day")
    return shifted(base, -count if groups["how"] in _BACKWARD else count, "workday" if is_workday else unit)


def _nth_weekday(first: date, which: str, weekday: str) -> date:
    """The n-th weekday of the month that begins on ``first``; NoSuchDay if there is none."""
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
