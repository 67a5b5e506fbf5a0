"""Parses questions about clock and calendar: the time somewhere, a weekday, days until and between, leap years.

A question matches a pattern with places and days. A question with an unknown place or day is left to others, because
it may be about the folder: the notes may say how many days remain until the release.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import Final

from kbtui.analysis import calendar_days, clock
from kbtui.analysis.date_answers import DateAnswer, DateQuestion, Handler
from kbtui.analysis.days import MONTHS, WEEKDAYS
from kbtui.text.numbers import with_digits
from kbtui.text.patterns import Patterns, unframed
from kbtui.text.word_lists import toml_in

_MAX_LENGTH: Final = 120


def answer_date_question(text: str, now: datetime) -> DateAnswer | None:
    """The answer to a question about time or date and nothing else; None where it is anything else.

    Args:
        text: Lower case, simplified Chinese, without courtesies.
        now: Aware, in the asker's zone.

    Raises:
        BeyondCalendar: The day asked for is beyond the calendar.
    """
    if len(text) > _MAX_LENGTH or not _RE.likely.search(text):
        return None
    bare = unframed(text, _BEFORE, _AFTER)
    for candidate in dict.fromkeys((bare, with_digits(bare)[:_MAX_LENGTH])):
        for pattern, handler in _questions():
            if (match := pattern.fullmatch(candidate)) and (date_answer := handler(DateQuestion(now, match))):
                return date_answer
    return None


_RE: Final = Patterns(__package__, "dates.toml")


_BEFORE: Final = (_RE.frame_before, _RE.frame_before_zh)
_AFTER: Final = (_RE.frame_after, _RE.frame_after_zh)
_COUNT_UNITS: Final = r"(?:business |working |work)?days|weeks|months|years|hours"
_COUNT_UNITS_ZH: Final = "天|日|周|星期|个星期|个礼拜|个月|年|小时|个小时|个工作日|工作日"
_BLANKS: Final = {
    "place": r"(?P<place>[^\d?!;:]{2,40}?|utc ?[+-]\d{1,2}|gmt ?[+-]\d{1,2})",
    "day": r"(?P<day>[^?]{2,60}?)",
    "count": rf"(?P<unit>{_COUNT_UNITS})",
    "count_zh": rf"(?P<unit>{_COUNT_UNITS_ZH})",
    "year": r"(?P<year>\d{1,4}|this year|next year|last year)",
    "month": "|".join((*MONTHS, *(month[:3] for month in MONTHS))),
    "weekday": "|".join(WEEKDAYS),
    "clock": clock.CLOCK_TIME,
}


@cache
def _questions() -> tuple[tuple[re.Pattern[str], Handler], ...]:
    """The questions of ``dates.toml``, in order."""
    table: dict[str, str] = toml_in(__package__, "dates.toml")["questions"]

    def filled(pattern: str) -> str:
        return re.sub(r"(?<!P)<(\w+)>", lambda blank: _BLANKS[blank[1]], pattern)

    handlers = vars(clock) | vars(calendar_days)
    rows = ((asks, line) for asks, lines in table.items() for line in lines.splitlines())
    return tuple((re.compile(filled(pattern)), handlers[asks]) for asks, pattern in rows)
