"""One thing and its relations: what it states, what others state about it, and everything that follows from there.

The graph says which relation in which direction; here a question counts as understood only when every word of it is
read, and a relation is followed as far as it goes where that is asked (*directly or through others*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kbtui.knowledge.entities import CERTAIN
from kbtui.knowledge.relation_answer import RelatedItem, related_of
from kbtui.knowledge.relation_lexicon import FIELD_WORDS
from kbtui.knowledge.relation_query import IDLE, RelationQuestion, marked
from kbtui.knowledge.relations.labels import fold, label_key
from kbtui.records.collection import WORDS, Collection, Fact, Thing
from kbtui.records.wording import counts, of_the_past, wants_truth
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.knowledge.graph import RelationGraph

_MOST: Final = 300
_DEEPEST: Final = 50
_OF_SERIES: Final = re.compile(r"\b([A-Z][a-z]+)\s+([A-Z]{2,10}s?)\b")
_DESCRIBING: Final = 2
"""Words of a title by which a thing is known that is not called by its whole name."""


class Step(Struct, frozen=True, kw_only=True):
    """One thing that was reached.

    Attributes:
        item: With the line that states it.
        via: What states it, or is stated; the thing asked about for what is reached directly.
        depth: Relations between it and the thing asked about, from 1.
    """

    item: RelatedItem
    via: str
    depth: int


class Related(Struct, frozen=True, kw_only=True):
    """What a question about the relations of one thing comes to.

    Attributes:
        is_value: What is asked for is a value that the thing states, not another thing.
        of_value: It is about a value (a person), and what is asked for are the things that state it.
        follows_on: Relations of what was reached were followed too.
    """

    entity: str
    steps: tuple[Step, ...]
    is_value: bool
    of_value: bool
    follows_on: bool


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["relating"][name]).replace("\n  ", ""))


def related(graph: RelationGraph, question: str) -> Related | None:
    """The relations that a question asks for; None unless it names one thing and every word of it is read."""
    follows_on = _pattern("transitive").search(question) is not None
    plain = _pattern("transitive").sub(" ", question)
    understood = graph.understood(plain)
    if understood.entity is None or understood.others or _unread(graph, plain, understood):
        return None
    concept, entity = understood.concept, understood.entity
    if concept is None and not understood.fields:
        return None
    direct = related_of(graph, plain, understood)
    is_value = concept is None or concept.kind == "value"
    of_value = direct.direction == "reverse" and not set(understood.entity.nodes) & graph.records.keys()
    if not direct.items or (is_value and not of_value and direct.direction != "forward"):
        return None
    if of_value and concept is None and entity.certainty < CERTAIN:
        # A value that is not quoted may as well be a word like any other.
        return None
    if is_value and (follows_on or (counts(question) and not of_value)):
        return None
    steps = [Step(item=item, via=direct.entity, depth=1) for item in direct.items]
    if follows_on:
        steps += _further(graph, plain, understood, direct.items)
    record = graph.records.get(direct.entity)
    return Related(
        # A file that has no name is called by its title, as in the question.
        entity=record.title if record is not None and record.title else direct.entity,
        steps=tuple(steps[:_MOST]),
        is_value=is_value and not of_value,
        of_value=of_value,
        follows_on=follows_on,
    )


class Checked(Struct, frozen=True, kw_only=True):
    """Whether a thing is what a question says.

    Attributes:
        fact: What it states.
        holds: None where that does not tell: it is asked whether it ever was so.
    """

    thing: Thing
    fact: Fact
    holds: bool | None


def checked(graph: RelationGraph, collection: Collection, question: str) -> Checked | None:
    """Whether one thing has a value, as *was 484 accepted?*; None for any other question, or where words are left."""
    if not wants_truth(question):
        return None
    understood = graph.understood(question)
    entity = understood.entity
    if entity is None or understood.others or entity.end == entity.start:
        return None
    thing = collection.thing_at(entity.nodes[0])
    kind = next((kind for kind in collection.kinds if thing in kind.things), None)
    if thing is None or kind is None:
        return None
    past = of_the_past(question)
    rest = [word for word in content_words(marked(question, entity, ())) if word.isalnum()]
    wanted = [stem(fold(word)) for word in rest if stem(fold(word)) not in IDLE and fold(word) not in _EVER]
    for name, facts in thing.facts.items():
        known = {fact.value for other in kind.things for fact in other.facts.get(name, ())}
        if not wanted or len(known) >= kind.fields.get(name, 0):
            # Where each has a value of its own, none is a state that things are in.
            continue
        named = {value for value in known if [stem(word) for word in fold(value).split()] == wanted}
        if named:
            equal = next((fact for fact in facts if fact.value in named), None)
            return Checked(thing=thing, fact=equal or facts[0], holds=True if equal else None if past else False)
    return None


_EVER: Final = frozenset({"ever", "already", "yet", "once", "still", "now"})


def asks_of_documents(graph: RelationGraph, question: str) -> bool:
    """Whether it asks how one document is related to others, in words that need not all be read."""
    understood = graph.understood(question)
    if understood.concept is None or understood.concept.kind == "value" or understood.entity is None:
        return False
    known = bool(set(understood.entity.nodes) & graph.records.keys())
    return known and bool(related_of(graph, question, understood).items)


def _further(
    graph: RelationGraph, question: str, understood: RelationQuestion, items: tuple[RelatedItem, ...]
) -> Iterator[Step]:
    """What is reached from these, nearest first, each thing once."""
    start = understood.entity.nodes if understood.entity is not None else ()
    seen = {*start, *(item.path or fold(item.label) for item in items)}
    front = [item for item in items if item.path]
    for depth in range(2, _DEEPEST):
        reached: list[RelatedItem] = []
        for item in front:
            for further in related_of(graph, question, understood, item.path).items:
                key = further.path or fold(further.label)
                if key not in seen:
                    seen.add(key)
                    reached.append(further)
                    yield Step(item=further, via=item.label, depth=depth)
        front = [item for item in reached if item.path]
        if not front:
            return


def _unread(graph: RelationGraph, question: str, understood: RelationQuestion) -> list[str]:
    """Content words that neither the thing nor the relation nor the kind of answer accounts for."""
    entity, concept = understood.entity, understood.concept
    text = question
    if entity is not None and entity.end > entity.start:
        text = marked(question, entity, ())
    if concept is not None:
        for pattern in (concept.verb_pattern, *(pattern for pattern, _ in concept.noun_patterns)):
            text = pattern.sub(" ", text) if pattern is not None else text
    read = {stem(part) for name in understood.fields for part in fold(name).split("-")} | IDLE
    for asked in FIELD_WORDS:
        text = re.sub(re.escape(asked), " ", text, flags=re.IGNORECASE)
    described = entity is not None and entity.end == entity.start
    own = graph.words_of(entity.nodes[0]) if entity is not None else frozenset()
    names = {*graph.series, *(f"{word}s" for word in graph.series)}
    for word, of in _OF_SERIES.findall(text):
        # Whose they are changes nothing: Rust RFCs. A value does: Final PEPs.
        if fold(of) in names and label_key(word) not in graph.names:
            read |= {stem(fold(word))}
    words = [word for word in content_words(text) if any(char.isalnum() for char in word)]
    left = [word for word in words if stem(fold(word)) not in read and fold(word) not in names]
    describing = [word for word in left if stem(fold(word)) in own and word.isalpha()]
    if described and len(describing) < _DESCRIBING:
        return left or [question]
    return [word for word in left if stem(fold(word)) not in own]
