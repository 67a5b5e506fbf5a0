"""English follow-ups: the rules in the order in which they are tried.

Each would rather leave a question alone than guess: a question that is searched as it stands finds something, one that
was given a wrong topic finds the wrong thing.
"""

from __future__ import annotations

import re

from kbtui.reasoning.offline.chitchat import chitchat_kind
from kbtui.reasoning.offline.followup.meant import LEAD, Meant
from kbtui.reasoning.offline.followup.references_en import references
from kbtui.reasoning.offline.followup.said import Said, bare
from kbtui.reasoning.offline.followup.swaps_en import swap
from kbtui.reasoning.offline.followup.whole_en import correction, more, short
from kbtui.reasoning.offline.followup.words import word_set

MOST_WORDS = 40
"""Longer questions say themselves what they are about."""


def condense_english(query: str, said: Said) -> Meant | None:
    """``query`` with what it means of ``said``; None where it stands alone.

    Args:
        query: Cleaned.
    """
    text = bare(query)
    if not text or len(text.split()) > MOST_WORDS:
        return None
    if joins := _JOINS.match(query):
        # It is taken for a courtesy elsewhere; here it says that the question goes on.
        text = f"{joins[1].lower()} {text}"
    for rule in (correction, more, short):
        if (meant := rule(text, said)) is not None:
            return meant
    kind = chitchat_kind(query)
    if kind not in (None, "smalltalk"):
        return None
    if (meant := swap(text, said)) is not None:
        return meant
    if not _is_request(query, text):
        return None
    if kind == "smalltalk" and _JUDGES.match(text):
        return None
    return references(re.sub(rf"^{LEAD}", "", text, flags=re.I), said)


_JUDGES = re.compile(
    r"^(?:is|was|isn't)\s+(?:that|this|it)\s+(?:\w+\s+)?(?:so|right|correct|true|ok(?:ay)?|all|it)$", re.I
)


_JOINS = re.compile(
    r"^(?:(?:ok(?:ay)?|thanks?|thank\s+you|great|good|right|so|well|hm+)[\s,.!]+)*(and|but|or)\b(?=[\s,]+\S)", re.I
)


def _is_request(query: str, text: str) -> bool:
    """True for what asks or tells to do something; remarks are left alone."""
    if query.rstrip().endswith(("?", "？")):
        return True
    first = re.sub(rf"^{LEAD}", "", text, flags=re.I).split(maxsplit=1)[:1]
    word = first[0].lower().strip(",") if first else ""
    starts = word_set("en", "question_words") | word_set("en", "auxiliaries") | word_set("en", "commands")
    return word in starts
