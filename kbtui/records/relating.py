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

from kbtui.knowledge.relation_answer import RelatedItem, RelationAnswer, related_of
from kbtui.knowledge.relation_query import RelationQuestion, marked
from kbtui.knowledge.relations.labels import fold
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import WORDS
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.knowledge.graph import RelationGraph

_MOST: Final = 300
_DEEPEST: Final = 50


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


@cache
def _idle() -> frozenset[str]:
    return frozenset(stem(word) for word in word_set(WORDS["relating"]["idle"]))


def related(graph: RelationGraph, question: str) -> Related | None:
    """The relations that a question asks for; None unless it names one thing and every word of it is read."""
    follows_on = _pattern("transitive").search(question) is not None
    plain = _pattern("transitive").sub(" ", question)
    understood = graph.understood(plain)
    if understood.entity is None or understood.others or _unread(graph, plain, understood):
        return None
    concept = understood.concept
    if concept is None and not understood.fields:
        return None
    direct = related_of(graph, plain, understood)
    is_value = concept is None or concept.kind == "value"
    of_value = direct.direction == "reverse" and not set(understood.entity.nodes) & graph.records.keys()
    if not direct.items or (of_value and concept is None) or (is_value and not of_value and not _is_own(direct)):
        return None
    if follows_on and is_value:
        return None
    steps = [Step(item=item, via=direct.entity, depth=1) for item in direct.items]
    if follows_on:
        steps += _further(graph, plain, understood, direct.items)
    return Related(
        entity=direct.entity,
        steps=tuple(steps[:_MOST]),
        is_value=is_value and not of_value,
        of_value=of_value,
        follows_on=follows_on,
    )


def asks_of_documents(graph: RelationGraph, question: str) -> bool:
    """Whether it asks how one document is related to others, in words that need not all be read."""
    understood = graph.understood(question)
    if understood.concept is None or understood.concept.kind == "value" or understood.entity is None:
        return False
    known = bool(set(understood.entity.nodes) & graph.records.keys())
    return known and bool(related_of(graph, question, understood).items)


def _is_own(answer: RelationAnswer) -> bool:
    return answer.direction == "forward"


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
    read = {stem(part) for name in understood.fields for part in fold(name).split("-")} | _idle()
    if entity is not None and entity.end == entity.start:
        # Found by its description: words of its own path and title.
        read |= graph.words_of(entity.nodes[0])
    names = {*graph.series, *(f"{word}s" for word in graph.series)}
    words = [word for word in content_words(text) if any(char.isalnum() for char in word)]
    return [word for word in words if stem(fold(word)) not in read and fold(word) not in names]
