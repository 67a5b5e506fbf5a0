"""Parses a question about files: kind, name, folder, time, size, order, limit, and the topic that is left.

English and Chinese. Every rule removes its words from the question; the remaining ones are the topic.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
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
        topic: What the files are about; empty if the question has no topic.
        kinds: Kinds of document, programming languages or extensions (with a dot), of which any one matches.
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
    def has_filters(self) -> bool:
        """Whether something besides the topic filters or orders the files."""
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


_TABLES: Final = toml_in(__package__, "words/file_query.toml")
_FILES_EN: Final = rf"(?:{_TABLES['files']['en']})"
_FILES_ZH: Final = rf"(?:{_TABLES['files']['zh']})"
_AFTER_KIND: Final = rf"(?:\s*(?:source|code))?\s*(?:{_FILES_EN}\b|类?(?:型)?的?{_FILES_ZH})"
_KIND_RULES: Final = [
    (
        re.compile(rf"(?<![A-Za-z0-9_.])(?:{words})(?![A-Za-z]){_AFTER_KIND}", re.I),
        kinds,
    )
    for words, kinds in _TABLES["kinds"].items()
]
_SIZE_UNITS: Final = {"": 1, "b": 1, "k": 1024, "m": 1024**2, "g": 1024**3}

_RE: Final = Patterns(
    __package__,
    "words/file_query.toml",
    NUMBER_WORDS=english_words(),
    HAN=HAN,
    FILES_EN=_FILES_EN,
    FILES_ZH=_FILES_ZH,
)
_UNIT_SECONDS: Final = {"minute": 60, "hour": 3600, "分钟": 60, "小时": 3600}
_DAYS_APART: Final = timedelta(days=1000)

_ORDERS: Final[list[tuple[re.Pattern[str], Order]]] = [
    (re.compile(filled(pattern, {}), re.I), order) for order, pattern in _TABLES["orders"].items()
]

_TRIMMED_CHARS: Final = " \t\n.,;:!?，。；：！？、\"'“”「」`的"


def parse_file_query(query: str, now: datetime) -> FileQuery:
    """Parse a question about files; ``yesterday`` is relative to ``now``."""
    query_parts = FileQuery()
    rest = f" {query.strip().rstrip(_TRIMMED_CHARS)} "

    def take(pattern: re.Pattern[str]) -> re.Match[str] | None:
        nonlocal rest
        match = pattern.search(rest)
        if match:
            rest = f"{rest[: match.start()]} {rest[match.end() :]}"
        return match

    if match := take(_RE.called):
        query_parts.names.append(match[1].strip(_TRIMMED_CHARS))
    for pattern in _RE.all_of("folder"):
        if match := take(pattern):
            query_parts.folders.append(match[1].strip("/"))
    while match := take(_RE.name):
        query_parts.names.append(match[0])
    rest = _take_times(query_parts, rest, now)
    _take_sizes(query_parts, take)
    for pattern, order in _ORDERS:
        if query_parts.order is None and (match := pattern.search(rest)):
            before, rest = rest[: match.start()], f"{rest[: match.start()]} {rest[match.end() :]}"
            query_parts.order = order
            for limit in _RE.all_of("limit"):
                limit_match = limit.search(before) or limit.search(rest)
                count = value_of(limit_match[1]) if limit_match else None
                if limit_match and count:
                    query_parts.limit = int(count)
                    rest = rest.replace(limit_match[0], " ", 1)
                    break
    while match := take(_RE.extension):
        query_parts.kinds.append(f".{match[1].lower()}")
    for pattern, kinds in _KIND_RULES:
        match = pattern.search(rest)
        # The noun stays: what follows it is the topic (`markdown files about deploys`).
        if match and not _is_topic(rest, match):
            rest = f"{rest[: match.start()]} files {rest[match.end() :]}"
            query_parts.kinds += kinds
    query_parts.topic = _topic(rest)
    return query_parts


def _is_topic(rest: str, match: re.Match[str]) -> bool:
    """``files about configuration files`` asks for a topic, not for a kind."""
    before = rest[: match.start()]
    return (
        re.search(rf"\b{_FILES_EN}\s+(?:that\s+)?(?:about|on|regarding|mention\w*)\b|关于|提到", before, re.I)
        is not None
    )


def _take_times(query_parts: FileQuery, rest: str, now: datetime) -> str:
    """``rest`` without the words of the time of modification, which is written into ``query_parts``."""
    for pattern in _RE.all_of("hours"):
        if (match := pattern.search(rest)) and (count := value_of(match["count"] or "1")) is not None:
            query_parts.since = earlier(now, count, timedelta(seconds=_UNIT_SECONDS[match["unit"].lower()]))
            return f"{rest[: match.start()]} {rest[match.end() :]}"
    # Imported late: its word lists take a while to load, and most questions about files name no days.
    from kbtui.question.reader import read

    today, text = now.date(), _RE.few_zh.sub("3", rest)
    question, later_question = read(text, today=today), read(text, today=today + _DAYS_APART)
    for period in question.periods:
        start, end = question.tokens[period.span.first].start, question.tokens[period.span.last - 1].end
        before, after = _RE.modified.search(rest, 0, start), _RE.modified_zh.match(rest, end)
        # "The budget of 2024" and "about Q3" are topics.
        is_fixed = period in later_question.periods and period.first and period.last
        is_topic = is_fixed or _RE.speaks_of.search(rest, 0, start)
        if is_topic and not (before or (after and after["verb"])):
            continue
        if period.first is not None:
            query_parts.since = _midnight(period.first, now)
        # "Last week" may mean the last seven days or the last calendar week; the range includes both.
        if period.last is not None and period.last < today and not _RE.until_now.search(period.words):
            query_parts.until = _midnight(period.last + timedelta(days=1), now)
        return f"{rest[: before.start() if before else start]} {rest[after.end() if after else end :]}"
    return rest


def _midnight(day: date, now: datetime) -> datetime:
    return datetime.combine(day, time.min, tzinfo=now.tzinfo)


def _take_sizes(query_parts: FileQuery, take: Callable[[re.Pattern[str]], re.Match[str] | None]) -> None:
    if match := take(_RE.larger):
        query_parts.larger = int(Fraction(match[1]) * _SIZE_UNITS[match[2].lower()])
    if match := take(_RE.smaller):
        query_parts.smaller = int(Fraction(match[1]) * _SIZE_UNITS[match[2].lower()])
    if query_parts.smaller is None and take(_RE.empty):
        query_parts.smaller = 1


def _topic(rest: str) -> str:
    for pattern in (*_RE.all_of("about_en"), *_RE.all_of("about_zh")):
        if match := pattern.search(rest):
            topic = next(group for group in match.groups() if group is not None).strip(_TRIMMED_CHARS)
            if topic:
                return topic
    return re.sub(r"\s+", " ", _RE.request.sub(" ", rest)).strip(_TRIMMED_CHARS)
