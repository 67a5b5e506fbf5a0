"""Which turns a question can be a follow-up to: those that were answered, and seldom one that was refused.

A refused question (nothing found, or no reading that was sure enough) is asked again in other words or left behind.
What is put in full with it would be refused as well, so it is a base only for what cannot stand alone: a correction,
and a fragment that no answered question of its kind comes before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.question.normalise import clean
from kbtui.reasoning.offline.followup.rules import correction
from kbtui.reasoning.offline.followup.said import said_in
from kbtui.reasoning.offline.followup.words import EN, ZH
from kbtui.text.language import has_cjk, simplified
from kbtui.text.tokenise import content_words

_ANSWERED: Final = frozenset({"answered", "partial"})
_MOST_CONTENT: Final = 2
"""Content words of an English fragment."""

_MOST_HAN: Final = 6
_MOST_HAN_ASKING: Final = 12
"""Characters of a Chinese fragment, and of one that ends with 呢."""


def bases(query: str, history: Sequence[Turn], is_of_one_kind: Callable[[Turn, Turn], bool]) -> tuple[Turn, ...]:
    """The turns of ``history`` that ``query`` can be a follow-up to, oldest first; the last is the likeliest.

    Args:
        query: As typed.
        history: What was asked before, and what came of it, oldest first.
        is_of_one_kind: True where the same side (documents, data) was asked.
    """
    answered = tuple(turn for turn in history if turn.outcome in _ANSWERED)
    if not history or history[-1].outcome in _ANSWERED:
        return answered
    refused = history[-1]
    if _corrects(query, refused):
        return (*answered, refused)
    if is_fragment(query) and not (answered and is_of_one_kind(answered[-1], refused)):
        return (*answered, refused)
    return answered


def is_fragment(query: str) -> bool:
    """True for what cannot be a question of its own: "and per site?", "as a pie chart", 那台北呢."""
    text = clean(query).strip().rstrip("?？!！.。~ ")
    if has_cjk(text):
        text = simplified(text)
        if text.endswith("呢"):
            return len(text) <= _MOST_HAN_ASKING
        return len(text) <= _MOST_HAN and bool(ZH.fragment.search(text)) and not ZH.whole.search(text)
    if len(content_words(text)) > _MOST_CONTENT or (EN.asks_more.match(text) and not EN.points.search(text)):
        return False
    return bool(EN.fragment.match(text) or EN.points.search(text))


def _corrects(query: str, refused: Turn) -> bool:
    """True for "no, I meant Boston", which speaks of the question before whatever came of it."""
    text = clean(query).strip().rstrip("?？!！.。~ ")
    if (said := said_in((refused,))) is None:
        return False
    if has_cjk(text):
        return correction(simplified(text), said, "zh") is not None
    return correction(text, said, "en") is not None
