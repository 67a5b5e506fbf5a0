# ruff: noqa: E501 (patterns read best on one line)
"""Times as Chinese questions name them, as the first and last day they cover (see `dates`, which knows the plain ones)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final

from kbtui.data.nl2sql.dates import whole, written
from kbtui.text.calendar import add_days, day_of, last_span, month_back, months_span
from kbtui.text.numbers import HAN, value_of

_YEAR: Final = r"(\d{4}年|前年|去年|今年|本年|上一年)"
_MONTH: Final = r"(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?"
_TO: Final = r"(?:到|至|-|~|—+)"
_COUNT: Final = rf"([0-9][0-9,.]{{0,400}}[百千万亿]*|半|[{HAN}]{{1,30}})"
_UNITS: Final = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}


def with_chinese_spans(question: str, today: Callable[[], date]) -> str:
    """The question with its ranges of months, parts of years and last days written as ``@first..last``.

    Raises:
        BeyondCalendar: A time in it is before the year 1 or after the year 9999.
    """
    if not re.search(r"[\u3400-\u9fff]", question):
        return question

    def year(text: str) -> int:
        return {"前年": today().year - 2, "去年": today().year - 1, "上一年": today().year - 1}.get(text) or (
            int(text[:4]) if text[0].isdigit() else today().year
        )

    def months(first: int, start: int, last: int, end: int) -> str:
        return written(months_span(first, start, last, end))

    def recent(match: re.Match[str]) -> str:
        if match[1] == "半":
            # 半年 is six months; half a month or day is a word of its own.
            return written(last_span(today(), 6, "month")) if match[2] == "年" else match[0]
        # 最近三四天 and 最近几天 are no number of days.
        is_number = value_of(match[1]) is not None
        return written(last_span(today(), whole(match[1]), _UNITS[match[2]])) if is_number else match[0]

    def days(first: int, last: int) -> str:
        return written((add_days(today(), first), add_days(today(), last)))

    def week(back: int) -> str:
        monday = -today().weekday() - 7 * back
        return days(monday, monday + 6)

    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (r"(\d{4})[-/.](1[0-2]|0?[1-9])[-/.](3[01]|[12]\d|0?[1-9])(?!\d)", lambda m: day_of(int(m[1]), int(m[2]), int(m[3])).isoformat()),
        (rf"{_YEAR}{_MONTH}{_TO}{_YEAR}{_MONTH}", lambda m: months(year(m[1]), whole(m[2]), year(m[3]), whole(m[4]))),
        (rf"{_YEAR}的?{_MONTH}?{_TO}{_MONTH}", lambda m: months(year(m[1]), whole(m[2] or "1"), year(m[1]), whole(m[3]))),
        (rf"{_YEAR}的?(1[0-2]|[1-9]){_TO}{_MONTH}", lambda m: months(year(m[1]), int(m[2]), year(m[1]), whole(m[3]))),
        (rf"(\d{{4}})年?{_TO}(\d{{4}})年", lambda m: months(int(m[1]), 1, int(m[2]), 12)),
        (rf"{_YEAR}的?(上|下)半年", lambda m: months(year(m[1]), 1, year(m[1]), 6) if m[2] == "上" else months(year(m[1]), 7, year(m[1]), 12)),
        (rf"{_YEAR}的?(?:第?([一二三四1-4])季度?|[Qq]([1-4]))", lambda m: months(year(m[1]), whole(m[2] or m[3]) * 3 - 2, year(m[1]), whole(m[2] or m[3]) * 3)),
        (rf"{_YEAR}的?{_MONTH}(?!\d|[日号])", lambda m: months(year(m[1]), whole(m[2]), year(m[1]), whole(m[2]))),
        (r"前年", lambda _: months(today().year - 2, 1, today().year - 2, 12)),
        (r"上上个?月", lambda _: written(month_back(today(), 2))),
        (rf"(?:最近|近|过去|前)的?{_COUNT}个?(天|日|周|星期|礼拜|月|年)(?![级代])", recent),
        (r"今天|今日", lambda _: days(0, 0)),
        (r"昨天|昨日", lambda _: days(-1, -1)),
        (r"(?:这|本)个?(?:周|星期|礼拜)", lambda _: week(0)),
        (r"上个?(?:周|星期|礼拜)", lambda _: week(1)),
    )  # fmt: skip
    for pattern, write in rules:
        question = re.sub(pattern, write, question)
    return question
