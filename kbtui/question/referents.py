"""The referents that the last question leaves for a follow-up: what "it", "they", 它 and "that" mean after it."""

from __future__ import annotations

import re

from kbtui.question.comparisons import sides
from kbtui.question.dialogue import RE, Dialogue
from kbtui.question.noun_phrases import NounPhrase, is_of_kind, joined_noun_phrases
from kbtui.text.language import has_cjk

_MAX_NAMED = 3
_DEFINITE = frozenset({"the", "our", "my"})


def action_in(question: str) -> str:
    """The action that a question asks about: ``roll back a deploy`` in "how do I roll back a deploy"; else empty."""
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


def _action_as_event(doing: str) -> str:
    """An action as the name of an event: ``roll back a deploy`` as ``rolling back a deploy``."""
    verb, _, rest = doing.partition(" ")
    return f"{gerund(verb.lower())} {rest}".strip() if verb.isascii() and verb.isalpha() else doing


def singular_referent(dialogue: Dialogue, *, takes_place: bool = False) -> str:
    """The referent of "it" and 它; empty if it is uncertain.

    Args:
        takes_place: The follow-up asks for a property of events, such as a duration or an approval.
    """
    question = dialogue.question
    if doing := action_in(question):
        phrase = next((phrase for phrase in joined_noun_phrases(doing) if not phrase.preposition), None)
        if takes_place or phrase is None:
            return _action_as_event(doing)
        is_definite = phrase.mention or phrase.is_name or phrase.determiner.lower() in _DEFINITE or has_cjk(phrase.text)
        return phrase.text if is_definite else _action_as_event(doing)
    if (compared := sides(question)) and dialogue.language == "zh":
        return "和".join(compared)
    phrases = joined_noun_phrases(question)
    plain = [phrase for phrase in phrases if not phrase.is_asked_for]
    asked_phrase = next((phrase for phrase in phrases if phrase.is_asked_for), None)
    if asked_phrase is not None and asked_phrase.start == 0 and not asked_phrase.is_plural:
        # After "which ADR covers feature flags" the pronoun refers to the ADR of the answer.
        label = dialogue.latest_label(asked_phrase.head) if is_of_kind("labels", asked_phrase.head) else ""
        if answered := label or (dialogue.latest_file() if is_of_kind("files", asked_phrase.head) else ""):
            return answered
        if len(plain) != 1:
            return _relative_clause(question, asked_phrase)
    if len(plain) > 1 and plain[0].is_plural and is_of_kind("files", plain[0].head):
        plain = plain[1:]  # After "files about billing" the pronoun refers to billing.
    if not plain:
        return "" if dialogue.language == "en" else question
    if ownership := RE.owned.match(plain[0].text):
        # "It" refers to a person's work or property, not to the person.
        return ownership[1] or ownership[2]
    owner, first = plain[0].mention, (plain[0].without_determiner.split() or [""])[0]
    if owner is not None and owner.kind in ("document", "ticket", "name") and is_of_kind("attributes", first):
        return owner.text  # After "the status of PEP 8" a follow-up asks for another attribute of PEP 8.
    mentioned = [phrase for phrase in plain if phrase.mention is not None]
    return mentioned[0].text if mentioned and plain[0].mention is None and plain[0].preposition else plain[0].text


def event_referent(dialogue: Dialogue) -> str:
    """The referent of "that" and "this": an event ("rolling back a deploy", 续期证书), else the topic."""
    if doing := action_in(dialogue.question):
        return _action_as_event(doing)
    if dialogue.language == "zh":
        return singular_referent(dialogue)
    phrases = [phrase for phrase in joined_noun_phrases(dialogue.question) if not phrase.is_asked_for]
    if len(phrases) > 1:
        return f"{phrases[-1].text} ({phrases[0].text})"
    return phrases[0].text if phrases else singular_referent(dialogue)


def plural_referent(dialogue: Dialogue) -> str:
    """The referent of "they": the people after a "who" question, both sides of a comparison, else the plural phrase."""
    if several := (dialogue.latest_people() if dialogue.asks_who else ()) or sides(dialogue.question):
        return " and ".join(several)
    phrases = joined_noun_phrases(dialogue.question)
    plain = [phrase for phrase in phrases if not phrase.is_asked_for]
    short_list = dialogue.items if 1 < len(dialogue.items) <= _MAX_NAMED else ()
    if dialogue.language == "zh":
        listed = RE.lists_zh.match(dialogue.question)
        return " 和 ".join(short_list) or (
            f"{listed['rest']}的{listed['noun']}" if listed else singular_referent(dialogue)
        )
    asked_phrase = next((phrase for phrase in phrases if phrase.is_asked_for and phrase.is_plural), None)
    if asked_phrase is not None and (
        found := " and ".join(short_list) or _relative_clause(dialogue.question, asked_phrase)
    ):
        return found
    several = tuple(phrase.text for phrase in plain if phrase.is_plural)[:1] or dialogue.items[:_MAX_NAMED]
    return " and ".join(several) or (plain[0].text if len(plain) == 1 else "")


def _relative_clause(question: str, asked_phrase: NounPhrase) -> str:
    """ "Which teams are on call at night" as "the teams that are on call at night"."""
    rest = question[asked_phrase.end :].strip()
    return (
        ""
        if asked_phrase.start
        else f"the {asked_phrase.without_determiner} that {rest}"
        if rest
        else f"the {asked_phrase.without_determiner}"
    )
