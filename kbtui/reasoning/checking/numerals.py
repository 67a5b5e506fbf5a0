"""Numbers as people write them, as one value: 1,000 = 1000 = one thousand = 1k, 5 % = 5 percent = 百分之五."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

_SMALL: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ROUND: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_NTH: Final = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth seventeenth eighteenth nineteenth twentieth
"""
_MONTHS: Final = """
january,jan february,feb march,mar april,apr may june,jun july,jul august,aug september,sept,sep october,oct
november,nov december,dec
"""
_UNITS: Final = {word: value for value, word in enumerate(_SMALL.split())}
_TENS: Final = {word: 10 * value for value, word in enumerate(_ROUND.split(), start=2)}
_ORDINALS: Final = {word: value for value, word in enumerate(_NTH.split(), start=1)}
_TIMES: Final = {"once": 1, "twice": 2, "thrice": 3, "dozen": 12, "half": 0.5, "double": 2, "triple": 3}
_SCALES: Final = {
    "hundred": 1e2, "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9,
    "trillion": 1e12, "tn": 1e12, "十": 10, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8, "萬": 1e4, "億": 1e8,
}  # fmt: skip
_WORD: Final = "|".join(sorted({*_UNITS, *_TENS}, key=len, reverse=True))
_LETTERS: Final = re.compile(r"[a-z]+")
_NUMBER_WORDS: Final = frozenset([*_UNITS, *_TENS, *_ORDINALS, *_TIMES])
_SPELLED: Final = re.compile(
    rf"\b(?:(?:{_WORD})(?:(?: - |[ -])(?:{_WORD}|hundred|thousand|million|billion|and(?= (?:{_WORD})\b)))*"
    # Twenty-third is one number; one-third is two.
    r"(?:(?<=ty)[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))?"
    rf"|{'|'.join([*_ORDINALS, *_TIMES])})\b",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(
    r"(?<![A-Za-z0-9_.])(?P<sign>[-+−](?=\d))?(?P<whole>\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?P<rest>(?:\.\d+)*)"
    r"(?:[ \u00a0]?(?P<scale>hundred|thousand|million|billion|trillion|bn|mn|tn)\b|(?P<letter>[kKMB])(?![A-Za-z])"
    r"|[ ]?(?P<han>[十百千万亿萬億]+))?"
    r"(?P<suffix>st|nd|rd|th)?(?![\d])"
)
_INNER: Final = re.compile(r"\d+(?:\.\d+)*")
_HAN_DIGIT: Final = dict(zip("零〇一二两三四五六七八九", (0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)) | {"兩": 2}
_HAN: Final = re.compile(r"[零〇一二两兩三四五六七八九十百千万亿萬億]+(?:点[零〇一二三四五六七八九]+)?")
_HAN_NO_NUMBER: Final = re.compile(
    r"一(?:个|些|下|样|般|直|定|起|旦|致|切|种|边|方|面|次|律|并|同|再|共|体|步|半|点|位|名|家|条|项|份)|统一|唯一|之一|万一|其一|十分(?!钟)"
    r"|千万|百姓|三方|九州|第一|一一|四周|万能|三角"
)
_PERCENT_HAN: Final = re.compile(r"百分之([零〇一二两三四五六七八九十百\d.]+(?:点[零〇一二三四五六七八九]+)?)")
MONTHS: Final = {name: value for value, names in enumerate(_MONTHS.split(), start=1) for name in names.split(",")}
_MONTH_NAMES: Final = "|".join(sorted(MONTHS, key=len, reverse=True))
_MONTH: Final = re.compile(
    rf"\b(?P<name>{_MONTH_NAMES})\b\.?(?=,? \d)|(?<=\d )(?P<after>{_MONTH_NAMES})\b|(?<=(?:st|nd|rd|th) )(?P<nth>"
    rf"{_MONTH_NAMES})\b|(?<=\d-)(?P<dash>{_MONTH_NAMES})(?=-\d)"
    rf"|\b(?:in|since|by|until|till|of|early|late|mid|last|next|this|every|from|to|through|during) "
    rf"(?P<alone>{_MONTH_NAMES})\b"
    # With a capital these are months wherever they stand, but for people (“June Carter”).
    r"|\b(?P<capital>(?-i:January|February|April|June|July|August|September|October|November|December))\b"
    r"(?!(?-i:,? [A-Z]))",
    re.IGNORECASE,
)
MONTH: Final = "month"
_POSSIBLE_MONTHS: Final = frozenset(map(str, range(1, 13)))
_HAN_MONTH: Final = re.compile(" ?月")
_DATE: Final = re.compile(
    r"(?<![\d.,/-])(?:\d{4}(?P<sign>[-/])(?P<month>\d{1,2})(?P=sign)\d{1,2}|\d{4}[-/](?P<only>\d\d)"
    r"|(?P<first>\d{1,2})(?P<other>[-/])(?P<second>\d{1,2})(?P=other)\d{4})(?!\d|[-/.]\d)"
)
_DOTTED: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})|(\d{4})\.(\d{1,2})\.(\d{1,2})")
_YEAR_BEFORE: Final = re.compile(r"(?<!\d)(1[5-9]|20)(\d\d) ?[-–—/] ?\Z")
_NO_SPAN: Final = re.compile(r"[-–—/.]\d")
_CLOCK: Final = re.compile(
    r"(?<![\d:.])(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d)(?![\d:]))?\s?(?P<half>[ap])\.?m\b\.?"
    # Seconds and their parts are not compared.
    r"|(?<![\d:.])(?P<h24>[01]?\d|2[0-4]):(?P<m24>[0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?![\d:])"
    r"|(?P<part>凌晨|早上|上午|中午|下午|傍晚|晚上|夜里)?(?P<han>[\d]{1,2}|[一二两三四五六七八九十]{1,3})[点时](?P<hanmin>半|[\d]{1,2}分|[一二三四五六七八九十]{1,3}分|整)?(?!钟[内以]|间|候|代|效|长)",
    re.IGNORECASE,
)
_HOURS: Final = re.compile(r":[0-5]|[\d\s][ap]\.?m|[点时]", re.IGNORECASE)
_ZONE: Final = re.compile(r"[+-]\d\d:?\d\d\b")
"""Behind a time: no number that anybody writes about."""

