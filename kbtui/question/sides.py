"""Which two things a question puts side by side, and the questions that a comparison of them comes to.

Patterns read a question in which every mention is one private-use character (a slot), so that none reads inside a name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final

from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import has_han
from kbtui.question.things import role_at, things_of, words_of
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words
from kbtui.text.word_lists import filled, toml_in

SLOT: Final = "[\ue000-\ue0ff]"
ASKING: Final = r"(?:what|how|why|who|whose|when|where|which|whether)"
TELLING: Final = (
    r"(?:list|explain|describe|show|tell|give|summari[sz]e|name|outline|identify|discuss|find|state|point\ out|say)"
)
_FIRST_SLOT: Final = 0xE000
_MOST_SLOTS: Final = 250
_MOST_WORDS: Final = 12
_MOST_HAN: Final = 30
_RE: Final = Patterns("kbtui.question", "words/sides.toml", SLOT=SLOT, TELLING=TELLING)


@cache
def _ways() -> Mapping[str, Sequence[re.Pattern[str]]]:
    """How a comparison is asked, in each language."""
    table: Any = toml_in("kbtui.question", "words/sides.toml")
    blanks = {**table["blanks"], "SLOT": SLOT, "ASKING": ASKING, "TELLING": TELLING}
    return {name: [re.compile(filled(pattern, blanks)) for pattern in table[name]] for name in ("english", "chinese")}


def with_slots(question: str, mentions: Sequence[Mention]) -> tuple[str, dict[str, str]]:
    """A question with one private-use character for each mention, and what each of them stands for."""
    slots: dict[str, str] = {}
    text, position = "", 0
    for number, mention in enumerate(mentions[:_MOST_SLOTS]):
        slots[slot := chr(_FIRST_SLOT + number)] = question[mention.start : mention.end]
        text += question[position : mention.start] + slot
        position = mention.end
    return text + question[position:], slots


def without_slots(text: str, slots: Mapping[str, str]) -> str:
    return re.sub(SLOT, lambda match: slots.get(match[0], match[0]), text)


@lru_cache(maxsize=256)
def put_side_by_side(question: str) -> tuple[str, ...]:
    """The two things that a question compares; empty where it compares none."""
    text, slots = with_slots(question, find_mentions(question))
    found = _match(text)
    return tuple(without_slots(side, slots) for side in found[:2]) if found else ()


@lru_cache(maxsize=256)
def sides(question: str) -> tuple[str, ...]:
    """The two things that a question compares or joins by "and" or "or"; empty where it does not."""
    if found := put_side_by_side(question):
        return found
    for first, second in pairwise(thing for thing in things_of(question) if not thing.asked):
        if _RE.coordinated.match(question[first.end : second.start]):
            return first.text, second.text
    return ()


def _match(text: str) -> tuple[str, str, dict[str, str]] | None:
    is_chinese = has_han(text)
    for pattern in _ways()["chinese" if is_chinese else "english"]:
        if match := pattern.match(text):
            found = match.groupdict(default="")
            first, second = _bare(found["a"]), _bare(found["b"])
            if _is_thing(first) and _is_thing(second):
                return _with_head(first, second), second, found
    return None


def _with_head(first: str, second: str) -> str:
    """The first side with the noun that both share, as "early" beside "late start", "tier 2" beside "tier 3 jobs"."""
    own, other = first.split(), second.split()
    is_shorter = 0 < len(own) < len(other) and not re.search(SLOT, first)
    alike = len(own) > 1 and own[0].lower() == other[0].lower()
    describes = len(own) == 1 and first[1:].islower() and role_at(words_of(second), 1) != "preposition"
    if is_shorter and (alike or describes):
        return " ".join([*own, *other[len(own) :]])
    return first


def _bare(side: str) -> str:
    text = _RE.beside.sub("", side.strip(" ,.;:?!，。？！的"))
    return re.sub(r"\s+(?:to |with )?each other$", "", text)


def _is_thing(text: str) -> bool:
    if (
        _RE.asks.search(text)
        or role_at(words_of(text), 0) in ("auxiliary", "pronoun")
        or not (re.search(SLOT, text) or content_words(text))
    ):
        return False
    return len(text) <= _MOST_HAN if has_han(text) else len(text.split()) <= _MOST_WORDS


def compared(text: str) -> list[str]:
    """The questions that a comparison comes to: of each side, and of both where what they share is asked.

    Args:
        text: A question with its mentions as slots.
    """
    found = _match(text)
    if found is None or found[2].get("frame"):
        return []
    first, second, rest = found
    wish = re.sub(rf"^{TELLING}\ +", "", rest.get("c", "").strip(" 。？?！!，,."), flags=re.I | re.X)
    topic = (rest.get("t") or rest.get("u") or "").strip(" .?!")
    shared = ""
    if match := _RE.both_say.match(wish):
        topic = next(filter(None, match.groups())).strip()
    elif match := _RE.shared.match(wish):
        shared = next(filter(None, match.groups())).strip()
    elif match := _RE.own.match(wish):
        topic, wish = (match[1] or "").strip(), ""
    return (_questions_zh if has_han(text) else _questions)((first, second), topic, shared, wish)


def _questions(two: tuple[str, str], topic: str, shared: str, wish: str) -> list[str]:
    both = f"{two[0]} and {two[1]}"
    if topic:
        ask = [
            f"What does {one} say about {topic}?" if re.search(SLOT, one) else f"How does {one} handle {topic}?"
            for one in two
        ]
        return [*ask, f"What do {both} say about {topic}?"] if wish else ask
    parts = [f"What is {one}?" for one in two]
    if shared:
        parts.append(f"What {shared} do {both} share?")
    elif does := _RE.both_do.match(wish):
        parts.append(f"What do {both} {does[1]}?")
    elif wish:
        parts.append(f"{_RE.them.sub(both, wish, count=1)}?")
    return parts


def _questions_zh(two: tuple[str, str], topic: str, shared: str, wish: str) -> list[str]:
    both = f"{two[0]} 和 {two[1]} "
    if topic:
        ask = [f"{one} 关于{topic}说了什么？" for one in two]
        return [*ask, f"{both}关于{topic}的共同内容是什么？"] if wish else ask
    parts = [f"{one}{'' if has_han(one[-1]) else ' '}是什么？" for one in two]
    return [*parts, f"{both}共同的{shared or wish}有哪些？"] if shared or wish else parts
