"""English glosses of Chinese words: the dictionary of `kbtui.text`, and before it the project's glossaries."""

from __future__ import annotations

from contextlib import suppress
from functools import cache, lru_cache
from typing import Final

from kbtui.settings import paths
from kbtui.text import dictionary
from kbtui.text.glossary import translations
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import rows_in, rows_of

_LONGEST: Final = 4
_MOST: Final = 6
"""Characters of the words that are looked up in the dictionary, and glosses that are taken: the ranker is fitted so."""


@lru_cache(maxsize=4096)
def glosses_of(word: str) -> tuple[str, ...]:
    """Glosses of a simplified Chinese word, each as the stems of its words joined by spaces; none for unknown words.

    Those of the project's own glossaries come before those of the dictionary.
    """
    listed = dictionary.glosses(word)[:_MOST] if len(word) <= _LONGEST else ()
    glosses = (*_own().get(word, ()), *translations(word).get(word, ()), *listed)
    return tuple(dict.fromkeys(" ".join(map(stem, gloss.lower().split())) for gloss in glosses))


@cache
def _own() -> dict[str, tuple[str, ...]]:
    """`glossary.tsv`, and the file of that name in the settings folder; values have ``=`` before them."""
    rows = rows_in("kbtui.nl2sql", "glossary.tsv")
    with suppress(OSError, UnicodeDecodeError):
        rows += rows_of((paths.config_dir() / "glossary.tsv").read_text("utf-8"))
    return {word: tuple(gloss.lstrip("=") for gloss in glosses) for word, *glosses in rows}


@lru_cache(maxsize=65536)
def sounds_of(word: str) -> str:
    """How a Chinese word is read, character by character, without tones and blanks; empty where one is not known."""
    sounds = [dictionary.reading(character) for character in word] if word and not word.isascii() else []
    return "".join(sounds) if all(sounds) else ""
