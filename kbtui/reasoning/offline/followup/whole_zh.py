"""Chinese follow-ups to the question before as a whole: corrections, more of it."""

from __future__ import annotations

from typing import Final

from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.swaps_zh import swapped
from kbtui.reasoning.offline.followup.topics import event_of
from kbtui.reasoning.offline.followup.topics_zh import END, LEAD, meaning
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "whole_zh.toml", LEAD=LEAD, END=END)


def correction(text: str, said: Said) -> Meant | None:
    match = _RE.corrects.match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,，")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,，")
    if not right or len(right) > 24:
        return None
    if wrong:
        return meaning(said.question.replace(wrong, right, 1), wrong, right) if wrong in said.question else None
    return swapped(right, said)


def more(text: str, said: Said) -> Meant | None:
    topic = said.question
    if _RE.example.match(text):
        return meaning(f"举个例子：{topic}", text, topic)
    if _RE.next.match(text):
        return meaning(f"{event_of(said)}之后怎么做", text, event_of(said))
    if _RE.anything_else.match(text):
        return meaning(f"还有其他的吗：{topic}", text, topic)
    if _RE.more.match(text):
        return meaning(f"详细说明：{topic}", text, topic)
    return None
