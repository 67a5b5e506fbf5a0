"""What a question asks of the graph: about which thing, which relation, and which end of it.

Rules only. The thing is found by `kbtui.knowledge.entities`; the relation by the words of `relation_lexicon` and by the
relation names that occur in the knowledge base, so that a field nobody foresaw can be asked for by its name; the end by
voice and word order: what stands before an active verb is its subject, what follows *by* or 被 is its agent.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from kbtui.knowledge.entities import LIKELY, POSSIBLE, EntityFinder, Mention
from kbtui.knowledge.relation_lexicon import CONCEPTS, FIELD_WORDS, Concept, concept_of
from kbtui.knowledge.relations.labels import fold
from kbtui.knowledge.relations.words import word_set
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

Role = Literal["subject", "object"]

_HERE = "\ue000"
_OTHER = "\ue001"
_RE: Final = Patterns(__package__, "relation_query.toml")
_ASKING = word_set(
    """
    a an and are be been by did do does for from has have how in is it its list name named names of on or other show
    tell that the their there these they this those to was were what when where which who whom whose with
    """
)


IDLE: Final = frozenset(stem(word) for word in word_set(toml_in(__package__, "relation_query.toml")["words"]["idle"]))
"""Stems of words that change nothing beside a thing and a relation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationQuestion:
    """A question, understood.

    Attributes:
        entity: The thing it is about; None when it names none that is known.
        others: Further things it names, which narrow the answer.
        concept: The relation, when it is a usual one.
        role: The end of the relation at which the entity stands.
        fields: Relation names of the knowledge base that the question names, best first.
        series: Numbered series the answers should be of (``pep``).
        wanted: What kind of thing the answers should be.
    """

    entity: Mention | None = None
    others: tuple[Mention, ...] = ()
    concept: Concept | None = None
    role: Role = "subject"
    fields: tuple[str, ...] = ()
    series: str = ""
    wanted: Literal["", "ticket", "file", "person"] = ""


def parse(
    question: str, finder: EntityFinder, relation_names: Collection[str], series: Collection[str]
) -> RelationQuestion:
    """Understand ``question`` against what the knowledge base holds.

    Args:
        relation_names: Those that occur in it.
        series: Numbered series that occur in it, in lower case.
    """
    mentions = finder.find(question)
    sure = [mention for mention in mentions if mention.certainty >= LIKELY]
    entity, others = _main_entity(sure)
    text = marked(question, entity, others)
    concept, role = _concept(text)
    if concept is None and _RE.says.search(text):
        return RelationQuestion()
    fields = _fields(text, relation_names, concept, series)
    if entity is None:
        entity = _possible_entity(question, text, finder, mentions, concept, fields, series)
        is_value = (
            entity is None
            and bool(mentions)
            and bool(_series(text, series) or _RE.tickets.search(text) or _RE.files.search(text))
        )
        # "Which PEPs are withdrawn?" names a value and what has it, but no relation.
        entity = mentions[0] if is_value else entity
        if entity is not None:
            text = marked(question, entity, ())
            concept, role = (None, role) if is_value else _concept(text)
            fields = () if is_value else _fields(text, relation_names, concept, series)
    return RelationQuestion(
        entity=entity,
        others=others,
        concept=concept,
        role=role,
        fields=fields,
        series=_series(text, series),
        wanted=_wanted(text),
    )


def _possible_entity(
    question: str,
    text: str,
    finder: EntityFinder,
    mentions: list[Mention],
    concept: Concept | None,
    fields: tuple[str, ...],
    series: Collection[str],
) -> Mention | None:
    """What the question may be about when it names nothing for sure: a one-word name, a person, a described file."""
    if concept is None and not fields:
        return None
    candidates = [mention for mention in mentions if not _names_relation(question, mention, concept, fields)]
    if not candidates and (concept is None or concept.kind == "value"):
        candidates = finder.people(question)
    if candidates:
        return candidates[0]
    relation = concept.verb_pattern.sub(" ", text) if concept is not None and concept.verb_pattern else text
    asked = {stem(word) for name in fields for word in name.split("-")}
    words = [word for word in content_words(relation) if stem(word.lower()) not in asked]
    described = finder.described(
        [word for word in words if stem(word.lower()) not in IDLE and _singular(word.lower()) not in series]
    )
    return Mention(start=0, end=0, nodes=described, certainty=POSSIBLE) if described else None


def _singular(word: str) -> str:
    return word.removesuffix("s")


def _main_entity(mentions: list[Mention]) -> tuple[Mention | None, tuple[Mention, ...]]:
    if not mentions:
        return None, ()
    best = max(mention.certainty for mention in mentions)
    first = min((mention for mention in mentions if mention.certainty == best), key=lambda mention: mention.start)
    return first, tuple(mention for mention in mentions if mention is not first)


def marked(question: str, entity: Mention | None, others: tuple[Mention, ...]) -> str:
    """The question with the entity and the other mentions each as one private-use character."""
    marks = [(mention, _OTHER) for mention in others] + ([(entity, _HERE)] if entity else [])
    text = question
    for mention, mark in sorted(marks, key=lambda pair: -pair[0].start):
        text = f"{text[: mention.start]}{mark}{text[mention.end :]}"
    return _RE.not_auxiliary.sub(" ", text)


