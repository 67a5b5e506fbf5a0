"""Answers questions about the fields and relations of one thing, in either direction and transitively.

A question is accepted only if every word of it is read. It may ask for several fields and relations at once; a relation
is followed transitively if the question says so (*directly or through others*).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.knowledge.relations.labels import fold, label_key
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import Collection
from kbtui.records.concepts import FIELD_WORDS
from kbtui.records.descriptions import find_descriptions
from kbtui.records.items import Item, items_of, tells_when
from kbtui.records.kind_names import WORDS
from kbtui.records.kinds import Fact, Thing
from kbtui.records.names import CERTAIN, VERSION, Mention
from kbtui.records.one_thing import (
    FILLER_STEMS,
    ThingQuestion,
    converse_of,
    mask_mentions,
    parse,
    parse_request,
    remove_request,
)
from kbtui.records.wording import asks_about_past, asks_count, asks_for_procedure, is_about_state, wants_truth
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.records.links import Links

_MAX_STEPS: Final = 300
_MAX_DEPTH: Final = 50
_MAX_DESCRIBED: Final = 50
"""Most things that one description may refer to."""
_MAX_REQUESTS: Final = 4
"""Most fields and relations that one question may ask for."""
_QUALIFIED_SERIES: Final = re.compile(r"\b([A-Z][a-z]+)\s+([A-Z]{2,10}s?)\b")
_SENTENCE: Final = re.compile(r"(?<=[.!])\s+(?=[A-Z])|(?<=[。！])")
_MIN_TITLE_WORDS: Final = 2
"""Fewest words of a title that identify a thing without its full name."""


class Step(Struct, frozen=True, kw_only=True):
    """One item reached from the thing asked about.

    Attributes:
        item: The item, with the line that states it.
        via: Display name of the thing at the near end of the relation.
        depth: Number of relations between the item and the thing asked about, from 1.
    """

    item: Item
    via: str
    depth: int


class RelationAnswer(Struct, frozen=True, kw_only=True):
    """The answer to a question about the fields or relations of one thing.

    Attributes:
        entity: Display name of the thing asked about.
        steps: The items; those that resolve a description come before the answer proper.
        is_value: The items are values that the thing states, not other things.
        of_value: The question is about a value (a person); the items are the things that state it.
        of_document: The items are relations of a document to others.
        follows_on: The relation was followed transitively.
        unread: Words of the question that no part of the reading accounts for.
    """

    entity: str
    steps: tuple[Step, ...]
    is_value: bool = False
    of_value: bool = False
    of_document: bool = False
    follows_on: bool = False
    unread: tuple[str, ...] = ()


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["relating"][name]).replace("\n  ", ""))


def answer_relations(links: Links, question: str) -> RelationAnswer | None:
    """Answer a question about relations and fields of the thing it names; None if it has no such answer.

    A thing that is only described (*the proposal that superseded …*) is resolved first; then the rest of the question
    is asked of each thing that the description refers to.
    """
    described = _resolve_description(links, question)
    if described is None:
        return _answer_about_mention(links, question)
    first, questions = described
    answers = [answer for question in questions if (answer := answer_relations(links, question)) is not None]
    if not answers:
        return None
    steps = {
        (step.via, step.item.relation, step.item.label): step for answer in (first, *answers) for step in answer.steps
    }
    unread = dict.fromkeys(word for answer in answers for word in answer.unread)
    # No table contains the steps that resolved the description, so the answer must not be left to the tables.
    return replace(answers[-1], of_value=False, steps=tuple(steps.values())[:_MAX_STEPS], unread=tuple(unread))


def _resolve_description(links: Links, question: str) -> tuple[RelationAnswer, list[str]] | None:
    """The answer to the first description in a question, and the question with each result in its place."""
    for start, end in find_descriptions(question, links.finder.find(question)):
        first = _answer_about_mention(links, question[start:end])
        if first is None or first.unread or len(first.steps) > _MAX_DESCRIBED:
            continue
        targets = dict.fromkeys(step.item.path or step.item.label for step in first.steps)
        questions = [" ".join(f"{question[:start]} `{name}` {question[end:]}".split()) for name in targets]
        if parse(questions[0], links).requested:
            return first, questions
    return None


def _answer_about_mention(links: Links, question: str) -> RelationAnswer | None:
    """Answer a question about a thing that it names; None without a mention, a request or an item."""
    follows_on = _pattern("transitive").search(question) is not None
    direct_question = _pattern("transitive").sub(" ", question)
    parsed = parse(direct_question, links)
    entity, requested = parsed.entity, parsed.requested
    if entity is None or not requested or (requested.concept is None and asks_for_procedure(question)):
        return None
    direct = items_of(links, parsed, requested)
    if not direct.items and (converse := converse_of(requested)) is not None:
        parsed = replace(parsed, requested=converse)
        direct = items_of(links, parsed, converse)
    if not direct.items:
        return None
    if parsed.wants_day and requested.concept is None and not any(tells_when(item.label) for item in direct.items):
        return None
    is_value = requested.concept is None or requested.concept.kind == "value"
    of_value = direct.items[0].direction == "reverse" and not set(entity.nodes) & links.records.keys()
    if is_value and not of_value and any(item.direction != "forward" for item in direct.items):
        return None
    if of_value and requested.concept is None and entity.certainty < CERTAIN:
        # An unquoted word that equals a value is not certain to refer to it.
        return None
    if is_value and (follows_on or (asks_count(direct_question) and not of_value)):
        return None
    record = links.records.get(direct.entity)
    # The display name of a file without a label is its title, as in the question.
    display_name = record.title if record is not None and record.title else direct.entity
    items = list(direct.items)
    rest = remove_request(parsed.text, requested, [item.relation for item in items], links.field_names.words)
    if not of_value and not follows_on:
        further, rest = _read_further_requests(links, parsed, rest, direct.node)
        # A field that repeats the name of the thing is no answer.
        items += [item for item in further if not _is_own_name(item, display_name, direct.node)]
    steps = [Step(item=item, via=display_name, depth=1) for item in items]
    if follows_on:
        steps += _follow_transitively(links, parsed, direct.items)
    return RelationAnswer(
        entity=display_name,
        steps=tuple(steps[:_MAX_STEPS]),
        is_value=is_value and not of_value,
        of_value=of_value,
        of_document=not is_value and bool(set(entity.nodes) & links.records.keys()),
        follows_on=follows_on,
        unread=tuple(_unread_words(links, rest, parsed)),
    )


def related_items(links: Links, question: str) -> RelationAnswer | None:
    """Like `answer_relations`, whatever else the question says; None only where the question names no thing.

    The answer has no steps where nothing is stated, and every relation where none in particular is asked for.
    """
    if (answer := answer_relations(links, question)) is not None:
        return answer
    parsed = parse(question, links)
    items = items_of(links, parsed, parsed.requested)
    steps = tuple(Step(item=item, via=items.entity, depth=1) for item in items.items)
    return RelationAnswer(entity=items.entity, steps=steps) if items.entity else None


def answer_fields(links: Links, question: str, path: str) -> RelationAnswer | None:
    """Answer a question about fields from the document at ``path``; None if it asks for no field or none is stated."""
    parsed = parse(question, links)
    text = parsed.text or question
    requested = parse_request(text, links)
    if not requested or (requested.concept is not None and requested.concept.kind != "value") or asks_count(question):
        return None
    if parsed.entity is not None and parsed.entity.certainty >= CERTAIN:
        return None
    mention = Mention(start=0, end=0, nodes=(links.main_file(path),), certainty=CERTAIN)
    result = items_of(links, ThingQuestion(entity=mention), requested)
    if not result.items or any(item.direction != "forward" for item in result.items):
        return None
    if all(_is_own_name(item, result.entity, result.node) for item in result.items):
        return None
    rest = remove_request(text, requested, [item.relation for item in result.items], links.field_names.words)
    further, _ = _read_further_requests(links, ThingQuestion(entity=mention), rest, result.node)
    title = links.title_of(result.node)
    display_name = f"{result.entity} ({title})" if title else result.entity
    steps = tuple(Step(item=item, via=display_name, depth=1) for item in (*result.items, *further))
    return RelationAnswer(entity=display_name, steps=steps, is_value=True)


def _is_own_name(item: Item, display_name: str, node: str) -> bool:
    """Whether a value only repeats the name of the thing."""
    return fold(item.label) in {fold(display_name), fold(posixpath.basename(node).partition(".")[0])}


def _read_further_requests(links: Links, parsed: ThingQuestion, text: str, node: str) -> tuple[list[Item], str]:
    """Items of further requests about the same thing (*status and target version*), and the text without them."""
    all_items: list[Item] = []
    for _ in range(_MAX_REQUESTS):
        requested = parse_request(text, links)
        items = items_of(links, parsed, requested, node).items if requested else ()
        if not items or (requested.concept is None and any(item.direction != "forward" for item in items)):
            break
        all_items += items
        text = remove_request(text, requested, [item.relation for item in items], links.field_names.words)
    return all_items, text


def _follow_transitively(links: Links, parsed: ThingQuestion, items: Sequence[Item]) -> Iterator[Step]:
    """Steps to everything reachable from ``items`` by the same relation, breadth first, each thing once."""
    start = parsed.entity.nodes if parsed.entity is not None else ()
    seen = {*start, *(item.path or fold(item.label) for item in items)}
    frontier = [item for item in items if item.path]
    for depth in range(2, _MAX_DEPTH):
        reached: list[Item] = []
        for item in frontier:
            for further in items_of(links, parsed, parsed.requested, item.path).items:
                key = further.path or fold(further.label)
                if key not in seen:
                    seen.add(key)
                    reached.append(further)
                    yield Step(item=further, via=item.label, depth=depth)
        frontier = [item for item in reached if item.path]
        if not frontier:
            return


def _unread_words(links: Links, text: str, parsed: ThingQuestion) -> list[str]:
    """Content words of the remaining text that are neither fillers nor words of the thing."""
    entity = parsed.entity
    node = entity.nodes[0] if entity is not None else ""
    entity_stems = links.finder.words_of(node)
    names = {*links.series, *(f"{word}s" for word in links.series)}
    of_series = {
        # The owner of a series changes nothing (Rust RFCs); a value before it does (Final PEPs).
        stem(fold(word))
        for word, series in _QUALIFIED_SERIES.findall(text)
        if fold(series) in names and label_key(word) not in links.names
    }
    words = [word for word in content_words(_question_sentence(text)) if any(char.isalnum() for char in word)]
    unread = [w for w in words if stem(fold(w)) not in FILLER_STEMS | of_series and fold(w) not in names]
    is_described = entity is not None and entity.end == entity.start
    # An identifier in the path of a file names it: "how severe is some_check_name?"
    identifiers = {part for part in re.split(r"[/.]", node.lower()) if not part.isalpha()}
    versions = {word for word in unread if VERSION.fullmatch(word)}
    describing = [
        w
        for w in unread
        if w.lower() in identifiers or ((w.isalpha() or w in versions) and links.finder.has_word(node, w))
    ]
    identifiers |= versions
    if is_described and len(describing) < _MIN_TITLE_WORDS and identifiers.isdisjoint(map(str.lower, describing)):
        return unread or [text]
    other_mentions = [
        str(other.start) for other in parsed.others if not any(links.has_state(node, state) for state in other.nodes)
    ]
    return other_mentions + [
        w
        for w in unread
        if w not in describing and stem(fold(w)) not in entity_stems and not links.has_state(node, fold(w))
    ]


def _question_sentence(text: str) -> str:
    """The last sentence if it is a question; the statements before it are context."""
    *context, last = _SENTENCE.split(text.strip())
    return last if context and last.rstrip().endswith(("?", "？")) else text


class ValueCheck(Struct, frozen=True, kw_only=True):
    """Whether a thing has the value that a question names.

    Attributes:
        thing: The thing asked about.
        fact: The fact it states for the field.
        holds: None if unknown: the question asks about the past, which the current value does not tell, or it uses a
            word that no thing of the kind states.
        is_own_word: The question uses a value of the field; if not, the state is all that can be told.
    """

    thing: Thing
    fact: Fact
    holds: bool | None
    is_own_word: bool = True


def check_value(collection: Collection, question: str) -> ValueCheck | None:
    """Check a yes-no question about one value (*was 484 accepted?*); None for any other question or unread words."""
    if not wants_truth(question):
        return None
    parsed = parse(question, collection.links)
    entity = parsed.entity
    if entity is None or parsed.others or entity.end == entity.start:
        return None
    thing = collection.thing_at(entity.nodes[0])
    kind = next((kind for kind in collection.kinds if thing in kind.things), None)
    if thing is None or kind is None:
        return None
    is_past = asks_about_past(question)
    rest = [word for word in content_words(mask_mentions(question, entity, ())) if word.isalnum()]
    stems = [
        stem(fold(word)) for word in rest if stem(fold(word)) not in FILLER_STEMS and fold(word) not in _TIME_ADVERBS
    ]
    for name, facts in thing.facts.items():
        field_stems = {stem(part) for part in name.split("-")}
        wanted = [word for word in stems if word not in field_stems]
        values = {fact.value for other in kind.things for fact in other.facts.get(name, ())}
        if not wanted or len(values) >= kind.fields.get(name, 0):
            # If each thing has its own value, the field does not hold a state.
            continue
        matching_values = {value for value in values if [stem(word) for word in fold(value).split()] == wanted}
        if matching_values:
            matching_fact = next((fact for fact in facts if fact.value in matching_values), None)
            return ValueCheck(
                thing=thing, fact=matching_fact or facts[0], holds=True if matching_fact else None if is_past else False
            )
    state = _state_of(thing) if stems and is_about_state(stems) else None
    return None if state is None else ValueCheck(thing=thing, fact=state, holds=None, is_own_word=False)


def _state_of(thing: Thing) -> Fact | None:
    """The fact that tells the state of a thing: of a field called status or state."""
    names = (name for name in thing.facts if not word_set(FIELD_WORDS["what happened to"]).isdisjoint(name.split("-")))
    return next((thing.facts[name][0] for name in names), None)


_TIME_ADVERBS: Final = frozenset({"ever", "already", "yet", "once", "still", "now"})
