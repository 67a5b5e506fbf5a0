"""Answers questions about clock and calendar: the time somewhere, a weekday, days until and between, leap years.

A question is a pattern with places and days in it; one whose place or day is not known is left to others, because it
may be about the folder: how many days it is until the release, its notes say.
"""

from __future__ import annotations

import calendar
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from datetime import time as clock_time
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from kbtui.analysis.days import MONTHS, WEEKDAYS, WEEKDAYS_ZH, Prefer, add_months, read_day, reads_as_day
from kbtui.analysis.numerals import in_digits
from kbtui.analysis.zones import loaded, zone_of

Kind = Literal["time", "date"]
_LONGEST: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An answer in both languages, with its value: ISO 8601, a number, a name or a yes (None where it has none)."""

    en: str
    zh: str
    value: str | int | bool | None
    kind: Kind = "date"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question is answered from: the moment it is asked, in the asker's zone."""

    now: datetime
    match: re.Match[str]

    @property
    def today(self) -> date:
        return self.now.date()

    def day(self, group: str, prefer: Prefer = "next") -> date | None:
        """The day named by a group; by dateparser where it has another form than `days` reads."""
        phrase = (self.match.groupdict().get(group) or "").strip()
        if not phrase:
            return None
        found = read_day(phrase, self.today, prefer)
        return found if found or not reads_as_day(phrase) else _by_dateparser(phrase, self.now, prefer)


def _by_dateparser(phrase: str, now: datetime, prefer: Prefer) -> date | None:
    import dateparser  # type: ignore[import-untyped]

    found = dateparser.parse(
        phrase,
        languages=["en", "zh"],
        settings={
            "RELATIVE_BASE": now.replace(tzinfo=None),
            "PREFER_DATES_FROM": {"next": "future", "last": "past", "near": "current_period"}[prefer],
            "REQUIRE_PARTS": ["day", "month"],
        },
    )
    return found.date() if found else None


def in_english(day: date) -> str:
    """``Saturday, 21 November 2026``."""
    return f"{WEEKDAYS[day.weekday()].title()}, {day.day} {MONTHS[day.month - 1].title()} {day.year}"


def in_chinese(day: date) -> str:
    """``2026年11月21日 星期六``."""
    return f"{day.year}年{day.month}月{day.day}日 星期{WEEKDAYS_ZH[day.weekday()]}"


def told_date(text: str, now: datetime) -> Told | None:
    """The answer to a question about time or date and nothing else; None where it is anything else.

    Args:
        text: Lower case, simplified Chinese, without courtesies.
        now: Aware, in the asker's zone.

    Raises:
        OverflowError: The day asked for is beyond the calendar.
    """
    if len(text) > _LONGEST or not _LIKELY.search(text):
        return None
    bare = _unframed(text)
    for candidate in dict.fromkeys((bare, in_digits(bare))):
        for pattern, handler in _questions():
            if (match := pattern.fullmatch(candidate)) and (told := handler(_Asked(now, match))):
                return told
    return None


_LIKELY = re.compile(
    r"\b(?:time|times|clock|date|dates|day|days|today|todays|tomorrow|tomorrows|yesterday|week"
    r"|weeks|weekday|month|months|year|years|hour|hours"
    r"|leap|quarter|timestamp|epoch|unix|timezones?|old|born|age|late|how long|when|gmt|utc|am|pm"
    r"|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?s?\b|o'clock"
    r"|时间|几点|日期|几号|星期|周几|礼拜|天|年|月|日|时区|时间戳|时差|点|小时|岁|周|季度"
)
_FRAME_BEFORE = re.compile(
    r"""(?:tell\ me|let\ me\ know|give\ me|show\ me|i(?:'d|\ would|\ am|'m)?\ (?:need(?:ing)?|want|like|wanna
    |gotta)(?:\ to\ (?:know|see|find\ out))?
    |(?:can|could|would|will|do|doy)\ (?:you|u|ou)(?:\ (?:know|have|tell\ (?:me|my)|happen\ to\ know
    |let\ me\ know|please))*|would\ like\ to\ know|please(?:\ search\ for)?|find(?:\ out)?|calculate|compute
    |and|so|if|ok(?:ay)?|exactly|information\ on|know)(?=\s)\s*[,:]?\s*""",
    re.X,
)
_FRAME_AFTER = re.compile(
    r"[\s,]*(?:\?|\.|!|please|pls|plz|for me|thanks?|thank you|exactly|(?<!from )now|right now|currently"
    r"|again|by the way|at the moment)$"
)
_FRAME_BEFORE_ZH = re.compile(
    r"(?:请问|请|麻烦|帮忙|帮我|给我|我想知道|告诉我|你知道|知道|查一下|看一下|问一下|问|算一下"
    r"|算算|算|那么|那|从(?=今天到|现在到)|，|,|\s)+"
)
_FRAME_AFTER_ZH = re.compile(r"(?:\s|[?？。!！吗呢呀啊,，]|来着|了(?=$)|告诉我|谢谢)+$")


