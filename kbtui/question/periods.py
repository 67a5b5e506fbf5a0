# ruff: noqa: E501 (patterns read best on one line)
"""The one reader of dates and periods in questions over data, English and Chinese.

A month, quarter or season without a year is the last one that has begun by today. ``last month`` and ``last quarter``
are calendar ones; ``last 6 months`` begin with the day six months ago and end today. A bare year from 1990 to 2100 is a period wherever
it is no amount (``more than 2000``); other years need a preposition (``before 1950``).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Final

from msgspec.structs import replace

from kbtui import late_patterns
from kbtui.errors import KbtuiError
from kbtui.question import stretches_en, stretches_zh
from kbtui.question.model import Grain, Period, Token, TokenSpan
from kbtui.question.stretches import Stretch, begun, whole_year
from kbtui.question.words import words
from kbtui.text.language import has_cjk

_BARE_YEAR: Final = late_patterns.pattern(
    r"(?<![\w.,$€£¥#/])(?<![^\W\d]-)(?P<year>1[5-9]\d\d|20\d\d|2100)(?![\w%]|[.,/]\d|-(?:\d(?!\d{3}\b)|[a-z]))"
)
_AMOUNT_BEFORE: Final = late_patterns.pattern(
    r"(?<![a-z])(?:(?<!older )(?<!newer )(?<!later )(?<!earlier )than|over|under|above|below|least|most|about|around|exactly|only|top|first|exceed\w*"
    r"|[=<>#$€£¥]|number|no\.?|id|code|nr|超过|大于|小于|不到|至少|最多|低于|高于|少于|多于)\s*$"
)
_YEAR_THAN: Final = late_patterns.pattern(r"(?<![\w.,])(?:in|during|for) (?:1[5-9]\d\d|20\d\d) than\s*$")
_YEAR_BEFORE: Final = late_patterns.pattern(
    r"(?<![a-z])(?:in|since|before|after|during|until|till|from|by|and|to|of|year|through|than|early|late|mid|vs\.?|-|–|于|在|从|自|和|到|至)\s*$"
)
_MODAL_MAY: Final = late_patterns.pattern(
    r"(?<![a-z])(?:in|of|since|during|for|from|until|till|before|after|between|and|or|by|to|vs\.?|versus|last|this|next|,|-|/|through)\s*$"
)

_RANGE: Final = late_patterns.pattern(
    r"\s*(?:to|-|–|—+|~|until|till|through|thru|up to|up until|到|至)\s*(?:the\s+)?(?:end of\s+)?"
)
_AND: Final = late_patterns.pattern(r"\s*(?:and|&|和|与|跟|,)\s*(?:the\s+)?")
_LISTED: Final = late_patterns.pattern(
    r"\s*(?:,|、|and|or|&|,\s*and|vs\.?|versus|和|与|跟|及|或|对比|比|至|到|-|to|compared (?:to|with))\s*"
)

_FILLER: Final = r"(?:the\s+|month of\s+|year\s+|beginning of\s+|start of\s+)*"
_OPEN_END: Final = late_patterns.pattern(
    rf"(?<![a-z])(?:since|starting(?:\s+(?:from|in|on|with))?|beginning(?:\s+(?:from|in|on))?|on or after|not before|no earlier than|from and after|自从?|从)\s*{_FILLER}$"
)
_AFTER: Final = late_patterns.pattern(
    rf"(?<![a-z])(?:after|later than|newer than|more recent(?:ly)? than|past|following|younger than)\s*{_FILLER}(?:the end of\s+)?$"
)
_BEFORE: Final = late_patterns.pattern(
    rf"(?<![a-z])(?:before|earlier than|prior to|older than|preceding|ahead of|早于)\s*{_FILLER}$"
)
_UNTIL: Final = late_patterns.pattern(
    r"(?<![a-z])(?:until|till|up until|up till|up to|through|by|on or before|no later than|not later than|not after|as of|截至|截止到?|直到)\s*(?:the\s+)?(?:end of\s+)?$"
)
_FROM: Final = late_patterns.pattern(r"(?<![a-z])from\s*(?:the\s+)?$")
_MORE_AGO: Final = late_patterns.pattern(r"(?<![a-z])(?:more than|over|longer than|at least)\s*$")
_LESS_AGO: Final = late_patterns.pattern(
    r"(?<![a-z])(?:less than|under|within|not more than|no more than)\s*(?:the\s+)?$"
)
_IN: Final = late_patterns.pattern(
    r"(?<![a-z])(?:in|during|on|over|within|throughout|for|of|at|across|from|于|在)\s*(?:the\s+)?(?:month of\s+|year\s+|period of\s+)?$"
)
_BETWEEN: Final = late_patterns.pattern(r"(?<![a-z])(?:between|from|在|从)\s*(?:the\s+)?$")
_COMPARE: Final = late_patterns.pattern(
    r"\b(?:compar\w+|growth|gr[eo]w\w*|changed?|increased?|decreased?|difference|rise|fall|drop|up or down)\b[^;?]*$|变化|增长|对比|比较|涨|跌"
)
_CHANGED: Final = late_patterns.pattern(
    r"\b(?:growth|gr[eo]w\w*|changed?|increased?|decreased?|difference|rise|fall|drop|up or down)\b|变化|增长|涨|跌|差"
)
_EACH: Final = late_patterns.pattern(
    r"(?:per|by(?! how\b)|each|every) |\b(?:dai|week|month|quarter|year)ly\b|trend|over time|[每各按逐]|走势|趋势"
)
_COMPARED_WITH: Final = late_patterns.pattern(
    r"\b(?:vs\.?|versus|compared (?:to|with)|against|than|(?:up|down|change|growth) on|over)\s+(?:the\s+)?"
    r"(?:(?:same|that)(?: \w+)?\s+)?(?:(?:in|of)\s+)?$"
)

_SINCE_BEHIND: Final = late_patterns.pattern(
    r"\s*(?:onwards?|on(?=\s*(?:[?.,]|$))|and (?:later|after|onwards?|newer|beyond)|or (?:later|after|newer)|and up|起|(?:以来|至今|到现在|到今天|到目前)(?:为止)?|及以后|及之后|或以后|(?:开始|以后)到现在)"
)
_UNTIL_BEHIND: Final = late_patterns.pattern(
    r"\s*(?:and (?:earlier|before|older)|or (?:earlier|before|older)|及以前|及之前|或以前|为止)"
)
_AFTER_BEHIND: Final = late_patterns.pattern(r"\s*的?(?:以后|之后|后(?![来面半台端])|过后)")
_BEFORE_BEHIND: Final = late_patterns.pattern(r"\s*的?(?:以前|之前|前(?![\d一二三四五六七八九十天]))")
_WITHIN_BEHIND: Final = late_patterns.pattern(
    r"\s*(?:以内|之内|期间|之间|这段时间|里|内|中|当天|整年|全年|这一年|这个月)"
)
_SO_FAR: Final = (late_patterns.pattern(r"so\s+far\s+(?:in\s+|during\s+)?$"), late_patterns.pattern(r"\s*so\s+far\b"))
_AGO: Final = late_patterns.pattern(r"(?:ago|back|earlier|以前|之前|前)$")
_END: Final = late_patterns.pattern(r"底$|\bend\b")
_DAY: Final = timedelta(days=1)
_DASHES: Final = ("-", "–", "—", "~")
_PAIR: Final = 2
"""Number of stretches that a comparison has."""


def read_periods(plain: str, tokens: Sequence[Token], today: date) -> tuple[tuple[Period, ...], frozenset[int]]:
    """The periods of a question in order, none overlapping, and the first tokens of those that are a bare year.

    A period beyond the calendar or with an impossible day is left out.

    Args:
        plain: The question as `kbtui.question.tokens.level` has it.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    stretches = _with_years(plain, _stretches(plain, today))
    found = []
    for start, end, days, grain in _combined(plain, stretches, today):
        span = TokenSpan(bisect_right(starts, start) - 1, bisect_left(ends, end) + 1)
        found.append(
            Period(
                span=span,
                first=days[0],
                last=days[1],
                grain=grain,
                words=plain[start:end],
                leaves_year_open=all(each.is_open for each in stretches if start <= each.start < end),
            )
        )
    bare = frozenset(bisect_right(starts, stretch.start) - 1 for stretch in stretches if stretch.is_bare)
    return tuple(found), bare


