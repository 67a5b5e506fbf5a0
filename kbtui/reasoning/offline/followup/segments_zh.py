"""The parts of a Chinese question that name something, found by what stands between them: there are no spaces."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbtui.reasoning.offline.followup.topics_zh import is_meeting
from kbtui.reasoning.offline.followup.words import either, listed, word_set
from kbtui.reasoning.offline.mentions import Mention, find_mentions
from kbtui.reasoning.offline.normalise import has_han


@dataclass(frozen=True, slots=True)
class Segment:
    text: str
    start: int
    end: int
    mention: Mention | None = None
    before: str = ""


def segments_of(question: str) -> list[Segment]:
    """The parts of a question that name something, cut at function words, verbs and what asks."""
    mentions = find_mentions(question)
    found = [Segment(question[m.start : m.end], m.start, m.end, m, _before(question, m.start)) for m in mentions]
    cut = re.compile(
        f"{either('zh', 'asks')}|{either('zh', 'verbs')}|{either('zh', 'cuts')}|吗|么|呢|[，,：:；;、（）()]"
    )
    position = 0
    for stop, after in [*((m.start, m.end) for m in mentions), (len(question), len(question))]:
        start = position
        for match in cut.finditer(question, position, stop):
            if is_meeting(question, match) or (len(match[0]) == 1 and not _cuts_here(question, match)):
                continue
            found += _segment(question, start, match.start())
            start = match.end()
        found += _segment(question, start, stop)
        position = after
    return sorted(found, key=lambda segment: segment.start)


def _cuts_here(question: str, match: re.Match[str]) -> bool:
    around = question[max(0, match.start() - 1) : match.end() + 1]
    return not any(word in around for word in word_set("zh", "words_around"))


def _segment(question: str, start: int, stop: int) -> list[Segment]:
    text = question[start:stop]
    start += len(text) - len(text.lstrip())
    text = text.strip()
    return [Segment(text, start, start + len(text), None, _before(question, start))] if text else []


def _before(question: str, start: int) -> str:
    match = re.search(r"(在|到|从|给|对|用|按|跟|由|向|为|关于)\s*$", question[:start])
    return match[1] if match else ""


def is_attribute(text: str) -> bool:
    return has_han(text) and any(text.endswith(word) for word in listed("zh", "attributes"))
