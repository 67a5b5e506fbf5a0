"""Numbers written in words, English and Chinese, turned into digits where they stand: ``two hundred``, ``三百二十``.

The readers of sums, units and dates then only know digits. Nothing is decided here: a text that is no sum stays none.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

_SMALL: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen
"""
_ROUND: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES: Final = {word: value for value, word in enumerate(_SMALL.split())}
_TENS: Final = {word: value * 10 for value, word in enumerate(_ROUND.split(), start=2)} | {"fourty": 40}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_WORD = "|".join(sorted((*_ONES, *_TENS, *_SCALES), key=len, reverse=True))
_ENGLISH = re.compile(
    rf"(?<![\w.-])(?:an?[ ](?=(?:{'|'.join(_SCALES)})\b))?(?:\d[\d,]*(?:\.\d+)?[ ](?=(?:{'|'.join(_SCALES)})\b))?"
    rf"(?:{_WORD})\b(?:(?:[ -]|[ ]and[ ](?!(?:{'|'.join(_SCALES)})\b))(?:{_WORD})\b)*"
)

_LONGEST: Final = 30
"""Characters of a number that somebody means; each 亿 is eight digits more."""

_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_GROUPS = {"万": 10**4, "亿": 10**8}
_CHINESE = re.compile(
    r"\d[\d,]*(?:\.\d+)?[百千万亿]+|[零〇一二三四五六七八九十百千万亿两]+(?:点[零〇一二三四五六七八九]+)?"
)


def in_digits(text: str) -> str:
    """``text`` (lower case, simplified) with every number in words written in digits."""
    text = _CHINESE.sub(_chinese_digits, text) if not text.isascii() else text
    return _ENGLISH.sub(_english_digits, text)


def english_number(words: str) -> Fraction | None:
    """The value of ``two hundred and five``; None where the words make no one number (``one two``)."""
    total, group, smallest = Fraction(0), Fraction(0), Fraction(10**15)
    last = ""
    for word in re.findall(r"[a-z]+|\d[\d,]*(?:\.\d+)?", words):
        if word in ("and", "a", "an"):
            continue
        if word[0].isdigit():
            group, last = Fraction(word.replace(",", "")), "digits"
        elif word in _ONES:
            if last == "ones" or (last == "tens" and not 0 < _ONES[word] < 10):
                return None
            group, last = group + _ONES[word], "ones"
        elif word in _TENS:
            if last in ("ones", "tens"):
                return None
            group, last = group + _TENS[word], "tens"
        elif word == "hundred":
            group, last = (group or Fraction(1)) * 100, "hundred"
        else:
            if _SCALES[word] >= smallest:
                return None
            smallest = Fraction(_SCALES[word])
            total, group, last = total + (group or Fraction(1)) * smallest, Fraction(0), "scale"
    return total + group


def chinese_number(written: str) -> Fraction | None:
    """The value of ``三百二十``, ``两万五``, ``3万``, ``二〇二六`` or ``三点一四``; None where there is none."""
    if len(written) > _LONGEST:
        return None
    whole, _, decimals = written.partition("点")
    if decimals:
        value = chinese_number(whole)
        digits = "".join(str(_DIGITS[character]) for character in decimals)
        return None if value is None else value + Fraction(int(digits), 10 ** len(digits))
    if mixed := re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)([百千万亿]+)", written):
        value = Fraction(mixed[1].replace(",", ""))
        for character in mixed[2]:
            value *= _PLACES.get(character) or _GROUPS[character]
        return value
    if len(written) > 1 and all(character in _DIGITS for character in written):
        return None if "两" in written else Fraction(int("".join(str(_DIGITS[c]) for c in written)))
    total = group = digit = 0
    unit, seen_zero, seen_digit = 1, False, False
    for character in written:
        if character in _DIGITS:
            if seen_digit and not seen_zero:
                return None
            digit, seen_digit, seen_zero = _DIGITS[character], True, character in "零〇"
        elif character in _PLACES:
            group += (digit if seen_digit and digit else 1) * _PLACES[character]
            digit, seen_digit, seen_zero, unit = 0, False, False, _PLACES[character]
        else:
            total = (total + group + digit) * _GROUPS[character] if total + group + digit else _GROUPS[character]
            group, digit, seen_digit, seen_zero, unit = 0, 0, False, False, _GROUPS[character]
    if seen_digit and unit > 10 and digit and "零" not in written[-2:] and "〇" not in written[-2:]:
        digit *= unit // 10
    return Fraction(total + group + digit)


def _english_digits(match: re.Match[str]) -> str:
    value = english_number(match[0])
    if value is None:
        # "twelve and twelve" are two numbers.
        parts = re.split(r"([ ]and[ ]|[ ])", match[0])
        return "".join(part if at % 2 else _written(english_number(part), part) for at, part in enumerate(parts))
    return _written(value, match[0])


def _chinese_digits(match: re.Match[str]) -> str:
    written = match[0]
    around = match.string[max(match.start() - 1, 0) : match.start()], match.string[match.end() : match.end() + 1]
    if written == "两" and ((around[0] and around[0] in "几少") or around[1] in "是等有换为多合相=? "):
        # The weight: 几两, 两等于多少克. (The empty text is in every text.)
        return written
    # 两 after another numeral is the weight (三两), and alone before one it is a two.
    if len(written) > 1 and written[-1] == "两":
        return _written(chinese_number(written[:-1]), written[:-1]) + "两"
    return _written(chinese_number(written), written)


def _written(value: Fraction | None, otherwise: str) -> str:
    if value is None:
        return otherwise
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.12f}".rstrip("0")
