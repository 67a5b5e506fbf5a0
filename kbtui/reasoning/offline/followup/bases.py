"""Which turns a question can be a follow-up to: those that were answered, and seldom one that was refused.

A refused question (nothing found, or no reading that was sure enough) is asked again in other words or left behind.
What is put in full with it would be refused as well, so it is a base only for what cannot stand alone: a correction,
and a fragment that no answered question of its kind comes before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.reasoning.offline.followup.said import said_in
from kbtui.reasoning.offline.normalise import clean
from kbtui.text.language import has_cjk, simplified
from kbtui.text.tokenise import content_words

_ANSWERED: Final = frozenset({"answered", "partial"})
_MOST_CONTENT: Final = 2
"""Content words of an English fragment."""

_MOST_HAN: Final = 6
_MOST_HAN_ASKING: Final = 12
"""Characters of a Chinese fragment, and of one that ends with 呢."""

_FRAGMENT: Final = re.compile(
    r"^(?:and|but|or|so|then|also|what about|how about|only|just|same|instead|without|with|as an?|per|by|for|in|on|at"
    r"|since|before|after|until|from|sort(?:ed)?|order(?:ed)?|more|why|when|where|how|who|which(?: ones?)?)\b",
    re.I,
)
_ASKS_MORE: Final = re.compile(r"^(?:how|who|when|where|which)\s+\w", re.I)
_POINTS: Final = re.compile(r"\b(?:it|its|they|them|their|those|these|he|she|that one)\b", re.I)
_FRAGMENT_ZH: Final = re.compile(
    r"^(?:那|还有|只|仅|按|换|改|再|画|其中|它|他|她|这|为什么|为何|为啥|什么时候|何时|谁|哪|多久|怎么|如何)|(?:饼图|柱状图|折线图|图)$"
)
_WHOLE_ZH: Final = re.compile(r"多少|几个|统计|列出|有哪些")


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
        return len(text) <= _MOST_HAN and bool(_FRAGMENT_ZH.search(text)) and not _WHOLE_ZH.search(text)
    if len(content_words(text)) > _MOST_CONTENT or (_ASKS_MORE.match(text) and not _POINTS.search(text)):
        return False
    return bool(_FRAGMENT.match(text) or _POINTS.search(text))


def _corrects(query: str, refused: Turn) -> bool:
    """True for "no, I meant Boston", which speaks of the question before whatever came of it."""
    from kbtui.reasoning.offline.followup import whole_en, whole_zh

    if (said := said_in((refused,))) is None:
        return False
    text = clean(query).strip().rstrip("?？!！.。~ ")
    if has_cjk(text):
        return whole_zh.correction(simplified(text), said) is not None
    return whole_en.correction(text, said) is not None
