"""Cuts a comparison into its sides, and into what they share when that is asked.

Works on a question in which every mention is one private-use character (a slot, see `decompose`), so that no pattern
reads inside a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.question.mentions import Mention
from kbtui.question.normalise import has_han
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words
from kbtui.text.word_lists import filled, toml_in

_FIRST_SLOT = 0xE000
MOST_SLOTS = 250
SLOT = "[\ue000-\ue0ff]"

ASKING = r"(?:what|how|why|who|whose|when|where|which|whether)"
TELLING = (
    r"(?:list|explain|describe|show|tell|give|summari[sz]e|name|outline|identify|discuss|find|state|point\ out|say)"
)
_TABLES = toml_in(__package__, "comparing.toml")


def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    blanks = {**_TABLES["blanks"], "SLOT": SLOT, "ASKING": ASKING, "TELLING": TELLING}
    return tuple(re.compile(filled(pattern, blanks)) for pattern in _TABLES[name])


_COMPARE = _patterns("compared")
_EITHER = _patterns("either")
_COMPARE_ZH = _patterns("chinese")
_RE: Final = Patterns(__package__, "comparing.toml")
PRONOUN: Final = _RE.pronoun


def with_slots(question: str, mentions: Sequence[Mention]) -> tuple[str, dict[str, str]]:
    """A question with one private-use character for each mention, and what each of them stands for."""
    slots: dict[str, str] = {}
    text, position = "", 0
    for number, mention in enumerate(mentions[:MOST_SLOTS]):
        slots[slot := chr(_FIRST_SLOT + number)] = question[mention.start : mention.end]
        text += question[position : mention.start] + slot
        position = mention.end
    return text + question[position:], slots


def without_slots(text: str, slots: Mapping[str, str]) -> str:
    return re.sub(SLOT, lambda match: slots.get(match[0], match[0]), text)


def compared(text: str) -> list[str]:
    """The sides of a comparison as questions, with a third for what they share; empty when nothing is compared.

    Args:
        text: A question with its mentions as slots.
    """
    return _chinese(text) if has_han(text) else _english(text)


def _english(text: str) -> list[str]:
    for pattern in (*_COMPARE, *_EITHER):
        match = pattern.match(text)
        if match is None:
            continue
        found = match.groupdict()
        first, second = _bare(found["a"]), _bare(found["b"])
        if not first or not second or not _is_thing(first) or not _is_thing(second):
            continue
        first = _with_head(first, second)
        topic, shared = _wanted(found.get("c") or "", found.get("t") or found.get("u") or "")
        both = f"{first} and {second}"
        if topic:
            parts = [_about(first, topic), _about(second, topic)]
            return [*parts, f"What do {both} say about {topic}?"] if found.get("c") else parts
        parts = [f"What is {first}?", f"What is {second}?"]
        if shared:
            parts.append(f"What {shared} do {both} share?")
        elif does := _RE.both_do.match(_untold(found.get("c") or "")):
            parts.append(f"What do {both} {does['v']}?")
        elif found.get("c"):
            parts.append(f"{replaced_pronouns(found['c'], both).strip(' .?!')}?")
        return parts
    return []


def _wanted(clause: str, topic: str) -> tuple[str, str]:
    """(topic, shared thing) that the second half of a comparison asks for."""
    text = _untold(clause)
    if match := _RE.both_say.match(text):
        return match["t"].strip(), ""
    if match := _RE.shared.match(text):
        return "", match["s"].strip()
    if match := _RE.own.match(text):
        return (match["t"] or "").strip(), ""
    return topic.strip(" .?!"), ""


def _untold(clause: str) -> str:
    """A clause without the verb that asks to be told: ``list what both need`` is ``what both need``."""
    return re.sub(rf"^{TELLING}\ +", "", clause.strip(" .?!"), flags=re.I | re.X)


def _about(thing: str, topic: str) -> str:
    if re.search(SLOT, thing):
        return f"What does {thing} say about {topic}?"
    return f"How does {thing} handle {topic}?"


def _chinese(text: str) -> list[str]:
    for pattern in _COMPARE_ZH:
        match = pattern.match(text)
        if match is None:
            continue
        found = match.groupdict()
        first, second = _bare_zh(found["a"]), _bare_zh(found["b"])
        if not first or not second or len(first) > 30 or len(second) > 30 or _RE.asks_zh.search(first + second):
            continue
        clause = (found.get("c") or "").strip(" 。？?！!，,")
        topic, shared = (found.get("t") or "").strip(), ""
        if both_say := _RE.both_say_zh.match(clause):
            topic = both_say["t"].strip()
        elif common := _RE.shared_zh.match(clause):
            shared = common["s"].strip()
        elif clause and not re.search(r"区别|差异|不同|异同", clause):
            shared = clause
        both = f"{first} 和 {second} "
        if topic:
            parts = [f"{first} 关于{topic}说了什么？", f"{second} 关于{topic}说了什么？"]
            return [*parts, f"{both}关于{topic}的共同内容是什么？"] if clause else parts
        parts = [f"{thing}{'' if has_han(thing[-1]) else ' '}是什么？" for thing in (first, second)]
        return [*parts, f"{both}共同的{shared}有哪些？"] if shared else parts
    return []


def _bare(thing: str) -> str:
    text = re.sub(
        r"^(?:between|both|either|how|what|the\ (?:two|differences?\ between))\ +",
        "",
        thing.strip(" ,.;:?!"),
        flags=re.I | re.X,
    )
    return re.sub(r"\ +(?:to\ each\ other|each\ other|with\ each\ other)$", "", text)


def _bare_zh(thing: str) -> str:
    text = thing.strip(" ，,。？?！!的")
    return re.sub(r"^(?:请|帮我|一下|说说|讲讲|解释|说明|我们的?|两者)\s*", "", text)


def _with_head(first: str, second: str) -> str:
    """``temporary`` beside ``permanent modifications`` is ``temporary modifications``."""
    words = second.split()
    if len(words) > 1 and re.fullmatch(
        r"\w+(?:ary|ent|ant|al|ic|ive|ous|ble|ed)|old|new|first|last|big|small|former", first
    ):
        return f"{first} {' '.join(words[1:])}"
    return first


def _is_thing(text: str) -> bool:
    if _RE.asks.search(text):
        return False
    return bool(re.search(SLOT, text) or content_words(text)) and len(text.split()) <= 12


def replaced_pronouns(clause: str, topic: str) -> str:
    if has_han(clause):
        return _RE.pronoun_zh.sub(f" {topic} " if re.search(SLOT, topic) else topic, clause)
    # "what it is" in "explain what it is": the first pronoun carries the topic, repeating it would only add noise.
    return PRONOUN.sub(lambda match: f"{topic}'s" if match["own"] else topic, clause, count=1)
