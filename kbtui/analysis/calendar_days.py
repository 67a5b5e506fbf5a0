"""Answers questions about the calendar: which day it is, how many there are until and between, leap years, ages."""

from __future__ import annotations

import calendar
import re
from datetime import date
from typing import Final

from kbtui.analysis.asked import Asked, Handler, Told, in_chinese, in_english
from kbtui.analysis.days import MONTHS, WEEKDAYS
from kbtui.text.calendar import add_days, add_months, months_span


def _today(asked: Asked) -> Told:
    day = asked.today
    return Told(en=f"Today is **{in_english(day)}**.", zh=f"今天是 **{in_chinese(day)}**。", value=day.isoformat())


def _weekday_today(asked: Asked) -> Told:
    told = _today(asked)
    return Told(en=told.en, zh=told.zh, value=WEEKDAYS[asked.today.weekday()].title())


def _part_of_today(asked: Asked, name: str) -> Told:
    day = asked.today
    year, month, nth = day.year, MONTHS[day.month - 1].title(), day.timetuple().tm_yday
    week_year, week, _ = day.isocalendar()
    quarter = (day.month + 2) // 3
    answers = {
        "year": (f"It is **{year}**.", f"今年是 **{year} 年**。", year),
        "month": (f"It is **{month} {year}**.", f"现在是 **{year} 年 {day.month} 月**。", day.month),
        "week": (
            f"It is **week {week}** of {week_year} (ISO 8601).",
            f"现在是 {week_year} 年**第 {week} 周**（ISO 8601）。",
            week,
        ),
        "quarter": (f"It is **Q{quarter}** of {year}.", f"现在是 {year} 年**第 {quarter} 季度**。", quarter),
        "yearday": (f"Today is **day {nth}** of {year}.", f"今天是 {year} 年的**第 {nth} 天**。", nth),
    }
    en, zh, value = answers[name]
    return Told(en=en, zh=zh, value=value)


def _that_day(asked: Asked) -> Told | None:
    day = asked.day("day", "near" if asked.match.groupdict().get("was") else "next")
    if day is None:
        return None
    away = (day - asked.today).days
    how_en = {0: "Today is", 1: "Tomorrow is", -1: "Yesterday was"}.get(away, "That is" if away > 0 else "That was")
    how_zh = {0: "今天是", 1: "明天是", 2: "后天是", -1: "昨天是", -2: "前天是"}.get(away, "那天是")
    return Told(en=f"{how_en} **{in_english(day)}**.", zh=f"{how_zh} **{in_chinese(day)}**。", value=day.isoformat())


