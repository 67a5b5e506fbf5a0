"""Another topic in the frame of the question before: what about PEP 8, and for staging."""

from __future__ import annotations

import re
from dataclasses import replace

from kbtui.reasoning.offline.followup.meant import LEAD, Meant, meaning
from kbtui.reasoning.offline.followup.references_en import ordinal_only, references
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_en import (
    Thing,
    doing_of,
    things_of,
    tokens_of,
)
from kbtui.reasoning.offline.followup.topics import subject_of
from kbtui.reasoning.offline.followup.words import base_of, either, word_set
from kbtui.reasoning.offline.mentions import Mention, find_mentions

_TURNS_TO = re.compile(
    rf"^{LEAD}(?:what|how)\s+about\s+(?P<about>.+)$"
    r"|^(?:and|but|or)\s+(?:then\s+|also\s+)?(?P<rest>.+)$"
    r"|^(?:(?:what\s+is|what's|is\s+it)\s+)?(?:the\s+)?same\s+(?:thing\s+|question\s+)?(?:for|with|in|on|about)\s+(?P<same>.+)$"
    r"|^(?:now\s+)?(?P<for>(?:for|in|on|with|by|at|from|to|without|under)\s+.+)$",
    re.I,
)


_TOO = re.compile(r"[\s,]+(?:too|as\s+well|instead|then|though|also|again|please)$", re.I)


_LEADING_PREPOSITION = re.compile(rf"^(?P<preposition>{either('en', 'prepositions')})\s+(?P<thing>.+)$", re.I)


_LONGEST_FRAGMENT = 8


_LONG_FRAGMENT = 3


_ALIKE = 1.75


def swap(text: str, said: Said) -> Meant | None:
    """ "What about PEP 8?", "and for staging?", "same for the website"."""
    match = _TURNS_TO.match(text)
    if match is None:
        return None
    fragment = match["about"] or match["rest"] or match["same"] or match["for"]
    fragment = _TOO.sub("", fragment.strip(" ,"))
    if (meant := _other_deed(fragment, said) or _other_one(fragment, said)) is not None:
        return meant
    if not _is_fragment(fragment, said):
        return None
    if ordinal := ordinal_only(fragment, said):
        return ordinal
    if (resolved := references(fragment, said)) is not None:
        return replace(resolved, text=f"What about {resolved.text.rstrip('?')}?")
    return swapped(fragment, said)


_DEED = re.compile(r"^(?:to\s+)?(?P<verb>[a-z]+)(?:\s+(?:it|one|them|that|this|those|another))?$", re.I)
_ONE = re.compile(r"^(?P<article>the|a|an|my|our)?\s*(?P<which>\S+(?:\s+\S+)?)\s+ones?$", re.I)


def _other_deed(fragment: str, said: Said) -> Meant | None:
    """ "And delete one?" after how to create a user: another verb in front of the same object."""
    match, doing = _DEED.match(fragment), doing_of(said.question)
    if match is None or not doing or base_of(match["verb"].lower()) != match["verb"].lower():
        return None
    objects = [thing for thing in things_of(doing) if not thing.after]
    if not objects:
        return None
    start = said.question.rindex(doing)
    rest = doing[objects[0].start :]
    return meaning(f"{said.question[:start]}{match['verb']} {rest}?", doing.split(maxsplit=1)[0], match["verb"])


def _other_one(fragment: str, said: Said) -> Meant | None:
    """ "And the red one?" after where the green button is: another description of the same noun."""
    match = _ONE.match(fragment)
    if match is None or match["which"].lower() in word_set("en", "ordinals"):
        return None
    question = said.question
    described = [
        thing
        for thing in things_of(question)
        if thing.mention is None and len(thing.text.removeprefix(thing.determiner).split()) > 1
    ]
    if not described:
        return None
    thing = described[-1]
    text = f"{match['article'] or thing.determiner} {match['which']} {thing.text.split()[-1]}".strip()
    return meaning(f"{question[: thing.start]}{text}{question[thing.end :]}?", thing.text, text)


def _is_fragment(fragment: str, said: Said) -> bool:
    """True for a phrase that is no question of its own."""
    words = tokens_of(fragment)
    if not words or len(words) > _LONGEST_FRAGMENT or any(word.role == "mark" for word in words):
        return False
    if words[0].role in ("question", "auxiliary", "clause") or words[0].lower in word_set("en", "commands"):
        return False
    if any(word.role == "auxiliary" for word in words) or words[0].lower in ("i", "we", "you", "if"):
        return False
    return not (words[0].role == "verb" and words[0].lower == base_of(words[0].lower) and len(words) > 1) or bool(
        said.items
    )


