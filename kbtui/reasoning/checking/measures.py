"""What a number counts: 9 percent is not station 9, and 35 minutes are not 35 days."""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.word_lists import toml_in

_MEASURES: Final = {
    word: name for name, words in toml_in(__package__, "measures.toml").items() for word in words.split()
}
_SIGNS: Final = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yuan"}
_HAN_UNITS: Final = "|".join(
    sorted((word for word in _MEASURES if not word.isascii() and word not in "%$€£°"), key=len, reverse=True)
)
# What may stand between a number and what it counts: the rest of a range, a scale, a sign.
_AFTER: Final = re.compile(
    r"(?:\+|\s?(?:-|–|~|to|or|and|至|到)\s?[$€£]?\d[\d,.]*)?"
    r"(?:[ -](?:hundred|thousand|million|billion|trillion))?"
    rf"[\s-]?(?P<word>[%°]|{_HAN_UNITS}|per cent\b|[A-Za-z]+(?![\w]))?"
)
_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")


def measure(text: str, start: int, end: int) -> str:
    """What the number at ``start`` to ``end`` of a normalised text counts, where that is a measure; else ``""``."""
    if text.startswith("百分之", max(0, start - 3)) or text.startswith("百分之", start):
        return "percent"
    before = text[max(0, start - 2) : start].rstrip()[-1:]
    if before in _SIGNS:
        return _SIGNS[before]
    match = _AFTER.match(text, end, min(len(text), end + 40))
    word = (match["word"] or "").lower() if match else ""
    if word == "per cent":
        return "percent"
    found = _MEASURES.get(word, "")
    # 2024年 and 1980s name a year and count none.
    return "" if found in ("year", "second") and _YEAR.fullmatch(text[start:end]) else found
