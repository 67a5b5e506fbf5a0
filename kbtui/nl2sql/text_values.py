"""Recognises numbers and dates in text: ``$1,234.50``, ``12 %``, ``2024/3/5`` and ``3月5日``.

A column is recognised if nearly all of its values have the same form, whatever its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from kbtui import late_patterns
from kbtui.nl2sql.date_layouts import layout_of
from kbtui.nl2sql.durations import duration_in
from kbtui.text.units import canonical_units, currencies
from kbtui.text.word_lists import toml_in

Read = TypeVar("Read")

SIZES: Final = {"K": 1e3, "M": 1e6, "B": 1e9}
"""Letters directly behind a number that multiply it: 1.2K."""
MIN_SHARE: Final = 0.9
"""Share of the values that must have the form; the others are placeholders such as ``n/a``."""
_PLACEHOLDERS: Final = frozenset(
    {"", "-", "--", "—", "n/a", "na", "null", "none", "nan", "?", "unknown", "tbd", "无", "未知", "/"}
)
_NUMBER: Final = late_patterns.pattern(
    r"^(?P<sign>[-+−]?)\s*(?P<open>\()?\s*(?P<before>(?:[^\d\s.,()+−-]{1,4}\.?)?)\s*(?P<inner>[-−]?)"
    r"(?P<figures>\d{1,3}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d+)?|\d{1,3}(?:[. \u00a0\u202f]\d{3})+,\d+"
    r"|\d+(?:[.,]\d+)?|\.\d+)(?P<size>(?:[KMB]|k)(?![^\W\d_]))?"
    r"\s*(?P<after>[^\d\s)][^\d)]{0,7}|m[23]|[^\d\s]{0,3}/[^\d\s]{1,3})?\)?$"
)


_YEAR: Final = late_patterns.pattern(r"(?:1[89]|20)\d\d")
_YEAR_SUFFIX: Final = late_patterns.pattern(r"年[建造产成生版份度底初]{0,2}|年度")
"""What may follow a year that is written as such: 2017年建."""


class TextNumber(NamedTuple):
    """The number of a text and its canonical unit: 12 and ``%`` for ``12 %``."""

    value: float
    unit: str


class TextForm(NamedTuple):
    """The form of the texts of a column; for the fields see `ColumnInfo`."""

    encoding: str
    date_format: str = ""
    unit: str = ""
    has_time: bool = False
    low: float | date | None = None
    high: float | date | None = None


def canonical_unit(text: str) -> str:
    """The canonical unit of a text (``USD``, ``hour``, ``%``), see `ColumnInfo.unit`; empty if it is none."""
    return _units().get(text.strip().lower().rstrip("."), "")


@cache
def _units() -> dict[str, str]:
    signs: dict[str, str] = toml_in(__package__, "columns.toml")["units"]["signs"]
    return canonical_units() | signs


@lru_cache(maxsize=20_000)
def number_of(text: str) -> TextNumber | None:
    """The number of a text such as ``$1,234.50``, ``(12.0)``, ``12 %``, ``1,200元``; None for other texts."""
    match = _NUMBER.match(text.strip())
    if match is None:
        return None
    before, after = match["before"].strip(), (match["after"] or "").strip()
    unit = ""
    if _YEAR_SUFFIX.fullmatch(after) and not before and _YEAR.fullmatch(match["figures"]):
        return TextNumber(float(match["figures"]), "")
    for mark in (before, after):
        if mark:
            # A price per piece, as 元/平 or €/m², is in the money that it begins with.
            canonical = canonical_unit(mark) or canonical_unit(mark.partition("/")[0])
            if not canonical:
                return None
            unit = unit or canonical
    if before and canonical_unit(before) not in currencies():
        return None
    value = _parsed_number(match["figures"]) * SIZES.get((match["size"] or "").upper(), 1)
    negative = match["sign"] in ("-", "−") or bool(match["inner"]) or bool(match["open"])
    return TextNumber(-value if negative else value, unit)


def _parsed_number(text: str) -> float:
    text = text.replace("\u00a0", " ").replace("\u202f", " ")
    if re.fullmatch(r"\d{1,3}(?:[. ]\d{3})+,\d+", text):
        text = text.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d+,\d{1,2}", text):
        text = text.replace(",", ".")
    return float(re.sub(r"[,' ]", "", text))


def form_of(values: Iterable[Any]) -> TextForm | None:
    """The form of the values of a column; None if they are plain text.

    Args:
        values: Distinct values, text or integers.
    """
    texts = [text for text in (str(value).strip() for value in values) if text.lower() not in _PLACEHOLDERS]
    if not texts:
        return None
    return _date_form(texts) or _number_form(texts)


def _number_form(texts: Sequence[str]) -> TextForm | None:
    numbers = _read_most(number_of, texts) or _numbers_of_things(texts)
    if not numbers:
        durations = duration_in(texts) if texts[0][0].isdigit() else None
        if durations is None:
            return None
        form, seconds = durations
        return TextForm("number", form, "second", low=min(seconds), high=max(seconds))
    # Leading zeros and long runs of digits are codes: postal codes, phone numbers. Amounts differ in length.
    has_one_form = any(text.startswith("0") for text in texts) or len(set(map(len, texts))) == 1
    if has_one_form and all(re.fullmatch(r"0\d+|\d{7,}", text) for text in texts):
        return None
    units = {number.unit for number in numbers if number.unit}
    values = [number.value for number in numbers]
    return TextForm("number", unit=units.pop() if len(units) == 1 else "", low=min(values), high=max(values))


def _numbers_of_things(texts: Sequence[str]) -> list[TextNumber]:
    """The numbers of texts that all end with one word, whatever it is: ``37 pts``, ``1 pt``."""
    thing = texts[0].lstrip("0123456789.,-+ ")
    if not thing.isalpha():
        return []
    stem = thing.removesuffix("s")
    bare = [text.removesuffix("s").removesuffix(stem) for text in texts]
    return _read_most(number_of, bare) if all(map(str.__ne__, bare, texts)) else []


def _date_form(texts: Sequence[str]) -> TextForm | None:
    layout = layout_of(texts, MIN_SHARE)
    return TextForm("date", layout.format, "", layout.has_time, layout.low, layout.high) if layout else None


def _read_most(read: Callable[[str], Read | None], texts: Sequence[str]) -> list[Read]:
    """What ``read`` returns for texts; empty as soon as it is None for too many of them."""
    results: list[Read] = []
    for index, text in enumerate(texts):
        if (value := read(text)) is not None:
            results.append(value)
        elif len(texts) + len(results) - index - 1 < MIN_SHARE * len(texts):
            return []
    return results


def unix_form(values: Sequence[float]) -> TextForm | None:
    """The format of integers that count seconds (``unix``) or milliseconds (``unix_ms``) since 1970; else None."""
    if not values or any(value != int(value) for value in values):
        return None
    for scale, form in ((1, "unix"), (1000, "unix_ms")):
        # 1990 to 2049: other numbers of ten or thirteen digits hardly lie all in this range.
        if all(631_152_000 <= value / scale < 2_493_072_000 for value in values):
            days = [datetime.fromtimestamp(value / scale, UTC).date() for value in values]
            return TextForm("date", form, has_time=True, low=min(days), high=max(days))
    return None