def _concept(text: str) -> tuple[Concept | None, Role]:
    """The concept whose word stands nearest to the entity, and the entity's role in it; weak words come last."""
    here = text.find(_HERE)
    best: tuple[tuple[bool, int], Concept, Role] | None = None
    for concept in CONCEPTS:
        for start, end, role in _matches(concept, text, here):
            distance = min(abs(start - here), abs(end - here)) if here >= 0 else start
            rank = (concept.weak, distance)
            if best is None or rank < best[0]:
                best = (rank, concept, role)
    return (best[1], best[2]) if best else (None, "subject")


def _matches(concept: Concept, text: str, here: int) -> list[tuple[int, int, Role]]:
    found: list[tuple[int, int, Role]] = []
    for pattern, is_subject in concept.noun_patterns:
        found += [(m.start(), m.end(), "subject" if is_subject else "object") for m in pattern.finditer(text)]
    if found or concept.verb_pattern is None:
        return found
    return [(m.start(), m.end(), _role(text, m, here)) for m in concept.verb_pattern.finditer(text)]


def _role(text: str, verb: re.Match[str], here: int) -> Role:
    """Is the entity the subject or the object of the verb?"""
    before, after = text[: verb.start()], text[verb.end() :]
    is_before = here < verb.start()
    is_chinese = not verb[0].isascii()
    if is_chinese:
        passive = _RE.chinese_passive.search(before)
        if passive is not None:
            agent_is_entity = passive.start() < here
            return "subject" if agent_is_entity else "object"
        if is_before and (_RE.chinese_place.search(before) or _RE.pronoun.match(after)):
            return "object"
        return "subject" if is_before else "object"
    participle = _RE.participle.search(verb[0]) is not None or verb[0].lower().startswith("linked ")
    by_agent = _RE.agent.match(after) is not None or verb[0].lower().startswith("linked ")
    is_passive = participle and (by_agent or (_RE.be.search(before) is not None and not _last_is_have(before)))
    if is_passive:
        return "object" if is_before else "subject"
    if is_before:
        return "object" if _RE.pronoun.match(after) else "subject"
    return "object"


def _last_is_have(before: str) -> bool:
    be, have = _RE.be.search(before), _RE.have.search(before)
    return have is not None and (be is None or have.start() > be.start())


def _fields(
    text: str, relation_names: Collection[str], concept: Concept | None, series: Collection[str]
) -> tuple[str, ...]:
    """Names of the knowledge base's own fields that share words with the question, most words first."""
    words = [word for word in (fold(match) for match in _RE.word.findall(text)) if word not in _ASKING]
    # "Which PEPs …" asks for documents, not for their pep-delegate.
    words = [word for word in words if word not in series and word.removesuffix("s") not in series]
    parts = {stem(part) for word in words for part in (word, *word.split("-"))}
    folded = text.casefold()
    for asked, names in FIELD_WORDS.items():
        if asked in folded:
            parts |= {stem(word) for word in names.split()}
    scored: list[tuple[bool, float, str]] = []
    for name in relation_names:
        classified = concept_of(name)
        if classified is not None and classified[0].kind != "value":
            continue
        own = [stem(part) for part in name.split("-")]
        shared = sum(part in parts for part in own)
        if not name.isascii() and name in text:
            shared = len(own)
        # The last word of a compound says what it is: a rust-issue is an issue, a feature-gate is a gate.
        is_head = own[-1] in parts or own[-1] in _HEADLESS or not name.isascii()
        if shared:
            # Beside a concept ("who leads"), only its own names count, and names the question gives in full.
            is_of_concept = concept is None or name in concept.forward or shared == len(own) > 1
            if is_of_concept and (is_head or concept is None):
                scored.append((not is_head, -shared - shared / len(own), name))
    best = [name for loose, _, name in sorted(scored) if not loose]
    return tuple(best or [name for _, _, name in sorted(scored)])


_HEADLESS = frozenset(
    {stem("name"), stem("by"), stem("to"), stem("on"), stem("at"), stem("id"), stem("link"), stem("url")}
)


def _names_relation(question: str, mention: Mention, concept: Concept | None, fields: tuple[str, ...]) -> bool:
    """Is this possible mention only the word by which the question names its relation (or what it asks for)?"""
    words = fold(question[mention.start : mention.end])
    if concept is not None and concept.verb_pattern is not None and concept.verb_pattern.search(words):
        return True
    stems = {stem(word) for word in re.split(r"[\W_]+", words) if word}
    asked = {stem(word) for name in fields for word in name.split("-")} | {stem(word) for word in _ASKING}
    return stems <= asked or bool(_RE.tickets.fullmatch(words) or _RE.files.fullmatch(words))


def _series(text: str, series: Collection[str]) -> str:
    for match in _RE.series_word.finditer(text):
        word = match[0]
        lowered = word.lower()
        for candidate in (lowered, lowered.removesuffix("s")):
            if candidate in series and (word[:2].isupper() or candidate not in _ASKING):
                return candidate
    return ""


def _wanted(text: str) -> Literal["", "ticket", "file", "person"]:
    if _RE.people.search(text):
        return "person"
    if _RE.tickets.search(text):
        return "ticket"
    return "file" if _RE.files.search(text) else ""
