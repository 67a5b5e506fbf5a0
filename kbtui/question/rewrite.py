"""A follow-up rewritten as a standalone question: what was replaced by what, and how the sentence is spelled."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from kbtui.question.dialogue import without_courtesies
from kbtui.question.normalise import has_han
from kbtui.question.noun_phrases import HAN, kind_pattern, role_pattern, starts_request, words_of_kind
from kbtui.text.numbers import HAN as HAN_NUMERALS
from kbtui.text.patterns import Patterns

RE: Final = Patterns(
    "kbtui.question",
    "words/followup_resolution.toml",
    HAN=HAN,
    HAN_NUMERALS=HAN_NUMERALS,
    ORDINALS=kind_pattern("en", "ordinals"),
    PARTS=kind_pattern("en", "parts"),
    PREPOSITIONS=role_pattern("en", "preposition"),
    PARTS_ZH=kind_pattern("zh", "parts"),
    FILES_ZH=kind_pattern("zh", "files"),
    ATTRIBUTES_ZH=kind_pattern("zh", "attributes"),
    TRANSITIVE=kind_pattern("zh", "transitive"),
)


class Rewrite(Struct, frozen=True):
    """A standalone question.

    Attributes:
        text: The question.
        replaced: The words of the follow-up, or of the previous question, that were replaced; empty if none were.
        replacement: The words put in their place.
    """

    text: str
    replaced: str
    replacement: str


def make_rewrite(text: str, was: str, means: str) -> Rewrite:
    """A standalone question, with the spelling and final punctuation of its language."""
    text = re.sub(r"\s+([?,.])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()
    if has_han(text):
        # Names in Latin letters stand apart from the characters around them.
        text = re.sub(rf"([A-Za-z0-9])(?=[{HAN}])", r"\1 ", re.sub(rf"([{HAN}])(?=[A-Za-z0-9])", r"\1 ", text))
        return Rewrite(without_courtesies(text) + "？", was, means)
    first = text.split(maxsplit=1)[0].lower()
    is_order = first in words_of_kind("en", "commands") and ": " not in text
    text = text.rstrip("?") + ("" if is_order else "?")
    return Rewrite(text[0].upper() + text[1:] if re.fullmatch(r"[a-z]+:?", first) else text, was, means)


def replace_at(text: str, start: int, end: int, means: str) -> Rewrite:
    """A question with ``replacement`` in place of ``text[start:end]``."""
    return make_rewrite(text[:start] + means + text[end:], text[start:end], means)


def with_small_initial(question: str) -> str:
    """A question that follows other words: with a small initial if its first word is no name."""
    first = question.split(maxsplit=1)[0] if question else ""
    return question[0].lower() + question[1:] if starts_request(first) else question
