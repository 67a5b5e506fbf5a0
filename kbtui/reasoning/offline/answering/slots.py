"""Slots: the value that a question asks for (a price, a date, a count of something), and whether a text holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kbtui.late_patterns import pattern
from kbtui.text.numbers import HAN, english_words
from kbtui.text.tokenise import tokens
from kbtui.text.word_lists import filled, toml_in

_GIVEN: Final = re.compile(r"[\w'’.:-]*\w")
"""A name or a number as a whole: ``3.0``, ``R-12``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """What is asked for.

    Attributes:
        name: One of the tables of ``slots.toml``.
        words: Tokens of the question that ask for the slot and so name nothing that the answer is about.
        given: Words of the question: names and numbers among them answer nothing.
    """

    name: str
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
            return Slot(name=name, words=words, given=given)
    return None


@lru_cache(maxsize=4096)
def fills(slot: Slot, text: str) -> bool:
    """Whether a text holds a value of the kind that is asked for, other than those that the question gives."""
    told = _GIVEN.sub(lambda word: " " if _is_given(word[0], slot) else word[0], text[:1000])
    return _patterns()["fills"][slot.name].search(told) is not None


def _is_given(word: str, slot: Slot) -> bool:
    return word.casefold() in slot.given and (
        word[0].isupper() or _patterns()["fills"]["count"].match(word) is not None
    )


@cache
def _patterns() -> dict[str, dict[str, re.Pattern[str]]]:
    table = toml_in(__package__, "slots.toml")
    parts = {"NUMBERS": english_words(), "HAN": HAN}
    for name, text in table["parts"].items():
        parts[name.upper()] = filled(text, parts)
    return {
        kind: {name: pattern(filled(text, parts)) for name, text in table[kind].items()} for kind in ("asks", "fills")
    }
