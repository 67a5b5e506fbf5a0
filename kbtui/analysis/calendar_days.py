"""Answers questions about the calendar: which day it is, how many there are until and between, leap years, ages.

Functions have the names of their questions in ``dates.toml``.
"""

from __future__ import annotations

import calendar
import re
from datetime import date
from functools import partial
from typing import Final

from kbtui.analysis.date_answers import DateAnswer, DateQuestion, date_answer
from kbtui.analysis.days import MONTHS, WEEKDAYS
from kbtui.text.calendar import add_days, add_months, months_span


def today(question: DateQuestion) -> DateAnswer:
    return date_answer("today", question.today.isoformat(), day=question.today)


def weekday_today(question: DateQuestion) -> DateAnswer:
    return date_answer("today", WEEKDAYS[question.today.weekday()].title(), day=question.today)


def _part_of_today(question: DateQuestion, name: str) -> DateAnswer:
    day = question.today
    week_year, week, _ = day.isocalendar()
    parts = {
        "year": day.year,
        "month": day.month,
        "week": week,
        "quarter": (day.month + 2) // 3,
        "yearday": day.timetuple().tm_yday,
    }
    fields = parts | {"month": MONTHS[day.month - 1].title(), "number": day.month, "week_year": week_year}
    return date_answer(name, parts[name], **fields)


def that_day(question: DateQuestion) -> DateAnswer | None:
    day = question.day("day", "near" if question.match.groupdict().get("was") else "next")
    if day is None:
        return None
    away = (day - question.today).days
    how_en = {0: "Today is", 1: "Tomorrow is", -1: "Yesterday was"}.get(away, "That is" if away > 0 else "That was")
    how_zh = {0: "今天是", 1: "明天是", 2: "后天是", -1: "昨天是", -2: "前天是"}.get(away, "那天是")
    return date_answer("that_day", day.isoformat(), how=(how_en, how_zh), day=day)


def is_weekday(question: DateQuestion) -> DateAnswer | None:
    day = question.day("day") if "day" in question.match.groupdict() else question.today
    weekday = question.match["weekday"][:3] if question.match["weekday"].isascii() else question.match["weekday"]
    if day is None:
        return None
    name = WEEKDAYS[day.weekday()]
    is_same = (
        weekday == name[:3]
        if weekday.isascii() and weekday.isalpha()
        else weekday in (str(day.weekday() + 1), "日天"[: day.weekday() // 6 * 2] or "-")
    )
    return date_answer("is_weekday", is_same, yes=(("No", "不是"), ("Yes", "是"))[is_same], day=day)


def until(question: DateQuestion) -> DateAnswer | None:
    return _days_between(question, question.today, question.day("day", "next"))


def left(question: DateQuestion) -> DateAnswer | None:
    """The days left of this year, month or week, without today."""
    day, period = question.today, question.match["period"]
    if re.search(r"year|年", period):
        end = date(day.year, 12, 31)
    elif re.search(r"month|月", period):
        _, end = months_span(day.year, day.month, day.year, day.month)
    else:
        end = add_days(day, 6 - day.weekday())
    return _days_between(question, day, end)


def since(question: DateQuestion) -> DateAnswer | None:
    day = question.day("day", "last")
    return _days_between(question, day, question.today) if day is not None else None


def between(question: DateQuestion) -> DateAnswer | None:
    start = question.day("start", "near")
    return _days_between(question, start, question.day("end", "near")) if start is not None else None


def _days_between(question: DateQuestion, start: date | None, end: date | None) -> DateAnswer | None:
    if start is None or end is None:
        return None
    if end < start and question.match.groupdict().get("start"):
        start, end = end, start
    days = (end - start).days
    unit = _unit_of(question.match.groupdict().get("unit") or "day")
    span = {"start": start, "end": end, "days": days}
    if unit == "workday":
        count = _workdays(start, end)
        return date_answer("workdays", count, count=count, **span)
    if unit in ("month", "year"):
        months = (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)
        count = months if unit == "month" else months // 12
        return date_answer(f"{unit}s", count, count=count, **span)
    if unit == "hour":
        return date_answer("hours", days * 24, count=days * 24, **span)
    if unit == "week":
        return date_answer("weeks", days // 7, count=days // 7, rest=days % 7, **span)
    return date_answer("one_day" if days == 1 else "days", days, count=days, **span)


_UNITS_ZH: Final = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year", "小时": "hour",
}  # fmt: skip


def _unit_of(word: str) -> str:
    if word.startswith(("business", "working", "work")) or "工作日" in word:
        return "workday"
    return next((unit for name, unit in _UNITS_ZH.items() if name in word), word.removesuffix("s") or "day")


def _workdays(start: date, end: date) -> int:
    """Mondays to Fridays after ``start`` up to and with ``end``."""
    weeks, rest = divmod((end - start).days, 7)
    return weeks * 5 + sum((start.weekday() + step) % 7 < 5 for step in range(1, rest + 1))


def leap(question: DateQuestion) -> DateAnswer | None:
    text = question.match["year"]
    offsets = {"this year": 0, "next year": 1, "last year": -1, "今年": 0, "明年": 1, "去年": -1, "后年": 2}
    year = question.today.year + offsets[text] if text in offsets else int(text.removesuffix("年"))
    if not 1 <= year <= 9999:
        return None
    is_leap = calendar.isleap(year)
    return date_answer("leap" if is_leap else "no_leap", is_leap, year=year)


_MONTHS_AWAY: Final = {
    "this month": 0, "the current month": 0, "本": 0, "这个": 0, "next month": 1, "last month": -1,
    "下个": 1, "上个": -1,
}  # fmt: skip


def month_days(question: DateQuestion) -> DateAnswer | None:
    groups = question.match.groupdict()
    name, year_text = groups.get("month") or "", groups.get("year") or ""
    if name in _MONTHS_AWAY:
        shifted = add_months(question.today.replace(day=1), _MONTHS_AWAY[name])
        name, year_text = str(shifted.month), str(shifted.year)
    year = (
        int(year_text)
        if year_text.isdigit()
        else question.today.year + {"next year": 1, "last year": -1, "明": 1, "去": -1}.get(year_text, 0)
    )
    if not 1 <= year <= 9999:
        return None
    if not name:
        days = 366 if calendar.isleap(year) else 365
        return date_answer("year_days", days, year=year, days=days)
    month = int(name) if name.isdigit() else [month_name[:3] for month_name in MONTHS].index(name[:3]) + 1
    if not 1 <= month <= 12:
        return None
    days = calendar.monthrange(year, month)[1]
    return date_answer("month_days", days, month=MONTHS[month - 1].title(), number=month, year=year, days=days)


def week_of(question: DateQuestion) -> DateAnswer | None:
    day = question.day("day", "near")
    if day is None:
        return None
    year, week, _ = day.isocalendar()
    return date_answer("week_of", week, day=day, week=week, year=year)


def age(question: DateQuestion) -> DateAnswer | None:
    born = question.day("day", "last")
    if born is None or born > question.today:
        return None
    today = question.today
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    return date_answer("age", years, years=years, born=born)


this_year, this_month, this_week, this_quarter, this_yearday = (
    partial(_part_of_today, name=name) for name in ("year", "month", "week", "quarter", "yearday")
)
