"""What a Chinese question was about, and how a follow-up in Chinese is spelled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.said import Said, bare
from kbtui.reasoning.offline.followup.words import either, word_set
from kbtui.reasoning.offline.mentions import find_mentions
from kbtui.text.patterns import Patterns

HAN = "\u3400-\u9fff"


LEAD = r"(?:(?:那么|那|但是|但|可是|所以|然后|另外|还有|而且|再|请问|好的|嗯)[\s,，]*)?"


END = r"[呢啊呀吧嘛了]?"


def meaning(text: str, was: str, means: str) -> Meant:
    """A Chinese follow-up in full."""
    text = re.sub(r"\s{2,}", " ", text).strip()
    # Names in Latin letters stand apart from the characters around them.
    text = re.sub(rf"([A-Za-z0-9])(?=[{HAN}])", r"\1 ", re.sub(rf"([{HAN}])(?=[A-Za-z0-9])", r"\1 ", text))
    return Meant(bare(text) + "？", ((was, means),))


_RE: Final = Patterns(__package__, "topics_zh.toml")


def pair_zh(question: str) -> tuple[str, ...]:
    """The two things a question puts side by side."""
    match = next((match for pattern in _RE.all_of("compares") if (match := pattern.match(question))), None)
    return (match[1].strip(), match[2].strip()) if match else ()


_WHO_DOES = re.compile(
    rf"^(?:由)?(?:谁|哪位|哪[个些种][{HAN}A-Za-z]{{0,6}}?|什么[{HAN}]{{1,4}}?)(?:来|会|要|可以|能)?\s*"
    rf"(?P<verb>{either('zh', 'verbs')})(?:了|过|到|着)?\s*(?P<topic>.+)$"
)


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
    if match := _RE.introduces.match(text):
        return _of(match["topic"])
    if pair := pair_zh(text):
        return _of("和".join(pair))
    if match := _WHO_DOES.match(text):
        return _of(match["topic"])
    if match := _RE.does.match(text):
        doing = match["doing"]
        where = f"在{match['place']}上" if match["place"] else ""
        verb = re.match(rf"{either('zh', 'verbs')}(?:到|了)?\s*(?P<object>.+)$", doing)
        return Topic(verb["object"] if verb else doing, where + doing)
    if match := _RE.condition.match(text):
        return _of(match["topic"])
    cut = _predicate(text)
    return _of(text[:cut].rstrip("的是在有都 ") or text)


def _of(subject: str) -> Topic:
    subject = re.sub(r"(?:吗|么|呢|了)$", "", subject).strip()
    return Topic(subject, subject)


def _predicate(text: str) -> int:
    """Where the predicate of a question begins; behind what is named literally and never at the start."""
    spans = [(mention.start, mention.end) for mention in find_mentions(text)]
    for match in re.finditer(either("zh", "asks", "predicates"), text):
        at = match.start()
        if at == 0 or any(start <= at < end for start, end in spans):
            continue
        if match[0] in ("和", "与", "跟") and "区别" not in text:
            continue
        if match[0] in ("在", "用", "要", "有", "会", "能", "讲", "也", "都") and not _begins(text, match):
            continue
        return at
    return len(text)


WORDS_AROUND = word_set("zh", "words_around")


def is_meeting(text: str, match: re.Match[str]) -> bool:
    """True at 会 where it is a noun, and at a verb in front of that: 发布会在什么时候."""
    at = match.start() if match[0] == "会" else match.end()
    return text[at : at + 1] == "会" and at > 0 and text[at + 1 : at + 2] in tuple("在的是议上由几呢什")


def _begins(text: str, match: re.Match[str]) -> bool:
    if is_meeting(text, match):
        return False
    around = text[max(0, match.start() - 1) : match.end() + 1]
    return not any(word in around for word in WORDS_AROUND)


def is_doing(question: str) -> bool:
    """True where a question asks how or when something is done."""
    return _RE.does.match(question) is not None and _WHO_DOES.match(question) is None


def subject_zh(said: Said) -> str:
    """What 它 means after a Chinese question."""
    subject = topic_of(said.question).subject
    # A person is no 它: what they wrote or are in charge of is.
    owned = re.match(r"^(.+?)的?(?:作者|负责人|维护者|评审人|联系人|值班人)$", subject)
    return owned[1] if owned else subject
