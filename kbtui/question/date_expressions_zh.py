# ruff: noqa: E501 (patterns read best on one line)
"""Chinese date expressions: a table of patterns, each with the days that it names."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Final

from kbtui.question import date_expressions as days_of
from kbtui.question.date_expressions import BuiltDays
from kbtui.question.date_expressions_en import Rule
from kbtui.question.model import Grain
from kbtui.question.words import words
from kbtui.text.calendar import Span, add_days, months_span
from kbtui.text.numbers import HAN, value_of
from kbtui.text.patterns import needle_pattern

_DIGIT: Final = "[零〇一二三四五六七八九]"
_YEAR: Final = rf"(?P<year>(?:\d{{4}}|{_DIGIT}{{4}}|\d\d(?=年的?(?:\d{{1,2}}月|q[1-4]|第?[一二三四1-4]季|[上下]半年|一?共|总共|全年|发了?|有(?:哪|几|多少))))年度?|大前年|前年|去年度?|今年度?|本年度?|上一?年度?|明年|当年|(?:19|20)\d\d(?=q))的?"
_AGO: Final = {"大前年": 3, "前年": 2, "去年": 1, "上年": 1, "上一年": 1, "明年": -1}
_MONTH: Final = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])"
_TO: Final = r"(?:到|至|-|~|–|—+)"
_COUNT: Final = rf"(?P<count>\d{{1,4}}|半|[{HAN}]{{1,6}})"
_UNITS: Final = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "季": "quarter",
    "季度": "quarter",
    "年": "year",
}
_UNIT: Final = r"(?:个|整)?(?P<unit>天|日|周|星期|礼拜|月|季度|年)(?![级代轻龄纪])"
_NEXT: Final = {"上上": -2, "上": -1, "下": 1, "下下": 2}
_NO_NUMBER_BEFORE: Final = rf"(?<![\d{HAN}第每\w])"


@cache
def rules() -> tuple[Rule, ...]:
    """The patterns, for simplified Chinese; of several that match at one place the longest counts."""
    seasons = "|".join(name for name in words().seasons if not name.isascii())
    holidays = "|".join(sorted((name for name in words().holidays if not name.isascii()), key=len, reverse=True))
    which = r"(?P<which>上上|上|下下|下|本|这|当)一?个?"
    month = rf"(?:(?<![\d{HAN}个每几])(?P<month>{_MONTH})月(?:份)?)"
    own_month = rf"(?P<month>{_MONTH})月(?:份)?"
    rows: list[tuple[str, Callable[[re.Match[str], date], BuiltDays | None]]] = [
        (_YEAR, _year),
        (rf"{_YEAR}{own_month}", _month),
        (month, _month),
        (rf"{_YEAR}{own_month}(?P<day>{_DAY})[日号]?", _day),
        (rf"{month}(?P<day>{_DAY})[日号]", _day),
        (rf"(?:{_YEAR})?{own_month}(?P<day>{_DAY})[日号]?{_TO}(?P<last>{_DAY})[日号]", _day),
        (rf"(?:{_YEAR})?(?<![\d{HAN}])(?P<from>{_MONTH})(?:月份?)?{_TO}(?P<to>{_MONTH})月(?:份)?(?!\d)", _months),
        (rf"(?:{_YEAR})?第?(?P<q>[一二三四1-4])季度", _quarter),
        (rf"(?:{_YEAR})?第(?P<q>[一二三四1-4])季", _quarter),
        (rf"{_YEAR}第?(?P<q>[一二三四1-4])季度?", _quarter),
        (rf"{_YEAR}q(?P<q>[1-4])", _quarter),
        (rf"(?:{_YEAR})?(?P<h>[上下])半年度?", _half),
        (rf"(?:{_YEAR})?(?P<season>{seasons})", _season),
        (rf"(?:{_YEAR})?(?P<holiday>{holidays})(?:期间|假期|当天|那天|当日)?", _holiday),
        (rf"{_YEAR}(?:前|头|开头)(?P<count>[{HAN}\d]{{1,2}})个?(?P<unit>月|季度)", _first_of_year),
        (rf"{_YEAR}年?(?P<edge>[初底末])", _edge),
        (r"(?<![\d年这本上下])(?P<unit>[年月])底", lambda m, t: (days_of.unit_edge(t, _UNITS[m["unit"]], is_last=True), "day")),
        (r"(?<![\d年这本上下])(?P<unit>[年月])初", lambda m, t: (days_of.unit_edge(t, _UNITS[m["unit"]], is_last=False), "day")),
        (rf"{which}(?P<unit>周|星期|礼拜)(?P<weekday>[一二三四五六日天末1-6])", _weekday),
        (rf"{which}(?P<unit>周|星期|礼拜|月|季度?)(?:份)?", lambda m, t: days_of.in_calendar(t, _UNITS[m["unit"]], _NEXT.get(m["which"], 0))),
        (rf"{which}月份?(?P<day>{_DAY})[日号]", _day_of_month),
        (rf"(?:在)?(?:最近|近|过去|前|这|之前|上)的?(?:这)?{_COUNT}{_UNIT}(?:以内|之内|内|里|间|来)?", _recent),
        (rf"(?:未来|接下来|今后|往后|下)的?(?:这)?{_COUNT}{_UNIT}(?:以内|之内|内|里)?", _coming),
        (rf"{_NO_NUMBER_BEFORE}{_COUNT}{_UNIT}(?:以前|之前|前)", _ago),
        (r"(?:今年|本年度?|年初)(?:以来|至今|到现在|到目前|到今天|起至今)(?:为止)?|年初起", lambda _, t: (days_of.unit_to_date(t, "year"), "span")),
        (r"(?:这个月|本月|月初)(?:以来|至今|到现在|到目前|到今天)(?:为止)?", lambda _, t: (days_of.unit_to_date(t, "month"), "span")),
        (r"(?:这个?季度|本季度?)(?:以来|至今|到现在|到目前)(?:为止)?", lambda _, t: (days_of.unit_to_date(t, "quarter"), "span")),
        (r"大前天", lambda _, t: days_of.in_calendar(t, "day", -3)),
        (r"前天", lambda _, t: days_of.in_calendar(t, "day", -2)),
        (r"昨[天日晚]", lambda _, t: days_of.in_calendar(t, "day", -1)),
        (r"今[天日早晚]", lambda _, t: days_of.in_calendar(t, "day", 0)),
        (r"明[天日]", lambda _, t: days_of.in_calendar(t, "day", 1)),
        (r"(?:上世纪|20世纪|二十世纪)?(?P<decade>[二三四五六七八九]十|[2-9]0)年代", lambda m, _: days_of.years_from(1900 + _value(m["decade"]), 10)),
        (r"(?P<century>\d\d|十[五六七八九]|二十一?)世纪(?![二三四五六七八九\d])", lambda m, _: days_of.years_from(_value(m["century"]) * 100 - 99, 100)),
    ]  # fmt: skip
    return tuple((needle_pattern(pattern), build) for pattern, build in rows)


def _value(text: str) -> int:
    value = value_of(text)
    if value is None or value != int(value):
        raise ValueError(f"no whole number: {text}")
    return int(value)


def _year_of(m: re.Match[str], today: date) -> int | None:
    text = (m.groupdict().get("year") or "").removesuffix("度")
    if not text:
        return None
    number = text.removesuffix("年")
    if number.isdigit():
        return int(number) if len(number) == 4 else 2000 + int(number)
    if re.fullmatch(f"{_DIGIT}{{4}}", number):
        return _value(number)
    return today.year - _AGO.get(text, 0)


def _in_year(m: re.Match[str], today: date, at_year: Callable[[int], Span], grain: Grain) -> BuiltDays:
    return at_year, grain, _year_of(m, today)


def _year(m: re.Match[str], today: date) -> BuiltDays:
    return _in_year(m, today, days_of.whole_year, "year")


def _month(m: re.Match[str], today: date) -> BuiltDays:
    number = _value(m["month"])
    return _in_year(m, today, lambda year: days_of.month(year, number), "month")


def _day(m: re.Match[str], today: date) -> BuiltDays:
    month, first = _value(m["month"]), _value(m["day"])
    last = _value(m["last"]) if "last" in m.groupdict() else first
    return _in_year(m, today, *days_of.days_in_month(month, first, last))


def _months(m: re.Match[str], today: date) -> BuiltDays:
    first, last = _value(m["from"]), _value(m["to"])
    return _in_year(m, today, lambda year: months_span(year - (first > last), first, year, last), "span")


def _quarter(m: re.Match[str], today: date) -> BuiltDays:
    number = _value(m["q"])
    return _in_year(m, today, lambda year: days_of.quarter(year, number), "quarter")


def _half(m: re.Match[str], today: date) -> BuiltDays:
    number = 1 if m["h"] == "上" else 2
    return _in_year(m, today, lambda year: days_of.half(year, number), "span")


def _season(m: re.Match[str], today: date) -> BuiltDays:
    first = words().seasons[m["season"]]
    return _in_year(m, today, lambda year: days_of.season(year, first), "span")


def _holiday(m: re.Match[str], today: date) -> BuiltDays:
    month, day = words().holidays[m["holiday"]]
    return _in_year(m, today, *days_of.days_in_month(month, day, day))


def _first_of_year(m: re.Match[str], today: date) -> BuiltDays:
    count = _value(m["count"]) * (3 if m["unit"] == "季度" else 1)
    return _in_year(m, today, lambda year: months_span(year, 1, year, count), "span")


def _edge(m: re.Match[str], today: date) -> BuiltDays:
    return _in_year(m, today, lambda year: days_of.month(year, 1 if m["edge"] == "初" else 12), "month")


def _weekday(m: re.Match[str], today: date) -> BuiltDays:
    ahead = 7 * _NEXT.get(m["which"], 0) - today.weekday()
    if m["weekday"] == "末":
        return (add_days(today, ahead + 5), add_days(today, ahead + 6)), "span"
    return days_of.in_calendar(today, "day", ahead + (6 if m["weekday"] in "日天" else _value(m["weekday"]) - 1))


def _day_of_month(m: re.Match[str], today: date) -> BuiltDays:
    day = days_of.calendar_unit(today, "month", _NEXT.get(m["which"], 0))[0].replace(day=_value(m["day"]))
    return (day, day), "day"


def _span_of(m: re.Match[str]) -> tuple[int, str] | None:
    unit = _UNITS[m["unit"]]
    if m["count"] == "半":
        return {"year": (6, "month"), "month": (15, "day")}.get(unit)
    value = value_of(m["count"])
    return (int(value), unit) if value is not None and value == int(value) else None


def _recent(m: re.Match[str], today: date) -> BuiltDays | None:
    span = _span_of(m)
    return None if span is None else (days_of.rolling(today, *span), "span")


def _coming(m: re.Match[str], today: date) -> BuiltDays | None:
    span = _span_of(m)
    return None if span is None else (days_of.rolling(today, -span[0], span[1]), "span")


def _ago(m: re.Match[str], today: date) -> BuiltDays | None:
    span = _span_of(m)
    # 2020年前 is before 2020.
    return None if span is None or span[0] > 999 else days_of.units_ago(today, *span)
