"""English follow-ups to the question before as a whole: corrections, more of it, why and since when."""

from __future__ import annotations

import re
from typing import Final

from kbtui.reasoning.offline.followup.meant import LEAD, Meant, lowered, meaning
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.swaps_en import swapped
from kbtui.reasoning.offline.followup.topics import event_of
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "whole_en.toml", LEAD=LEAD)


def correction(text: str, said: Said) -> Meant | None:
    """ "No, I meant staging": the question before, with what was wrong in it replaced."""
    match = _RE.corrects.match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,")
    if not right or len(right.split()) > 8:
        return None
    if wrong and (at := said.question.lower().find(wrong.lower())) >= 0:
        return meaning(f"{said.question[:at]}{right}{said.question[at + len(wrong) :]}?", wrong, right)
    return swapped(right, said) if not wrong else None


def more(text: str, said: Said) -> Meant | None:
    """ "Tell me more", "an example?", "what else?", "and then?"."""
    topic = lowered(said.question)
    if _RE.more.match(text):
        return meaning(f"Tell me more: {topic}?", text, topic)
    if _RE.example.match(text):
        return meaning(f"Give an example: {topic}?", text, topic)
    if match := _RE.anything_else.match(text):
        return meaning(f"{match['what'].capitalize()}: {topic}?", text, topic)
    if _RE.next.match(text):
        event = event_of(said)
        return meaning(f"What happens after {event}?", text, event)
    return None


def short(text: str, said: Said) -> Meant | None:
    """ "Why?", "since when?", "which ones?": asked of what the question before says."""
    match = _RE.short.match(text) or (_RE.short_of.match(text) if _RE.inverted.match(said.question) else None)
    if match is None:
        return None
    asks = re.sub(r"\s+(?:exactly|then|so|come)$", "", match["asks"], flags=re.I)
    asks = "why" if match["asks"].lower() == "how come" else asks
    asks = asks[0].upper() + asks[1:]
    question = said.question
    inverted = _RE.inverted.match(question)
    if inverted and _RE.adverbial.match(asks) and said.language == "en":
        return meaning(f"{asks} {lowered(inverted['rest'])}?", text, question)
    return meaning(f"{asks}: {lowered(question)}?", text, question)
