"""Compares a statement with lines in another language, English and Chinese, by dictionary.

Each Chinese word is compared by all its English translations, and names of people by their romanisation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from kbtui.reasoning.checking.numerals import normal, numbers
from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.text import dictionary
from kbtui.text.language import simplified
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import stem, words
from kbtui.text.translation import in_english

_MAX_TRANSLATIONS: Final = 16
_MAX_UNITS: Final = 200
_MIN_SHARE: Final = 0.15
_MIN_ADDED_SHARE: Final = 0.15
"""Share of the sentence that a further line must add."""


def share(sentence: str, lines: str, *, is_chinese: bool) -> float:
    """Share of the words of a sentence with a translation in the lines, 0 to 1.

    Args:
        is_chinese: The sentence is Chinese and the lines are not.
    """
    if is_chinese:
        line_stems = _stems(lines)
        source_words = [word for word in in_english(sentence) if len(word.text) > 1 or word.names]
        is_found = [
            any(_content(name) and _content(name) <= line_stems for name in word.names[:_MAX_TRANSLATIONS])
            for word in source_words
        ]
        weights = [min(2, len(word.text)) if not word.text.isascii() else 2 for word in source_words]
    else:
        translations = _translations(lines)
        stems = sorted(_stems(sentence))
        is_found = [word in translations for word in stems]
        weights = [1] * len(stems)
    total = sum(weights)
    return sum(weight for weight, found in zip(weights, is_found, strict=True) if found) / total if total else 0.0


def windows(sentence: str, passages: Sequence[Passage], *, is_chinese: bool) -> list[Window]:
    """The best line in the other language for a sentence, with an adjacent one if that adds to it; else empty."""
    ranked = [
        (share(sentence, unit.text, is_chinese=is_chinese) + _number_bonus(sentence, unit.text), -n, -at)
        for n, passage in enumerate(passages)
        for at, unit in enumerate(passage.units[:_MAX_UNITS])
    ]
    if not ranked or max(ranked)[0] < _MIN_SHARE:
        return []
    _, n, at = max(ranked)
    passage, at = passages[-n], -at
    best = share(sentence, passage.units[at].text, is_chinese=is_chinese)
    for first, last in ((at - 1, at), (at, at + 1)):
        if first >= 0 and last < len(passage.units):
            both = share(sentence, passage.window_text(first, last), is_chinese=is_chinese)
            if both >= best + _MIN_ADDED_SHARE:
                return [Window(passage=passage, first=first, last=last)]
    return [Window(passage=passage, first=at, last=at)]


def _number_bonus(sentence: str, line: str) -> float:
    values = {number.value for number in numbers(normal(sentence))}
    line_values = {number.value for number in numbers(normal(line))}
    return len(values & line_values) / (2 * len(values)) if values else 0.0


@lru_cache(maxsize=2048)
def _stems(text: str) -> frozenset[str]:
    return frozenset(
        stem(word.lower())
        for word in words(text)
        if word.lower() not in ENGLISH and len(word) > 1 and not word[0].isdigit()
    )


@lru_cache(maxsize=4096)
def _content(name: str) -> frozenset[str]:
    return frozenset(stem(word) for word in name.lower().split() if word not in ENGLISH)


@lru_cache(maxsize=2048)
def _translations(text: str) -> frozenset[str]:
    """Stems of all English translations of a Chinese text, and the romanisation of its characters and pairs."""
    plain = simplified(text)
    stems_and_readings = {
        stem for word in in_english(plain) for name in word.names[:_MAX_TRANSLATIONS] for stem in _content(name)
    }
    for length in (1, 2, 3, 4):
        for start in range(len(plain) - length + 1):
            part = plain[start : start + length]
            if length > 1 and not part.isascii():
                stems_and_readings |= {
                    stem for name in dictionary.glosses(part)[:_MAX_TRANSLATIONS] for stem in _content(name)
                }
    readings = [dictionary.reading(character) if not character.isascii() else "" for character in plain]
    stems_and_readings |= {reading for reading in readings if reading}
    stems_and_readings |= {left + right for left, right in pairwise(readings) if left and right}
    return frozenset(stems_and_readings)
