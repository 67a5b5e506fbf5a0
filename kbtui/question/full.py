"""A question that leans on another in full: what was put in place of what, and how it is spelled."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from kbtui.question.normalise import has_han
from kbtui.question.said import bare
from kbtui.question.things import HAN, either, listed, of_role, starts_request
from kbtui.text.numbers import HAN as HAN_NUMERALS
from kbtui.text.patterns import Patterns

RE: Final = Patterns(
    "kbtui.question",
    "words/leaning.toml",
    HAN=HAN,
    HAN_NUMERALS=HAN_NUMERALS,
    ORDINALS=either("en", "ordinals"),
    PARTS=either("en", "parts"),
    PREPOSITIONS=of_role("en", "preposition"),
    PARTS_ZH=either("zh", "parts"),
    FILES_ZH=either("zh", "files"),
    ATTRIBUTES_ZH=either("zh", "attributes"),
    TRANSITIVE=either("zh", "transitive"),
)


class Meant(Struct, frozen=True):
    """A question in full, and what was put in place of what."""

    text: str
    was: str
    means: str


def meaning(text: str, was: str, means: str) -> Meant:
    """A question in full, spelled as a sentence of its language."""
    text = re.sub(r"\s+([?,.])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()
    if has_han(text):
        # Names in Latin letters stand apart from the characters around them.
        text = re.sub(rf"([A-Za-z0-9])(?=[{HAN}])", r"\1 ", re.sub(rf"([{HAN}])(?=[A-Za-z0-9])", r"\1 ", text))
        return Meant(bare(text) + "？", was, means)
    first = text.split(maxsplit=1)[0].lower()
    is_order = first in listed("en", "commands") and ": " not in text
    text = text.rstrip("?") + ("" if is_order else "?")
    return Meant(text[0].upper() + text[1:] if re.fullmatch(r"[a-z]+:?", first) else text, was, means)


def put(text: str, start: int, end: int, means: str) -> Meant:
    """A question with ``means`` in place of what stands there."""
    return meaning(text[:start] + means + text[end:], text[start:end], means)


def lowered(question: str) -> str:
    """A sentence behind other words: its first letter small, unless it begins a name."""
    first = question.split(maxsplit=1)[0] if question else ""
    return question[0].lower() + question[1:] if starts_request(first) else question
