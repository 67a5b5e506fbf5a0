"""English nouns in the plural, and counts of things. Imports nothing: every screen counts something."""

from __future__ import annotations

import re
from typing import Final

_PLURALS: Final = {"person": "people", "child": "children", "man": "men", "woman": "women"}
_UNCOUNTED: Final = frozenset({"staff", "data", "series", "status", "species", "news", "equipment", "information"})
_ENDS_OF_NAMES: Final = frozenset({"at", "by", "for", "from", "in", "of", "on", "to"})
"""Prepositions that names of columns end with (closed_by), which have no plural."""


def plural(name: str) -> str:
    """English in the plural; other writings as they are."""
    head, _, last = name.rpartition(" ")
    if not last or not last[-1:].isascii() or not last[-1:].isalpha() or last.lower() in _UNCOUNTED | _ENDS_OF_NAMES:
        return name
    last = _PLURALS.get(last.lower()) or _pluralised(last)
    return f"{head} {last}" if head else last


def _pluralised(word: str) -> str:
    if word.isupper():
        return f"{word}s"
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(?:s|x|z|ch|sh)$", word) else f"{word}s"


def counted(count: int, noun: str) -> str:
    """``1 file``, ``1,200 files``, ``2 searches``."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"