# Single stretches -------------------------------------------------------------------------------------------------


@cache
def _hints() -> re.Pattern[str]:
    """What a text without any stretch of days has nothing of."""
    names = "|".join(sorted(words().months, key=len, reverse=True))
    return late_patterns.pattern(
        rf"\d|\b(?:{names})|day|week|month|quarter|year|decade|century|half|[年月日周季天]|yr|wk|[mqwy]td|星期|礼拜|tonight|last|summer|winter|spring|autumn"
    )


def _stretches(plain: str, today: date) -> list[Stretch]:
    """The longest stretch at each place, from left to right."""
    if not _hints().search(plain):
        return []
    rules = (*stretches_en.rules(), *(stretches_zh.rules() if has_cjk(plain) else ()))
    found = [
        stretch
        for pattern, build in rules
        for match in pattern.finditer(plain)
        if (stretch := _built(match, build, today, plain))
    ]
    for match in _BARE_YEAR.finditer(plain):
        if _is_year(plain, match):
            year = int(match["year"])
            found.append(
                Stretch(
                    start=match.start(), end=match.end(), days=whole_year(year), grain="year", year=year, is_bare=True
                )
            )
    found.sort(key=lambda stretch: (stretch.start, -stretch.end))
    kept: list[Stretch] = []
    for stretch in found:
        if not kept or stretch.start >= kept[-1].end:
            kept.append(stretch)
        elif stretch.end > kept[-1].end and stretch.end - stretch.start > kept[-1].end - kept[-1].start:
            kept[-1] = stretch
    return [stretch for stretch in kept if not stretch.is_void]


