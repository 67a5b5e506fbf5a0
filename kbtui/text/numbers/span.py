"""The span of a number in a text, and the vocabulary of number words."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct

from kbtui.text.word_lists import toml_in

Kind = Literal["cardinal", "ordinal", "fraction", "percent", "multiplier"]

MAX_DIGITS: Final = 1000
"""Digits of the longest number that is read; Python itself refuses to convert more than 4,300."""

HAN: Final = "零〇一二三四五六七八九十百千万亿两"
"""Inside of a regex character class: the numerals of simplified Chinese."""


class NumberSpan(Struct, frozen=True, kw_only=True):
    """One number of a text.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last.
        text: As written, between the two.
        value: Exact. Of a percentage the ratio (35% is 7/20), of an ordinal its place.
        kind: ``multiplier`` for 三倍, ``twice`` and ``double``; ``fraction`` for 二分之一 and ``one third``.
        in_words: Whether a word or a Chinese numeral is part of it; ``2.5k`` and ``1,000`` are in digits.
        approximate: It stands for a number near it: 三十多, ``about 300``.
    """

    start: int
    end: int
    text: str
    value: Fraction
    kind: Kind = "cardinal"
    in_words: bool = False
    approximate: bool = False


@cache
def vocabulary(language: Literal["en", "zh"]) -> dict[str, Any]:
    """The table of a language in ``words.toml``."""
    table = toml_in(__package__, "words.toml")
    words: dict[str, Any] = table[language]
    return words


@cache
def english_words() -> str:
    """A regex of a cardinal in English words, for patterns of which it is a part; `value_of` says what it is worth."""
    table = vocabulary("en")
    words = (*table["units"].split(), *table["tens"].split(), *table["scales"])
    word = f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"
    return rf"(?:(?:a )?{word}(?:[- ](?:and )?{word})*)"


def decimal(value: Fraction) -> str | None:
    """``value`` in decimal digits, exactly; None for a fraction such as 1/3 that has no end."""
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest //= prime
            count += 1
        places = max(places, count)
    if rest != 1:
        return None
    digits = f"{abs(value.numerator) * 10**places // value.denominator:0{places + 1}d}"
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
