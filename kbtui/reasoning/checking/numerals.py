"""Normalises written numbers: 1,000 = 1000 = one thousand = 1k, 5 % = 5 percent = 百分之五."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from kbtui.text.calendar import MONTH_NUMBERS
from kbtui.text.numbers import NumberSpan, read_numbers, value_of
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import toml_in

_MEASURES: Final = {
    word: name for name, words in toml_in(__package__, "measures.toml").items() for word in words.split()
}
_SIGNS: Final = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yuan"}
_HAN_UNITS: Final = "|".join(
    sorted((word for word in _MEASURES if not word.isascii() and word not in "%$€£°"), key=len, reverse=True)
)
# Text between a number and its unit: the rest of a range, a scale, a sign.
_AFTER: Final = re.compile(
    r"(?:\+|\s?(?:-|–|~|to|or|and|至|到)\s?[$€£]?\d[\d,.]*)?"
    r"(?:[ -](?:hundred|thousand|million|billion|trillion))?"
    rf"[\s-]?(?P<word>[%°]|{_HAN_UNITS}|per cent\b|[A-Za-z]+(?![\w]))?"
)
_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")


def measure(text: str, start: int, end: int) -> str:
    """The unit of the number at ``start`` to ``end`` of a normalised text; ``""`` without a known one."""
    if text.startswith("百分之", max(0, start - 3)) or text.startswith("百分之", start):
        return "percent"
    before = text[max(0, start - 2) : start].rstrip()[-1:]
    if before in _SIGNS:
        return _SIGNS[before]
    match = _AFTER.match(text, end, min(len(text), end + 40))
    word = (match["word"] or "").lower() if match else ""
    if word == "per cent":
        return "percent"
    unit = _MEASURES.get(word, "")
    # 2024年 and 1980s are years, not durations.
    return "" if unit in ("year", "second") and _YEAR.fullmatch(text[start:end]) else unit


_MONTH_NAMES: Final = "|".join(sorted(MONTH_NUMBERS, key=len, reverse=True))
_RE: Final = Patterns(__package__, "numerals.toml", MONTH_NAMES=_MONTH_NAMES)
MONTH: Final = "month"
_POSSIBLE_MONTHS: Final = frozenset(map(str, range(1, 13)))

_FIGURES: Final = frozenset("0123456789.+-−$")
_LARGE: Final = 10**15
_LARGEST: Final = 10**300
_MAX_DIGITS: Final = 40
_CACHE_SIZE: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of a text.

    Attributes:
        start: Offset of its first character in the normalised text.
        end: Offset after the last.
        value: Plain digits: ``1000``, ``0.5``, ``3.11.2``; a time as ``10:00``, a month as ``month 5``.
        text: The number as written.
        spelled: Written in words, which may be style (“two ways”).
    """

    start: int
    end: int
    value: str
    text: str
    spelled: bool = False


def normal(text: str) -> str:
    """Normalise a text for reading numbers (NFKC): full-width forms to ASCII, one kind of space."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=_CACHE_SIZE)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a normalised text (`normal`): digits first, then words and months."""
    spans = read_numbers(text)
    result = [*_in_digits(text, spans), *_in_words(text, spans)]
    # The pattern for months is slow, and most sentences have none.
    if not frozenset(_RE.letters.findall(text.lower())).isdisjoint(MONTH_NUMBERS):
        result += _months(text)
    return tuple(_with_months(text, result))


def _in_digits(text: str, spans: Sequence[NumberSpan]) -> Iterator[Number]:
    zones = {end for _, end, _ in clock_times(text)}
    longer = {span.start: span for span in spans if span.text[-1:].isalpha() and span.kind == "cardinal"}
    for match in _RE.digits.finditer(text):
        if match.start("whole") - 1 in zones and _RE.zone.match(text, match.start("whole") - 1):
            continue
        span = longer.get(match.start())
        year = _year_of_range_end(text, match)
        if span is not None and span.end > match.end():
            # With its scale: 2.5k, 3万5, 1.2 million.
            yield Number(start=span.start, end=span.end, value=_format(abs(span.value)), text=span.text)
        elif year is None:
            yield from _of_digits(match)
        else:
            yield Number(start=match.start("whole"), end=match.end(), value=year, text=match["whole"])


def _in_words(text: str, spans: Sequence[NumberSpan]) -> Iterator[Number]:
    for span in spans:
        if not span.in_words or span.text[0] in _FIGURES or _RE.style.match(text, span.start):
            continue
        start, end, value = span.start, span.end, span.value
        if span.kind == "percent":
            # `measure` reports the unit.
            value, end = value * 100, end - len(found[0] if (found := _RE.percent.search(span.text)) else "")
        elif span.text[0] == "第":
            start += 1
        written = text[start:end]
        is_style = written.isascii() or len(written) == 1
        if span.kind == "fraction":
            # Like 1/3 in digits, a fraction gives two numbers.
            yield Number(start=start, end=end, value=str(value.numerator), text=written, spelled=True)
            value = Fraction(value.denominator)
        yield Number(start=start, end=end, value=_format(abs(value)), text=written, spelled=is_style)