def _unframed(text: str) -> str:
    before = ""
    while text != before:
        before = text
        for pattern in (_FRAME_BEFORE, _FRAME_BEFORE_ZH):
            if match := pattern.match(text):
                text = text[match.end() :]
        for pattern in (_FRAME_AFTER, _FRAME_AFTER_ZH):
            if match := pattern.search(text):
                text = text[: match.start()]
        text = text.strip(" ,")
    return text


def _time_now(asked: _Asked) -> Told:
    return _clock(asked.now, "", _zone_name(asked.now))


def _zone_name(moment: datetime) -> str:
    return moment.tzname() or "UTC"


def _clock(moment: datetime, place: str, zone: str) -> Told:
    en = f"It is **{moment:%H:%M}** {f'in {place} ' if place else ''}on {in_english(moment.date())} ({zone})."
    zh = f"{place or ''}现在是 **{moment:%H:%M}**，{in_chinese(moment.date())}（{zone}）。"
    return Told(en=en, zh=zh, value=moment.isoformat(timespec="minutes"), kind="time")


def _at(moment: datetime, key: str) -> datetime | None:
    if match := re.fullmatch(r"UTC([+-])(\d\d):(\d\d)", key):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return moment.astimezone(timezone(-offset if match[1] == "-" else offset))
    zone = loaded(key)
    return moment.astimezone(zone) if zone else None


_HERE = re.compile(r"here|home|at home|this (?:place|city|area)|my (?:city|area|place|location)|这里|这儿|本地|当地")


def _time_there(asked: _Asked) -> Told | None:
    place = asked.match["place"].strip(" ,")
    if _HERE.fullmatch(place):
        return _time_now(asked)
    key = zone_of(place)
    there = _at(asked.now, key) if key else None
    if there is not None:
        return _clock(there, _titled(place), f"{key}, {_offset(there)}")
    # "in the logs", "in section 3", "in utils.py": no place has such a name.
    if not asked.match.groupdict().get("sure") or re.search(r"^the\b|\d|[._/]", place) or len(place.split()) > 3:
        return None
    return Told(
        en=f"I know no time zone for “{_titled(place)}”. A larger city near it, a country or an offset (UTC+2) works.",
        zh=f"我不知道“{place}”的时区。可以换成附近的大城市、国家，或时差（UTC+8）。",
        value=None,
        kind="time",
    )


def _titled(place: str) -> str:
    name = re.sub(r"^the\s+|\s*(?:standard )?time\s?zones?$|\s+time$|市$|当地$", "", place).removesuffix("'s")
    return name.upper() if len(name) <= 4 and name.isascii() and zone_of(name) and name not in _WORDS else name.title()


_WORDS = frozenset(
    {"lima", "rome", "oslo", "iran", "peru", "cuba", "fiji", "guam", "mali", "chad", "togo", "rio", "reno", "bonn"}
)


