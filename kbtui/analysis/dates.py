"""Reads questions about clock and calendar: the time somewhere, a weekday, days until and between, leap years.

A question is a pattern with places and days in it; one whose place or day is not known is left to others, because it
may be about the folder: how many days it is until the release, its notes say.
"""

from __future__ import annotations

import re
import tomllib
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Final

from kbtui.analysis import calendar_days, clock
from kbtui.analysis.asked import Asked, Handler, Told
from kbtui.analysis.days import MONTHS, WEEKDAYS
from kbtui.text.numbers import with_digits

_LONGEST: Final = 120
_HANDLERS: Final[dict[str, Handler]] = {**clock.HANDLERS, **calendar_days.HANDLERS}


def told_date(text: str, now: datetime) -> Told | None:
    """The answer to a question about time or date and nothing else; None where it is anything else.

    Args:
        text: Lower case, simplified Chinese, without courtesies.
        now: Aware, in the asker's zone.

    Raises:
        BeyondCalendar: The day asked for is beyond the calendar.
    """
    if len(text) > _LONGEST or not _LIKELY.search(text):
        return None
    bare = _unframed(text)
    for candidate in dict.fromkeys((bare, with_digits(bare)[:_LONGEST])):
        for pattern, handler in _questions():
            if (match := pattern.fullmatch(candidate)) and (told := handler(Asked(now, match))):
                return told
    return None


_LIKELY = re.compile(
    r"\d ?[ap]\.?m\b|\d:\d\d|\b(?:noon|midnight|time|times|clock|date|dates|day|days|today|todays|tomorrow"
    r"|tomorrows|yesterday|week|weeks|weekday|month|months|year|years|hour|hours"
    r"|ahead|behind|leap|quarter|timestamp|epoch|unix|timezones?|old|born|age|late|how long|when|gmt|utc|am|pm"
    r"|mon|tues|wednes|thurs|fri|satur|sun)(?:day)?s?\b|o'clock"
    r"|午夜|正午|时间|几点|日期|几号|星期|周几|礼拜|天|年|月|日|时区|时间戳|时差|点|小时|岁|周|季度"
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
    "clock": clock.CLOCK_TIME,
}


@cache
def _questions() -> tuple[tuple[re.Pattern[str], Handler], ...]:
    """The questions of ``dates.toml``, in order."""
    table = tomllib.loads(files("kbtui.analysis").joinpath("dates.toml").read_text(encoding="utf-8"))

    def filled(pattern: str) -> str:
        return re.sub(r"(?<!P)<(\w+)>", lambda blank: _BLANKS[blank[1]], pattern)

    return tuple((re.compile(filled(row["pattern"])), _HANDLERS[row["asks"]]) for row in table["question"])