def _built(match: re.Match[str], build: stretches_en.Builder, today: date, plain: str) -> Stretch | None:
    if match.groupdict().get("month") == "may" and not _is_may(plain, match):
        return None
    end = match.end()
    try:
        made = build(match, today)
        if made is None:
            return None
        named, grain = made[:2]
        year = made[2] if len(made) > 2 else None
        at_year = named if callable(named) else None
        if callable(named):
            named = begun(named, today) if year is None else named(year)
        return Stretch(start=match.start(), end=end, days=named, grain=grain, year=year, at_year=at_year)
    except (ValueError, KbtuiError):
        # No such day, or one beyond the calendar: nothing shorter at its place counts either.
        return Stretch(start=match.start(), end=end, days=(today, today), grain="span", is_void=True)


def _is_may(plain: str, match: re.Match[str]) -> bool:
    """The month, not the verb: a day or year goes with it, a preposition stands before it, or nothing behind it."""
    if match[0].strip() != "may" or _MODAL_MAY.search(plain[: match.start()]):
        return True
    return (
        re.match(r"\s*(?:$|[?.!,]|and\b|to\b|vs\b|versus\b|-|sales|revenue|numbers|figures)", plain[match.end() :])
        is not None
    )


def _is_year(plain: str, match: re.Match[str]) -> bool:
    before = plain[max(0, match.start() - 24) : match.start()]
    if _AMOUNT_BEFORE.search(before) and not _YEAR_THAN.search(before):
        return False
    return int(match["year"]) >= 1990 or _YEAR_BEFORE.search(before) is not None


# Years that one word gives to its neighbours --------------------------------------------------------------------------


def _with_years(plain: str, stretches: list[Stretch]) -> list[Stretch]:
    """``march and april 2025``, 2025年3月到5月: a year left open is that of a neighbour, or of the only year there is.

    ``march 2024 vs 2025`` is the same month twice.
    """
    for order in (range(len(stretches) - 2, -1, -1), range(1, len(stretches))):
        for at in order:
            other = at + 1 if order.step < 0 else at - 1
            this, near = stretches[at], stretches[other]
            left, right = (this, near) if at < other else (near, this)
            if not _LISTED.fullmatch(plain, left.end, right.start):
                continue
            if this.is_open and near.year is not None and near.grain != "year":
                shared = _in_year(this, near.year, before=near if at < other else None)
                # Of q3 and q3 last year the first one is this year's.
                stretches[at] = this if shared.days == near.days else shared
            elif this.is_bare and at > other and near.at_year and near.year and this.year and near.year != this.year:
                part = _in_year(near, this.year)
                stretches[at] = replace(part, start=this.start, end=this.end, is_bare=True)
    years = {
        stretch.year
        for stretch in stretches
        if stretch.grain == "year" and not _COMPARED_WITH.search(plain[: stretch.start])
    }
    year = next(iter(years)) if len(years) == 1 else None
    return _distinct(plain, [_in_year(this, year) if this.is_open and year else this for this in stretches])


def _distinct(plain: str, stretches: list[Stretch]) -> list[Stretch]:
    """``this summer vs last summer``: what is called the last one is a year before the same that is called this one."""
    current = {stretch.days for stretch in stretches if plain.startswith("this ", stretch.start)}
    return [
        _in_year(stretch, stretch.year - 1)
        if stretch.year and stretch.days in current and plain.startswith("last ", stretch.start)
        else stretch
        for stretch in stretches
    ]


