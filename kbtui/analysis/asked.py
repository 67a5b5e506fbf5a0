"""A question about clock or calendar that was recognised, and what is told of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from kbtui.analysis.days import MONTHS, WEEKDAYS, WEEKDAYS_ZH, Prefer, read_day

Kind = Literal["time", "date"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An answer in both languages, with its value: ISO 8601, a number, a name or a yes (None where it has none)."""

    en: str
    zh: str
    value: str | int | bool | None
    kind: Kind = "date"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is answered from: the moment it is asked, in the asker's zone, and its wording."""

    now: datetime
    match: re.Match[str]

    @property
    def today(self) -> date:
        """The day it is for the asker."""
        return self.now.date()

    def day(self, group: str, prefer: Prefer = "next") -> date | None:
        """The day that a group names; None where it names none.

        Raises:
            NoSuchDay: It is written like a day that the calendar does not have.
            BeyondCalendar: It is beyond the calendar.
        """
        phrase = (self.match.groupdict().get(group) or "").strip()
        return read_day(phrase, self.today, prefer) if phrase else None


Handler = Callable[[Asked], Told | None]
"""Answers one kind of question; None where a place or day in it is not known."""


def in_english(day: date) -> str:
    """``Saturday, 21 November 2026``."""
    return f"{WEEKDAYS[day.weekday()].title()}, {day.day} {MONTHS[day.month - 1].title()} {day.year}"


def in_chinese(day: date) -> str:
    """``2026年11月21日 星期六``."""
    return f"{day.year}年{day.month}月{day.day}日 星期{WEEKDAYS_ZH[day.weekday()]}"
