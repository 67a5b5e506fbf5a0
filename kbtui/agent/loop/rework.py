"""Recognises requests to rework the last answer (shorter, as a table, in Chinese, why), which need no search."""

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
    lists = toml_in(__package__, "rework.toml")
    request_words, filler_words = frozenset(lists["wishes"].split()), frozenset(lists["idle"].split())
    chinese = "|".join(map(re.escape, sorted(lists["chinese"], key=len, reverse=True)))
    return request_words, filler_words, re.compile(f"(?:{chinese})+")


def asks_rework(query: str) -> bool:
    """Whether a question consists only of requests about the last answer."""
    if len(query) > _MOST_CHARS:
        return False
    request_words, filler_words, chinese = _words()
    words = [word.lower() for word in _WORD.findall(query)]
    if not words:
        return False
    is_wish = [word in request_words or chinese.fullmatch(word) is not None for word in words]
    is_known_word = (
        wish or word in filler_words or (word.isdigit() and len(word) < _YEAR_DIGITS)
        for wish, word in zip(is_wish, words, strict=True)
    )
    return any(is_wish) and all(is_known_word)