def _offset(moment: datetime) -> str:
    minutes = int((moment.utcoffset() or timedelta()).total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{sign}{hours}" + (f":{rest:02d}" if rest else "")


def _zone_here(asked: _Asked) -> Told:
    name, offset = str(asked.now.tzinfo or "UTC"), _offset(asked.now)
    return Told(
        en=f"Your clock is on **{name}** ({offset}).",
        zh=f"你的时钟用的是 **{name}**（{offset}）。",
        value=name,
        kind="time",
    )


def _zone_there(asked: _Asked) -> Told | None:
    place = asked.match["place"].strip(" ,")
    if _HERE.fullmatch(place) or place in ("we", "we currently", "i", "there", "over there"):
        return _zone_here(asked)
    key = zone_of(place)
    there = _at(asked.now, key) if key else None
    if there is None:
        return None
    shown = _titled(place)
    return Told(
        en=f"{shown} is in **{key}**, now {_offset(there)} ({there:%H:%M} there).",
        zh=f"{shown}的时区是 **{key}**，现在为 {_offset(there)}（当地 {there:%H:%M}）。",
        value=key,
        kind="time",
    )


def _in_zone(asked: _Asked) -> Told | None:
    """Is a place in a zone? Both must be known."""
    one, other = zone_of(asked.match["place"].strip()), zone_of(asked.match["zone"].strip())
    there, expected = (_at(asked.now, key) if key else None for key in (one, other))
    if there is None or expected is None:
        return None
    is_same = there.utcoffset() == expected.utcoffset()
    return Told(
        en=f"**{'Yes' if is_same else 'No'}**: {_titled(asked.match['place'])} is in {one}, now {_offset(there)}.",
        zh=f"**{'是' if is_same else '不是'}**：{_titled(asked.match['place'])}在 {one}，现在为 {_offset(there)}。",
        value=is_same,
        kind="time",
    )


_CLOCK_TIME: Final = (
    r"(?:\d{1,2}(?::\d{2})?\s?(?:a\.?m\.?|p\.?m\.?|o'clock)?|noon|midnight|(?:早上|上午|中午|下午"
    r"|晚上|凌晨)?\d{1,2}(?:点半|点\d{0,2}分?|:\d{2}))"
)


def read_clock(text: str) -> clock_time | None:
    """The time of day in ``3 pm``, ``15:30``, ``下午三点半``; None where there is none."""
    text = in_digits(text.strip())
    if text in ("noon", "midnight", "中午"):
        return clock_time(0 if text == "midnight" else 12)
    match = re.fullmatch(
        r"(早上|上午|中午|下午|晚上|凌晨)?(\d{1,2})(?::(\d{2})|点(半|\d{1,2})?分?)?\s?(a\.?m\.?|p\.?m\.?|o'clock)?",
        text,
    )
    if match is None:
        return None
    hour, minute = int(match[2]), 30 if match[4] == "半" else int(match[3] or match[4] or 0)
    late = (match[5] or "").startswith("p") or match[1] in ("下午", "晚上")
    if late and hour < 12:
        hour += 12
    elif (match[5] or "").startswith("a") and hour == 12:
        hour = 0
    return clock_time(hour, minute) if hour < 24 and minute < 60 else None


def _clock_elsewhere(asked: _Asked) -> Told | None:
    """What time is 3 pm of one place in another?"""
    at = read_clock(asked.match["clock"])
    groups = asked.match.groupdict()
    source = zone_of(groups["source"]) if groups.get("source") else ""
    target = zone_of(groups["target"])
    if at is None or not target or (groups.get("source") and not source):
        return None
    here = _at(asked.now, source) if source else asked.now
    if here is None:
        return None
    there = _at(datetime.combine(here.date(), at, tzinfo=here.tzinfo), target)
    if there is None:
        return None
    days = (there.date() - here.date()).days
    extra_en = {1: ", the next day", -1: ", the day before"}.get(days, "")
    extra_zh = {1: "（次日）", -1: "（前一日）"}.get(days, "")
    given_en = f"{at:%H:%M} {f'in {_titled(source_name)}' if (source_name := groups.get('source')) else 'here'}"
    return Told(
        en=f"{given_en} is **{there:%H:%M}** in {_titled(groups['target'])}{extra_en} ({_offset(here)} → "
        f"{_offset(there)}).",
        zh=f"{_titled(source_name) if source_name else '这里'} {at:%H:%M} 是{_titled(groups['target'])} "
        f"**{there:%H:%M}**{extra_zh}"
        f"（{_offset(here)} → {_offset(there)}）。",
        value=there.isoformat(timespec="minutes"),
        kind="time",
    )


def _difference(asked: _Asked) -> Told | None:
    """The time difference between two places."""
    keys = [zone_of(asked.match[name].strip()) for name in ("one", "other")]
    moments = [_at(asked.now, key) if key else None for key in keys]
    if moments[0] is None or moments[1] is None:
        return None
    minutes = int(
        ((moments[1].utcoffset() or timedelta()) - (moments[0].utcoffset() or timedelta())).total_seconds() // 60
    )
    hours = f"{abs(minutes) / 60:g}"
    one, other = (_titled(asked.match[name].strip()) for name in ("one", "other"))
    if minutes == 0:
        return Told(
            en=f"{one} and {other} have the **same time** now.",
            zh=f"{one}和{other}现在**没有时差**。",
            value=0,
            kind="time",
        )
    return Told(
        en=f"{other} is **{hours} hours {'ahead of' if minutes > 0 else 'behind'}** {one} now.",
        zh=f"{other}现在比{one}**{'早' if minutes > 0 else '晚'} {hours} 小时**。",
        value=minutes,
        kind="time",
    )


def _today(asked: _Asked) -> Told:
    day = asked.today
    return Told(en=f"Today is **{in_english(day)}**.", zh=f"今天是 **{in_chinese(day)}**。", value=day.isoformat())


def _weekday_today(asked: _Asked) -> Told:
    told = _today(asked)
    return Told(en=told.en, zh=told.zh, value=WEEKDAYS[asked.today.weekday()].title())


def _part_of_today(asked: _Asked, name: str) -> Told:
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


def _that_day(asked: _Asked) -> Told | None:
    day = asked.day("day", "near" if asked.match.groupdict().get("was") else "next")
    if day is None:
        return None
    away = (day - asked.today).days
    how_en = {0: "Today is", 1: "Tomorrow is", -1: "Yesterday was"}.get(away, "That is" if away > 0 else "That was")
    how_zh = {0: "今天是", 1: "明天是", 2: "后天是", -1: "昨天是", -2: "前天是"}.get(away, "那天是")
    return Told(en=f"{how_en} **{in_english(day)}**.", zh=f"{how_zh} **{in_chinese(day)}**。", value=day.isoformat())


def _is_weekday(asked: _Asked) -> Told | None:
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


def _until(asked: _Asked) -> Told | None:
    return _counted(asked, asked.today, asked.day("day", "next"))


def _since(asked: _Asked) -> Told | None:
    day = asked.day("day", "last")
    return _counted(asked, day, asked.today) if day is not None else None


def _between(asked: _Asked) -> Told | None:
    start = asked.day("start", "near")
    return _counted(asked, start, asked.day("end", "near")) if start is not None else None


def _counted(asked: _Asked, start: date | None, end: date | None) -> Told | None:
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
    return weeks * 5 + sum((start + timedelta(days=step)).weekday() < 5 for step in range(1, rest + 1))


def _leap(asked: _Asked) -> Told | None:
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


def _next_leap(asked: _Asked) -> Told:
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


def _month_days(asked: _Asked) -> Told | None:
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


def _week_of(asked: _Asked) -> Told | None:
    day = asked.day("day", "near")
    if day is None:
        return None
    year, week, _ = day.isocalendar()
    return Told(
        en=f"{in_english(day)} is in **week {week}** of {year} (ISO 8601).",
        zh=f"{in_chinese(day)} 是 {year} 年**第 {week} 周**（ISO 8601）。",
        value=week,
    )


def _unix_now(asked: _Asked) -> Told:
    stamp = int(asked.now.timestamp())
    return Told(en=f"The Unix time is **{stamp}**.", zh=f"当前的 Unix 时间戳是 **{stamp}**。", value=stamp, kind="time")


def _from_unix(asked: _Asked) -> Told | None:
    digits = asked.match["stamp"]
    seconds = int(digits) / (1000 if len(digits) >= 13 else 1)
    if seconds > 253_402_300_799:
        return None
    moment = datetime.fromtimestamp(seconds, UTC)
    shown = moment.isoformat(timespec="milliseconds" if len(digits) >= 13 else "seconds").replace("+00:00", "Z")
    return Told(
        en=f"{digits} is **{shown}**, {in_english(moment.date())}.",
        zh=f"{digits} 是 **{shown}**，{in_chinese(moment.date())}。",
        value=shown,
        kind="time",
    )


def _age(asked: _Asked) -> Told | None:
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


def _clock_span(asked: _Asked) -> Told | None:
    start, end = read_clock(asked.match["start_clock"]), read_clock(asked.match["end_clock"])
    if start is None or end is None:
        return None
    minutes = (end.hour * 60 + end.minute - start.hour * 60 - start.minute) % 1440
    hours, rest = divmod(minutes, 60)
    return Told(
        en=f"**{hours} h {rest} min** from {start:%H:%M} to {end:%H:%M}.",
        zh=f"从 {start:%H:%M} 到 {end:%H:%M} 有 **{hours} 小时 {rest} 分钟**。",
        value=minutes,
        kind="time",
    )


_COUNTED: Final = r"(?:business |working |work)?days|weeks|months|years|hours"
_COUNTED_ZH: Final = "天|日|周|星期|个星期|个礼拜|个月|年|小时|个小时|个工作日|工作日"
_BLANKS: Final = {
    "place": r"(?P<place>[^\d?!;:]{2,40}?|utc ?[+-]\d{1,2}|gmt ?[+-]\d{1,2})",
    "day": r"(?P<day>[^?]{2,60}?)",
    "count": rf"(?P<unit>{_COUNTED})",
    "count_zh": rf"(?P<unit>{_COUNTED_ZH})",
    "year": r"(?P<year>\d{1,4}|this year|next year|last year)",
    "month": "|".join((*MONTHS, *(month[:3] for month in MONTHS))),
    "weekday": "|".join(WEEKDAYS),
    "clock": _CLOCK_TIME,
}
_Handler = Callable[[_Asked], Told | None]
_HANDLERS: Final[dict[str, _Handler]] = {
    "age": _age,
    "between": _between,
    "clock_elsewhere": _clock_elsewhere,
    "clock_span": _clock_span,
    "difference": _difference,
    "from_unix": _from_unix,
    "in_zone": _in_zone,
    "is_weekday": _is_weekday,
    "leap": _leap,
    "month_days": _month_days,
    "next_leap": _next_leap,
    "since": _since,
    "that_day": _that_day,
    "time_now": _time_now,
    "time_there": _time_there,
    "today": _today,
    "unix_now": _unix_now,
    "until": _until,
    "week_of": _week_of,
    "weekday_today": _weekday_today,
    "zone_here": _zone_here,
    "zone_there": _zone_there,
    "this_year": lambda asked: _part_of_today(asked, "year"),
    "this_month": lambda asked: _part_of_today(asked, "month"),
    "this_week": lambda asked: _part_of_today(asked, "week"),
    "this_quarter": lambda asked: _part_of_today(asked, "quarter"),
    "this_yearday": lambda asked: _part_of_today(asked, "yearday"),
}


@cache
def _questions() -> tuple[tuple[re.Pattern[str], _Handler], ...]:
    """The questions of ``dates.toml``, in order."""
    table = tomllib.loads(files("kbtui.analysis").joinpath("dates.toml").read_text(encoding="utf-8"))

    def filled(pattern: str) -> str:
        return re.sub(r"(?<!P)<(\w+)>", lambda blank: _BLANKS[blank[1]], pattern)

    return tuple((re.compile(filled(row["pattern"])), _HANDLERS[row["asks"]]) for row in table["question"])
