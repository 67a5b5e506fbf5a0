"""Wishes about the last answer alone: shorter, as a table, in Chinese, why. Nothing is searched for them."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from kbtui.text.word_lists import toml_in

_MOST_CHARS: Final = 90
_YEAR_DIGITS: Final = 3
_WORD: Final = re.compile(r"[a-z][a-z;']*|\d+|[一-鿿]+", re.IGNORECASE)


@cache
def _words() -> tuple[frozenset[str], frozenset[str], re.Pattern[str]]:
    known = toml_in(__package__, "rework.toml")
    wishes, idle = frozenset(known["wishes"].split()), frozenset(known["idle"].split())
    chinese = "|".join(map(re.escape, sorted(known["chinese"], key=len, reverse=True)))
    return wishes, idle, re.compile(f"(?:{chinese})+")


def asks_rework(query: str) -> bool:
    """Whether every word of a question is a wish about the answer before it."""
    if len(query) > _MOST_CHARS:
        return False
    wishes, idle, chinese = _words()
    words = [word.lower() for word in _WORD.findall(query)]
    if not words:
        return False
    is_wish = [word in wishes or chinese.fullmatch(word) is not None for word in words]
    known = (
        wish or word in idle or (word.isdigit() and len(word) < _YEAR_DIGITS)
        for wish, word in zip(is_wish, words, strict=True)
    )
    return any(is_wish) and all(known)