_LONGEST: Final = 40
_REMEMBERED: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """One number of a text.

    Attributes:
        start: Offset of its first character in the normalised text.
        end: Offset after the last.
        value: In plain digits: ``1000``, ``0.5``, ``3.11.2``; a time as ``10:00``; a month as ``month 5``, which is
            not the fifth of one.
        text: As written.
        spelled: In words, which may be style (“two ways”) where digits are not.
    """

    start: int
    end: int
    value: str
    text: str
    spelled: bool = False


def normal(text: str) -> str:
    """The text as numbers are looked for in it: full-width forms as ASCII, one kind of space."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


@lru_cache(maxsize=_REMEMBERED)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a normalised text (`normal`), digits first, then words, months and Han numerals."""
    # Looking for words is slow, and most sentences hold none of them.
    words = frozenset(_LETTERS.findall(text.lower()))
    found = list(_in_digits(text))
    if not words.isdisjoint(_NUMBER_WORDS):
        found += _in_words(text)
    if not words.isdisjoint(MONTHS):
        found += _months(text)
    if not text.isascii():
        found += _han(text)
    return tuple(_with_months(text, found))


def _in_digits(text: str) -> Iterator[Number]:
    zones = {end for _, end, _ in clock_times(text)}
    for match in _DIGITS.finditer(text):
        if match.start("whole") - 1 in zones and _ZONE.match(text, match.start("whole") - 1):
            continue
        year = _end_of_span(text, match)
        if year is None:
            yield from _of_digits(match)
        else:
            yield Number(start=match.start("whole"), end=match.end(), value=year, text=match["whole"])


def _in_words(text: str) -> Iterator[Number]:
    for match in _SPELLED.finditer(text):
        value = spelled_value(match[0])
        if value is not None:
            yield Number(start=match.start(), end=match.end(), value=_shown(value), text=match[0], spelled=True)


def _months(text: str) -> Iterator[Number]:
    for match in _MONTH.finditer(text):
        name = next(filter(None, match.groups()))
        at = match.start() + match[0].lower().find(name.lower())
        yield Number(start=at, end=at + len(name), value=_month(MONTHS[name.lower()]), text=name)


def _with_months(text: str, found: list[Number]) -> list[Number]:
    """Those of them that number a month, as months: 2024-05-07, 5月. Of 5/7/2024 either may be one."""
    parts: dict[int, str] = {}
    for match in _DATE.finditer(text):
        parts |= {match.start(name): name for name in ("month", "only", "first", "second") if match[name]}
    moved = []
    for number in found:
        role = parts.get(number.start, "")
        is_han = _HAN_MONTH.match(text, number.end) is not None
        is_possible = number.value in _POSSIBLE_MONTHS
        if number.value.count(".") > 1 and (dotted := _DOTTED.fullmatch(number.value)):
            parted = {str(int(part)) for part in dotted.groups() if part}
            values = parted | {_month(int(part)) for part in parted & _POSSIBLE_MONTHS}
            moved += [replace(number, value=value, spelled=True) for value in sorted(values)]
        if is_possible and (role in ("month", "only") or is_han):
            moved.append(replace(number, value=_month(int(number.value))))
        elif is_possible and role in ("first", "second"):
            moved += [replace(number, spelled=True), replace(number, value=_month(int(number.value)), spelled=True)]
        else:
            moved.append(number)
    return moved


def _month(number: int) -> str:
    return f"{MONTH} {number}"


def times(text: str) -> set[str]:
    """Times of day as ``h:mm`` on the clock of 24 hours."""
    return {time for _, _, time in clock_times(text)}


@lru_cache(maxsize=_REMEMBERED)
def clock_times(text: str) -> tuple[tuple[int, int, str], ...]:
    """Where each time of day stands, and the time as ``h:mm`` on the clock of 24 hours."""
    # Nothing else says what a digit is the hour of.
    return tuple(_clock_times(text)) if _HOURS.search(text) else ()


