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
from kbtui.question import date_expressions_en, date_expressions_zh
from kbtui.question.date_expressions import DateExpression, latest_begun, whole_year
from kbtui.question.model import Grain, Period, Token, TokenSpan
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
_CHANGES: Final = r"growth|gr[eo]w\w*|changed?|increased?|decreased?|difference|rise|fall|drop|up or down"
_COMPARE: Final = late_patterns.pattern(rf"\b(?:compar\w+|{_CHANGES})\b[^;?]*$|变化|增长|对比|比较|涨|跌")
_CHANGED: Final = late_patterns.pattern(rf"\b(?:{_CHANGES})\b|变化|增长|涨|跌|差")
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
"""Number of date expressions that a comparison has."""


def read_periods(plain: str, tokens: Sequence[Token], today: date) -> tuple[tuple[Period, ...], frozenset[int]]:
    """The periods of a question in order, none overlapping, and the first tokens of those that are a bare year.

    A period beyond the calendar or with an impossible day is left out.

    Args:
        plain: The question as `kbtui.question.tokens.fold` has it.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    expressions = _with_shared_years(plain, _date_expressions(plain, today))
    periods = []
    for start, end, days, grain in _combined_periods(plain, expressions, today):
        span = TokenSpan(bisect_right(starts, start) - 1, bisect_left(ends, end) + 1)
        periods.append(
            Period(
                span=span,
                first=days[0],
                last=days[1],
                grain=grain,
                words=plain[start:end],
                leaves_year_open=all(each.is_open for each in expressions if start <= each.start < end),
            )
        )
    bare = frozenset(bisect_right(starts, expression.start) - 1 for expression in expressions if expression.is_bare)
    return tuple(periods), bare


# Single expressions -------------------------------------------------------------------------------------------------


@cache
def _expression_hint() -> re.Pattern[str]:
    """A pattern that every text with a date expression matches; a cheap first test."""
    names = "|".join(sorted(words().months, key=len, reverse=True))
    days = "|".join(map(re.escape, words().holidays))
    return late_patterns.pattern(
        rf"\d|\b(?:{names})|{days}|day|week|month|quarter|year|decade|century|half|[年月日周季天]|yr|wk|[mqwy]td|星期|礼拜|tonight|last|summer|winter|spring|autumn"
    )


def _date_expressions(plain: str, today: date) -> list[DateExpression]:
    """The longest date expression at each place, from left to right."""
    if not _expression_hint().search(plain):
        return []
    rules = (*date_expressions_en.rules(), *(date_expressions_zh.rules() if has_cjk(plain) else ()))
    candidates = [
        expression
        for pattern, build in rules
        for match in pattern.finditer(plain)
        if (expression := _build_expression(match, build, today, plain))
    ]
    for match in _BARE_YEAR.finditer(plain):
        if _is_bare_year(plain, match):
            year = int(match["year"])
            candidates.append(
                DateExpression(
                    start=match.start(), end=match.end(), days=whole_year(year), grain="year", year=year, is_bare=True
                )
            )
    candidates.sort(key=lambda expression: (expression.start, -expression.end))
    longest: list[DateExpression] = []
    for expression in candidates:
        if not longest or expression.start >= longest[-1].end:
            longest.append(expression)
        elif (
            expression.end > longest[-1].end and expression.end - expression.start > longest[-1].end - longest[-1].start
        ):
            longest[-1] = expression
    return [expression for expression in longest if not expression.is_invalid]


def _build_expression(
    match: re.Match[str], build: date_expressions_en.Builder, today: date, plain: str
) -> DateExpression | None:
    if match.groupdict().get("month") == "may" and not _is_month_may(plain, match):
        return None
    end = match.end()
    try:
        built = build(match, today)
        if built is None:
            return None
        days, grain = built[:2]
        year = built[2] if len(built) > 2 else None
        at_year = days if callable(days) else None
        if callable(days):
            days = latest_begun(days, today) if year is None else days(year)
        return DateExpression(start=match.start(), end=end, days=days, grain=grain, year=year, at_year=at_year)
    except (ValueError, KbtuiError):
        # There is no such day, or it is beyond the calendar; shorter expressions at its place are dropped too.
        return DateExpression(start=match.start(), end=end, days=(today, today), grain="span", is_invalid=True)


def _is_month_may(plain: str, match: re.Match[str]) -> bool:
    """Whether "may" is the month: it has a day or year, a preposition before it, or nothing after it."""
    if match[0].strip() != "may" or _MODAL_MAY.search(plain[: match.start()]):
        return True
    return (
        re.match(r"\s*(?:$|[?.!,]|and\b|to\b|vs\b|versus\b|-|sales|revenue|numbers|figures)", plain[match.end() :])
        is not None
    )


def _is_bare_year(plain: str, match: re.Match[str]) -> bool:
    before = plain[max(0, match.start() - 24) : match.start()]
    if _AMOUNT_BEFORE.search(before) and not _YEAR_THAN.search(before):
        return False
    return int(match["year"]) >= 1990 or _YEAR_BEFORE.search(before) is not None


# Years shared by neighbours --------------------------------------------------------------------------


def _with_shared_years(plain: str, expressions: list[DateExpression]) -> list[DateExpression]:
    """``march and april 2025``, 2025年3月到5月: an open year is that of a neighbour, or the only year of the question.

    ``march 2024 vs 2025`` is the same month twice.
    """
    for order in (range(len(expressions) - 2, -1, -1), range(1, len(expressions))):
        for at in order:
            other = at + 1 if order.step < 0 else at - 1
            current, neighbour = expressions[at], expressions[other]
            left, right = (current, neighbour) if at < other else (neighbour, current)
            if not _LISTED.fullmatch(plain, left.end, right.start):
                continue
            if current.is_open and neighbour.year is not None and neighbour.grain != "year":
                shared = _at_year(current, neighbour.year, before=neighbour if at < other else None)
                # Of q3 and q3 last year the first quarter is of this year.
                expressions[at] = current if shared.days == neighbour.days else shared
            elif (
                current.is_bare
                and at > other
                and neighbour.at_year
                and neighbour.year
                and current.year
                and neighbour.year != current.year
            ):
                part = _at_year(neighbour, current.year)
                expressions[at] = replace(part, start=current.start, end=current.end, is_bare=True)
    years = {
        expression.year
        for expression in expressions
        if expression.grain == "year" and not _COMPARED_WITH.search(plain[: expression.start])
    }
    year = next(iter(years)) if len(years) == 1 else None
    return _with_distinct_years(
        plain, [_at_year(current, year) if current.is_open and year else current for current in expressions]
    )


def _with_distinct_years(plain: str, expressions: list[DateExpression]) -> list[DateExpression]:
    """``this summer vs last summer``: the expressions with "last" a year earlier where "this" names the same days."""
    current_days = {expression.days for expression in expressions if plain.startswith("this ", expression.start)}
    return [
        _at_year(expression, expression.year - 1)
        if expression.year and expression.days in current_days and plain.startswith("last ", expression.start)
        else expression
        for expression in expressions
    ]


def _at_year(expression: DateExpression, year: int, *, before: DateExpression | None = None) -> DateExpression:
    """An expression at a year; at the year before if it would begin after ``before`` ends."""
    assert expression.at_year is not None
    try:
        days = expression.at_year(year)
        if before is not None and days[0] > before.days[1]:
            days, year = expression.at_year(year - 1), year - 1
    except (ValueError, KbtuiError):
        return expression
    return replace(expression, days=days, year=year)


# Prepositions and ranges ---------------------------------------------------------------------------------------------

_OpenSpan = tuple[date | None, date | None]
_PeriodReading = tuple[int, int, _OpenSpan, Grain]


def _combined_periods(plain: str, expressions: list[DateExpression], today: date) -> Iterator[_PeriodReading]:
    at, previous_end = 0, 0
    while at < len(expressions):
        current = expressions[at]
        before = plain[previous_end : current.start]
        is_pair = len(expressions) == _PAIR
        if at + 1 < len(expressions) and _is_range(plain, before, current, expressions[at + 1], is_pair=is_pair):
            reading = _range_period(plain, before, current, expressions[at + 1])
            at += 1
        else:
            reading = _single_period(plain, before, current, today)
        yield reading
        at, previous_end = at + 1, reading[1]


def _is_range(plain: str, before: str, left: DateExpression, right: DateExpression, *, is_pair: bool) -> bool:
    """Whether two expressions are the ends of one period, and are not compared with each other.

    Args:
        is_pair: Whether the question has no other expressions; beside others a range is compared as a whole.
    """
    is_between = _BETWEEN.search(before) is not None
    if (joint := _RANGE.fullmatch(plain, left.end, right.start)) is not None:
        is_compared = _COMPARE.search(before) is not None or (
            left.days[1] + _DAY == right.days[0] and _CHANGED.search(plain, right.end) is not None
        )
        return not is_pair or joint[0].strip() in _DASHES or not is_compared or _EACH.search(plain) is not None
    is_within = re.match(r"\s*(?:之间|期间)", plain[right.end :]) is not None
    return bool(_AND.fullmatch(plain, left.end, right.start)) and (
        (is_between and not before.rstrip().endswith("from")) or is_within
    )


def _range_period(plain: str, before: str, left: DateExpression, right: DateExpression) -> _PeriodReading:
    first, last = left.days, right.days
    if left.at_year and left.is_open and first[0] > last[1]:
        first = left.at_year(last[0].year)
        if first[0] > last[0]:
            first = left.at_year(last[0].year - 1)
    elif right.at_year and right.is_open and first[0] > last[1]:
        last = right.at_year(first[0].year)
    start = _start_with_preposition(before, left.start, _BETWEEN, _IN)
    match = _WITHIN_BEHIND.match(plain, right.end)
    return start, match.end() if match else right.end, (first[0], last[1]), "span"


def _single_period(plain: str, before: str, expression: DateExpression, today: date) -> _PeriodReading:
    first, last = expression.days
    since, until = (first, None), (None, last)
    if _END.search(plain, expression.start, expression.end):
        # Before the end of the month is within it.
        first = last + _DAY
    after, earlier = (
        (last + _DAY if last < date.max else last, None),
        (None, first - _DAY if first > date.min else first),
    )
    for pattern, days in (
        (_SINCE_BEHIND, since), (_UNTIL_BEHIND, until), (_AFTER_BEHIND, after), (_BEFORE_BEHIND, earlier)
    ):  # fmt: skip
        if match := pattern.match(plain, expression.end):
            return (
                _start_with_preposition(before, expression.start, _OPEN_END, _AFTER, _FROM, _IN),
                match.end(),
                days,
                "span",
            )
    is_ago = _AGO.search(plain, expression.start, expression.end) is not None
    for pattern, days in (
        (_MORE_AGO, (None, first)) if is_ago else (_OPEN_END, since),
        (_LESS_AGO, since) if is_ago else (_UNTIL, until),
        (_OPEN_END, since), (_AFTER, after), (_UNTIL, until), (_BEFORE, earlier),
    ):  # fmt: skip
        if match := pattern.search(before):
            return expression.start - len(before) + match.start(), expression.end, days, "span"
    if match := _SO_FAR[0].search(before):
        return expression.start - len(before) + match.start(), expression.end, (first, min(last, today)), "span"
    if match := _SO_FAR[1].match(plain, expression.end):
        return _start_with_preposition(before, expression.start, _IN), match.end(), (first, min(last, today)), "span"
    match = _WITHIN_BEHIND.match(plain, expression.end)
    return (
        _start_with_preposition(before, expression.start, _IN),
        match.end() if match else expression.end,
        (first, last),
        expression.grain,
    )


def _start_with_preposition(before: str, start: int, *patterns: re.Pattern[str]) -> int:
    """The offset of a preposition in front of ``start``; ``start`` if there is none."""
    for pattern in patterns:
        if match := pattern.search(before):
            return start - len(before) + match.start()
    return start
