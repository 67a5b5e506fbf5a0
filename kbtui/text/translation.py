"""The words of a question in the other language: Chinese ones in English and English ones in Chinese.

A word has several names there; which of them is meant only the texts can tell
(`kbtui.knowledge.search.translator`). Those of the glossary come before those of the dictionary. Names, numbers and
code pass through as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from kbtui.text import dictionary
from kbtui.text.glossary import glossary
from kbtui.text.language import CJK, has_cjk, simplified
from kbtui.text.stop_words import CHINESE, CHINESE_WHOLE, ENGLISH
from kbtui.text.tokenise import stem, words

MAX_NAMES: Final = 24
_MAX_PHRASE: Final = 4
"""English words that are looked up together."""

_STRETCH: Final = re.compile(f"([{CJK}]+)|[^{CJK}]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of a question.

    Attributes:
        text: As asked, simplified.
        names: What it may be in the other language, most usual first; itself where it passes through, none where
            nothing is known.
    """

    text: str
    names: tuple[str, ...]


def in_english(text: str) -> list[Word]:
    """The content words of a text in their order: Chinese ones, by the longest match, with their English names."""
    translations: list[Word] = []
    for stretch in _STRETCH.finditer(simplified(text)):
        if stretch[1] is not None:
            translations += _chinese_words(stretch[1])
        else:
            translations += [
                Word(text=word, names=(word,)) for word in words(stretch[0]) if word.lower() not in ENGLISH
            ]
    return translations


def in_chinese(text: str) -> list[Word]:
    """The content words of a text in their order: English ones and phrases with their Chinese names, or themselves.

    A Chinese text may call a thing by its English name, so that is always the last of the names.
    """
    text_words = words(text)
    translations: list[Word] = []
    at = 0
    while at < len(text_words):
        length = next((n for n in range(_MAX_PHRASE, 1, -1) if _is_phrase(text_words[at : at + n], n)), 1)
        phrase = " ".join(text_words[at : at + length])
        if has_cjk(phrase):
            translations.append(Word(text=phrase, names=(phrase,)))
        elif phrase.lower() not in ENGLISH:
            translations.append(Word(text=phrase, names=(*chinese_names(phrase)[:MAX_NAMES], phrase)))
        at += length
    return translations


def english_names(word: str) -> tuple[str, ...]:
    """What a simplified Chinese word may be in English, most usual first."""
    return tuple(dict.fromkeys((*glossary().get(word, ()), *dictionary.glosses(word))))


def chinese_names(phrase: str) -> tuple[str, ...]:
    """What an English word or phrase may be in Chinese, most usual first."""
    if any(character.isdigit() for character in phrase):
        return ()
    own = _reversed_glossary().get(_key(phrase), ())
    return tuple(dict.fromkeys((*own, *dictionary.words_for(phrase))))


def _is_phrase(asked: list[str], length: int) -> bool:
    """Several words that mean something together, of which the first and the last are no function words."""
    if len(asked) < length or asked[0].lower() in ENGLISH or asked[-1].lower() in ENGLISH or has_cjk("".join(asked)):
        return False
    return bool(chinese_names(" ".join(asked)))


def _chinese_words(run: str) -> list[Word]:
    translations: list[Word] = []
    at = 0
    longest = max(dictionary.MAX_LENGTH, *map(len, glossary()))
    while at < len(run):
        length = next((n for n in range(min(longest, len(run) - at), 1, -1) if _is_word(run[at : at + n])), 1)
        word = run[at : at + length]
        if word not in CHINESE:
            translations.append(Word(text=word, names=english_names(word)))
        at += length
    return translations


def _is_word(text: str) -> bool:
    return text in CHINESE or text in CHINESE_WHOLE or bool(english_names(text))


@cache
def _reversed_glossary() -> dict[str, tuple[str, ...]]:
    by_word: dict[str, dict[str, None]] = {}
    for term, names in glossary().items():
        for name in names:
            by_word.setdefault(_key(name), {})[term] = None
    return {name: tuple(terms) for name, terms in by_word.items()}


def _key(phrase: str) -> str:
    return " ".join(stem(word) for word in phrase.lower().split())
