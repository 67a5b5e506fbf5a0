"""What a question about files asks for, taken apart: kind, name, folder, time, size, order, number, and the topic left.

English and Chinese. Every rule takes its words out of the question; what no rule takes is the topic.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final, Literal

from kbtui.text.calendar import earlier
from kbtui.text.numbers import HAN, english_words, value_of
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import filled, toml_in

Order = Literal["newest", "oldest", "largest", "smallest"]


@dataclass(slots=True, kw_only=True)
class FileQuery:
    """The parts of a question about files.

    Attributes:
        topic: What they are about; empty when only the other parts count.
        kinds: Kinds of document, programming languages or extensions (with a dot), any of which will do.
        names: Names, paths or patterns with ``*`` and ``?``.
        folders: Folders they are in.
        since: Modified at this time or later.
        until: Modified before it.
        larger: Than this many bytes.
        smaller: Than this many bytes.
        order: What to sort by.
        limit: How many are asked for.
    """

    topic: str = ""
    kinds: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    since: datetime | None = None
    until: datetime | None = None
    larger: int | None = None
    smaller: int | None = None
    order: Order | None = None
    limit: int | None = None

    @property
    def filters(self) -> bool:
        """True when something besides the topic narrows or orders the files."""
        return bool(
            self.kinds
            or self.names
            or self.folders
            or self.since
            or self.until
            or self.larger is not None
            or self.smaller is not None
            or self.order
        )


_TABLES: Final = toml_in(__package__, "file_query.toml")
_FILES_EN: Final = r"(?:files?|documents?|docs?|notes?|pages?|modules?|scripts?)"
_FILES_ZH: Final = r"(?:文件|文档|文章|资料|笔记|脚本|页面)"
_AFTER_KIND: Final = rf"(?:\s*(?:source|code))?\s*(?:{_FILES_EN}\b|类?(?:型)?的?{_FILES_ZH})"
_KIND_RULES: Final = [
    (
        re.compile(rf"(?<![A-Za-z0-9_.])(?:{words})(?![A-Za-z]){_AFTER_KIND}", re.I),
        kinds,
    )
    for words, kinds in _TABLES["kinds"].items()
]
_VAGUE: Final = {"past": 1, "a": 1, "an": 1, "几": 3}
"""What stands for a number of days; a few are three."""
_SIZE_UNITS: Final = {"": 1, "b": 1, "k": 1024, "m": 1024**2, "g": 1024**3}

_MODIFIED_EN = (
    r"(?:(?:that\s+)?(?:was|were|have been|has been|i)?\s*(?:last\s+)?"
    r"(?:modified|changed|edited|updated|touched|written|created|added)\s+)?"
)
_MODIFIED_ZH = r"(?:内|以内|之内|里)?(?:被)?(?:修改|更新|改动|编辑|变更|改|创建|新增|写)?(?:过)?的?"
_RE: Final = Patterns(
    __package__,
    "file_query.toml",
    NUMBER_WORDS=english_words(),
    HAN=HAN,
    FILES_EN=_FILES_EN,
    MODIFIED_EN=_MODIFIED_EN,
    MODIFIED_ZH=_MODIFIED_ZH,
    FILES_ZH=_FILES_ZH,
)
_UNITS: Final = {
    "minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1), "week": timedelta(weeks=1),
    "month": timedelta(days=30), "year": timedelta(days=365), "分钟": timedelta(minutes=1), "小时": timedelta(hours=1),
    "天": timedelta(days=1), "日": timedelta(days=1), "周": timedelta(weeks=1), "星期": timedelta(weeks=1),
    "月": timedelta(days=30), "年": timedelta(days=365),
}  # fmt: skip
_COUNT_EN = rf"([0-9][0-9,.]*|an?|{english_words()})"
_UNIT_EN = r"(minute|hour|day|week|month|year)s?\b"
_WITHIN = rf"{_MODIFIED_EN}(?:in|within|over|during)"
_ROLLING = [
    re.compile(
        rf"(?:{_WITHIN}|{_MODIFIED_EN.removesuffix('?')})?\s*(?:the\s+)?(?:last|past)\s+{_COUNT_EN}\s+{_UNIT_EN}", re.I
    ),
    re.compile(rf"{_WITHIN}\s+(?:the\s+)?(past)\s+{_UNIT_EN}", re.I),
    re.compile(
        rf"(?:在)?(?:最近|过去|近)(?:的)?\s*([0-9][0-9,.]*[万亿]?|几|[{HAN}]{{1,20}}?)\s*个?"
        rf"(分钟|小时|天|日|周|星期|月|年){_MODIFIED_ZH}"
    ),
]
_NAMED_TIMES: Final[list[tuple[re.Pattern[str], Callable[[datetime], tuple[datetime, datetime | None]]]]] = [
    (
        re.compile(rf"{_MODIFIED_EN}\b(?:before yesterday|the day before yesterday)\b|(?:在)?前天{_MODIFIED_ZH}", re.I),
        lambda day: (day - timedelta(days=2), day - timedelta(days=1)),
    ),
    (
        re.compile(rf"{_MODIFIED_EN}\byesterday\b|(?:在)?昨[天日]{_MODIFIED_ZH}", re.I),
        lambda day: (day - timedelta(days=1), day),
    ),
    (re.compile(rf"{_MODIFIED_EN}\btoday\b|(?:在)?今[天日]{_MODIFIED_ZH}", re.I), lambda day: (day, None)),
    (
        re.compile(rf"{_MODIFIED_EN}\bthis week\b|(?:在)?(?:本周|这周|这个?星期|这一周){_MODIFIED_ZH}", re.I),
        lambda day: (day - timedelta(days=day.weekday()), None),
    ),
    # People mean the days behind them as often as the calendar's week before this one; both are shown.
    (
        re.compile(rf"{_MODIFIED_EN}\b(?:in (?:the )?)?last week\b|(?:在)?上(?:个)?(?:周|星期){_MODIFIED_ZH}", re.I),
        lambda day: (day - timedelta(days=day.weekday() + 7), None),
    ),
    (
        re.compile(rf"{_MODIFIED_EN}\bthis month\b|(?:在)?(?:本月|这个月){_MODIFIED_ZH}", re.I),
        lambda day: (day.replace(day=1), None),
    ),
    (
        re.compile(rf"{_MODIFIED_EN}\b(?:in (?:the )?)?last month\b|(?:在)?上(?:个)?月{_MODIFIED_ZH}", re.I),
        lambda day: ((day.replace(day=1) - timedelta(days=1)).replace(day=1), None),
    ),
    (
        re.compile(rf"{_MODIFIED_EN}\bthis year\b|(?:在)?今年{_MODIFIED_ZH}", re.I),
        lambda day: (day.replace(month=1, day=1), None),
    ),
    (
        re.compile(rf"{_MODIFIED_EN}\blast year\b|(?:在)?去年{_MODIFIED_ZH}", re.I),
        lambda day: (day.replace(year=day.year - 1, month=1, day=1), day.replace(month=1, day=1)),
    ),
]
_ORDERS: Final[list[tuple[re.Pattern[str], Order]]] = [
    (re.compile(filled(pattern, {}), re.I), order) for order, pattern in _TABLES["orders"].items()
]

_EDGES: Final = " \t\n.,;:!?，。；：！？、\"'“”「」`的"


def parse_file_query(query: str, now: datetime) -> FileQuery:
    """Take a question about files apart; ``now`` is what ``yesterday`` counts from."""
    asked = FileQuery()
    rest = f" {query.strip().rstrip(_EDGES)} "

    def take(pattern: re.Pattern[str]) -> re.Match[str] | None:
        nonlocal rest
        match = pattern.search(rest)
        if match:
            rest = f"{rest[: match.start()]} {rest[match.end() :]}"
        return match

    if match := take(_RE.called):
        asked.names.append(match[1].strip(_EDGES))
    for pattern in _RE.all_of("folder"):
        if match := take(pattern):
            asked.folders.append(match[1].strip("/"))
    while match := take(_RE.name):
        asked.names.append(match[0])
    _take_times(asked, take, now)
    _take_sizes(asked, take)
    for pattern, order in _ORDERS:
        if asked.order is None and (match := pattern.search(rest)):
            before, rest = rest[: match.start()], f"{rest[: match.start()]} {rest[match.end() :]}"
            asked.order = order
            for limit in _RE.all_of("limit"):
                found = limit.search(before) or limit.search(rest)
                count = value_of(found[1]) if found else None
                if found and count:
                    asked.limit = int(count)
                    rest = rest.replace(found[0], " ", 1)
                    break
    while match := take(_RE.extension):
        asked.kinds.append(f".{match[1].lower()}")
    for pattern, kinds in _KIND_RULES:
        match = pattern.search(rest)
        # The noun stays: what follows it is the topic (`markdown files about deploys`).
        if match and not _is_topic(rest, match):
            rest = f"{rest[: match.start()]} files {rest[match.end() :]}"
            asked.kinds += kinds
    asked.topic = _topic(rest)
    return asked


def _is_topic(rest: str, match: re.Match[str]) -> bool:
    """``files about configuration files`` asks for a topic, not for a kind."""
    before = rest[: match.start()]
    return (
        re.search(rf"\b{_FILES_EN}\s+(?:that\s+)?(?:about|on|regarding|mention\w*)\b|关于|提到", before, re.I)
        is not None
    )


def _take_times(asked: FileQuery, take: Callable[[re.Pattern[str]], re.Match[str] | None], now: datetime) -> None:
    for pattern in _ROLLING:
        if match := take(pattern):
            count = Fraction(_VAGUE.get(match[1].lower(), 0)) or value_of(match[1])
            if count is not None:
                asked.since = earlier(now, count, _UNITS[match[2].lower()])
                return
    if match := take(_RE.since):
        asked.since = _date(now, match[1], match[2], match[3])
    if match := take(_RE.before):
        asked.until = _date(now, *(match.groups()[:3] if match[1] else match.groups()[3:]))
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, span in _NAMED_TIMES:
        if asked.since is None and take(pattern):
            asked.since, asked.until = span(midnight)


def _date(now: datetime, year: str, month: str, day: str | None) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day or 1), tzinfo=now.tzinfo)
    except ValueError:
        return None


def _take_sizes(asked: FileQuery, take: Callable[[re.Pattern[str]], re.Match[str] | None]) -> None:
    if match := take(_RE.larger):
        asked.larger = int(Fraction(match[1]) * _SIZE_UNITS[match[2].lower()])
    if match := take(_RE.smaller):
        asked.smaller = int(Fraction(match[1]) * _SIZE_UNITS[match[2].lower()])
    if asked.smaller is None and take(_RE.empty):
        asked.smaller = 1


def _topic(rest: str) -> str:
    for pattern in (*_RE.all_of("about_en"), *_RE.all_of("about_zh")):
        if match := pattern.search(rest):
            topic = next(group for group in match.groups() if group is not None).strip(_EDGES)
            if topic:
                return topic
    return re.sub(r"\s+", " ", _RE.request.sub(" ", rest)).strip(_EDGES)
