"""Whether a question is a follow-up to a refused one, which only a correction or a fragment is."""

from __future__ import annotations

from typing import Final

from kbtui import late_patterns
from kbtui.domain.conversation import Turn
from kbtui.question.dialogue import dialogue_of, without_courtesies
from kbtui.question.followup_resolution import resolve_correction
from kbtui.question.normalise import clean, has_han
from kbtui.question.rewrite import RE
from kbtui.text.language import simplified
from kbtui.text.tokenise import content_words

_MAX_CONTENT_WORDS: Final = 2
"""Content words of an English fragment, at most."""
_PRONOUN_ZH: Final = late_patterns.pattern("[他她它]们?|这些|那些")
_MAX_HAN: Final = 6
_MAX_HAN_ASKING: Final = 12
"""Characters of a Chinese fragment, at most, and of one that ends with 呢."""


def is_correction(query: str, before: Turn) -> bool:
    """Whether it corrects the previous question ("no, I meant Boston"), whatever the outcome of that one was."""
    dialogue = dialogue_of((before,))
    return dialogue is not None and resolve_correction(simplified(without_courtesies(query)), dialogue) is not None


def points_back(query: str) -> bool:
    """Whether a pronoun stands for what the question before was about: "who are they?", 他们是谁."""
    text = simplified(clean(query))
    return bool(_PRONOUN_ZH.search(text) if has_han(text) else RE.points.search(text))


def is_cut_off(query: str) -> bool:
    """Whether it cannot be a standalone question: "and per site?", "as a pie chart", 那台北呢."""
    text = clean(query).strip().rstrip("?？!！.。~ ")
    if has_han(text):
        text = simplified(text)
        if text.endswith("呢"):
            return len(text) <= _MAX_HAN_ASKING
        return len(text) <= _MAX_HAN and bool(RE.fragment_zh.search(text)) and not RE.whole_zh.search(text)
    if len(content_words(text)) > _MAX_CONTENT_WORDS or (RE.asks_more.match(text) and not RE.points.search(text)):
        return False
    return bool(RE.fragment.match(text) or RE.points.search(text))