def _in_year(this: Stretch, year: int, *, before: Stretch | None = None) -> Stretch:
    """A stretch in a year; in the year before where it would else begin behind the end of ``before``."""
    assert this.at_year is not None
    try:
        days = this.at_year(year)
        if before is not None and days[0] > before.days[1]:
            days, year = this.at_year(year - 1), year - 1
    except (ValueError, KbtuiError):
        return this
    return replace(this, days=days, year=year)


# Prepositions and ranges ---------------------------------------------------------------------------------------------

_Days = tuple[date | None, date | None]
_Read = tuple[int, int, _Days, Grain]


def _combined(plain: str, stretches: list[Stretch], today: date) -> Iterator[_Read]:
    at, behind = 0, 0
    while at < len(stretches):
        this = stretches[at]
        before = plain[behind : this.start]
        is_pair = len(stretches) == _PAIR
        if at + 1 < len(stretches) and _is_range(plain, before, this, stretches[at + 1], is_pair=is_pair):
            read = _range(plain, before, this, stretches[at + 1])
            at += 1
        else:
            read = _single(plain, before, this, today)
        yield read
        at, behind = at + 1, read[1]


def _is_range(plain: str, before: str, this: Stretch, other: Stretch, *, is_pair: bool) -> bool:
    """Whether two stretches are the ends of one period, and are not compared with each other.

    Args:
        is_pair: Whether the question has no other stretches; beside others a range is compared as a whole.
    """
    is_between = _BETWEEN.search(before) is not None
    if (joint := _RANGE.fullmatch(plain, this.end, other.start)) is not None:
        is_compared = _COMPARE.search(before) is not None or (
            this.days[1] + _DAY == other.days[0] and _CHANGED.search(plain, other.end) is not None
        )
        return not is_pair or joint[0].strip() in _DASHES or not is_compared or _EACH.search(plain) is not None
    is_within = re.match(r"\s*(?:之间|期间)", plain[other.end :]) is not None
    return bool(_AND.fullmatch(plain, this.end, other.start)) and (
        (is_between and not before.rstrip().endswith("from")) or is_within
    )


def _range(plain: str, before: str, this: Stretch, other: Stretch) -> _Read:
    first, last = this.days, other.days
    if this.at_year and this.is_open and first[0] > last[1]:
        first = this.at_year(last[0].year)
        if first[0] > last[0]:
            first = this.at_year(last[0].year - 1)
    elif other.at_year and other.is_open and first[0] > last[1]:
        last = other.at_year(first[0].year)
    start = _start(before, this.start, _BETWEEN, _IN)
    match = _WITHIN_BEHIND.match(plain, other.end)
    return start, match.end() if match else other.end, (first[0], last[1]), "span"


def _single(plain: str, before: str, this: Stretch, today: date) -> _Read:
    first, last = this.days
    since, until = (first, None), (None, last)
    if _END.search(plain, this.start, this.end):
        # Before the end of the month is within it.
        first = last + _DAY
    after, earlier = (
        (last + _DAY if last < date.max else last, None),
        (None, first - _DAY if first > date.min else first),
    )
    for pattern, days in (
        (_SINCE_BEHIND, since), (_UNTIL_BEHIND, until), (_AFTER_BEHIND, after), (_BEFORE_BEHIND, earlier)
    ):  # fmt: skip
        if match := pattern.match(plain, this.end):
            return _start(before, this.start, _OPEN_END, _AFTER, _FROM, _IN), match.end(), days, "span"
    is_ago = _AGO.search(plain, this.start, this.end) is not None
    for pattern, days in (
        (_MORE_AGO, (None, first)) if is_ago else (_OPEN_END, since),
        (_LESS_AGO, since) if is_ago else (_UNTIL, until),
        (_OPEN_END, since), (_AFTER, after), (_UNTIL, until), (_BEFORE, earlier),
    ):  # fmt: skip
        if match := pattern.search(before):
            return this.start - len(before) + match.start(), this.end, days, "span"
    if match := _SO_FAR[0].search(before):
        return this.start - len(before) + match.start(), this.end, (first, min(last, today)), "span"
    if match := _SO_FAR[1].match(plain, this.end):
        return _start(before, this.start, _IN), match.end(), (first, min(last, today)), "span"
    match = _WITHIN_BEHIND.match(plain, this.end)
    return _start(before, this.start, _IN), match.end() if match else this.end, (first, last), this.grain


def _start(before: str, start: int, *patterns: re.Pattern[str]) -> int:
    """Where a preposition that belongs to what begins at ``start`` begins."""
    for pattern in patterns:
        if match := pattern.search(before):
            return start - len(before) + match.start()
    return start
