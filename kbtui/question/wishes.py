"""Recognises wishes about the last answer (shorter, as a table, in Chinese, once more, why), which need no search.

Such a question names nothing: it consists of a form or an act, of words for the answer itself ("what you said") and of
words that say nothing.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Final

from kbtui.text.language import CJK
from kbtui.text.word_lists import toml_once

_lists = partial(toml_once, "kbtui.question", "words/wishes.toml")

_MOST_CHARS: Final = 90
_YEAR_DIGITS: Final = 3
_WORD: Final = re.compile(rf"[a-z][a-z;'’]*|\d+|[{CJK}]+", re.IGNORECASE)
_POINTS: Final = " that "
"""What words for the answer itself are read as."""


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    english = _lists()["en"]
    return frozenset(english["forms"].split()), frozenset(english["light"].split())


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What stands for the answer in English; a run of Chinese words of wishes; a form in Chinese."""
    lists = _lists()
    words = "|".join(map(re.escape, sorted(lists["zh"]["words"], key=len, reverse=True)))
    forms = "|".join(map(re.escape, lists["zh"]["forms"]))
    return re.compile(lists["en"]["points"]["said"]), re.compile(f"(?:{words})+"), re.compile(forms)


def is_wish(query: str) -> bool:
    """Whether a question consists only of wishes about the last answer."""
    if len(query) > _MOST_CHARS:
        return False
    said, chinese, chinese_form = _patterns()
    forms, light = _words()
    words = [word.lower().replace("’", "'") for word in _WORD.findall(said.sub(_POINTS, query))]
    is_known = all(
        word in forms
        or word in light
        or chinese.fullmatch(word) is not None
        or (word.isdigit() and len(word) < _YEAR_DIGITS)
        for word in words
    )
    return is_known and any(word in forms or chinese_form.search(word) for word in words)