def _is_weekday(asked: Asked) -> Told | None:
    day = asked.day("day") if "day" in asked.match.groupdict() else asked.today
    wanted = asked.match["weekday"][:3] if asked.match["weekday"].isascii() else asked.match["weekday"]
    if day is None:
        return None
    name = WEEKDAYS[day.weekday()]
    is_it = (
        wanted == name[:3]
        if wanted.isascii() and wanted.isalpha()
        else wanted in (str(day.weekday() + 1), "日天"[: day.weekday() // 6 * 2] or "-")
    )
    return Told(
        en=f"**{'Yes' if is_it else 'No'}**, it is {in_english(day)}.",
        zh=f"**{'是' if is_it else '不是'}**，{in_chinese(day)}。",
        value=is_it,
    )


def _until(asked: Asked) -> Told | None:
    return _counted(asked, asked.today, asked.day("day", "next"))


def _left(asked: Asked) -> Told | None:
    """What is left of this year, month or week; today is not counted."""
    day, period = asked.today, asked.match["period"]
    if re.search(r"year|年", period):
        end = date(day.year, 12, 31)
    elif re.search(r"month|月", period):
        _, end = months_span(day.year, day.month, day.year, day.month)
    else:
        end = add_days(day, 6 - day.weekday())
    return _counted(asked, day, end)


def _since(asked: Asked) -> Told | None:
    day = asked.day("day", "last")
    return _counted(asked, day, asked.today) if day is not None else None


def _between(asked: Asked) -> Told | None:
    start = asked.day("start", "near")
    return _counted(asked, start, asked.day("end", "near")) if start is not None else None


def _counted(asked: Asked, start: date | None, end: date | None) -> Told | None:
    if start is None or end is None:
        return None
    if end < start and asked.match.groupdict().get("start"):
        start, end = end, start
    days = (end - start).days
    unit = _unit(asked.match.groupdict().get("unit") or "day")
    span_en, span_zh = f"from {in_english(start)} to {in_english(end)}", f"从 {in_chinese(start)} 到 {in_chinese(end)}"
    if unit == "workday":
        count = _workdays(start, end)
        return Told(
            en=f"**{count:,} working days** {span_en} (Monday to Friday, no holidays).",
            zh=f"{span_zh}有 **{count:,} 个工作日**（周一至周五，不计节假日）。",
            value=count,
        )
    if unit == "month" or unit == "year":
        months = (end.year - start.year) * 12 + end.month - start.month - (end.day < start.day)
        count = months if unit == "month" else months // 12
        return Told(
            en=f"**{count:,} whole {unit}s** {span_en} ({days:,} days).",
            zh=f"{span_zh}有 **{count:,} 个整{'月' if unit == 'month' else '年'}**（{days:,} 天）。",
            value=count,
        )
    if unit == "hour":
        return Told(
            en=f"**{days * 24:,} hours** {span_en}.", zh=f"{span_zh}有 **{days * 24:,} 小时**。", value=days * 24
        )
    if unit == "week":
        weeks, rest = divmod(days, 7)
        return Told(
            en=f"**{weeks:,} weeks and {rest} days** {span_en} ({days:,} days).",
            zh=f"{span_zh}有 **{weeks:,} 周零 {rest} 天**（{days:,} 天）。",
            value=weeks,
        )
    return Told(
        en=f"**{days:,} day{'' if days == 1 else 's'}** {span_en}.", zh=f"{span_zh}有 **{days:,} 天**。", value=days
    )


def _unit(word: str) -> str:
    if word.startswith(("business", "working", "work")) or "工作日" in word:
        return "workday"
    names = {
        "天": "day",
        "日": "day",
        "周": "week",
        "星期": "week",
        "礼拜": "week",
        "月": "month",
        "年": "year",
        "小时": "hour",
    }
    return next((unit for name, unit in names.items() if name in word), word.removesuffix("s") or "day")


def _workdays(start: date, end: date) -> int:
    """Mondays to Fridays after ``start`` up to and with ``end``."""
    weeks, rest = divmod((end - start).days, 7)
    return weeks * 5 + sum((start.weekday() + step) % 7 < 5 for step in range(1, rest + 1))


def _leap(asked: Asked) -> Told | None:
    text = asked.match["year"]
    offsets = {"this year": 0, "next year": 1, "last year": -1, "今年": 0, "明年": 1, "去年": -1, "后年": 2}
    year = asked.today.year + offsets[text] if text in offsets else int(text.removesuffix("年"))
    if not 1 <= year <= 9999:
        return None
    is_leap = calendar.isleap(year)
    return Told(
        en=f"**{'Yes' if is_leap else 'No'}**, {year} is {'' if is_leap else 'not '}a leap year "
        f"({366 if is_leap else 365} days).",
        zh=f"**{'是' if is_leap else '不是'}**，{year} "
        f"年{'是闰年' if is_leap else '不是闰年'}（{366 if is_leap else 365} 天）。",
        value=is_leap,
    )


def _next_leap(asked: Asked) -> Told:
    step = -1 if asked.match.groupdict().get("last") else 1
    year = asked.today.year + step
    while not calendar.isleap(year):
        year += step
    return Told(
        en=f"**{year}** is the {'last' if step < 0 else 'next'} leap year.",
        zh=f"{'上' if step < 0 else '下'}一个闰年是 **{year} 年**。",
        value=year,
    )


_MONTHS_AWAY: Final = {
    "this month": 0, "the current month": 0, "本": 0, "这个": 0, "next month": 1, "last month": -1,
    "下个": 1, "上个": -1,
}  # fmt: skip


def _month_days(asked: Asked) -> Told | None:
    groups = asked.match.groupdict()
    name, year_text = groups.get("month") or "", groups.get("year") or ""
    if name in _MONTHS_AWAY:
        shifted = add_months(asked.today.replace(day=1), _MONTHS_AWAY[name])
        name, year_text = str(shifted.month), str(shifted.year)
    year = (
        int(year_text)
        if year_text.isdigit()
        else asked.today.year + {"next year": 1, "last year": -1, "明": 1, "去": -1}.get(year_text, 0)
    )
    if not 1 <= year <= 9999:
        return None
    if not name:
        days = 366 if calendar.isleap(year) else 365
        return Told(en=f"{year} has **{days} days**.", zh=f"{year} 年有 **{days} 天**。", value=days)
    if name.isdigit():
        month = int(name)
    else:
        month = [known[:3] for known in MONTHS].index(name[:3]) + 1
    if not 1 <= month <= 12:
        return None
    days = calendar.monthrange(year, month)[1]
    return Told(
        en=f"{MONTHS[month - 1].title()} {year} has **{days} days**.",
        zh=f"{year} 年 {month} 月有 **{days} 天**。",
        value=days,
    )


def _week_of(asked: Asked) -> Told | None:
    day = asked.day("day", "near")
    if day is None:
        return None
    year, week, _ = day.isocalendar()
    return Told(
        en=f"{in_english(day)} is in **week {week}** of {year} (ISO 8601).",
        zh=f"{in_chinese(day)} 是 {year} 年**第 {week} 周**（ISO 8601）。",
        value=week,
    )


def _age(asked: Asked) -> Told | None:
    born = asked.day("day", "last")
    if born is None or born > asked.today:
        return None
    today = asked.today
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    return Told(
        en=f"**{years}** years old today, born on {in_english(born)}.",
        zh=f"出生于 {in_chinese(born)}，今天 **{years} 岁**。",
        value=years,
    )


HANDLERS: Final[dict[str, Handler]] = {
    "age": _age,
    "between": _between,
    "is_weekday": _is_weekday,
    "leap": _leap,
    "left": _left,
    "month_days": _month_days,
    "next_leap": _next_leap,
    "since": _since,
    "that_day": _that_day,
    "today": _today,
    "until": _until,
    "week_of": _week_of,
    "weekday_today": _weekday_today,
    "this_year": lambda asked: _part_of_today(asked, "year"),
    "this_month": lambda asked: _part_of_today(asked, "month"),
    "this_week": lambda asked: _part_of_today(asked, "week"),
    "this_quarter": lambda asked: _part_of_today(asked, "quarter"),
    "this_yearday": lambda asked: _part_of_today(asked, "yearday"),
}
