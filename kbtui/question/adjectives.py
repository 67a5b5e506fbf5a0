"""Phrases of adjectives (``cheapest``, ``older than``, 最贵, 比…高), each with the concept that it ranks by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kbtui.question.words import WordFile, word_file

Phrase = tuple[str, str, Mapping[str, Any], float]
"""Phrase in the syntax of `kbtui.question.phrases`, operator, args, weight."""

_VOWELS: Final = "aeiou"
_OPPOSITE: Final = {"desc": "asc", "asc": "desc", ">": "<", "<": ">", ">=": "<=", "<=": ">="}


def adjective_phrases(language: WordFile) -> Iterator[Phrase]:
    """Every phrase of the adjectives of a word file.

    A row of ``[adjectives]`` is a concept (``any`` for none) with the adjectives of much of it (``up``) and of little
    (``down``). A word that ends in ``+`` takes ``more`` and ``most``; ``good/better/best`` gives its forms; others take
    ``-er`` and ``-est``. ``[adjective_frames]`` has the phrases they stand in, by what those say of an adjective of
    much.
    """
    table = word_file(language)
    for concept, row in table.get("adjectives", {}).items():
        for key in ("up", "down"):
            for word in row.get(key, "").split():
                forms = _forms(word) if language == "en" else (word, word, word)
                yield from _filled_frames(table["adjective_frames"], forms, concept, is_up=key == "up")


def _filled_frames(
    frames: Mapping[str, str], forms: tuple[str, str, str], concept: str, *, is_up: bool
) -> Iterator[Phrase]:
    for sense, lines in frames.items():
        effect = sense if is_up else _OPPOSITE.get(sense, sense)
        for line in filter(None, map(str.strip, lines.splitlines())):
            phrase, _, weight = line.partition("@")
            for blank, form in zip(("ADJECTIVE", "MORE", "MOST"), forms, strict=True):
                phrase = phrase.replace(blank, form)
            args = {} if concept == "any" else {"concept": concept}
            if effect in ("desc", "asc"):
                yield phrase, "most", args | {"direction": effect}, float(weight or 1)
            elif effect == "how":
                yield phrase, "how_much", args, float(weight or 1)
            else:
                yield phrase, "compare", args | {"op": effect}, float(weight or 1)


def _forms(word: str) -> tuple[str, str, str]:
    """Positive, comparative and superlative of an English adjective as the word file has it."""
    if word.endswith("+"):
        return word[:-1], f"more {word[:-1]}", f"most {word[:-1]}"
    if "/" in word:
        positive, comparative, superlative = word.split("/")
        return positive, comparative, superlative
    comparative = _comparative(word)
    return word, comparative, f"{comparative[:-1]}st"


def _comparative(word: str) -> str:
    if word.endswith("e"):
        return f"{word}r"
    if word.endswith("y") and word[-2] not in _VOWELS:
        return f"{word[:-1]}ier"
    is_short = word[-1] not in f"{_VOWELS}wxy" and word[-2] in _VOWELS and word[-3] not in _VOWELS and len(word) < 6
    return f"{word}{word[-1]}er" if is_short else f"{word}er"
