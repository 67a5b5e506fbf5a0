"""A question about one thing: which thing, which of its relations and fields, and which end of them.

Rules only. The thing is found by `kbtui.records.names`; a relation by the words of `concepts` and by the names of
fields that occur in the folder, so that a field nobody foresaw can be asked for by its name; the end by voice and word
order: what stands before an active verb is its subject, what follows *by* or 被 is its agent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.knowledge.relations.labels import fold
from kbtui.knowledge.relations.words import word_set
from kbtui.records.concepts import CONCEPTS, FIELD_WORDS, Concept
from kbtui.records.names import LIKELY, POSSIBLE, Mention
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.records.links import Links

Role = Literal["subject", "object"]

_AFTER: Final = r"(?:\s+(?:by|from|in|on|upon|to)\b)?"
HERE: Final = "\ue000"
_OTHER: Final = "\ue001"
_RE: Final = Patterns(__package__, "one_thing.toml")
_ASKING: Final = word_set(
    """
    a an and are be been by did do does for from has have how in is it its list name named names of on or other show
    tell that the their there these they this those to was were what when where which who whom whose with
    """
)
IDLE: Final = frozenset(stem(word) for word in word_set(toml_in(__package__, "one_thing.toml")["words"]["idle"]))
"""Stems of words that change nothing beside a thing and a relation."""


class Asked(Struct, frozen=True, kw_only=True):
    """One relation or field that is asked for.

    Attributes:
        concept: The relation, when it is a usual one.
        role: The end of the relation at which the thing stands.
        fields: Names of fields that the question may mean, best first.
    """

    concept: Concept | None = None
    role: Role = "subject"
    fields: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.concept is not None or bool(self.fields)


class ThingQuestion(Struct, frozen=True, kw_only=True):
    """A question, understood.

    Attributes:
        entity: The thing it is about; None when it names none that is known.
        others: Further things it names, which narrow the answer.
        asked: The relation or field it asks for first.
        text: The question with marks in place of what it names.
        series: Numbered series the answers should be of (``pep``).
        wanted: What kind of thing the answers should be.
        separators: How the question writes numbers of a series: EIP-721 for EIP 721.
    """

    entity: Mention | None = None
    others: tuple[Mention, ...] = ()
    asked: Asked = Asked()
    text: str = ""
    series: str = ""
    wanted: Literal["", "ticket", "file"] = ""
    separators: Mapping[str, str] = {}

    def spelt(self, label: str) -> str:
        """A label in the spelling of the question."""
        match = re.fullmatch(r"([A-Za-z]{2,10})[ \-]([1-9]\d{0,5})", label)
        return f"{match[1]}{self.separators[match[1]]}{match[2]}" if match and match[1] in self.separators else label


def parse(question: str, links: Links) -> ThingQuestion:
    """Understand ``question`` against what the folder holds."""
    mentions = links.finder.find(question)
    entity, others = _main_entity([mention for mention in mentions if mention.certainty >= LIKELY])
    text = marked(question, entity, others)
    asked = asked_in(text, links)
    if asked.concept is None and _RE.says.search(text):
        return ThingQuestion()
    if entity is not None and asked and entity.certainty == LIKELY and not others:
        # More of a title than is one by itself: "structural pattern matching, the spec".
        longer = _described(question, question, asked, links)
        if longer is not None and len(longer.nodes) == 1 and longer.nodes[0] not in entity.nodes:
            entity = longer
            text = marked(question, entity, ())
            asked = asked_in(text, links)
    if entity is None:
        entity = _possible_entity(question, text, mentions, asked, links)
        kinds = _series(text, links.series) or _RE.tickets.search(text) or _RE.files.search(text)
        is_value = entity is None and bool(mentions) and bool(kinds)
        # "Which PEPs are withdrawn?" names a value and what has it, but no relation.
        entity = mentions[0] if is_value else entity
        if entity is not None:
            text = marked(question, entity, ())
            asked = Asked() if is_value else asked_in(text, links)
    wanted: Literal["", "ticket", "file"] = "file" if _RE.files.search(text) else ""
    return ThingQuestion(
        entity=entity,
        others=others,
        asked=asked,
        text=text,
        series=_series(text, links.series),
        separators=dict(_RE.numbered.findall(question)),
        wanted="" if _RE.people.search(text) else "ticket" if _RE.tickets.search(text) else wanted,
    )


def asked_in(text: str, links: Links) -> Asked:
    """The relation or field that a text with marks asks for."""
    concept, role = _concept(text)
    if any(" " in words and words in text.casefold() for words in FIELD_WORDS):
        # What asks for a field in several words means no relation by one of the others: *what became of … its own*.
        concept, role = None, "subject"
    return Asked(concept=concept, role=role, fields=_fields(text, links, concept))


def without_asked(text: str, asked: Asked, used: Collection[str]) -> str:
    """The text without the words that ask for this.

    Args:
        used: Names of the fields that answered it.
    """
    if asked.concept is not None and (asked.concept.kind != "value" or not set(used) - asked.concept.forward):
        concept = asked.concept
        for pattern in (concept.verb_pattern, *(pattern for pattern, _ in concept.noun_patterns)):
            text = re.sub(f"(?:{pattern.pattern}){_AFTER}", " ", text, flags=re.IGNORECASE) if pattern else text
    heads = {name.split("-")[-1] for name in used}
    # A tracking issue that is stated as a rust-issue is an issue all the same.
    alike = [name for name in asked.fields if "-" in name and name.split("-")[-1] in heads]
    parts = {stem(part) for name in (*used, *alike) for part in fold(name).split("-")}
    for words, names in FIELD_WORDS.items():
        if parts & {stem(name) for name in names.split()}:
            text = re.sub(re.escape(words), " ", text, flags=re.IGNORECASE)
    return _RE.word.sub(
        lambda match: " " if {stem(part) for part in fold(match[0]).split("-")} <= parts else match[0], text
    )


def _possible_entity(question: str, text: str, mentions: list[Mention], asked: Asked, links: Links) -> Mention | None:
    """What the question may be about when it names nothing for sure: a one-word name, a person, a described file."""
    concept, fields = asked.concept, asked.fields
    if not asked:
        return None
    candidates = [mention for mention in mentions if not _names_relation(question, mention, concept, fields)]
    if not candidates and (concept is None or concept.kind == "value"):
        candidates = links.finder.people(question)
    if candidates and not links.states.issuperset(candidates[0].nodes):
        return candidates[0]
    return _described(question, text, asked, links) or next(iter(candidates), None)


def _described(question: str, text: str, asked: Asked, links: Links) -> Mention | None:
    """The file whose path and title have all words that ask for nothing, at the place of the first of them."""
    concept, fields = asked.concept, asked.fields
    relation = concept.verb_pattern.sub(" ", text) if concept is not None and concept.verb_pattern else text
    for pattern, _ in concept.noun_patterns if concept is not None else ():
        relation = pattern.sub(" ", relation)
    names = {stem(word) for name in fields for word in name.split("-")}
    words = [word for word in content_words(relation) if any(char.isalnum() for char in word)]
    words = [w for w in words if stem(w.lower()) not in names and w.lower().removesuffix("s") not in links.series]
    words, all_words = [word for word in words if stem(word.lower()) not in IDLE], words
    # A word that is idle beside a relation may be the one that tells two titles apart.
    described = links.finder.described(all_words)
    described = described if len(described) == 1 else links.finder.described(words)
    if not described:
        # What it states may be said of it too: "the TLS proposal was withdrawn, …".
        states = {word for word in words if fold(word) in links.states}
        described = links.finder.described([word for word in words if word not in states])
        described = tuple(path for path in described if all(links.has_state(path, fold(word)) for word in states))
    if not described:
        return None
    first = min((at for word in all_words if (at := question.find(word)) >= 0), default=0)
    return Mention(start=first, end=first, nodes=described, certainty=POSSIBLE)


def _main_entity(mentions: list[Mention]) -> tuple[Mention | None, tuple[Mention, ...]]:
    if not mentions:
        return None, ()
    best = max(mention.certainty for mention in mentions)
    first = min((mention for mention in mentions if mention.certainty == best), key=lambda mention: mention.start)
    return first, tuple(mention for mention in mentions if mention is not first)


def marked(question: str, entity: Mention | None, others: tuple[Mention, ...]) -> str:
    """The question with the entity and the other mentions each as one private-use character."""
    marks = [(mention, _OTHER) for mention in others] + ([(entity, HERE)] if entity else [])
    text = question
    for mention, mark in sorted(marks, key=lambda pair: -pair[0].start):
        text = f"{text[: mention.start]}{mark}{text[mention.end :]}"
    return _RE.not_auxiliary.sub(" ", text)


def _concept(text: str) -> tuple[Concept | None, Role]:
    """The concept whose word stands nearest to the entity, and the entity's role in it; weak words come last."""
    here = text.find(HERE)
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
    verbs = (m for m in concept.verb_pattern.finditer(text) if not _RE.first_person.search(text[: m.start()]))
    return [(m.start(), m.end(), _role(text, m, here)) for m in verbs]


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


