"""Slots: the value that a question asks for (a price, a date, a count of something), and whether a text holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kbtui.late_patterns import pattern
from kbtui.question.normalise import has_han
from kbtui.text.numbers import HAN, english_words
from kbtui.text.tokenise import STOP_WORDS, tokens
from kbtui.text.word_lists import filled, toml_in

_WORD: Final = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|\d[\d.,]*|[\u4e00-\u9fff]")
_GIVEN: Final = re.compile(r"[\w'’.:-]*\w")
"""A name or a number as a whole: ``3.0``, ``R-12``."""
_NEAR: Final = 3
"""Words between a number and what it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What is asked for.

    Attributes:
        name: One of the tables of ``slots.toml``.
        counted: Of ``count``, the tokens of what is counted; a number has to stand beside one of them.
        words: Tokens of the question that ask for the slot and so name nothing that the answer is about.
        given: Words of the question: names and numbers among them answer nothing.
    """

    name: str
    counted: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    given: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def slot_of(question: str) -> Slot | None:
    """The slot that a question asks for; None where it asks for something that no pattern knows, such as a reason."""
    for name, asking in _patterns()["asks"].items():
        if found := asking.search(question):
            # A pattern that spans half of the question holds what it is about as well.
            words = frozenset(tokens(found.group())) if len(found.group()) < len(question) // 2 else frozenset()
            given = frozenset(word.casefold() for word in _GIVEN.findall(question))
            counted = _counted(question) if name == "count" else frozenset()
            return Slot(name=name, counted=counted, words=words, given=given)
    return None


def _counted(question: str) -> frozenset[str]:
    """The tokens of what is counted: up to the verb or preposition behind it."""
    found = _patterns()["reads"]["counted"].search(question)
    phrase = next(filter(None, found.groups()), "") if found else ""
    kept = []
    for word in phrase.split():
        if word.lower() in STOP_WORDS:
            break
        kept.append(word)
    return frozenset(token for word in kept for token in tokens(word))


@lru_cache(maxsize=4096)
def fills(slot: Slot, text: str) -> bool:
    """Whether a text holds a value of the kind that is asked for, other than those that the question gives."""
    if slot.name != "count":
        told = _GIVEN.sub(lambda word: " " if _is_given(word[0], slot) else word[0], text[:1000])
        return _patterns()["fills"][slot.name].search(told) is not None
    words = _WORD.findall(text[:1000])
    numbers = [at for at, word in enumerate(words) if _is_number(word)]
    if not slot.counted or has_han(text) != any(map(has_han, slot.counted)):
        return bool(numbers)
    held = [at for at, word in enumerate(words) if not slot.counted.isdisjoint(tokens(word))]
    held += [at for at in range(len(words) - 1) if not slot.counted.isdisjoint(tokens("".join(words[at : at + 2])))]
    return any(abs(at - other) <= _NEAR for at in numbers for other in held)


def _is_given(word: str, slot: Slot) -> bool:
    return word.casefold() in slot.given and (word[0].isupper() or _is_number(word.lower()))


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in HAN or _number_words().fullmatch(word) is not None


@cache
def _number_words() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:{english_words()}|once|twice|half|dozen|single|no|none)")


@cache
def _patterns() -> dict[str, dict[str, re.Pattern[str]]]:
    table = toml_in(__package__, "slots.toml")
    parts = {"NUMBERS": english_words(), "HAN": HAN}
    for name, text in table["parts"].items():
        parts[name.upper()] = filled(text, parts)
    return {
        kind: {name: pattern(filled(text, parts)) for name, text in table[kind].items()}
        for kind in ("asks", "fills", "reads")
    }
