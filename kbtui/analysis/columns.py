"""What the columns of a result are good for in a chart: time, number, category; told from their values and names."""

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
_RE = Patterns(__package__, "columns.toml")


@cache
def _known() -> Mapping[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in toml_in(__package__, "columns.toml")["words"].items()}


class Profile(Struct, frozen=True, kw_only=True):
    """One column of a result.

    Attributes:
        role: What its values are.
        distinct: Different values among those looked at.
        identifier: Numbers that name things: they are no measure.
        made: Its name says that it was computed (``count(*)``, ``total``).
        adds_up: Its values may be summed; a price, a rate or an average may not.
        integers: All its numbers are whole.
    """

    name: str
    index: int
    role: Role
    distinct: int = 0
    present: int = 0
    identifier: bool = False
    made: bool = False
    adds_up: bool = True
    integers: bool = False


def profile(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[Profile, ...]:
    """Each column of a result, from its name and its first 2,000 values."""
    sample = rows[:_SAMPLE]
    return tuple(
        _one(name, index, [row[index] for row in sample if index < len(row) and row[index] is not None])
        for index, name in enumerate(columns)
    )


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value and abs(value) != _INFINITE


_INFINITE = float("inf")


def words_of(name: str) -> frozenset[str]:
    """The words of a column's name: ``unitPrice``, ``unit_price`` and ``AVG(UnitPrice)`` all have ``price``."""
    return frozenset(word.lower() for word in _WORDS.findall(name))


def is_of_years(name: str) -> bool:
    """True for a column whose name speaks of years, whatever was made of them: ``MAX(year)``."""
    return bool(words_of(name) & _known()["year"]) or name.endswith(("年", "年份", "年度"))


def _one(name: str, index: int, values: list[Any]) -> Profile:
    if not values:
        return Profile(name=name, index=index, role="empty")
    words = words_of(name)
    distinct = len(set(map(str, values)))
    numbers = all(is_number(value) for value in values)
    role: Role = "number" if numbers else "text"
    integers = numbers and all(float(value).is_integer() for value in values)
    # "number" and "n" name a thing as often as a count: they say something only of what is computed.
    computed = _known()["made"] if "(" in name or name.startswith("number of ") else _known()["made"] - {"number", "n"}
    made = bool(words & computed) or _RE.made_zh.search(name) is not None
    if _is_time(name, words, values, integers, made):
        role = "time"
    last = (_WORDS.findall(name) or [""])[-1].lower()
    abbreviated = (
        integers and last.endswith("id") and last not in _known()["no_identifiers"] and distinct == len(values)
    )
    named_so = last in _known()["identifiers"] or abbreviated or name.endswith(("编号", "号", "号码", "#"))
    identifier = numbers and not made and named_so
    return Profile(
        name=name,
        index=index,
        role=role,
        distinct=distinct,
        present=len(values),
        identifier=identifier,
        made=made,
        adds_up=not (identifier or words & _known()["means"] or _RE.means_zh.search(name)),
        integers=integers,
    )


def _is_time(name: str, words: frozenset[str], values: list[Any], integers: bool, made: bool) -> bool:
    if all(isinstance(value, str) for value in values):
        return all(_DATE.fullmatch(value.strip()) or _is_year_text(value, words, name) for value in values)
    if not integers or made:
        return False
    if words & _known()["year"] or name.endswith(("年", "年份", "年度")):
        return all(1000 <= value <= 2999 for value in values)
    of_time = bool(words & _known()["part_of_time"]) or name.endswith(("月", "月份", "季度", "星期", "小时", "周"))
    return of_time and all(0 <= value <= 366 for value in values)


def _is_year_text(value: str, words: frozenset[str], name: str) -> bool:
    named_so = bool(words & _known()["year"]) or "年" in name
    named_part = bool(words & _known()["part_of_time"]) or name.endswith(("月", "月份", "小时"))
    text = value.strip()
    return text.isdecimal() and ((named_so and len(text) == 4) or (named_part and len(text) <= 2))
