"""A question about clock or calendar that was recognised, and what is told of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from kbtui.analysis.days import MONTHS, WEEKDAYS, WEEKDAYS_ZH, Prefer, read_day
from kbtui.text.word_lists import toml_in

Kind = Literal["time", "date"]


class Told(Struct, frozen=True, kw_only=True):
    """An answer in both languages, with its value: ISO 8601, a number, a name or a yes (None where it has none)."""

    en: str
    zh: str
    value: str | int | bool | None
    kind: Kind = "date"


class Asked(Struct, frozen=True):
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


YES_NO: Final = (("No", "不是"), ("Yes", "是"))
"""By whether something is so."""


def told(name: str, value: str | int | bool | None, kind: Kind = "date", /, **fields: object) -> Told:
    """The sentences ``name`` of ``told.toml``, filled in.

    Args:
        fields: What stands in them; a pair is given as English and Chinese, a day is written out in the language.
    """
    en, zh = (
        sentence.format(**{field: _said(given, language) for field, given in fields.items()})
        for language, sentence in enumerate(_sentences()[name])
    )
    return Told(en=en, zh=zh, value=value, kind=kind)


@cache
def _sentences() -> dict[str, list[str]]:
    return toml_in(__package__, "told.toml")


def _said(given: object, language: int) -> object:
    if isinstance(given, tuple):
        return given[language]
    if not isinstance(given, date) or isinstance(given, datetime):
        return given
    if language:
        return f"{given.year}年{given.month}月{given.day}日 星期{WEEKDAYS_ZH[given.weekday()]}"
    return f"{WEEKDAYS[given.weekday()].title()}, {given.day} {MONTHS[given.month - 1].title()} {given.year}"