def _clock_times(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _CLOCK.finditer(text):
        if match["half"]:
            hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
            yield match.start(), match.end(), f"{hour}:{match['minute'] or '00'}"
        elif match["h24"]:
            yield match.start(), match.end(), f"{int(match['h24'])}:{match['m24']}"
        elif match["part"] or match["hanmin"]:
            value = han_value(match["han"]) if not match["han"].isdigit() else float(match["han"])
            if value is None or value > 24:
                continue
            hour = int(value) + (12 if match["part"] in ("下午", "傍晚", "晚上") and value < 12 else 0)
            written = (match["hanmin"] or "").rstrip("分")
            minute = 30 if written == "半" else int(written) if written.isdigit() else int(han_value(written) or 0)
            yield match.start(), match.end(), f"{hour}:{minute:02d}"


def spelled_value(written: str) -> float | None:
    """The value of English number words; None when they are none."""
    total = current = 0.0
    for word in re.split(r"[ -]+", written.lower()):
        if word in _UNITS:
            current += _UNITS[word]
        elif word in _TENS:
            current += _TENS[word]
        elif word in _ORDINALS:
            current += _ORDINALS[word]
        elif word in _TIMES:
            current += _TIMES[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total += (current or 1) * _SCALES[word]
            current = 0.0
        elif word != "and":
            return None
    return total + current


def han_value(written: str) -> float | None:
    """The value of a Chinese numeral (三千五百, 两, 二〇二四, 三点五); None when it is none."""
    if not written or len(written) > _LONGEST:
        return None
    whole, _, fraction = written.partition("点")
    if len(whole) > 1 and all(character in _HAN_DIGIT for character in whole):
        value: float = int("".join(str(_HAN_DIGIT[character]) for character in whole))
    else:
        total = section = digit = 0.0
        for character in whole:
            if character in _HAN_DIGIT:
                digit = _HAN_DIGIT[character]
            elif character in _SCALES:
                scale = _SCALES[character]
                if scale >= 1e4:
                    total = (total + section + digit) * scale
                    section = 0.0
                else:
                    section += (digit or 1) * scale
                digit = 0.0
            else:
                return None
        value = total + section + digit
    if fraction:
        value += float("0." + "".join(str(_HAN_DIGIT[character]) for character in fraction))
    return value


def _end_of_span(text: str, match: re.Match[str]) -> str | None:
    """The year that the end of a span is short for: 19 in 2018–19."""
    whole = match["whole"]
    if len(whole) != 2 or match.end() != match.end("whole"):
        return None
    first = _YEAR_BEFORE.search(text, max(0, match.start("whole") - 8), match.start("whole"))
    if first is None or int(whole) <= int(first[2]) or _NO_SPAN.match(text, match.end()):
        return None
    return first[1] + whole


def _of_digits(match: re.Match[str]) -> Iterator[Number]:
    whole, rest = match["whole"].replace(",", ""), match["rest"]
    if len(whole) > _LONGEST or len(rest) > _LONGEST:
        return
    scale = match["scale"] or match["letter"] or match["han"]
    if rest.count(".") > 1:
        value = whole + rest
    else:
        amount = float(whole + rest)
        for character in (match["han"] or "") if scale == match["han"] else ():
            amount *= _SCALES[character]
        if scale and scale != match["han"]:
            amount *= _SCALES[scale.lower()]
        # Of a version 3.10 the nought counts; of an amount it does not. Without knowing which, the written form stays.
        value = _shown(amount) if scale or not rest else whole.lstrip("0").rjust(1, "0") + rest
        if not scale and not rest and len(whole) > 15:
            value = whole
    yield Number(start=match.start(), end=match.end(), value=value, text=match[0])
    if rest.count(".") == 1 and not scale:
        trimmed = _shown(float(whole + rest))
        if trimmed != value:
            yield Number(start=match.start(), end=match.end(), value=trimmed, text=match[0], spelled=True)


def _han(text: str) -> Iterator[Number]:
    taken: list[tuple[int, int]] = []
    for match in _PERCENT_HAN.finditer(text):
        value = float(match[1]) if _INNER.fullmatch(match[1]) and match[1].count(".") < 2 else han_value(match[1])
        taken.append(match.span())
        if value is not None:
            yield Number(start=match.start(), end=match.end(), value=_shown(value), text=match[0])
    idle = [match.span() for match in _HAN_NO_NUMBER.finditer(text)]
    for match in _HAN.finditer(text):
        if any(start <= match.start() < end for start, end in taken):
            continue
        # 一 in 一个 or 统一 is a word, not a number; longer numerals around it are one.
        if len(match[0]) == 1 and any(start <= match.start() < end for start, end in idle):
            continue
        if match.start() and text[match.start() - 1].isdigit():
            continue
        value = han_value(match[0])
        if value is not None and match[0] not in "万亿千百萬億":
            yield Number(
                start=match.start(), end=match.end(), value=_shown(value), text=match[0], spelled=len(match[0]) == 1
            )


def _shown(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.12g}"
