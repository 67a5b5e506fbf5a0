"""Chinese terms in English, from an editable file: how a Chinese question meets an English folder without a translator.

The embedding model of English knows no Chinese and no keyword of a Chinese question occurs in an English text; a few
hundred terms of the trade close most of that gap, and whoever misses one adds a line to ``glossary.toml``.
"""

from __future__ import annotations

import re
from functools import cache

from kbtui.text.language import has_cjk
from kbtui.text.word_lists import toml_in


def translate(text: str) -> list[str]:
    """English names of the terms in ``text``, in order of appearance, most usual name first; empty when none is known.

    Where terms overlap the longest counts: 类型注解 is ``type annotation``, not ``type``.
    """
    return list(dict.fromkeys(name for names in translations(text).values() for name in names))


def translations(text: str) -> dict[str, tuple[str, ...]]:
    """The terms found in ``text``, in order of appearance, with their English names."""
    if not has_cjk(text):
        return {}
    pattern = _pattern()
    return {match[0]: glossary()[match[0]] for match in pattern.finditer(text)}


@cache
def glossary() -> dict[str, tuple[str, ...]]:
    """The terms of the file with their English names."""
    sections = toml_in(__package__, "glossary.toml")
    return {term: tuple(names) for section in sections.values() for term, names in section.items()}


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(glossary(), key=lambda term: (-len(term), term))
    return re.compile("|".join(re.escape(term) for term in longest_first))
