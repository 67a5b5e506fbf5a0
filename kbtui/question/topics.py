"""What the last question was about, whichever language it was asked in: what "it" and 它 mean after it."""

from __future__ import annotations

import re

from kbtui.question.said import RE, Said
from kbtui.question.sides import sides
from kbtui.question.things import Thing, is_in, joined_things
from kbtui.text.language import has_cjk

_MOST_NAMED = 3
_DEFINITE = frozenset({"the", "our", "my"})


def doing_of(question: str) -> str:
    """What somebody does in "how do I roll back a deploy", as ``roll back a deploy``; else empty."""
    match = RE.doing.match(question)
    doing = "".join(group or "" for group in match.groups()) if match else ""
    return doing.strip(" ?.!。？！").removesuffix("的")


def gerund(verb: str) -> str:
    """``deploy`` as ``deploying``, ``run`` as ``running``, ``make`` as ``making``."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    one_syllable = re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprtz]", verb)
    return verb + (verb[-1] if one_syllable and verb[-2] in "aeiou" else "") + "ing"


def _as_event(doing: str) -> str:
    """``roll back a deploy`` as something that takes place: ``rolling back a deploy``."""
    verb, _, rest = doing.partition(" ")
    return f"{gerund(verb.lower())} {rest}".strip() if verb.isascii() and verb.isalpha() else doing


def subject_of(said: Said, *, takes_place: bool = False) -> str:
    """What "it" and 它 mean; empty where nothing is sure.

    Args:
        takes_place: Something is said of it that only what is done can have: a duration, an approval.
    """
    question = said.question
    if doing := doing_of(question):
        thing = next((thing for thing in joined_things(doing) if not thing.after), None)
        if takes_place or thing is None:
            return _as_event(doing)
        is_definite = thing.mention or thing.name or thing.determiner.lower() in _DEFINITE or has_cjk(thing.text)
        return thing.text if is_definite else _as_event(doing)
    if (both := sides(question)) and said.language == "zh":
        return "和".join(both)
    things = joined_things(question)
    plain = [thing for thing in things if not thing.asked]
    asked = next((thing for thing in things if thing.asked), None)
    if asked is not None and asked.start == 0 and not asked.plural:
        # The thing that answered "which ADR covers feature flags": it, from then on, is that ADR.
        label = said.label(asked.head) if is_in("labels", asked.head) else ""
        if found := label or (said.file() if is_in("files", asked.head) else ""):
            return found
        if len(plain) != 1:
            return _described(question, asked)
    if len(plain) > 1 and plain[0].plural and is_in("files", plain[0].head):
        plain = plain[1:]  # Files about billing are not "it", billing is.
    if not plain:
        return "" if said.language == "en" else question
    if owned := RE.owned.match(plain[0].text):
        # A person is no "it": what they wrote or own is.
        return owned[1] or owned[2]
    whose, first = plain[0].mention, (plain[0].bare.split() or [""])[0]
    if whose is not None and whose.kind in ("document", "ticket", "name") and is_in("attributes", first):
        return whose.text  # Of "the status of PEP 8" something else than the status is asked then.
    named = [thing for thing in plain if thing.mention is not None]
    return named[0].text if named and plain[0].mention is None and plain[0].after else plain[0].text


def event_of(said: Said) -> str:
    """What was asked about, as what is done where it is that: "rolling back a deploy", 续期证书."""
    if doing := doing_of(said.question):
        return _as_event(doing)
    if said.language == "zh":
        return subject_of(said)
    things = [thing for thing in joined_things(said.question) if not thing.asked]
    if len(things) > 1:
        return f"{things[-1].text} ({things[0].text})"
    return things[0].text if things else subject_of(said)


def plural_of(said: Said) -> str:
    """What "they" means: people where who it is was asked for, both of two, else things."""
    if several := (said.people() if said.asks_who else ()) or sides(said.question):
        return " and ".join(several)
    things = joined_things(said.question)
    plain = [thing for thing in things if not thing.asked]
    few = said.items if 1 < len(said.items) <= _MOST_NAMED else ()
    if said.language == "zh":
        listed = RE.lists_zh.match(said.question)
        return " 和 ".join(few) or (f"{listed['rest']}的{listed['noun']}" if listed else subject_of(said))
    asked = next((thing for thing in things if thing.asked and thing.plural), None)
    if asked is not None and (found := " and ".join(few) or _described(said.question, asked)):
        return found
    several = tuple(thing.text for thing in plain if thing.plural)[:1] or said.items[:_MOST_NAMED]
    return " and ".join(several) or (plain[0].text if len(plain) == 1 else "")


def _described(question: str, asked: Thing) -> str:
    """ "Which teams are on call at night" as "the teams that are on call at night"."""
    rest = question[asked.end :].strip()
    return "" if asked.start else f"the {asked.bare} that {rest}" if rest else f"the {asked.bare}"
