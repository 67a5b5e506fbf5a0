"""Durations that are kept as text, as time trackers and phone logs write them: ``01:30:00``, ``1h 30m``, 2小时15分."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from kbtui import late_patterns

CLOCK: Final = "%H:%M:%S"
"""Form of hours, minutes and seconds; the others have the marks of hours and minutes: ``%Hh%Mm``."""
TYPED: Final = "time"
"""Form of values that are times or intervals to the engine."""
_CLOCK: Final = late_patterns.pattern(r"(?P<hours>\d{1,4}):(?P<minutes>[0-5]\d):(?P<seconds>[0-5]\d)(?:\.\d+)?$")
_MARKS: Final = (("h", "m"), ("小时", "分"))


def duration_in(texts: Sequence[str]) -> tuple[str, list[float]] | None:
    """The form of durations and their seconds; None if there is another text.

    A number with one unit (45m) is no duration in this sense, so that some must have hours and minutes.
    """
    forms = [(CLOCK, _CLOCK), *((f"%H{hours}%M{minutes}", _pattern(hours, minutes)) for hours, minutes in _MARKS)]
    for form, pattern in forms:
        matches = [match for match in map(pattern.match, texts) if match is not None and match[0]]
        if len(matches) == len(texts) and any(match["hours"] and match["minutes"] for match in matches):
            return form, [_seconds(match) for match in matches]
    return None


@cache
def _pattern(hours: str, minutes: str) -> re.Pattern[str]:
    return late_patterns.pattern(rf"(?:(?P<hours>\d+){hours})? ?(?:(?P<minutes>\d+){minutes}[钟]?)?$")


def _seconds(match: re.Match[str]) -> float:
    groups = match.groupdict()
    return sum(size * int(groups.get(name) or 0) for name, size in (("hours", 3600), ("minutes", 60), ("seconds", 1)))