def _months(text: str) -> Iterator[Number]:
    for match in _RE.month.finditer(text):
        name = next(filter(None, match.groups()))
        at = match.start() + match[0].lower().find(name.lower())
        yield Number(start=at, end=at + len(name), value=_month(MONTH_NUMBERS[name.lower()]), text=name)


def _with_months(text: str, all_numbers: list[Number]) -> list[Number]:
    """Convert numbers of months to months (2024-05-07, 5月); in 5/7/2024 either number may be one."""
    roles: dict[int, str] = {}
    for match in _RE.date.finditer(text):
        roles |= {match.start(name): name for name in ("month", "only", "first", "second") if match[name]}
    result = []
    for number in all_numbers:
        role = roles.get(number.start, "")
        is_han = _RE.han_month.match(text, number.end) is not None
        is_possible = number.value in _POSSIBLE_MONTHS
        if number.value.count(".") > 1 and (dotted := _RE.dotted.fullmatch(number.value)):
            date_parts = {str(int(part)) for part in dotted.groups() if part}
            values = date_parts | {_month(int(part)) for part in date_parts & _POSSIBLE_MONTHS}
            result += [replace(number, value=value, spelled=True) for value in sorted(values)]
        if is_possible and (role in ("month", "only") or is_han):
            result.append(replace(number, value=_month(int(number.value))))
        elif is_possible and role in ("first", "second"):
            result += [replace(number, spelled=True), replace(number, value=_month(int(number.value)), spelled=True)]
        else:
            result.append(number)
    return result


def _month(number: int) -> str:
    return f"{MONTH} {number}"


def times(text: str) -> set[str]:
    """Times of day as ``h:mm`` on the 24-hour clock."""
    return {time for _, _, time in clock_times(text)}


@lru_cache(maxsize=_CACHE_SIZE)
def clock_times(text: str) -> tuple[tuple[int, int, str], ...]:
    """Start, end and ``h:mm`` on the 24-hour clock of each time of day."""
    # Only these words and signs mark a digit as an hour.
    return tuple(_clock_times(text)) if _RE.hours.search(text) else ()


def _clock_times(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _RE.clock.finditer(text):
        if match["half"]:
            hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
            yield match.start(), match.end(), f"{hour}:{match['minute'] or '00'}"
        elif match["h24"]:
            yield match.start(), match.end(), f"{int(match['h24'])}:{match['m24']}"
        elif match["part"] or match["hanmin"]:
            value = value_of(match["han"])
            if value is None or value > 24:
                continue
            hour = int(value) + (12 if match["part"] in ("下午", "傍晚", "晚上") and value < 12 else 0)
            written = (match["hanmin"] or "").rstrip("分")
            minute = 30 if written == "半" else int(value_of(written) or 0)
            yield match.start(), match.end(), f"{hour}:{minute:02d}"


def _year_of_range_end(text: str, match: re.Match[str]) -> str | None:
    """The full year for a two-digit end of a range: 2019 for 19 in 2018–19."""
    whole = match["whole"]
    if len(whole) != 2 or match.end() != match.end("whole"):
        return None
    first = _RE.year_before.search(text, max(0, match.start("whole") - 8), match.start("whole"))
    if first is None or int(whole) <= int(first[2]) or _RE.no_span.match(text, match.end()):
        return None
    return first[1] + whole


def _of_digits(match: re.Match[str]) -> Iterator[Number]:
    whole, rest = match["whole"].replace(",", ""), match["rest"]
    if len(whole) > _MAX_DIGITS or len(rest) > _MAX_DIGITS:
        return
    # A final zero counts in a version (3.10) but not in an amount; the type is unknown, so the value keeps it.
    value = whole + rest if rest.count(".") > 1 else whole.lstrip("0").rjust(1, "0") + rest
    if not rest and len(whole) > 15:
        value = whole
    yield Number(start=match.start(), end=match.end(), value=value, text=match[0])
    if rest.count(".") == 1:
        trimmed = _format(Fraction(whole + rest))
        if trimmed != value:
            yield Number(start=match.start(), end=match.end(), value=trimmed, text=match[0], spelled=True)


def _format(value: Fraction) -> str:
    if value.denominator == 1 and abs(value) < _LARGE:
        return str(value.numerator)
    return f"{float(value):.12g}" if abs(value) < _LARGEST else str(value.numerator)[:_MAX_DIGITS]
