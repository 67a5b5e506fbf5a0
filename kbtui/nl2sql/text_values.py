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
from kbtui.nl2sql.date_formats import OR_ISO
from kbtui.text.calendar import MONTH_NUMBERS
from kbtui.text.units import canonical_units, currencies
from kbtui.text.word_lists import toml_in

Read = TypeVar("Read")

MIN_SHARE: Final = 0.9
"""Share of the values that must have the form; the others are placeholders such as ``n/a``."""
_PLACEHOLDERS: Final = frozenset(
    {"", "-", "--", "—", "n/a", "na", "null", "none", "nan", "?", "unknown", "tbd", "无", "未知", "/"}
)
_NUMBER: Final = late_patterns.pattern(
    r"^(?P<sign>[-+−]?)\s*(?P<open>\()?\s*(?P<before>[^\d\s.,()+−-]{0,4})\s*(?P<inner>[-−]?)"
    r"(?P<figures>\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+(?:[.,]\d+)?|\.\d+)"
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
    value = _parsed_number(match["figures"])
    negative = match["sign"] in ("-", "−") or bool(match["inner"]) or bool(match["open"])
    return TextNumber(-value if negative else value, unit)


def _parsed_number(text: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+", text):
        text = text.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d+,\d{1,2}", text):
        text = text.replace(",", ".")
    return float(re.sub(r"[,' ]", "", text))


# Patterns of dates with their strptime formats; ``%b`` stands for full month names too.
_COMPACT: Final = late_patterns.pattern(
    r"^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$"
)
_TIME: Final = (
    r"(?:,?[ T]+\d{1,2}:\d{2}(?P<seconds>:\d{2}(?P<fraction>\.\d+)?)?"
    r"(?:(?P<noon> ?[AaPp][Mm])| ?(?P<zone>Z|[+-]\d{2}:?\d{2}))?)?"
)
_DATE_FORMS: Final[tuple[tuple[str, str], ...]] = (
    (r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)", ""),
    (r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)", "%Y-%m-%d"),
    (r"(?P<y>\d{4})/(?P<m>\d\d?)/(?P<d>\d\d?)", "%Y/%m/%d"),
    (r"(?P<y>\d{4})\.(?P<m>\d\d?)\.(?P<d>\d\d?)", "%Y.%m.%d"),
    (r"(?P<y>\d{4})年(?P<m>\d\d?)月(?P<d>\d\d?)[日号]", "%Y年%m月%d日"),
    (r"(?P<m>\d\d?)月(?P<d>\d\d?)[日号]", "%m月%d日"),
    (r"(?P<y>\d{4})年(?P<m>\d\d?)月", "%Y年%m月"),
    (r"(?P<d>\d\d?)\.(?P<m>\d\d?)\.(?P<y>\d{4})", "%d.%m.%Y"),
    (r"(?P<a>\d\d?)/(?P<b>\d\d?)/(?P<y>\d{4})", "%a/%b/%Y"),
    (r"(?P<a>\d\d?)-(?P<b>\d\d?)-(?P<y>\d{4})", "%a-%b-%Y"),
    (r"(?P<a>\d\d?)/(?P<b>\d\d?)/(?P<y>\d{2})", "%a/%b/%y"),
    (r"(?P<y>(?:19|20)\d{2})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])", "%Y%m%d"),
    (r"(?P<y>\d{4})[-/](?P<m>0[1-9]|1[0-2])", "%Y-%m"),
    (r"(?P<d>\d\d?)-(?P<mon>[A-Za-z]{3})-(?P<y>\d{4})", "%d-%b-%Y"),
    (r"(?P<d>\d\d?)-(?P<mon>[A-Za-z]{3})-(?P<y>\d{2})", "%d-%b-%y"),
    (r"(?P<d>\d\d?)/(?P<mon>[A-Za-z]{3})/(?P<y>\d{4})", "%d/%b/%Y"),
    (r"(?P<d>\d\d?)/(?P<mon>[A-Za-z]{3})/(?P<y>\d{2})", "%d/%b/%y"),
    (r"(?P<d>\d\d?) (?P<mon>[A-Z][a-z]{2})[a-z]* (?P<y>\d{4})", "%d %b %Y"),
    (r"(?P<d>\d\d?) (?P<mon>[A-Z][a-z]{2})[a-z]*", "%d %b"),
    (r"(?P<mon>[A-Z][a-z]{2})[a-z]* (?P<d>\d\d?), (?P<y>\d{4})", "%b %d, %Y"),
)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((late_patterns.pattern(f"^{pattern}{_TIME}$"), form) for pattern, form in _DATE_FORMS)


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
    numbers = _read_most(number_of, texts)
    if not numbers:
        return None
    # Leading zeros and long runs of digits are codes: postal codes, phone numbers. Amounts differ in length.
    has_one_form = any(text.startswith("0") for text in texts) or len(set(map(len, texts))) == 1
    if has_one_form and all(re.fullmatch(r"0\d+|\d{7,}", text) for text in texts):
        return None
    units = {number.unit for number in numbers if number.unit}
    values = [number.value for number in numbers]
    return TextForm("number", unit=units.pop() if len(units) == 1 else "", low=min(values), high=max(values))


def _date_form(texts: Sequence[str]) -> TextForm | None:
    if _read_most(_COMPACT.match, texts):
        compact_days = [day for day in (_date(text[:4], text[4:6], text[6:8]) for text in texts) if day is not None]
        return (
            TextForm("date", "%Y%m%d%H%M%S", has_time=True, low=min(compact_days), high=max(compact_days))
            if compact_days
            else None
        )
    if not any(mark in texts[0] for mark in "-/.年月 ") and not re.fullmatch(r"\d{8}", texts[0]):
        return None
    for pattern, form in _patterns():
        matches = _read_most(pattern.match, texts)
        if not matches:
            continue
        if form.startswith("%a"):
            oriented = _with_field_order(form, matches)
            if oriented is None:
                continue
            form = oriented
        days = [day for day in (_day(match, form) for match in matches) if day is not None]
        if len(days) < MIN_SHARE * len(matches):
            continue
        has_times = any(":" in match[0] for match in matches)
        if has_times and (form or any(match["noon"] for match in matches)):
            form = f"{form or '%Y-%m-%d'} {_clock_form(matches)}"
        all_midnight = all(
            not re.search(r"[1-9]", match[0].split(":", 1)[0][-2:] + match[0].partition(":")[2]) for match in matches
        )
        return TextForm("date", form, has_time=has_times and not all_midnight, low=min(days), high=max(days))
    return _mixed_date_form(texts)


def _mixed_date_form(texts: Sequence[str]) -> TextForm | None:
    """The form of days that are partly in ISO 8601 and partly in one other form, as logs of two programs have them."""
    matches_by_form: dict[str, list[re.Match[str]]] = {}
    for text in texts:
        for pattern, form in _patterns():
            if match := pattern.match(text):
                matches_by_form.setdefault(form, []).append(match)
                break
    matched = [match for matches in matches_by_form.values() for match in matches]
    if len(matches_by_form) != 2 or "" not in matches_by_form or len(matched) < MIN_SHARE * len(texts):
        return None
    other = next(filter(None, matches_by_form))
    oriented = _with_field_order(other, matches_by_form[other]) if other.startswith("%a") else other
    if oriented is None or any(":" in match[0] for match in matched):
        return None
    days = [
        day
        for key, matches in matches_by_form.items()
        for match in matches
        if (day := _day(match, oriented if key else "")) is not None
    ]
    if len(days) < MIN_SHARE * len(matched):
        return None
    return TextForm("date", oriented + OR_ISO, low=min(days), high=max(days))


def _clock_form(matches: Sequence[re.Match[str]]) -> str:
    """The strptime format of times of day, of which some dates may have none."""
    seconds = ":%S" if any(match["seconds"] for match in matches) else ""
    noon = next((match["noon"] for match in matches if match["noon"]), "")
    return f"%I:%M{seconds}{' ' * noon.startswith(' ')}%p" if noon else f"%H:%M{seconds}"


def _read_most(read: Callable[[str], Read | None], texts: Sequence[str]) -> list[Read]:
    """What ``read`` returns for texts; empty as soon as it is None for too many of them."""
    results: list[Read] = []
    for index, text in enumerate(texts):
        if (value := read(text)) is not None:
            results.append(value)
        elif len(texts) + len(results) - index - 1 < MIN_SHARE * len(texts):
            return []
    return results


def _with_field_order(form: str, matches: Sequence[re.Match[str]]) -> str | None:
    """The format with day or month first: a number above 12 decides, else the number that varies more is the day."""
    first, second = ({int(match[name]) for match in matches} for name in "ab")
    if max(first) > 12 and max(second) > 12:
        return None
    day_first = max(first) > 12 or (max(second) <= 12 and len(first) > len(second))
    return form.replace("%a", "%d").replace("%b", "%m") if day_first else form.replace("%a", "%m").replace("%b", "%d")


def _day(match: re.Match[str], form: str) -> date | None:
    parts = match.groupdict()
    if "a" in parts:
        first, second = int(parts["a"]), int(parts["b"])
        day, month = (first, second) if form.startswith("%d") else (second, first)
    else:
        month = MONTH_NUMBERS.get(parts["mon"].lower(), 0) if "mon" in parts else int(parts["m"])
        day = int(parts.get("d") or 1)
    year = int(parts.get("y") or 2000)
    return _date(year + (2000 if year < 70 else 1900 if year < 100 else 0), month, day)


def _date(year: int | str, month: int | str, day: int | str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


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
