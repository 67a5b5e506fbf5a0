"""A statement in one language over lines in another: what the dictionary finds of it there.

Words of two languages have none in common, so each Chinese word is compared by all its English names. Names of people
are compared by how their characters are read.
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

_MOST_NAMES: Final = 16
_MOST_UNITS: Final = 200
_LEAST: Final = 0.15
_NEXT: Final = 0.15
"""What a further line has to add."""


def share(sentence: str, lines: str, *, is_chinese: bool) -> float:
    """Share of the words of a sentence that lines in the other language say, 0 to 1.

    Args:
        is_chinese: The sentence is Chinese, and the lines are not.
    """
    if is_chinese:
        there = _stems(lines)
        asked = [word for word in in_english(sentence) if len(word.text) > 1 or word.names]
        held = [any(_content(name) and _content(name) <= there for name in word.names[:_MOST_NAMES]) for word in asked]
        weights = [min(2, len(word.text)) if not word.text.isascii() else 2 for word in asked]
    else:
        bridge = _bridge(lines)
        wanted = sorted(_stems(sentence))
        held = [word in bridge for word in wanted]
        weights = [1] * len(wanted)
    total = sum(weights)
    return sum(weight for weight, is_held in zip(weights, held, strict=True) if is_held) / total if total else 0.0


def windows(sentence: str, passages: Sequence[Passage], *, is_chinese: bool) -> list[Window]:
    """The lines in the other language that say most of a sentence: the best one, and another where it adds to it."""
    ranked = [
        (share(sentence, unit.text, is_chinese=is_chinese) + _numbers(sentence, unit.text), -n, -at)
        for n, one in enumerate(passages)
        for at, unit in enumerate(one.units[:_MOST_UNITS])
    ]
    if not ranked or max(ranked)[0] < _LEAST:
        return []
    _, n, at = max(ranked)
    one, at = passages[-n], -at
    best = share(sentence, one.units[at].text, is_chinese=is_chinese)
    for first, last in ((at - 1, at), (at, at + 1)):
        if first >= 0 and last < len(one.units):
            both = share(sentence, one.window_text(first, last), is_chinese=is_chinese)
            if both >= best + _NEXT:
                return [Window(passage=one, first=first, last=last)]
    return [Window(passage=one, first=at, last=at)]


def _numbers(sentence: str, line: str) -> float:
    own = {number.value for number in numbers(normal(sentence))}
    there = {number.value for number in numbers(normal(line))}
    return len(own & there) / (2 * len(own)) if own else 0.0


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
def _bridge(text: str) -> frozenset[str]:
    """Stems of all English names of the words of a Chinese text, and how its characters are read, alone and by twos."""
    plain = simplified(text)
    found = {stem for word in in_english(plain) for name in word.names[:_MOST_NAMES] for stem in _content(name)}
    for length in (1, 2, 3, 4):
        for at in range(len(plain) - length + 1):
            part = plain[at : at + length]
            if length > 1 and not part.isascii():
                found |= {stem for name in dictionary.glosses(part)[:_MOST_NAMES] for stem in _content(name)}
    read = [dictionary.reading(character) if not character.isascii() else "" for character in plain]
    found |= {reading for reading in read if reading}
    found |= {left + right for left, right in pairwise(read) if left and right}
    return frozenset(found)