def swapped(fragment: str, said: Said) -> Meant | None:
    """The question before with ``fragment`` in the place of what it resembles most."""
    question = said.question
    things = things_of(question)
    leading = _LEADING_PREPOSITION.match(fragment)
    core = leading["thing"] if leading else fragment
    new = _fragment_thing(core)
    if leading:
        at = [thing for thing in things if thing.after == leading["preposition"].lower() and not thing.asked]
        if at:
            return _put(question, at[-1], core)
        near = _NEAR.get(leading["preposition"].lower(), ())
        last = things[-1] if things else None
        if last is not None and last.after in near and last.end == len(question) and not last.determiner:
            start = question.lower().rindex(last.after, 0, last.start)
            return meaning(f"{question[:start]}{fragment}?", question[start:], fragment)
        return meaning(f"{question} {fragment}?", "", fragment) if things else None
    if (form := _EVENT_FORM.match(core)) and base_of(form[0].lower()):
        doing = doing_of(question)
        objects = [thing for thing in things_of(doing) if not thing.asked] if doing else []
        what = f"{core} {objects[0].text}" if objects and not things_of(core.partition(" ")[2]) else core
        return meaning(f"What about {what}?", "", what)
    candidates = [thing for thing in things if not thing.asked or _same_kind(thing, new)]
    if not candidates:
        return None
    best = max(candidates, key=lambda thing: (_likeness(thing, new), thing.start))
    if len(tokens_of(core)) > _LONG_FRAGMENT and _likeness(best, new) < _ALIKE:
        # "What about the failure modes of the queue?" says itself what it asks for.
        return None
    if new.attribute and not any(thing.attribute for thing in candidates):
        owner = subject_of(said)
        article = "" if new.determiner else "the "
        return meaning(f"What is {article}{core} of {owner}?", "", owner) if owner else None
    return _put(question, best, core)


_NEAR = {"to": ("for", "in"), "for": ("to", "in"), "in": ("at", "on", "to"), "at": ("in", "on"), "on": ("in", "at")}
"""Prepositions of which one is said for another: "deploy to production", "and for staging?"."""


_EVENT_FORM = re.compile(r"^\w{2,}ing\b(?!\s+(?:service|system|team|tool|page|office)\b)", re.I)


def _fragment_thing(core: str) -> Thing:
    found = things_of(core)
    mention = next((thing.mention for thing in found if thing.mention is not None), None)
    words = core.split()
    determiner = words[0] if words[0].lower() in word_set("en", "determiners") else ""
    head = found[0].head if found else words[-1].lower()
    return Thing(text=core, start=0, end=len(core), head=head, determiner=determiner, mention=mention)


def _same_kind(thing: Thing, new: Thing) -> bool:
    return thing.head.removesuffix("s") == new.head.removesuffix("s")


def _likeness(thing: Thing, new: Thing) -> float:
    """How likely it is that ``new`` is said in place of ``thing``."""
    score = 0.0
    if (thing.mention is None) != (new.mention is None):
        score -= 1.0
    if thing.mention is not None and new.mention is not None:
        score += 6.0 if _series(thing.mention) == _series(new.mention) else 3.0
    if _is_number(thing.text) or _is_number(new.text):
        score += 4.0 if _is_number(thing.text) and _is_number(new.text) else -2.0
    if thing.attribute or new.attribute:
        score += 2.5 if thing.attribute and new.attribute else -3.0
    score += 3.0 if thing.name and new.name else 0.0
    score += 2.0 if _same_kind(thing, new) else 0.0
    score += 1.0 if bool(thing.determiner) == bool(new.determiner) else 0.0
    score += 0.5 if thing.plural == new.plural else 0.0
    score -= 1.0 if thing.asked else 0.0
    return score


def _series(mention: Mention) -> tuple[str, str]:
    first = re.match(r"[A-Za-z]+", mention.text) if mention.kind in ("document", "ticket") else None
    return mention.kind, first[0].lower() if first else ""


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"(?:q\d\s+)?\d[\d.,]*%?", text.strip(), re.I))


def _put(question: str, thing: Thing, core: str) -> Meant:
    """``question`` with ``core`` in the place of ``thing``; an article that fitted the one is kept for the other."""
    article = thing.determiner.lower() if thing.determiner.lower() in ("the", "our", "my", "a", "an") else ""
    own = core.split()[0].lower() in word_set("en", "determiners")
    named = find_mentions(core) or re.match(r"[^\W\da-z_]|\d", core)
    kept = f"{thing.determiner} " if article and not own and not named and not thing.name else ""
    if thing.asked:
        kept = f"{thing.determiner} " if not own else ""
    text = question[: thing.start] + kept + core + question[thing.end :]
    return meaning(f"{text}?", thing.text, core)
