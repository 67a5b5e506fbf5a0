"""The roles of result columns in a chart (time, number, category), from their values and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from kbtui import late_patterns
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import toml_in

Role = Literal["time", "number", "text", "empty"]

_SAMPLE = 2_000
_DATE = late_patterns.pattern(
    r"\d{4}(?:[-/.]\d{1,2}(?:[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}.*)?)?|[- ]?Q[1-4]|[- ]?W\d{1,2}"
    r"|年(?:\d{1,2}月(?:\d{1,2}日)?)?)"
)
_WORDS = late_patterns.pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[\u3400-\u9fff]+")
_RE = Patterns(__package__, "column_profiles.toml")


@cache
def _word_lists() -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(words.split()) for name, words in toml_in(__package__, "column_profiles.toml")["words"].items()
    }


class ColumnProfile(Struct, frozen=True, kw_only=True):
    """The profile of a result column.

    Attributes:
        role: The kind of its values.
        distinct: Number of different values in the sample.
        is_identifier: Its numbers identify things and are no measure.
        is_computed: Its name is that of a computed column (``count(*)``, ``total``).
        is_additive: Its values may be summed; prices, rates and averages may not.
        has_integers: All its numbers are integers.
    """

    name: str
    index: int
    role: Role
    distinct: int = 0
    present: int = 0
    is_identifier: bool = False
    is_computed: bool = False
    is_additive: bool = True
    has_integers: bool = False


def profile_columns(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[ColumnProfile, ...]:
    """Each column of a result, from its name and its first 2,000 values."""
    sample = rows[:_SAMPLE]
    return tuple(
        _profile_column(name, index, [row[index] for row in sample if index < len(row) and row[index] is not None])
        for index, name in enumerate(columns)
    )


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) != _INFINITE


_INFINITE = float("inf")


def name_words(name: str) -> frozenset[str]:
    """The words of a column's name: ``unitPrice``, ``unit_price`` and ``AVG(UnitPrice)`` all have ``price``."""
    return frozenset(word.lower() for word in _WORDS.findall(name))


def is_of_years(name: str) -> bool:
    """Whether the name of a column mentions years, also inside a function: ``MAX(year)``."""
    return bool(name_words(name) & _word_lists()["year"]) or name.endswith(("年", "年份", "年度"))


def _profile_column(name: str, index: int, values: list[Any]) -> ColumnProfile:
    if not values:
        return ColumnProfile(name=name, index=index, role="empty")
    words = name_words(name)
    distinct = len(set(map(str, values)))
    numbers = all(is_number(value) for value in values)
    role: Role = "number" if numbers else "text"
    integers = numbers and all(float(value).is_integer() for value in values)
    # "number" and "n" are names of things as often as counts; they count only inside a function.
    computed = (
        _word_lists()["made"]
        if "(" in name or name.startswith("number of ")
        else _word_lists()["made"] - {"number", "n"}
    )
    is_computed = bool(words & computed) or _RE.made_zh.search(name) is not None
    if _is_time(name, words, values, integers, is_computed):
        role = "time"
    last = (_WORDS.findall(name) or [""])[-1].lower()
    abbreviated = (
        integers and last.endswith("id") and last not in _word_lists()["no_identifiers"] and distinct == len(values)
    )
    has_identifier_name = (
        last in _word_lists()["identifiers"] or abbreviated or name.endswith(("编号", "号", "号码", "#"))
    )
    identifier = numbers and not is_computed and has_identifier_name
    return ColumnProfile(
        name=name,
        index=index,
        role=role,
        distinct=distinct,
        present=len(values),
        is_identifier=identifier,
        is_computed=is_computed,
        is_additive=not (identifier or words & _word_lists()["means"] or _RE.means_zh.search(name)),
        has_integers=integers,
    )


def _is_time(name: str, words: frozenset[str], values: list[Any], integers: bool, made: bool) -> bool:
    if all(isinstance(value, str) for value in values):
        return all(_DATE.fullmatch(value.strip()) or _is_year_text(value, words, name) for value in values)
    if not integers or made:
        return False
    if words & _word_lists()["year"] or name.endswith(("年", "年份", "年度")):
        return all(1000 <= value <= 2999 for value in values)
    of_time = bool(words & _word_lists()["part_of_time"]) or name.endswith(("月", "月份", "季度", "星期", "小时", "周"))
    return of_time and all(0 <= value <= 366 for value in values)


def _is_year_text(value: str, words: frozenset[str], name: str) -> bool:
    named_so = bool(words & _word_lists()["year"]) or "年" in name
    named_part = bool(words & _word_lists()["part_of_time"]) or name.endswith(("月", "月份", "小时"))
    text = value.strip()
    return text.isdecimal() and ((named_so and len(text) == 4) or (named_part and len(text) <= 2))
