"""Numbers in digits: ``1,234,567``, ``12_000``, ``-3.5``, ``1.234,56``, ``6e23``, ``2.5k``, ``35 %``, ``22nd``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final

from kbtui import late_patterns
from kbtui.text.numbers.span import MAX_DIGITS, Kind, NumberSpan, vocabulary

LITERAL: Final = r"(?>[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+)(?>\.[0-9]+)?"
"""Digits with thousands apart by commas, and decimals."""

_VULGAR: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_NO_NUMBER: Final = late_patterns.pattern(
    # Dates, times, addresses and versions have digits on both sides of their signs, and are no numbers.
    r"(?<!\w)(?<![0-9]\.)[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}(?![0-9])|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])"
    r"|(?<![\w.])[0-9]+(?:\.[0-9]+){2,}(?!,[0-9])|(?<![0-9/])(?:[0-9]+[ ])?[0-9]+/[0-9]+(?![0-9])",
    re.A,
)
_MAX_EXPONENT: Final = 400


@cache
def _pattern() -> re.Pattern[str]:
    english = vocabulary("en")
    scales = "|".join(english["scales"])
    return late_patterns.pattern(
        rf"""(?<=[$€£¥￥])(?P<price>{LITERAL})(?P<short>[mb])(?![A-Za-z0-9])
        |(?<![\w.])(?P<sign>[-+−](?<![\w)\]%½][-+−]))?(?:
            (?P<european>[0-9]{{1,3}}(?:\.[0-9]{{3}})+,[0-9]{{1,2}}(?![0-9,.]))
          |(?P<apart>[0-9]{{1,3}}(?:(?P<space>[\ \u00a0])[0-9]{{3}}(?!\w))(?:(?P=space)[0-9]{{3}}(?!\w))+(?:\.[0-9]+)?
            |[0-9]{{1,3}}(?:[\u2009\u202f_'][0-9]{{3}})+(?:\.[0-9]+)?)
          |(?P<literal>{LITERAL}|(?<![0-9])\.[0-9]+)(?P<exponent>[eE][-+]?[0-9]{{1,6}}(?!\w|\.[0-9]))?
        )(?P<vulgar>[{_VULGAR}])?(?:
            (?P<nth>st|nd|rd|th)\b
          |[ ]?(?P<scale>{scales})\b(?![ -](?:{scales})\b)
          |(?P<suffix>{"|".join(sorted(english["suffixes"], key=len, reverse=True))})(?![A-Za-z0-9])
        )?(?:[ ]?(?P<percent>%|(?:{"|".join(english["percent"].split())})\b))?
        (?P<more>\+(?!\s*[\w(])|[多余来](?=\D|$))?(?P<times>倍)?
        |(?<![\w.])(?P<alone>[{_VULGAR}])""",
        re.X | re.A,
    )


def figures(text: str, original: str) -> Iterator[NumberSpan]:
    """The numbers in digits of ``text`` (see `read_numbers`), each with its words in ``original``."""
    taken = [match.span() for match in _NO_NUMBER.finditer(text)]
    for match in _pattern().finditer(text):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        value = _value(match)
        if value is None:
            continue
        kind: Kind = "ordinal" if match["nth"] else "percent" if match["percent"] else "cardinal"
        kind = "multiplier" if match["times"] else "fraction" if match["alone"] else kind
        yield NumberSpan(
            start=match.start(),
            end=match.end(),
            text=original[match.start() : match.end()],
            value=value / 100 if match["percent"] else value,
            kind=kind,
            in_words=bool(match["scale"]),
            approximate=bool(match["more"]),
        )


def _value(match: re.Match[str]) -> Fraction | None:
    if match["alone"]:
        return _vulgar(match["alone"])
    if match["price"]:
        # A lower-case m is a metre or minute elsewhere.
        return Fraction(match["price"].replace(",", "")) * 10 ** (6 if match["short"] == "m" else 9)
    if match["european"]:
        digits = match["european"].replace(".", "").replace(",", ".")
    else:
        digits = re.sub(r"[ \u00a0\u2009\u202f_',]", "", match["apart"] or match["literal"])
    if len(digits) > MAX_DIGITS:
        return None
    value = Fraction(digits)
    if match["exponent"]:
        exponent = int(match["exponent"][1:])
        if abs(exponent) > _MAX_EXPONENT:
            return None
        value *= Fraction(10) ** exponent
    if match["vulgar"]:
        value += _vulgar(match["vulgar"])
    english = vocabulary("en")
    power: int = english["scales"].get(match["scale"]) or english["suffixes"].get(match["suffix"]) or 0
    value *= Fraction(10) ** power
    return -value if match["sign"] in ("-", "−") else value


def _vulgar(character: str) -> Fraction:
    above, _, below = unicodedata.normalize("NFKC", character).partition("\u2044")
    return Fraction(int(above), int(below))
