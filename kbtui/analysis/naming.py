"""Names of tables and columns as words: ``order_items``, ``OrderItems`` and ``tblOrderItem`` say nearly the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.tokenise import name_parts, stem

_PREFIXES: Final = frozenset({"tbl", "tb", "t", "dim", "fact", "fct", "stg", "raw", "vw", "v", "dbo", "public", "main"})
"""Parts that say what an object is, not what it holds."""


@lru_cache(maxsize=65536)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, without those that say nothing of what is in it."""
    parts = tuple(part.lower() for part in name_parts(name))
    telling = tuple(part for part in parts if part not in _PREFIXES)
    return telling or parts


def humanised(name: str) -> str:
    """A name as it would be said: ``order_items`` is ``order items``."""
    return " ".join(name_words(name)) or name


@lru_cache(maxsize=65536)
def name_stems(name: str) -> frozenset[str]:
    """What its words have in common with other forms of them: plurals above all."""
    return frozenset(singular(word) for word in name_words(name))


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """A rough singular, stemmed, so that ``categories``, ``category`` and ``Category`` meet."""
    return word if has_cjk(word) else stem(word.lower())
