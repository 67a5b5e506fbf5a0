"""What the rules for English hand on: a follow-up in full, spelled as a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbtui.reasoning.offline.followup.words import word_set


@dataclass(frozen=True, slots=True)
class Meant:
    """A follow-up in full, and what was put in place of what."""

    text: str
    replaced: tuple[tuple[str, str], ...]


LEAD = r"(?:(?:and|but|or|so|ok(?:ay)?|then|now|also)\b[\s,]*)*"


def meaning(text: str, was: str, means: str) -> Meant:
    """A follow-up in full, spelled as a sentence."""
    text = re.sub(r"\s+([?,.])", r"\1", re.sub(r" {2,}", " ", text)).strip()
    text = re.sub(r"\?+$", "?", text)
    first = text.split(maxsplit=1)[0].lower()
    if first in word_set("en", "commands") and ": " not in text:
        text = text.rstrip("?")
    if re.fullmatch(r"[a-z]+:?", first):
        text = text[0].upper() + text[1:]
    return Meant(text, ((was, means),))


def lowered(question: str) -> str:
    """A sentence behind other words: its first letter small, unless it begins a name."""
    first = question.split(maxsplit=1)[0] if question else ""
    starts = word_set("en", "question_words") | word_set("en", "auxiliaries") | word_set("en", "commands")
    return question[0].lower() + question[1:] if first.lower() in starts else question
