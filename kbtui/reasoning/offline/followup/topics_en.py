"""What an English question was about: the thing, what is done with it, the two that it compares."""

from __future__ import annotations

import re
from itertools import pairwise

from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_en import (
    Thing,
    as_event,
    doing_of,
    joined_things,
    things_of,
)
from kbtui.reasoning.offline.followup.words import word_set


def subject_en(said: Said, *, takes_place: bool = False) -> str:
    """What "it" means after an English question; with ``takes_place``, what is done where something is."""
    question = said.question
    if doing := doing_of(question):
        objects = [thing for thing in joined_things(doing, things_of(doing)) if not thing.after]
        definite = [
            t for t in objects[:1] if t.mention is not None or t.name or t.determiner.lower() in ("the", "our", "my")
        ]
        return definite[0].text if definite and not takes_place else as_event(doing)
    things = joined_things(question, things_of(question))
    asked = next((thing for thing in things if thing.asked), None)
    if asked is not None and asked.start == 0 and not asked.plural:
        if found := _found_by(asked, said):
            return found
        owns = [thing for thing in things if not thing.asked]
        if not owns or len(owns) > 1:
            return _described(question, asked)
    plain = [thing for thing in things if not thing.asked]
    named = [thing for thing in plain if thing.mention is not None]
    subject = plain[0] if plain else None
    if subject is not None and (owned := _OWNED_BY.match(subject.text)):
        return owned[1]
    if subject is not None and subject.mention is None and named and subject.after:
        subject = named[0]
    return subject.text if subject is not None else ""


_OWNED_BY = re.compile(
    r"^(?:the\s+)?(?:authors?|owners?|maintainers?|reviewers?|reporters?|assignees?)\s+of\s+(.+)$", re.I
)
"""A person is no "it": what they wrote or own is."""


def _found_by(asked: Thing, said: Said) -> str:
    """The thing that answered "which ADR covers feature flags": it, from then on, is that ADR."""
    if asked.head in word_set("en", "labels"):
        return said.label(asked.head)
    if asked.head in word_set("en", "files"):
        return said.file()
    return ""


def happening_en(said: Said) -> str:
    """What "that" means after an aux or a preposition: what takes place, or the newest thing of the question."""
    if doing := doing_of(said.question):
        return as_event(doing)
    things = [thing for thing in joined_things(said.question, things_of(said.question)) if not thing.asked]
    if not things:
        return subject_en(said)
    first, last = things[0], things[-1]
    return last.text if first is last else f"{last.text} ({first.text})"


def event_en(said: Said) -> str:
    """What was asked about as a phrase: "rolling back a deploy", "the refund policy"."""
    return happening_en(said) if not doing_of(said.question) else as_event(doing_of(said.question))


def plural_en(said: Said) -> str:
    """What "they" means after an English question."""
    things = joined_things(said.question, things_of(said.question))
    asked = [thing for thing in things if thing.asked and thing.plural]
    if asked:
        if said.items:
            return " and ".join(said.items[:3])
        described = _described(said.question, asked[0])
        if described:
            return described
    several = [thing.text for thing in things if thing.plural and not thing.asked]
    if several:
        return several[0]
    if said.items and len(said.items) > 1:
        return " and ".join(said.items[:3])
    singles = [thing.text for thing in things if not thing.asked]
    return singles[0] if len(singles) == 1 else ""


def _described(question: str, asked: Thing) -> str:
    """ "Which teams are on call at night" as "the teams that are on call at night"."""
    if asked.start > 0:
        return ""
    noun = asked.text.removeprefix(asked.determiner).strip()
    rest = question[asked.end :].strip()
    return f"the {noun} that {rest}" if rest else f"the {noun}"


_COORDINATED = re.compile(r"^(?:\s*,)?\s*(?:and|or|vs\.?|versus|with|to|from|&)\s*$", re.I)


def side_by_side(text: str) -> tuple[str, ...]:
    """The two things that a question puts side by side: "Kafka and RabbitMQ"."""
    things = [thing for thing in things_of(text) if not thing.asked]
    for first, second in pairwise(things):
        if _COORDINATED.match(text[first.end : second.start]) and second.after not in ("to", "from"):
            return first.text, second.text
    return ()
