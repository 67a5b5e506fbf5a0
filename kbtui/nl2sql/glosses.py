"""English glosses of Chinese words, from the project's glossaries and the dictionary of `kbtui.text`."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, lru_cache
from typing import Final

from kbtui.settings import paths
from kbtui.text import dictionary
from kbtui.text.glossary import translations
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import rows_in, rows_of

_MAX_CHARACTERS: Final = 4
_MAX_GLOSSES: Final = 6
"""Glosses of the dictionary per word; both limits are those the ranker was fitted with."""


@lru_cache(maxsize=4096)
def glosses_of(word: str) -> tuple[str, ...]:
    """Glosses of a simplified Chinese word, each as stems joined by spaces; empty for unknown words.

    Glosses of the project's glossaries come before those of the dictionary.
    """
    dictionary_glosses = dictionary.glosses(word)[:_MAX_GLOSSES] if len(word) <= _MAX_CHARACTERS else ()
    glosses = (*_glossary().get(word, ()), *translations(word).get(word, ()), *dictionary_glosses)
    return tuple(dict.fromkeys(" ".join(map(stem, gloss.lower().split())) for gloss in glosses))


@cache
def _glossary() -> dict[str, tuple[str, ...]]:
    """The words of `glossary.tsv` of the package and of the settings folder; values begin with ``=``."""
    rows = rows_in("kbtui.nl2sql", "glossary.tsv")
    with suppress(OSError, UnicodeDecodeError):
        rows += rows_of((paths.config_dir() / "glossary.tsv").read_text("utf-8"))
    return {word: tuple(gloss.lstrip("=") for gloss in glosses) for word, *glosses in rows}


_CONFUSED: Final = re.compile(r"[zcs]h|ng")


@lru_cache(maxsize=65536)
def sounds_of(word: str) -> str:
    """The pronunciation of a Chinese word without tones and spaces; empty if a character is unknown."""
    sounds = [dictionary.reading(character) for character in word] if word and not word.isascii() else []
    return "".join(sounds) if all(sounds) else ""


@lru_cache(maxsize=65536)
def typed_sound(word: str) -> str:
    """The syllables of a Chinese word as input methods confuse them: zh, ch, sh and ng are z, c, s and n.

    Empty if a character is unknown.
    """
    syllables = [_CONFUSED.sub(lambda match: match[0][0], sounds_of(character)) for character in word]
    return " ".join(syllables) if all(syllables) else ""


def is_homophone(typed: str, meant: str) -> bool:
    """Whether a Chinese word is another one with wrong characters: as long, half of it equal, and pronounced alike."""
    if len(typed) != len(meant) or typed == meant or not (sound := typed_sound(typed)):
        return False
    equal = sum(a == b for a, b in zip(typed, meant, strict=True))
    return 2 * equal >= len(meant) and typed_sound(meant) == sound
