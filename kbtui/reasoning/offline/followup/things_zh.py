"""What a Chinese question is about, and its parts that name something: there are no spaces to cut at."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import has_han
from kbtui.reasoning.offline.followup.words import ZH, either, listed, word_set


def pair(question: str) -> tuple[str, ...]:
    """The two things a question puts side by side."""
    match = next((match for pattern in ZH.all_of("compares") if (match := pattern.match(question))), None)
    return (match[1].strip(), match[2].strip()) if match else ()


@dataclass(frozen=True, slots=True)
class Topic:
    """What a question is about.

    Attributes:
        subject: The thing.
        event: What is done, where something is: 续期证书; else the thing.
    """

    subject: str
    event: str


def topic_of(question: str) -> Topic:
    """The topic of a Chinese question without the mark at its end."""
    text = question.strip()
    if match := ZH.introduces.match(text):
        return _of(match["topic"])
    if both := pair(text):
        return _of("和".join(both))
    if match := ZH.who_does.match(text):
        return _of(match["topic"])
    if match := ZH.does.match(text):
        doing = match["doing"]
        where = f"在{match['place']}上" if match["place"] else ""
        verb = ZH.object.match(doing)
        return Topic(verb["object"] if verb else doing, where + doing)
    if match := ZH.condition.match(text):
        return _of(match["topic"])
    return _of(text[: _predicate(text)].rstrip("的是在有都 ") or text)


def _of(thing: str) -> Topic:
    thing = re.sub(r"(?:吗|么|呢|了)$", "", thing).strip()
    return Topic(thing, thing)


def _predicate(text: str) -> int:
    """Where the predicate of a question begins; behind what is named literally and never at the start."""
    spans = [(mention.start, mention.end) for mention in find_mentions(text)]
    for match in re.finditer(either("zh", "asks", "predicates"), text):
        at = match.start()
        if at == 0 or any(start <= at < end for start, end in spans):
            continue
        if match[0] in ("和", "与", "跟") and "区别" not in text:
            continue
        if match[0] in ("在", "用", "要", "有", "会", "能", "讲", "也", "都") and (
            _is_meeting(text, match) or _is_in_word(text, match)
        ):
            continue
        return at
    return len(text)


def _is_meeting(text: str, match: re.Match[str]) -> bool:
    """True at 会 where it is a noun, and at a verb in front of that: 发布会在什么时候."""
    at = match.start() if match[0] == "会" else match.end()
    return text[at : at + 1] == "会" and at > 0 and text[at + 1 : at + 2] in tuple("在的是议上由几呢什")


def _is_in_word(text: str, match: re.Match[str]) -> bool:
    """True where a character is a part of a longer word: the 在 of 存在."""
    around = text[max(0, match.start() - 1) : match.end() + 1]
    return any(word in around for word in word_set("zh", "words_around"))


def is_doing(question: str) -> bool:
    """True where a question asks how or when something is done."""
    return ZH.does.match(question) is not None and ZH.who_does.match(question) is None


def subject(question: str) -> str:
    """What 它 means after a question."""
    found = topic_of(question).subject
    owned = ZH.owned.match(found)
    return owned[1] if owned else found


def described(question: str) -> str:
    """哪些决策是关于缓存的 as 关于缓存的决策; empty where nothing was listed."""
    match = ZH.lists.match(question)
    return f"{match['rest']}的{match['noun']}" if match else ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a question that names something; ``before`` is the preposition in front of it."""

    text: str
    start: int
    before: str = ""
    mention: Mention | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def segments_of(question: str) -> list[Segment]:
    """The parts of a question that name something, cut at function words, verbs and what asks."""
    mentions = find_mentions(question)
    found: list[Segment] = []

    def add(start: int, stop: int, mention: Mention | None = None) -> None:
        text = question[start:stop]
        start += len(text) - len(text.lstrip())
        if text.strip():
            before = ZH.preposition.search(question[:start])
            found.append(Segment(text.strip(), start, before[1] if before else "", mention))

    position = 0
    for mention in (*mentions, None):
        start, stop = position, mention.start if mention else len(question)
        for match in ZH.cuts.finditer(question, position, stop):
            if _is_meeting(question, match) or (len(match[0]) == 1 and _is_in_word(question, match)):
                continue
            add(start, match.start())
            start = match.end()
        add(start, stop)
        if mention:
            add(mention.start, mention.end, mention)
            position = mention.end
    return found


def is_attribute(text: str) -> bool:
    return has_han(text) and any(text.endswith(word) for word in listed("zh", "attributes"))
