"""Chinese follow-ups: the rules in the order in which they are tried."""

from __future__ import annotations

from kbtui.reasoning.offline.chitchat import chitchat_kind
from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.references_zh import former, noun_back, ordinal, pronoun
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.short_zh import dropped, short
from kbtui.reasoning.offline.followup.swaps_zh import swap
from kbtui.reasoning.offline.followup.whole_zh import correction, more

MOST_CHARACTERS = 60


def condense_chinese(query: str, said: Said) -> Meant | None:
    """``query`` with what it means of ``said``; None where it stands alone.

    Args:
        query: Cleaned, in simplified characters.
    """
    text = query.strip().rstrip("?？!！.。~ ")
    if not text or len(text) > MOST_CHARACTERS:
        return None
    for rule in (correction, more, short):
        if (meant := rule(text, said)) is not None:
            return meant
    if chitchat_kind(query) not in (None, "smalltalk"):
        return None
    for rule in (ordinal, swap):
        if (meant := rule(text, said)) is not None:
            return meant
    for rule in (former, noun_back, pronoun, dropped):
        if (meant := rule(text, said)) is not None:
            return meant
    return None
