"""Recognises how the dates of a text column are written, as a strptime format.

A few texts are taken apart into numbers, month names, weekdays and separators, which gives the format of their day; a
pattern made of that format then reads the whole column. Besides the fields of strptime a format may have ``%o`` for the
suffix of an ordinal (5th), ``%Z`` for any time zone, and ``%a`` for a weekday in English or Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from kbtui import late_patterns
from kbtui.nl2sql.date_formats import FIELD, OR_ISO
from kbtui.text.calendar import MONTH_NUMBERS

WEEKDAY: Final = r"(?:星期|周|礼拜)[一二三四五六日天]|(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:day)?"
"""A weekday in English or Chinese, for regular expressions of Python and of databases, some without lookaheads."""
_MAX_LENGTH: Final = 48
_TRIED: Final = 4
"""Texts of a column whose formats are tried."""
_ISO: Final = "%Y-%m-%d"
_CLOCK: Final = late_patterns.pattern(
    r"(?P<lead>,?[ T]+(?:at +)?|(?<=[日号]))"
    r"(?P<clock>\d{1,2}:\d{2}(?P<seconds>:\d{2}(?P<fraction>\.\d+)?)?|\d{1,2}[时点](?P<han>\d{1,2})分(?:\d{1,2}秒)?)"
    r"(?P<noon> ?[AaPp]\.?[Mm]\b\.?)?(?P<zone> ?(?:Z|UTC|GMT|[A-Z]{3,4}|[+-]\d{2}:?\d{2}))?$"
)
_STRICT_CLOCK: Final = late_patterns.pattern(r"[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$")
"""A time of day as SQLite and DuckDB read it after a day in ISO 8601."""
_PART: Final = late_patterns.pattern(
    rf"(?P<number>\d+)|(?P<weekday>(?:{WEEKDAY})(?![A-Za-z]))|(?P<word>[A-Za-z]+)\.?"
    r"|(?P<han>[年月日号])|(?P<separator>[-/., ()]+)|."
)
_COMPACT_DAY: Final = late_patterns.pattern(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_COMPACT_TIME: Final = late_patterns.pattern(f"(?P<day>{_COMPACT_DAY.pattern})(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d")
_HAN_FIELDS: Final = {"年": "Y", "月": "m", "日": "d", "号": "d"}
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th"})
_UNKNOWN: Final = "123"
"""Fields for the numbers of a day whose order only the column tells."""
_GROUPS: Final = {
    "Y": r"(?P<Y>\d{4})",
    "y": r"(?P<y>\d\d)",
    "m": r"(?P<m>\d\d?)",
    "d": r"(?P<d>\d\d?)",
    "b": r"(?P<b>[A-Za-z]{3,9})\.?",
    "a": f"(?:{WEEKDAY})",
    "o": "(?:st|nd|rd|th)",
    **{field: rf"(?P<n{field}>\d\d?)" for field in _UNKNOWN},
}


class DateLayout(NamedTuple):
    """How a column writes its dates.

    Attributes:
        format: strptime format; empty for ISO 8601 as databases read it themselves.
        has_time: Whether some have a time of day other than midnight.
    """

    format: str
    has_time: bool
    low: date
    high: date


def layout_of(texts: Sequence[str], min_share: float) -> DateLayout | None:
    """The layout of the dates that a column holds; None if too few of its texts are dates in one layout.

    Args:
        texts: Distinct texts without blanks around them.
        min_share: Share of the texts that must be in the layout.
    """
    if _COMPACT_TIME.fullmatch(texts[0]):
        return _compact_layout(texts, min_share)
    for form in dict.fromkeys(filter(None, map(_day_format, texts[:_TRIED]))):
        layout = _layout_in(form, texts, min_share)
        if layout is not None:
            return layout
    return _mixed_layout(texts, min_share)


def _compact_layout(texts: Sequence[str], min_share: float) -> DateLayout | None:
    """Timestamps of fourteen digits."""
    matches = [match for match in map(_COMPACT_TIME.fullmatch, texts) if match is not None]
    days = [day for day in (_valid_day(*_split_compact(match["day"])) for match in matches) if day is not None]
    if len(days) < min_share * len(texts):
        return None
    return DateLayout("%Y%m%d%H%M%S", True, min(days), max(days))


def _split_compact(day: str) -> tuple[int, int, int]:
    return int(day[:4]), int(day[4:6]), int(day[6:])


def _layout_in(form: str, texts: Sequence[str], min_share: float) -> DateLayout | None:
    matches = _matches(form, texts, min_share)
    ordered = _with_field_order(form, matches)
    days = [day for day in (_day(match, ordered) for match in matches) if day is not None]
    if not days or len(days) < min_share * len(matches):
        return None
    clocks = [match for match in matches if match["lead"] is not None]
    is_strict = ordered == _ISO and all(_is_strict_iso(match) for match in matches)
    format_ = "" if is_strict else ordered + (_clock_format(clocks) if clocks else "")
    has_time = any(re.search(r"[1-9]", match["lead"] + match["clock"]) for match in clocks)
    return DateLayout(format_, has_time, min(days), max(days))


def _matches(form: str, texts: Sequence[str], min_share: float) -> list[re.Match[str]]:
    """The texts in a format of days; empty as soon as too many of them are not."""
    pattern = _pattern_of(form)
    matches: list[re.Match[str]] = []
    for index, text in enumerate(texts):
        if (match := pattern.match(text)) is not None:
            matches.append(match)
        elif len(texts) + len(matches) - index - 1 < min_share * len(texts):
            return []
    return matches


def _mixed_layout(texts: Sequence[str], min_share: float) -> DateLayout | None:
    """Days that are partly in ISO 8601 and partly in one other format, as logs of two programs have them."""
    iso = [match for match in map(_pattern_of(_ISO).match, texts) if match is not None]
    rest = [text for text in texts if _pattern_of(_ISO).match(text) is None]
    form = _day_format(rest[0]) if iso and rest else None
    if form is None or form == _ISO:
        return None
    # Of two layouts together as many may be anything else as of one.
    others = _matches(form, rest, 1 - (1 - min_share) * len(texts) / len(rest))
    ordered = _with_field_order(form, others)
    days = [day for day in (*(_day(match, _ISO) for match in iso), *(_day(match, ordered) for match in others)) if day]
    if not others or any(match["lead"] for match in (*iso, *others)) or len(days) < min_share * len(texts):
        return None
    return DateLayout(ordered + OR_ISO, False, min(days), max(days))


@lru_cache(maxsize=2_000)
def _day_format(text: str) -> str | None:
    """The format of the day in a text that is a date, perhaps with a time of day."""
    if len(text) > _MAX_LENGTH or not any(map(str.isdigit, text)):
        return None
    clock = _CLOCK.search(text)
    parts: list[str] = []
    numbers: list[tuple[int, str]] = []
    for part in _PART.finditer(text, 0, clock.start() if clock else len(text)):
        field = _field_of(part, numbers[-1][1] if numbers and numbers[-1][0] == len(parts) - 1 else "")
        if field is None:
            return None
        if field in ("Y", "m", "d") and part["han"]:
            if not numbers or numbers[-1][0] != len(parts) - 1:
                return None
            parts[numbers.pop()[0]] = f"%{field}"
            field = part["han"]
        elif field == "number":
            numbers.append((len(parts), part[0]))
        parts.append(f"%{field}" if field in ("a", "b", "o") else field)
    return _with_numbers(parts, numbers)


def _field_of(part: re.Match[str], number: str) -> str | None:
    """The field or the literal text that a part stands for; None if it is not of a date.

    Args:
        number: The number directly before it.
    """
    if part["word"]:
        word = part["word"].lower()
        if word in MONTH_NUMBERS:
            return "b"
        return "o" if number and word in _ORDINALS else None
    if part["han"]:
        return _HAN_FIELDS[part["han"]]
    if part["separator"]:
        return part["separator"]
    return "number" if part["number"] else "a" if part["weekday"] else None


def _with_numbers(parts: list[str], numbers: Sequence[tuple[int, str]]) -> str | None:
    """The format, with a field for each number that no mark names; None if they are no day."""
    lengths = [len(text) for _, text in numbers]
    between = {"".join(parts[at + 1 : after]) for (at, _), (after, _) in pairwise(numbers)}
    named = "%b" in parts
    marked = any(part in ("%Y", "%m", "%d") for part in parts)
    fields = "" if marked else _fields_beside_month(parts, lengths) if named else _fields_of(numbers, lengths, between)
    if fields is None or len(fields) != len(numbers) or (marked and named) or (fields == "c" and len(parts) > 1):
        return None
    for (at, _), field in zip(numbers, fields, strict=True):
        parts[at] = "%Y%m%d" if field == "c" else f"%{field}"
    form = "".join(parts)
    # A period, such as Jan 5 - Feb 7, has some fields twice.
    return form if len(set(FIELD.findall(form))) == len(FIELD.findall(form)) else None


def _fields_beside_month(parts: Sequence[str], lengths: Sequence[int]) -> str | None:
    """The fields of the numbers beside the name of a month."""
    if lengths == [4]:
        return "Y"
    if len(lengths) == 1 and lengths[0] <= 2:
        after_dash = len(parts) == 3 and parts[0] == "%b" and parts[1] == "-"
        return "y" if after_dash else "d"
    if len(lengths) != 2 or min(lengths) > 2 or max(lengths) not in (1, 2, 4):
        return None
    if lengths[0] == 4:
        return "Yd"
    return "dY" if lengths[1] == 4 else "dy" if lengths[1] == 2 else None


def _fields_of(numbers: Sequence[tuple[int, str]], lengths: Sequence[int], between: set[str]) -> str | None:
    """The fields of numbers alone, by their lengths and what separates them."""
    separator = next(iter(between), "")
    if len(numbers) == 1:
        return "c" if _COMPACT_DAY.fullmatch(numbers[0][1]) else None
    if len(between) > 1 or separator not in ("-", "/", ".", ""):
        return None
    if len(numbers) == 2 and separator in ("-", "/"):
        return {(4, 2): "Ym", (2, 4): "mY"}.get((lengths[0], lengths[1]))
    if len(numbers) != 3 or any(length > 2 for length in lengths if length != 4):
        return None
    if lengths[0] == 4:
        return "Ymd" if 4 not in lengths[1:] else None
    if separator == ".":
        return "dmY" if lengths[2] == 4 else "dmy" if lengths == [2, 2, 2] else None
    return "12Y" if lengths[2] == 4 else _UNKNOWN if lengths[2] == 2 and 4 not in lengths else None


@lru_cache(maxsize=200)
def _pattern_of(form: str) -> re.Pattern[str]:
    """A pattern for texts with a day in the format and perhaps a time of day; a group for each field."""
    day = ""
    end = 0
    for field in FIELD.finditer(form):
        day += re.escape(form[end : field.start()]) + _GROUPS[field[1]]
        end = field.end()
    clock = _CLOCK.pattern
    return late_patterns.pattern(f"^{day}{re.escape(form[end:])}(?:{clock[:-1]})?$")


def _with_field_order(form: str, matches: Sequence[re.Match[str]]) -> str:
    """The format with a field for each number whose order only the column tells.

    A number above 12 is a day or a year, and the year is the number that varies least, the day the one that varies
    most; where they vary alike the year is first in 24-03-05 and last in 3/5/24, and the month before the day.
    """
    unknown = [field for field in _UNKNOWN if f"%{field}" in form]
    if not unknown or not matches:
        return form
    values = {field: {int(match[f"n{field}"]) for match in matches} for field in unknown}
    orders: tuple[str, ...] = ("ymd", "mdy", "dmy") if len(unknown) == 3 else ("md", "dm")
    if "-" not in form:
        orders = tuple(sorted(orders, key=lambda order: order[0] == "y"))
    limits = {"y": 99, "m": 12, "d": 31}

    def misfit(order: str) -> tuple[bool, int]:
        fields = list(zip(unknown, order, strict=True))
        beyond = any(max(values[number]) > limits[field] for number, field in fields)
        variety = {field: len(values[number]) for number, field in fields}
        disorder = (variety["m"] > variety["d"]) + 2 * (variety.get("y", 0) > min(variety["m"], variety["d"]))
        return beyond, disorder

    best = min(orders, key=misfit)
    for number, field in zip(unknown, best, strict=True):
        form = form.replace(f"%{number}", f"%{field}")
    return form


def _day(match: re.Match[str], form: str) -> date | None:
    """The day of a text, by the format that the column was found to have."""
    groups = match.groupdict()
    numbered = [group for group in ("n1", "n2", "n3") if group in groups]
    if numbered:
        fields = [field for field in FIELD.findall(form) if field in "ymd"]
        groups |= {field: groups[number] for field, number in zip(fields, numbered, strict=True)}
    month = MONTH_NUMBERS.get(groups["b"].lower(), 0) if "b" in groups else int(groups.get("m") or 1)
    year = int(groups.get("Y") or 2000)
    if "y" in groups:
        year = int(groups["y"]) + (2000 if int(groups["y"]) < 70 else 1900)
    return _valid_day(year, month, int(groups.get("d") or 1))


def _valid_day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _is_strict_iso(match: re.Match[str]) -> bool:
    """Whether databases read a text as ISO 8601 themselves, and as the day that is written."""
    if len(match["m"]) + len(match["d"]) != 4:
        return False
    return match["lead"] is None or _STRICT_CLOCK.match(match[0], match.start("lead")) is not None


def _clock_format(matches: Sequence[re.Match[str]]) -> str:
    """The format of times of day with what is before them; some dates of the column may have none."""
    first = matches[0]
    noon = next((match["noon"] for match in matches if match["noon"]), "")
    hour = "%I" if noon else "%H"
    if first["han"]:
        mark = first[0][first.start("han") - 1]
        return f"{first['lead']}{hour}{mark}%M分"
    seconds = ":%S" if any(match["seconds"] for match in matches) else ""
    fraction = ".%f" if any(match["fraction"] for match in matches) else ""
    zone = next((match["zone"] for match in matches if match["zone"]), "")
    half = " %p" if noon.startswith(" ") else "%p" if noon else ""
    return f"{first['lead']}{hour}:%M{seconds}{fraction}{half}{'%Z' if zone else ''}"
