"""Another topic in the frame of the question before: what about PEP 8, and for staging, 那网关呢, 换成队列呢."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import Language, has_han
from kbtui.reasoning.offline.followup.pointing_en import ordinal_only, references
from kbtui.reasoning.offline.followup.pointing_zh import noun_back, pronoun
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_en import Thing, doing_of, things_of, tokens_of
from kbtui.reasoning.offline.followup.things_zh import Segment, is_attribute, is_doing, segments_of, topic_of
from kbtui.reasoning.offline.followup.topics import subject_of
from kbtui.reasoning.offline.followup.words import EN, ZH, Meant, base_of, either, meaning, meaning_zh, word_set

_LONGEST_FRAGMENT: Final = 8
_LONG_FRAGMENT: Final = 3
_LONGEST_HAN: Final = 24
_ALIKE: Final = 1.75
_NEAR: Final = {
    "to": ("for", "in"), "for": ("to", "in"), "in": ("at", "on", "to"), "at": ("in", "on"), "on": ("in", "at")
}  # fmt: skip
"""Prepositions of which one is said for another: "deploy to production", "and for staging?"."""


def swapped(fragment: str, said: Said, language: Language) -> Meant | None:
    """The question before with ``fragment`` in the place of what it resembles most; None where nothing tells.

    Args:
        language: Of the fragment.
    """
    return (_swapped_zh if language == said.language == "zh" else _swapped_en)(fragment, said)


def _unlike(one: bool, other: bool, alike: float, unlike: float) -> float:
    """What is said for a likeness by something that both have, or against it by what only one has."""
    return 0.0 if not (one or other) else alike if one and other else unlike


# English.


def swap_en(text: str, said: Said) -> Meant | None:
    """ "What about PEP 8?", "and for staging?", "same for the website"."""
    match = EN.turns_to.match(text)
    if match is None:
        return None
    fragment = match["about"] or match["rest"] or match["same"] or match["for"]
    fragment = EN.too.sub("", fragment.strip(" ,"))
    if (meant := _other_deed(fragment, said) or _other_one(fragment, said)) is not None:
        return meant
    if not _is_fragment(fragment, said):
        return None
    if ordinal := ordinal_only(fragment, said):
        return ordinal
    if (resolved := references(fragment, said)) is not None:
        return replace(resolved, text=f"What about {resolved.text.rstrip('?')}?")
    return swapped(fragment, said, "en")


def _other_deed(fragment: str, said: Said) -> Meant | None:
    """ "And delete one?" after how to create a user: another verb in front of the same object."""
    match, doing = EN.deed.match(fragment), doing_of(said.question)
    if match is None or not doing or base_of(match["verb"].lower()) != match["verb"].lower():
        return None
    object_ = next((thing for thing in things_of(doing) if not thing.after), None)
    if object_ is None:
        return None
    before = said.question[: said.question.rindex(doing)]
    return meaning(f"{before}{match['verb']} {doing[object_.start :]}", doing.split(maxsplit=1)[0], match["verb"])


def _other_one(fragment: str, said: Said) -> Meant | None:
    """ "And the red one?" after where the green button is: another description of the same noun."""
    match, question = EN.one.match(fragment), said.question
    if match is None or match["which"].lower() in word_set("en", "ordinals"):
        return None
    for thing in reversed(things_of(question)):
        if thing.mention is None and len(thing.text.removeprefix(thing.determiner).split()) > 1:
            text = f"{match['article'] or thing.determiner} {match['which']} {thing.text.split()[-1]}".strip()
            return meaning(question[: thing.start] + text + question[thing.end :], thing.text, text)
    return None


def _is_fragment(fragment: str, said: Said) -> bool:
    """True for a phrase that is no question of its own."""
    words = tokens_of(fragment)
    if not words or len(words) > _LONGEST_FRAGMENT or any(word.role in ("mark", "auxiliary") for word in words):
        return False
    first = words[0]
    if first.role in ("question", "clause") or first.lower in word_set("en", "commands") | {"i", "we", "you", "if"}:
        return False
    return not (first.role == "verb" and first.lower == base_of(first.lower) and len(words) > 1) or bool(said.items)


def _swapped_en(fragment: str, said: Said) -> Meant | None:
    question = said.question
    things = things_of(question)
    if leading := EN.leading.match(fragment):
        return _behind(leading["preposition"].lower(), leading["thing"], fragment, question, things)
    if (form := EN.event_form.match(fragment)) and base_of(form[0].lower()):
        doing = doing_of(question)
        objects = [thing for thing in things_of(doing) if not thing.asked] if doing else []
        what = fragment
        if objects and not things_of(fragment.partition(" ")[2]):
            what = f"{fragment} {objects[0].text}"
        return meaning(f"What about {what}", "", what)
    new = _fragment_thing(fragment)
    candidates = [thing for thing in things if not thing.asked or _same_kind(thing, new)]
    if not candidates:
        return None
    best = max(candidates, key=lambda thing: (_likeness_en(thing, new), thing.start))
    if len(tokens_of(fragment)) > _LONG_FRAGMENT and _likeness_en(best, new) < _ALIKE:
        # "What about the failure modes of the queue?" says itself what it asks for.
        return None
    if new.attribute and not any(thing.attribute for thing in candidates):
        owner = subject_of(said)
        article = "" if new.determiner else "the "
        return meaning(f"What is {article}{fragment} of {owner}", "", owner) if owner else None
    return _put_en(question, best, fragment)


def _behind(preposition: str, core: str, fragment: str, question: str, things: tuple[Thing, ...]) -> Meant | None:
    """What stands behind a preposition goes behind the same one of the question, or one that is said for it."""
    if at := [thing for thing in things if thing.after == preposition and not thing.asked]:
        return _put_en(question, at[-1], core)
    last = things[-1] if things else None
    if last is None:
        return None
    if last.after in _NEAR.get(preposition, ()) and last.end == len(question) and not last.determiner:
        start = question.lower().rindex(last.after, 0, last.start)
        return meaning(f"{question[:start]}{fragment}", question[start:], fragment)
    return meaning(f"{question} {fragment}", "", fragment)


def _fragment_thing(core: str) -> Thing:
    found = things_of(core)
    mention = next((thing.mention for thing in found if thing.mention is not None), None)
    words = core.split()
    determiner = words[0] if words[0].lower() in word_set("en", "determiners") else ""
    head = found[0].head if found else words[-1].lower()
    return Thing(text=core, start=0, head=head, determiner=determiner, mention=mention)


def _same_kind(thing: Thing, new: Thing) -> bool:
    return thing.head.removesuffix("s") == new.head.removesuffix("s")


def _likeness_en(thing: Thing, new: Thing) -> float:
    """How likely it is that ``new`` is said in place of ``thing``."""
    same_series = thing.mention and new.mention and _series(thing.mention) == _series(new.mention)
    return (
        _unlike(thing.mention is not None, new.mention is not None, 6.0 if same_series else 3.0, -1.0)
        + _unlike(_is_number(thing), _is_number(new), 4.0, -2.0)
        + _unlike(thing.attribute, new.attribute, 2.5, -3.0)
        + 3.0 * (thing.name and new.name)
        + 2.0 * _same_kind(thing, new)
        + 1.0 * (bool(thing.determiner) == bool(new.determiner))
        + 0.5 * (thing.plural == new.plural)
        - 1.0 * thing.asked
    )


def _is_number(thing: Thing) -> bool:
    return EN.number.fullmatch(thing.text.strip()) is not None


def _series(mention: Mention) -> tuple[str, str]:
    first = re.match(r"[A-Za-z]+", mention.text) if mention.kind in ("document", "ticket") else None
    return mention.kind, first[0].lower() if first else ""


def _put_en(question: str, thing: Thing, core: str) -> Meant:
    """``question`` with ``core`` in the place of ``thing``; an article that fitted the one is kept for the other."""
    own = core.split()[0].lower() in word_set("en", "determiners")
    named = find_mentions(core) or re.match(r"[^\W\da-z_]|\d", core) or thing.name
    fits = thing.asked or (thing.determiner.lower() in ("the", "our", "my", "a", "an") and not named)
    kept = f"{thing.determiner} " if fits and not own else ""
    return meaning(question[: thing.start] + kept + core + question[thing.end :], thing.text, core)


# Chinese.


def swap_zh(text: str, said: Said) -> Meant | None:
    """那网关呢, 换成队列呢: the question before, about something else."""
    match = ZH.turns_to.match(text)
    if match is None:
        return None
    fragment = (match["about"] or match["other"] or match["same"]).strip(" ,，")
    if not fragment or re.search(either("zh", "asks"), fragment) or len(fragment) > _LONGEST_HAN:
        return None
    if pointing := noun_back(fragment, said) or pronoun(f"{fragment}是", said):
        return meaning_zh(pointing.text.rstrip("？").removesuffix("是") + "呢", fragment, pointing.means)
    return swapped(fragment, said, "zh")


def _swapped_zh(fragment: str, said: Said) -> Meant | None:
    question = said.question
    leading = ZH.leading.match(fragment)
    core = leading["thing"] if leading else fragment.removesuffix("的")
    segments = [segment for segment in segments_of(question) if segment.text != core]
    if ZH.verb_only.match(core) and (verb := re.search(either("zh", "verbs"), question)):
        return meaning_zh(question[: verb.start()] + core + question[verb.end() :].removeprefix("到"), verb[0], core)
    if leading:
        if at := [segment for segment in segments if segment.before == leading["word"]]:
            return _put_zh(question, at[-1], core)
        asked = re.sub(r"^(怎么|如何|怎样)", rf"\1{fragment}", question)
        return meaning_zh(asked, "", fragment) if is_doing(question) else None
    if not segments:
        return None
    best = max(segments, key=_likeness_zh(core, fragment, question))
    if is_attribute(core) and not any(is_attribute(segment.text) for segment in segments):
        subject = topic_of(question).subject
        return meaning_zh(f"{subject}的{core}是什么", "", subject)
    owner = next((one for one in segments if question[one.end : best.start] == "的"), None)
    if "的" in core and owner is not None:
        # 仓库的钥匙 stands for 锅炉房的钥匙, not for 钥匙 alone.
        best = replace(best, text=question[owner.start : best.end], start=owner.start)
    return _put_zh(question, best, core)


def _likeness_zh(new: str, fragment: str, question: str) -> Callable[[Segment], tuple[float, int]]:
    """How likely it is that ``new`` is said in place of a segment; the first one of those alike."""
    mention = next(iter(find_mentions(new)), None)

    def likeness(segment: Segment) -> tuple[float, int]:
        same = segment.mention and mention and _prefix(segment.mention) == _prefix(mention)
        score = (
            _unlike(segment.mention is not None, mention is not None, 6.0 if same else 4.0, -1.0)
            + _unlike(bool(re.search(r"\d", segment.text)), bool(re.search(r"\d", new)), 4.0, -2.0)
            + _unlike(is_attribute(segment.text), is_attribute(new), 2.5, -2.5)
            - 1.0 * (has_han(segment.text) != has_han(new))
        )
        if segment.text[-1:] == new[-1:]:
            score += 2.0 if segment.text[-2:] == new[-2:] else 1.0
        if fragment.endswith("的") and question[segment.end : segment.end + 1] == "的":
            score += 2.0
        return score, -segment.start

    return likeness


def _prefix(mention: Mention) -> tuple[str, str]:
    return mention.kind, re.sub(r"[^A-Za-z].*", "", mention.text, flags=re.S).lower()


def _put_zh(question: str, segment: Segment, core: str) -> Meant:
    """``question`` with ``core`` in a segment's place; what follows a shared ending (日志 of 审计日志保留) stays."""
    shared = next((core[-size:] for size in range(len(core), 1, -1) if core[-size:] in segment.text), "")
    if shared and not shared.isascii():
        segment = replace(segment, text=segment.text[: segment.text.index(shared) + len(shared)])
    return meaning_zh(question[: segment.start] + core + question[segment.end :], segment.text, core)
