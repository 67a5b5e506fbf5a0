"""What can be seen of a sentence by itself, whatever is asked: a number, a date, a reason, what kind of section."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from kbtui.text.numbers import HAN, english_words
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import tokens
from kbtui.text.word_lists import toml_in

SIGNS: Final = (
    "number", "amount", "date", "version", "person", "place", "literal", "reason", "defines", "act", "negates", "modal",
    "enumerates", "contrasts", "address", "points", "leans",
)  # fmt: skip

SECTIONS: Final = ("opening", "reason", "rule", "task", "aside")

_AS_WRITTEN: Final = frozenset({"person", "place", "literal", "address"})
"""Signs that capitals tell."""

_LONGEST_READ: Final = 1000


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    found = Patterns(__package__, "signs.toml", NUMBERS=english_words(), HAN=HAN)
    return tuple(getattr(found, name) for name in SIGNS)


@lru_cache(maxsize=16384)
def signs_of(text: str) -> tuple[float, ...]:
    """For each of `SIGNS` 1.0 where a unit has it, else 0.0."""
    written = text[:_LONGEST_READ]
    lowered = written.lower()
    return tuple(
        1.0 if pattern.search(written if name in _AS_WRITTEN else lowered) else 0.0
        for name, pattern in zip(SIGNS, _patterns(), strict=True)
    )


@lru_cache(maxsize=4096)
def section_kinds(heading: str) -> tuple[float, ...]:
    """For each of `SECTIONS` 1.0 where the title of a section is of that kind, else 0.0."""
    found = set(tokens(heading))
    return tuple(1.0 if not found.isdisjoint(words) else 0.0 for words in _section_words())


@cache
def _section_words() -> tuple[frozenset[str], ...]:
    table = toml_in(__package__, "signs.toml")["sections"]
    return tuple(frozenset(token for word in table[name].split() for token in tokens(word)) for name in SECTIONS)
