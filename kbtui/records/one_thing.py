"""Parses a question about one thing: the thing, the relation or field asked for, and the role of the thing in it.

Rules only. `kbtui.records.names` finds the thing. A relation is found by the words of `concepts` and by the field names
of the folder, so that unforeseen fields work too. The role follows from voice and word order: the noun before an active
verb is its subject, the noun after *by* or 被 its agent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.knowledge.relations.labels import fold
from kbtui.knowledge.relations.words import word_set
from kbtui.records.concepts import CONCEPTS, FIELD_WORDS, Concept
from kbtui.records.names import LIKELY, POSSIBLE, Mention
from kbtui.records.wording import wants_day
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.records.links import Links

Role = Literal["subject", "object"]

_AFTER: Final = r"(?:\s+(?:by|from|in|on|upon|to)\b)?"
ENTITY_MARK: Final = "\ue000"
_OTHER_MARK: Final = "\ue001"
_RE: Final = Patterns(__package__, "one_thing.toml")
_QUESTION_WORDS: Final = word_set(
    """
    a an and are be been by did do does for from has have how in is it its list name named names of on or other show
    tell that the their there these they this those to was were what when where which who whom whose with
    """
)
FILLER_STEMS: Final = frozenset(
    stem(word) for word in word_set(toml_in(__package__, "one_thing.toml")["words"]["idle"])
)
"""Stems of filler words, which do not change the meaning of a thing and a relation."""


class Request(Struct, frozen=True, kw_only=True):
    """The relation or field that a question asks for.

    Attributes:
        concept: The relation, if it is a known concept.
        role: The role of the thing in the relation.
        fields: Names of fields that the question may refer to, best first.
    """

    concept: Concept | None = None
    role: Role = "subject"
    fields: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.concept is not None or bool(self.fields)


class ThingQuestion(Struct, frozen=True, kw_only=True):
    """A parsed question about one thing.

    Attributes:
        entity: Mention of the thing; None if the question names no known thing.
        others: Mentions of further things, which narrow the answer.
        requested: The first relation or field that it asks for.
        text: The question with a mark in place of each mention.
        series: Numbered series of the expected answers (``pep``); empty for any.
        wanted: Type of the expected answers; empty for any.
        separators: Separator between series and number as the question writes it, by series: EIP-721 for EIP 721.
        wants_day: It asks when something is so.
    """

    entity: Mention | None = None
    others: tuple[Mention, ...] = ()
    requested: Request = Request()
    text: str = ""
    series: str = ""
    wanted: Literal["", "ticket", "file"] = ""
    separators: Mapping[str, str] = {}
    wants_day: bool = False

    def spelt(self, label: str) -> str:
        """The label with the separator that the question uses."""
        match = re.fullmatch(r"([A-Za-z]{2,10})[ \-]([1-9]\d{0,5})", label)
        return f"{match[1]}{self.separators[match[1]]}{match[2]}" if match and match[1] in self.separators else label


def parse(question: str, links: Links) -> ThingQuestion:
    """Parse ``question`` with the names, fields and values of the folder."""
    mentions = links.finder.find(question)
    entity, others = _main_entity([mention for mention in mentions if mention.certainty >= LIKELY])
    text = mask_mentions(question, entity, others)
    requested = parse_request(text, links)
    if requested.concept is None and _RE.says.search(text):
        return ThingQuestion()
    if entity is not None and requested and entity.certainty == LIKELY and not others:
        # The question may give more of a title than the name that matched: "structural pattern matching, the spec".
        described = _find_described_file(question, question, requested, links)
        if described is not None and len(described.nodes) == 1 and described.nodes[0] not in entity.nodes:
            entity = described
            text = mask_mentions(question, entity, ())
            requested = parse_request(text, links)
    if entity is not None and (owner := _thing_of_value(question, entity, requested, links)) is not None:
        entity = owner
    if entity is None:
        entity = _possible_entity(question, text, mentions, requested, links)
        kinds = _series(text, links.series) or _RE.tickets.search(text) or _RE.files.search(text)
        is_value = entity is None and bool(mentions) and bool(kinds)
        # "Which PEPs are withdrawn?" names a value and the kind of its owner, but no relation.
        entity = mentions[0] if is_value else entity
        if entity is not None:
            entity = _thing_of_value(question, entity, requested, links) or entity
            text = mask_mentions(question, entity, ())
            requested = Request() if is_value else parse_request(text, links)
    wanted: Literal["", "ticket", "file"] = "file" if _RE.files.search(text) else ""
    return ThingQuestion(
        entity=entity,
        others=others,
        requested=requested,
        text=text,
        series=_series(text, links.series),
        separators=dict(_RE.numbered.findall(question)),
        wanted="" if _RE.people.search(text) else "ticket" if _RE.tickets.search(text) else wanted,
        wants_day=wants_day(question),
    )


def parse_request(text: str, links: Links) -> Request:
    """Parse the relation or field that a text with marks asks for; falsy if there is none."""
    concept, role = _concept(text, links.field_names.words)
    if any(" " in words and words in text.casefold() for words in FIELD_WORDS):
        # If several words name a field, no other word names a relation: *what became of … its own*.
        concept, role = None, "subject"
    return Request(concept=concept, role=role, fields=_fields(text, links, concept))


def converse_of(requested: Request) -> Request | None:
    """The relation that says the same from the other end; None where there is none."""
    concept = requested.concept
    converse = next((other for other in CONCEPTS if concept is not None and other.name == concept.converse), None)
    role: Role = "object" if requested.role == "subject" else "subject"
    return Request(concept=converse, role=role) if converse is not None else None


def remove_request(text: str, requested: Request, used: Collection[str], field_names: Collection[str] = ()) -> str:
    """The text without the words that ask for ``requested``.

    Args:
        used: Names of the fields that answered it.
        field_names: Names of all fields, which are asked for by themselves.
    """
    if requested.concept is not None and (
        requested.concept.kind != "value" or not set(used) - requested.concept.forward
    ):
        concept = requested.concept
        for pattern in (concept.verb_pattern, *(pattern for pattern, _ in concept.noun_patterns)):
            text = _without(pattern, text, set(field_names).difference(used)) if pattern else text
    heads = {name.split("-")[-1] for name in used}
    # Compounds with the same head have the same meaning: a tracking issue may be stated as a rust-issue.
    same_head = [name for name in requested.fields if "-" in name and name.split("-")[-1] in heads]
    parts = {stem(part) for name in (*used, *same_head) for part in fold(name).split("-")}
    for words, names in FIELD_WORDS.items():
        if parts & {stem(name) for name in names.split()}:
            text = re.sub(re.escape(words), " ", text, flags=re.IGNORECASE)
    return _RE.word.sub(
        lambda match: " " if {stem(part) for part in fold(match[0]).split("-")} <= parts else match[0], text
    )


def _without(pattern: re.Pattern[str], text: str, field_names: Collection[str]) -> str:
    """The text without the words of a relation, but for those that are names of fields."""
    words = re.compile(f"(?:{pattern.pattern}){_AFTER}", re.IGNORECASE)
    return words.sub(lambda match: match[0] if match[0].isascii() and fold(match[0]) in field_names else " ", text)


def _possible_entity(
    question: str, text: str, mentions: list[Mention], requested: Request, links: Links
) -> Mention | None:
    """The likely thing of a question without a certain mention: a one-word name, a person or a described file."""
    concept, fields = requested.concept, requested.fields
    if not requested:
        return None
    candidates = [mention for mention in mentions if not _names_relation(question, mention, concept, fields)]
    if not candidates and (concept is None or concept.kind == "value"):
        candidates = links.finder.people(question)
    if candidates and not links.states.issuperset(candidates[0].nodes):
        return candidates[0]
    return _find_described_file(question, text, requested, links) or next(iter(candidates), None)


def _find_described_file(question: str, text: str, requested: Request, links: Links) -> Mention | None:
    """A mention of the file whose path and title contain all words outside the request, at the first of them."""
    concept, fields = requested.concept, requested.fields
    remaining = concept.verb_pattern.sub(" ", text) if concept is not None and concept.verb_pattern else text
    for pattern, _ in concept.noun_patterns if concept is not None else ():
        remaining = pattern.sub(" ", remaining)
    field_stems = {stem(word) for name in fields for word in name.split("-")}
    words = [word for word in content_words(remaining) if any(char.isalnum() for char in word)]
    words = [w for w in words if stem(w.lower()) not in field_stems and w.lower().removesuffix("s") not in links.series]
    words, all_words = [word for word in words if stem(word.lower()) not in FILLER_STEMS], words
    # A filler word may still distinguish two titles.
    paths = links.finder.files_with_words(all_words)
    paths = paths if len(paths) == 1 else links.finder.files_with_words(words)
    if not paths:
        # Other words may ask for further fields: "the leak in the widget: who is on it, what priority".
        paths = links.finder.files_with_words(
            [word for word in words if stem(word.lower()) not in links.field_names.by_word]
        )
    if not paths:
        # Words may also be values that the file states: "the TLS proposal was withdrawn, …".
        states = {word for word in words if fold(word) in links.states}
        paths = links.finder.files_with_words([word for word in words if word not in states])
        paths = tuple(path for path in paths if all(links.has_state(path, fold(word)) for word in states))
    if not paths:
        return None
    first = min((at for word in all_words if (at := question.find(word)) >= 0), default=0)
    return Mention(start=first, end=first, nodes=paths, certainty=POSSIBLE)


def _thing_of_value(question: str, entity: Mention, requested: Request, links: Links) -> Mention | None:
    """The file that a value names which stands for it: an identifier, or a word of the only title with the field asked.

    *Who leads the Grouw organ?* names a town, which leads nothing, and a part of a title.
    """
    if any(node in links.records for node in entity.nodes):
        return None
    stating = [links.identified[node] for node in entity.nodes if node in links.identified]
    stems = {stem(word.lower()) for word in _RE.word.findall(question)}
    # "Which proposal introduced the feature `no_moves`?" asks for the thing that states the identifier.
    paths = {edge.source for edge in stating if stems.isdisjoint(map(stem, edge.relation.split("-")))}
    asked = {edge.relation for node in entity.nodes for edge in links.reverse.get(node, ())}
    if not paths and requested.fields and asked.isdisjoint(requested.fields):
        named = links.finder.files_with_words([question[entity.start : entity.end]])
        paths = {
            path for path in named if any(edge.relation in requested.fields for edge in links.forward.get(path, ()))
        }
    return replace(entity, nodes=tuple(paths)) if len(paths) == 1 else None


def _main_entity(mentions: list[Mention]) -> tuple[Mention | None, tuple[Mention, ...]]:
    if not mentions:
        return None, ()
    best = max(mention.certainty for mention in mentions)
    first = min((mention for mention in mentions if mention.certainty == best), key=lambda mention: mention.start)
    return first, tuple(mention for mention in mentions if mention is not first)


def mask_mentions(question: str, entity: Mention | None, others: tuple[Mention, ...]) -> str:
    """The question with the entity and every other mention replaced by one private-use character each."""
    marks = [(mention, _OTHER_MARK) for mention in others] + ([(entity, ENTITY_MARK)] if entity else [])
    text = question
    for mention, mark in sorted(marks, key=lambda pair: -pair[0].start):
        text = f"{text[: mention.start]}{mark}{text[mention.end :]}"
    return _RE.not_auxiliary.sub(" ", text)


def _concept(text: str, field_names: Collection[str]) -> tuple[Concept | None, Role]:
    """The concept whose word is nearest to the entity, and the role of the entity in it; weak concepts come last.

    Args:
        field_names: Names of fields, which are no verbs: *when was it closed* of a folder with the field ``closed``.
    """
    entity_at = text.find(ENTITY_MARK)
    best: tuple[tuple[bool, int], Concept, Role] | None = None
    for concept in CONCEPTS:
        for start, end, role in _matches(concept, text, entity_at, field_names):
            distance = min(abs(start - entity_at), abs(end - entity_at)) if entity_at >= 0 else start
            rank = (concept.weak, distance)
            if best is None or rank < best[0]:
                best = (rank, concept, role)
    return (best[1], best[2]) if best else (None, "subject")


def _matches(
    concept: Concept, text: str, entity_at: int, field_names: Collection[str] = ()
) -> list[tuple[int, int, Role]]:
    matches: list[tuple[int, int, Role]] = []
    for pattern, is_subject in concept.noun_patterns:
        for match in pattern.finditer(text):
            is_inverted = _RE.among.search(text[: match.start()]) is not None
            matches.append((match.start(), match.end(), "subject" if is_subject != is_inverted else "object"))
    if matches or concept.verb_pattern is None:
        return matches
    verbs = (
        m
        for m in concept.verb_pattern.finditer(text)
        if not (m[0].isascii() and fold(m[0]) in field_names) and not _RE.first_person.search(text[: m.start()])
    )
    return [(m.start(), m.end(), _role(text, m, entity_at)) for m in verbs]


def _role(text: str, verb: re.Match[str], entity_at: int) -> Role:
    """Whether the entity is the subject or the object of the verb."""
    before, after = text[: verb.start()], text[verb.end() :]
    is_before = entity_at < verb.start()
    is_chinese = not verb[0].isascii()
    if is_chinese:
        passive = _RE.chinese_passive.search(before)
        if passive is not None:
            agent_is_entity = passive.start() < entity_at
            return "subject" if agent_is_entity else "object"
        if is_before and (_RE.chinese_place.search(before) or _RE.pronoun.match(after)):
            return "object"
        return "subject" if is_before else "object"
    participle = _RE.participle.search(verb[0]) is not None or verb[0].lower().startswith("linked ")
    by_agent = _RE.agent.match(after) is not None or verb[0].lower().startswith("linked ")
    is_passive = participle and (by_agent or (_RE.be.search(before) is not None and not _ends_in_have(before)))
    if is_passive:
        return "object" if is_before else "subject"
    if is_before:
        return "object" if _RE.pronoun.match(after) else "subject"
    return "object"


def _ends_in_have(before: str) -> bool:
    be, have = _RE.be.search(before), _RE.have.search(before)
    return have is not None and (be is None or have.start() > be.start())


def _fields(text: str, links: Links, concept: Concept | None) -> tuple[str, ...]:
    """Names of fields of the folder that share words with the question, most shared words first."""
    words = [word for word in (fold(match) for match in _RE.word.findall(text)) if word not in _QUESTION_WORDS]
    # "Which PEPs …" asks for documents, not for the field pep-delegate.
    words = [word for word in words if word not in links.series and word.removesuffix("s") not in links.series]
    parts = {stem(part) for word in words for part in (word, *word.split("-"))}
    folded = text.casefold()
    for phrase, names in FIELD_WORDS.items():
        if phrase in folded:
            parts |= {stem(word) for word in names.split()}
    scored: list[tuple[bool, float, str]] = []
    for name, name_stems, shared in links.field_names.shared(parts, text):
        # The last word of a compound is its head: a rust-issue is an issue, a feature-gate is a gate.
        is_head = name_stems[-1] in parts or name_stems[-1] in _GENERIC_HEADS or not name.isascii()
        # Beside a concept ("who leads") only its own fields count, and fields that the question names in full.
        is_of_concept = concept is None or name in concept.forward or shared == len(name_stems) > 1
        if is_of_concept and (is_head or concept is None):
            scored.append((not is_head, -shared - shared / len(name_stems), name))
    best = [name for is_modifier, _, name in sorted(scored) if not is_modifier]
    return tuple(best or [name for _, _, name in sorted(scored)])


_GENERIC_HEADS = frozenset(
    {stem("name"), stem("by"), stem("to"), stem("on"), stem("at"), stem("id"), stem("link"), stem("url"), stem("from")}
)


def _names_relation(question: str, mention: Mention, concept: Concept | None, fields: tuple[str, ...]) -> bool:
    """Whether a possible mention is only the word by which the question names its relation or type of answer."""
    words = fold(question[mention.start : mention.end])
    if concept is not None and concept.verb_pattern is not None and concept.verb_pattern.search(words):
        return True
    stems = {stem(word) for word in re.split(r"[\W_]+", words) if word}
    request_stems = {stem(word) for name in fields for word in name.split("-")} | {
        stem(word) for word in _QUESTION_WORDS
    }
    return stems <= request_stems or bool(_RE.tickets.fullmatch(words) or _RE.files.fullmatch(words))


def _series(text: str, series: Collection[str]) -> str:
    for match in _RE.series_word.finditer(text):
        word = match[0]
        lowered = word.lower()
        for candidate in (lowered, lowered.removesuffix("s")):
            if candidate in series and (word[:2].isupper() or candidate not in _QUESTION_WORDS):
                return candidate
    return ""
