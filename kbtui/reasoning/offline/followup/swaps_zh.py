"""Another topic in the frame of the question before, in Chinese: 那网关呢, 换成队列呢."""

from __future__ import annotations

import re

from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.references_zh import noun_back, pronoun
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.segments_zh import Segment, is_attribute, segments_of
from kbtui.reasoning.offline.followup.short_zh import short
from kbtui.reasoning.offline.followup.swaps_en import swapped as swapped_english
from kbtui.reasoning.offline.followup.topics_zh import is_doing, meaning, topic_of
from kbtui.reasoning.offline.followup.words import either
from kbtui.reasoning.offline.mentions import Mention, find_mentions
from kbtui.reasoning.offline.normalise import has_han

_TURNS_TO = re.compile(
    r"^(?:那么?|但是?|可是|还有|另外|然后)?[\s,，]*(?:如果是|如果换成|换成|换做|要是|对于|关于|至于)?(?P<about>.+?)(?:的话)?呢$"
    r"|^(?:那么?|如果)?(?:换成|换做|如果换成|如果是)\s*(?P<other>.+?)(?:的话)?(?:怎么样|怎么办|会怎样)?$"
    r"|^(?:那么?)?(?P<same>.+?)(?:也|又)(?:是|一样|是这样|如此|是一样的?)(?:吗|么)$"
)


_VERB_ONLY = re.compile(rf"^(?:{either('zh', 'verbs')})$")


def swap(text: str, said: Said) -> Meant | None:
    """那网关呢, 换成队列呢: the question before, about something else."""
    match = _TURNS_TO.match(text)
    if match is None or short(text, said) is not None:
        return None
    fragment = (match["about"] or match["other"] or match["same"]).strip(" ,，")
    if not fragment or re.search(either("zh", "asks"), fragment) or len(fragment) > 24:
        return None
    if pointing := noun_back(fragment, said) or pronoun(f"{fragment}是", said):
        return meaning(pointing.text.rstrip("？").removesuffix("是") + "呢", fragment, pointing.replaced[0][1])
    return swapped(fragment, said)


def swapped(fragment: str, said: Said) -> Meant | None:
    """The question before with ``fragment`` in the place of what it resembles most; its topic, where nothing tells."""
    question = said.question
    if said.language == "en":
        return swapped_english(fragment, said)
    leading = re.match(
        r"^(?P<word>在|到|从|给|对|用|按|跟|由|向|为)\s*(?P<thing>.+?)(?P<side>上|里|中|里面)?$", fragment
    )
    core = leading["thing"] if leading else fragment.removesuffix("的")
    segments = [segment for segment in segments_of(question) if segment.text != core]
    if _VERB_ONLY.match(core):
        verb = re.search(either("zh", "verbs"), question)
        if verb is not None:
            return meaning(question[: verb.start()] + core + re.sub(r"^到", "", question[verb.end() :]), verb[0], core)
    if leading:
        at = [segment for segment in segments if segment.before == leading["word"]]
        if at:
            return _put(question, at[-1], core)
        if is_doing(question):
            return meaning(re.sub(r"^(怎么|如何|怎样)", rf"\1{fragment}", question), "", fragment)
        return None
    if not segments:
        return None
    new_mention = next(iter(find_mentions(core)), None)
    best = max(
        segments, key=lambda segment: (_likeness(segment, core, new_mention, fragment, question), -segment.start)
    )
    if is_attribute(core) and not any(is_attribute(segment.text) for segment in segments):
        return meaning(f"{topic_of(question).subject}的{core}是什么", "", topic_of(question).subject)
    return _put(question, best, core)


def _likeness(segment: Segment, new: str, mention: Mention | None, fragment: str, question: str) -> float:
    score = 0.0
    if segment.mention is not None and mention is not None:
        same = re.match(r"[A-Za-z]*", segment.mention.text), re.match(r"[A-Za-z]*", mention.text)
        alike = bool(same[0] and same[1] and same[0][0].lower() == same[1][0].lower())
        score += 6.0 if segment.mention.kind == mention.kind and alike else 4.0
    elif (segment.mention is None) != (mention is None):
        score -= 1.0
    if re.search(r"\d", segment.text) or re.search(r"\d", new):
        score += 4.0 if re.search(r"\d", segment.text) and re.search(r"\d", new) else -2.0
    if has_han(segment.text) != has_han(new):
        score -= 1.0
    old_is, new_is = is_attribute(segment.text), is_attribute(new)
    if old_is or new_is:
        score += 2.5 if old_is and new_is else -2.5
    if segment.text[-1:] == new[-1:]:
        score += 2.0 if segment.text[-2:] == new[-2:] else 1.0
    if fragment.endswith("的") and question[segment.end : segment.end + 1] == "的":
        score += 2.0
    return score


def _put(question: str, segment: Segment, core: str) -> Meant:
    return meaning(question[: segment.start] + core + question[segment.end :], segment.text, core)
