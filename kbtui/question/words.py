"""The words of a language as data: ``words/en.toml`` and ``words/zh.toml``, read once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct

from kbtui import late_patterns
from kbtui.text.built_tables import Section, built_table

WordFile = Literal["en", "zh", "follow_en", "follow_zh", "open_en", "open_zh", "asking_en", "asking_zh"]
FILE: Final = "words/plain.table"
"""The word files without phrases, as `kbtui.text.built_tables` keeps them."""


class Words(Struct, frozen=True):
    """The vocabulary of both word files, apart from operators.

    Attributes:
        stop: Words and Chinese characters without content.
        whole: Chinese compounds in which such a character has content: 会员, 还书.
        months: Number of the month, 1 to 12, by name.
        weekdays: Number of the day, 0 (Monday) to 6, by name.
        seasons: First month by name; of the winter 12.
        holidays: Month and day by name.
        measures: Measure words of Chinese: 个, 单, 次.
        examples: Words that mark the content of brackets as examples.
    """

    stop: frozenset[str]
    whole: re.Pattern[str]
    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    seasons: Mapping[str, int]
    holidays: Mapping[str, tuple[int, int]]
    measures: frozenset[str]
    examples: re.Pattern[str]


@cache
def plain_words(name: WordFile) -> Mapping[str, Any]:
    """A word file without its phrases."""
    return _plain()[name]


@cache
def _plain() -> Mapping[str, Mapping[str, Any]]:
    return Section(built_table("kbtui.question", FILE), "", dict[str, Any])


@cache
def words() -> Words:
    """The vocabulary of both languages, because questions mix them."""
    english, chinese = plain_words("en"), plain_words("zh")
    return Words(
        stop=frozenset(english["stop"].split()) | frozenset(chinese["stop"].split()),
        months=dict(_numbered(english["months"], 1)),
        weekdays=dict(_numbered(english["weekdays"], 0)),
        seasons=english["seasons"] | chinese["seasons"],
        whole=late_patterns.pattern("|".join(sorted(chinese["whole"].split(), key=len, reverse=True))),
        holidays={**_holidays(english["holidays"]), **_holidays(chinese["holidays"])},
        measures=frozenset(chinese["measures"].split()),
        examples=re.compile(rf"(?<![a-z])(?:{english['examples']})(?![a-z])|{chinese['examples']}"),
    )


def _numbered(rows: list[str], start: int) -> Iterator[tuple[str, int]]:
    for number, row in enumerate(rows, start):
        for name in row.split():
            yield name, number


def _holidays(table: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """``"12-25" = "christmas|xmas"``."""
    return {name: (int(day[:2]), int(day[3:])) for day, names in table.items() for name in names.split("|")}
