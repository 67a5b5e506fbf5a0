"""Comparisons: the two sides that a question compares, and the questions that the comparison splits into.

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
from kbtui.question.noun_phrases import noun_phrases, role_at, tagged_words
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words
from kbtui.text.word_lists import filled, toml_in

SLOT: Final = "[\ue000-\ue0ff]"
ASKING: Final = r"(?:what|how|why|who|whose|when|where|which|whether)"
TELLING: Final = (
    r"(?:list|explain|describe|show|tell|give|summari[sz]e|name|outline|identify|discuss|find|state|point\ out|say)"
)
_FIRST_SLOT_CODE: Final = 0xE000
_MAX_SLOTS: Final = 250
_MAX_WORDS: Final = 12
_MAX_HAN: Final = 30
_RE: Final = Patterns("kbtui.question", "words/sides.toml", SLOT=SLOT, TELLING=TELLING)


@cache
def _comparison_patterns() -> Mapping[str, Sequence[re.Pattern[str]]]:
    """The patterns of comparisons by language."""
    table: Any = toml_in("kbtui.question", "words/sides.toml")
    blanks = {**table["blanks"], "SLOT": SLOT, "ASKING": ASKING, "TELLING": TELLING}
    return {name: [re.compile(filled(pattern, blanks)) for pattern in table[name]] for name in ("english", "chinese")}


def with_slots(question: str, mentions: Sequence[Mention]) -> tuple[str, dict[str, str]]:
    """A question with one private-use character for each mention, and the text of the mention by that character."""
    slots: dict[str, str] = {}
    text, position = "", 0
    for number, mention in enumerate(mentions[:_MAX_SLOTS]):
        slots[slot := chr(_FIRST_SLOT_CODE + number)] = question[mention.start : mention.end]
        text += question[position : mention.start] + slot
        position = mention.end
    return text + question[position:], slots


def without_slots(text: str, slots: Mapping[str, str]) -> str:
    return re.sub(SLOT, lambda match: slots.get(match[0], match[0]), text)


@lru_cache(maxsize=256)
def compared_sides(question: str) -> tuple[str, ...]:
    """The two things that a question compares; empty where it compares none."""
    text, slots = with_slots(question, find_mentions(question))
    comparison = _match_comparison(text)
    return tuple(without_slots(side, slots) for side in comparison[:2]) if comparison else ()


@lru_cache(maxsize=256)
def sides(question: str) -> tuple[str, ...]:
    """The two things that a question compares or joins by "and" or "or"; empty where it does not."""
    if compared := compared_sides(question):
        return compared
    for first, second in pairwise(phrase for phrase in noun_phrases(question) if not phrase.is_asked_for):
        if _RE.coordinated.match(question[first.end : second.start]):
            return first.text, second.text
    return ()


def _match_comparison(text: str) -> tuple[str, str, dict[str, str]] | None:
    is_chinese = has_han(text)
    for pattern in _comparison_patterns()["chinese" if is_chinese else "english"]:
        if match := pattern.match(text):
            groups = match.groupdict(default="")
            first, second = _without_particles(groups["a"]), _without_particles(groups["b"])
            if _is_comparable(first) and _is_comparable(second):
                return _with_shared_head(first, second), second, groups
    return None


def _with_shared_head(first: str, second: str) -> str:
    """The first side with the noun that both share: "early start" for "early or late start"."""
    own, other = first.split(), second.split()
    is_shorter = 0 < len(own) < len(other) and not re.search(SLOT, first)
    alike = len(own) > 1 and own[0].lower() == other[0].lower()
    describes = len(own) == 1 and first[1:].islower() and role_at(tagged_words(second), 1) != "preposition"
    if is_shorter and (alike or describes):
        return " ".join([*own, *other[len(own) :]])
    return first


def _without_particles(side: str) -> str:
    text = _RE.beside.sub("", side.strip(" ,.;:?!，。？！的"))
    return re.sub(r"\s+(?:to |with )?each other$", "", text)


def _is_comparable(text: str) -> bool:
    if (
        _RE.asks.search(text)
        or role_at(tagged_words(text), 0) in ("auxiliary", "pronoun")
        or not (re.search(SLOT, text) or content_words(text))
    ):
        return False
    return len(text) <= _MAX_HAN if has_han(text) else len(text.split()) <= _MAX_WORDS


def comparison_questions(text: str) -> list[str]:
    """The questions that a comparison splits into: one for each side, and one for both if it asks what they share.

    Args:
        text: A question with its mentions as slots.
    """
    comparison = _match_comparison(text)
    if comparison is None or comparison[2].get("frame"):
        return []
    first, second, groups = comparison
    request = re.sub(rf"^{TELLING}\ +", "", groups.get("c", "").strip(" 。？?！!，,."), flags=re.I | re.X)
    topic = (groups.get("t") or groups.get("u") or "").strip(" .?!")
    shared = ""
    if match := _RE.both_say.match(request):
        topic = next(filter(None, match.groups())).strip()
    elif match := _RE.shared.match(request):
        shared = next(filter(None, match.groups())).strip()
    elif match := _RE.own.match(request):
        topic, request = (match[1] or "").strip(), ""
    return (_comparison_questions_zh if has_han(text) else _comparison_questions_en)(
        (first, second), topic, shared, request
    )


def _comparison_questions_en(pair: tuple[str, str], topic: str, shared: str, request: str) -> list[str]:
    both = f"{pair[0]} and {pair[1]}"
    if topic:
        questions = [
            f"What does {side} say about {topic}?" if re.search(SLOT, side) else f"How does {side} handle {topic}?"
            for side in pair
        ]
        return [*questions, f"What do {both} say about {topic}?"] if request else questions
    parts = [f"What is {side}?" for side in pair]
    if shared:
        parts.append(f"What {shared} do {both} share?")
    elif does := _RE.both_do.match(request):
        parts.append(f"What do {both} {does[1]}?")
    elif request:
        parts.append(f"{_RE.them.sub(both, request, count=1)}?")
    return parts


def _comparison_questions_zh(pair: tuple[str, str], topic: str, shared: str, request: str) -> list[str]:
    both = f"{pair[0]} 和 {pair[1]} "
    if topic:
        questions = [f"{side} 关于{topic}说了什么？" for side in pair]
        return [*questions, f"{both}关于{topic}的共同内容是什么？"] if request else questions
    parts = [f"{side}{'' if has_han(side[-1]) else ' '}是什么？" for side in pair]
    return [*parts, f"{both}共同的{shared or request}有哪些？"] if shared or request else parts