def _fields(text: str, links: Links, concept: Concept | None) -> tuple[str, ...]:
    """Names of the knowledge base's own fields that share words with the question, most words first."""
    words = [word for word in (fold(match) for match in _RE.word.findall(text)) if word not in _ASKING]
    # "Which PEPs …" asks for documents, not for their pep-delegate.
    words = [word for word in words if word not in links.series and word.removesuffix("s") not in links.series]
    parts = {stem(part) for word in words for part in (word, *word.split("-"))}
    folded = text.casefold()
    for asked, names in FIELD_WORDS.items():
        if asked in folded:
            parts |= {stem(word) for word in names.split()}
    scored: list[tuple[bool, float, str]] = []
    for name, own, shared in links.field_names.shared(parts, text):
        # The last word of a compound says what it is: a rust-issue is an issue, a feature-gate is a gate.
        is_head = own[-1] in parts or own[-1] in _HEADLESS or not name.isascii()
        # Beside a concept ("who leads"), only its own names count, and names the question gives in full.
        is_of_concept = concept is None or name in concept.forward or shared == len(own) > 1
        if is_of_concept and (is_head or concept is None):
            scored.append((not is_head, -shared - shared / len(own), name))
    best = [name for loose, _, name in sorted(scored) if not loose]
    return tuple(best or [name for _, _, name in sorted(scored)])


_HEADLESS = frozenset(
    {stem("name"), stem("by"), stem("to"), stem("on"), stem("at"), stem("id"), stem("link"), stem("url"), stem("from")}
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
