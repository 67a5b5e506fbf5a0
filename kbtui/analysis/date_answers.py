"""Recognised questions about clock or calendar, and their answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Literal

from msgspec import Struct

from kbtui.analysis.days import MONTHS, WEEKDAYS, WEEKDAYS_ZH, Prefer, read_day
from kbtui.text.word_lists import toml_once

_templates = partial(toml_once, __package__, "date_answers.toml")

Kind = Literal["time", "date"]


class DateAnswer(Struct, frozen=True, kw_only=True):
    """An answer in both languages, with its value: ISO 8601, a number, a name or a yes (None where it has none)."""

    en: str
    zh: str
    value: str | int | bool | None
    kind: Kind = "date"


class DateQuestion(Struct, frozen=True):
    """A recognised question: the moment it is asked, in the asker's zone, and the match of its pattern."""

    now: datetime
    match: re.Match[str]

    @property
    def today(self) -> date:
        """The current day in the asker's zone."""
        return self.now.date()

    def day(self, group: str, prefer: Prefer = "next") -> date | None:
        """The day that a group of the match names; None if it names none.

        Raises:
            NoSuchDay: It is written like a day that the calendar does not have.
            BeyondCalendar: It is beyond the calendar.
        """
        phrase = (self.match.groupdict().get(group) or "").strip()
        return read_day(phrase, self.today, prefer) if phrase else None


Handler = Callable[[DateQuestion], DateAnswer | None]
"""A function that answers one kind of question; it returns None if a place or day in it is unknown."""


def date_answer(name: str, value: str | int | bool | None, kind: Kind = "date", /, **fields: object) -> DateAnswer:
    """The sentences ``name`` of ``date_answers.toml``, filled in.

    Args:
        fields: Values of the blanks: a pair is English and Chinese text, a day is written out in the language.
    """
    en, zh = (
        sentence.format(**{field: _localised(field_value, language) for field, field_value in fields.items()})
        for language, sentence in enumerate(_templates()[name])
    )
    return DateAnswer(en=en, zh=zh, value=value, kind=kind)


def _localised(value: object, language: int) -> object:
    if isinstance(value, tuple):
        return value[language]
    if not isinstance(value, date) or isinstance(value, datetime):
        return value
    if language:
        return f"{value.year}年{value.month}月{value.day}日 星期{WEEKDAYS_ZH[value.weekday()]}"
    return f"{WEEKDAYS[value.weekday()].title()}, {value.day} {MONTHS[value.month - 1].title()} {value.year}"
