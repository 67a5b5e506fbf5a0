"""Splits names of tables and columns into words: ``order_items``, ``OrderItems`` and ``tblOrderItem`` have the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.tokenise import name_parts, stem

_PREFIXES: Final = frozenset({"tbl", "tb", "t", "dim", "fact", "fct", "stg", "raw", "vw", "v", "dbo", "public", "main"})
"""Name parts of the kind of an object, not of its content."""


@lru_cache(maxsize=65536)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without those of the kind of the object."""
    parts = tuple(part.lower() for part in name_parts(name))
    telling = tuple(part for part in parts if part not in _PREFIXES)
    return telling or parts


def as_phrase(name: str) -> str:
    """A name as a phrase: ``order_items`` is ``order items``."""
    return " ".join(name_words(name)) or name


@lru_cache(maxsize=65536)
def name_stems(name: str) -> frozenset[str]:
    """The stems of its words, which plurals share."""
    return frozenset(singular(word) for word in name_words(name))


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """The stem of a word: the same for ``categories``, ``category`` and ``Category``."""
    return word if has_cjk(word) else stem(word.lower())
