"""Another thing in the frame of the question before: what about PEP 8, and for staging, 那网关呢, 换成队列呢."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from msgspec.structs import replace

from kbtui.question.full import RE, Meant, meaning, put
from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import has_han
from kbtui.question.reader import read
from kbtui.question.said import Said
from kbtui.question.things import Thing, is_base, is_order, joined_things, listed, things_of, words_of
from kbtui.question.topics import doing_of, subject_of

_ANY_DAY: Final = date(2020, 1, 1)
_LONGEST: Final = 8
_LONGEST_HAN: Final = 24
_LONG: Final = 3
_ALIKE: Final = 1.75
_NEAR: Final = {
    "to": ("for", "in"), "for": ("to", "in"), "in": ("at", "on", "to"), "at": ("in", "on"), "on": ("in", "at")
}  # fmt: skip
"""Prepositions of which one is said for another: "deploy to production", "and for staging?"."""


def is_fragment(text: str, said: Said) -> bool:
    """True for a phrase that is no question of its own."""
    words = words_of(text)
    if has_han(text):
        return len(text) <= _LONGEST_HAN and not any(word.role == "question" for word in words)
    if not words or len(words) > _LONGEST or any(word.role in ("mark", "auxiliary") for word in words):
        return False
    first = words[0]
    if first.role in ("question", "clause") or first.lower in ("i", "we", "you") or is_order(first.lower):
        return False
    return not (first.role == "verb" and is_base(first.lower) and len(words) > 1) or bool(said.items)


def swapped(fragment: str, said: Said) -> Meant | None:
    """The question before with ``fragment`` in the place of what it resembles most; None where nothing tells."""
    question = said.question
    if (meant := _other_period(fragment, question)) is not None:
        return meant
    things = things_of(question)
    leading = RE.leading.match(fragment)
    if leading is not None:
        return _behind(
            leading["preposition"] or leading["word"], leading["thing"] or leading["what"], fragment, question
        )
    core = fragment.removesuffix("的")
    new = _thing_of(core)
    candidates = [thing for thing in things if thing.text != core and (not thing.asked or _same_kind(thing, new))]
    if not candidates:
        return None
    if new.attribute and not doing_of(question) and not any(thing.attribute for thing in candidates):
        owner = subject_of(said)
        if not owner:
            return None
        article = "" if new.determiner else "the "
        asked = f"{owner}的{core}是什么" if said.language == "zh" else f"What is {article}{fragment} of {owner}"
        return meaning(asked, "", owner)
    score, place = max((_likeness(thing, new, fragment, question), -at) for at, thing in enumerate(candidates))
    if not has_han(fragment) and len(fragment.split()) > _LONG and score < _ALIKE:
        # "What about the failure modes of the queue?" says itself what it asks for.
        return None
    return _put(question, candidates[-place], core)


def _other_period(fragment: str, question: str) -> Meant | None:
    """ "And in 2021?", "and next week?": the question before, of other days."""
    new, old = (read(text, today=_ANY_DAY) for text in (fragment, question))
    if not new.periods or not old.periods:
        return None
    span, said = old.periods[-1].span, new.periods[0].span
    if any(token.content for at, token in enumerate(new.tokens) if not said.first <= at < said.last):
        return None
    return put(question, old.tokens[span.first].start, old.tokens[span.last - 1].end, fragment)


def of_same_kind(fragment: str, said: Said) -> Meant | None:
    """ "And delete one?", "and the red one?": the question before, with another verb or description of its thing."""
    return _other_deed(fragment, said) or _other_one(fragment, said.question)


def _other_deed(fragment: str, said: Said) -> Meant | None:
    """ "And delete one?" after how to create a user, 那回滚呢: another verb in front of the same object."""
    doing, words = doing_of(said.question), words_of(said.question)
    if has_han(fragment):
        own = words_of(f"怎么{fragment}")
        verb = next((word for word in words if word.role == "verb"), None)
        if verb is None or len(own) != 2 or own[1].role != "verb":
            return None
        return meaning(
            said.question[: verb.start] + fragment + said.question[verb.end :].removeprefix("到"), verb.text, fragment
        )
    match = RE.deed.match(fragment)
    thing = next((thing for thing in things_of(doing) if not thing.after), None) if doing and match else None
    if match is None or thing is None or not is_base(match["verb"].lower()):
        return None
    before = said.question[: said.question.rindex(doing)]
    return meaning(f"{before}{match['verb']} {doing[thing.start :]}", doing.split(maxsplit=1)[0], match["verb"])


def _other_one(fragment: str, question: str) -> Meant | None:
    """ "And the red one?" after where the green button is: another description of the same noun."""
    match = RE.one.match(fragment)
    if match is None or match["which"].lower() in listed("en", "ordinals"):
        return None
    for thing in reversed(things_of(question)):
        if thing.mention is None and len(thing.bare.split()) > 1:
            text = f"{match['article'] or thing.determiner} {match['which']} {thing.text.split()[-1]}".strip()
            return meaning(question[: thing.start] + text + question[thing.end :], thing.text, text)
    return None


def _behind(preposition: str, core: str, fragment: str, question: str) -> Meant | None:
    """What stands behind a preposition goes behind the same one of the question, or one that is said for it."""
    preposition = preposition.lower()
    things = [thing for thing in things_of(question) if not thing.asked]
    ends = re.compile(rf"{preposition}\s*$" if has_han(preposition) else rf"\b{preposition}\s*$", re.I)
    if at := [thing for thing in things if ends.search(question[: thing.start])]:
        return _put(question, at[-1], core)
    if has_han(fragment):
        asked = re.sub(r"^(怎么|如何|怎样)", rf"\1{fragment}", question)
        return meaning(asked, "", fragment) if asked != question else None
    last = things[-1] if things else None
    if (
        last is not None
        and last.after in _NEAR.get(preposition, ())
        and last.end == len(question)
        and not last.determiner
    ):
        start = question.lower().rindex(last.after, 0, last.start)
        return meaning(f"{question[:start]}{fragment}", question[start:], fragment)
    return meaning(f"{question} {fragment}", "", fragment) if last is not None else None


def _thing_of(core: str) -> Thing:
    """A fragment as one thing."""
    found = things_of(core)
    determiner = found[0].determiner if found and found[0].start == 0 else ""
    mention = next((thing.mention for thing in found if thing.mention is not None), None)
    return Thing(text=core, start=0, determiner=determiner, mention=mention)


def _same_kind(thing: Thing, new: Thing) -> bool:
    return thing.head.removesuffix("s") == new.head.removesuffix("s")


def _likeness(thing: Thing, new: Thing, fragment: str, question: str) -> float:
    """How likely it is that ``new`` is said in place of ``thing``."""
    same_series = thing.mention and new.mention and _series(thing.mention) == _series(new.mention)
    score = (
        _unlike(thing.mention is not None, new.mention is not None, 6.0 if same_series else 3.5, -1.0)
        + _unlike(_has_number(thing), _has_number(new), 4.0, -2.0)
        + _unlike(thing.attribute, new.attribute, 2.5, -3.0)
        + 3.0 * (thing.name and new.name)
        - 1.0 * (has_han(thing.text) != has_han(new.text))
        - 1.0 * thing.asked
    )
    if has_han(new.text):
        alike = next((size for size in (2, 1) if thing.text[-size:] == new.text[-size:]), 0)
        owns = fragment.endswith("的") and question[thing.end : thing.end + 1] == "的"
        return score + alike + 2.0 * owns
    same_article = bool(thing.determiner) == bool(new.determiner)
    # Of two that are alike the later one; "one" is less like another than what is of the same number.
    late = thing.start / max(len(question), 1) / 10
    return score + 2.0 * _same_kind(thing, new) + 1.0 * same_article + 0.5 * (thing.plural == new.plural) + late


def _unlike(one: bool, other: bool, alike: float, unlike: float) -> float:
    """What is said for a likeness by something that both have, or against it by what only one has."""
    return 0.0 if not (one or other) else alike if one and other else unlike


def _has_number(thing: Thing) -> bool:
    return re.search(r"\d", thing.text) is not None and thing.mention is None


def _series(mention: Mention) -> tuple[str, str]:
    return mention.kind, re.sub(r"[^A-Za-z].*", "", mention.text, flags=re.S).lower()


def _put(question: str, thing: Thing, core: str) -> Meant:
    """``question`` with ``core`` in the place of ``thing``."""
    if has_han(core) and has_han(question):
        # 仓库的钥匙 stands for 锅炉房的钥匙, not for 钥匙 alone; of 审计日志保留 only 审计日志 is replaced.
        if "的" in core:
            thing = next((one for one in joined_things(question) if one.start <= thing.start < one.end), thing)
        shared = next((core[-size:] for size in range(len(core), 1, -1) if core[-size:] in thing.text), "")
        if shared:
            thing = replace(thing, text=thing.text[: thing.text.index(shared) + len(shared)])
        return meaning(question[: thing.start] + core + question[thing.end :], thing.text, core)
    own = _thing_of(core).determiner
    named = find_mentions(core) or core[:1].isupper() or core[:1].isdigit() or thing.name
    fits = thing.asked or (thing.determiner.lower() in ("the", "our", "my", "a", "an") and not named)
    kept = f"{thing.determiner} " if fits and not own else ""
    return meaning(question[: thing.start] + kept + core + question[thing.end :], thing.text, core)
