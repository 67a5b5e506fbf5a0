# ruff: noqa: E501 (patterns read best on one line)
"""Times as Chinese questions name them, as the first and last day they cover (see `dates`, which knows the plain ones)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

_NUMERALS: Final = {
    "半": 6,
    "一": 1,
    "两": 2,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "十一": 11,
    "十二": 12,
}
_YEAR: Final = r"(\d{4}年|前年|去年|今年|本年|上一年)"
_MONTH: Final = r"(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?"
_TO: Final = r"(?:到|至|-|~|—+)"
_COUNT: Final = r"(\d+|十[一二]?|[半一两二三四五六七八九])"


def _said(first: date, last: date) -> str:
    return f" @{first.isoformat()}..{last.isoformat()} "


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMERALS[text]


def _last_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def with_chinese_spans(question: str, today: Callable[[], date]) -> str:
    """The question with its ranges of months, parts of years and last days written as ``@first..last``."""
    if not re.search(r"[\u3400-\u9fff]", question):
        return question

    def year(text: str) -> int:
        return {"前年": today().year - 2, "去年": today().year - 1, "上一年": today().year - 1}.get(text) or (
            int(text[:4]) if text[0].isdigit() else today().year
        )

    def months(first: int, start: int, last: int, end: int) -> str:
        return _said(date(first, start, 1), _last_of(last, end))

    def recent(count: int, unit: str) -> str:
        now = today()
        if unit[0] in "天日":
            return _said(now - timedelta(days=count - 1), now)
        if unit[0] in "周星":
            return _said(now - timedelta(days=7 * count - 1), now)
        index = now.year * 12 + now.month - 1 - count * (12 if unit[0] == "年" else 1)
        begun = date(index // 12, index % 12 + 1, 1)
        return _said(
            min(begun + timedelta(days=now.day - 1), _last_of(begun.year, begun.month)) + timedelta(days=1), now
        )

    def week(back: int) -> str:
        monday = today() - timedelta(days=today().weekday() + 7 * back)
        return _said(monday, monday + timedelta(days=6))

    rules: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
        (r"(\d{4})[-/.](1[0-2]|0?[1-9])[-/.](3[01]|[12]\d|0?[1-9])(?!\d)", lambda m: f"{int(m[1]):04d}-{int(m[2]):02d}-{int(m[3]):02d}"),
        (rf"{_YEAR}{_MONTH}{_TO}{_YEAR}{_MONTH}", lambda m: months(year(m[1]), _number(m[2]), year(m[3]), _number(m[4]))),
        (rf"{_YEAR}的?{_MONTH}?{_TO}{_MONTH}", lambda m: months(year(m[1]), _number(m[2] or "1"), year(m[1]), _number(m[3]))),
        (rf"{_YEAR}的?(1[0-2]|[1-9]){_TO}{_MONTH}", lambda m: months(year(m[1]), int(m[2]), year(m[1]), _number(m[3]))),
        (rf"(\d{{4}})年?{_TO}(\d{{4}})年", lambda m: months(int(m[1]), 1, int(m[2]), 12)),
        (rf"{_YEAR}的?(上|下)半年", lambda m: months(year(m[1]), 1, year(m[1]), 6) if m[2] == "上" else months(year(m[1]), 7, year(m[1]), 12)),
        (rf"{_YEAR}的?(?:第?([一二三四1-4])季度?|[Qq]([1-4]))", lambda m: months(year(m[1]), _number(m[2] or m[3]) * 3 - 2, year(m[1]), _number(m[2] or m[3]) * 3)),
        (rf"{_YEAR}的?{_MONTH}(?!\d|[日号])", lambda m: months(year(m[1]), _number(m[2]), year(m[1]), _number(m[2]))),
        (r"前年", lambda _: months(today().year - 2, 1, today().year - 2, 12)),
        (r"上上个?月", lambda _: _back(today(), 2)),
        (rf"(?:最近|近|过去|前)的?{_COUNT}个?(天|日|周|星期|礼拜|月|年)(?![级代])", lambda m: recent(6, "月") if m[1] == "半" else recent(_number(m[1]), m[2])),
        (r"今天|今日", lambda _: _said(today(), today())),
        (r"昨天|昨日", lambda _: _said(today() - timedelta(days=1), today() - timedelta(days=1))),
        (r"(?:这|本)个?(?:周|星期|礼拜)", lambda _: week(0)),
        (r"上个?(?:周|星期|礼拜)", lambda _: week(1)),
    )  # fmt: skip
    for pattern, write in rules:
        question = re.sub(pattern, write, question)
    return question


def _back(now: date, count: int) -> str:
    index = now.year * 12 + now.month - 1 - count
    return _said(date(index // 12, index % 12 + 1, 1), _last_of(index // 12, index % 12 + 1))
