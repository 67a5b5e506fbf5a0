"""Questions for documents that a page lists under certain words: *which designs have been implemented in 2.8*.

A heading or a sentence above a list applies to every item below it. A list answers a question if its heading and the
title of its page contain every other word of the question, and no other list fits equally well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from typing import Final

from msgspec import Struct

from kbtui.domain.document import Relation
from kbtui.domain.evidence import Hit
from kbtui.knowledge.relations.listings import LISTS
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import Collection
from kbtui.records.items import TOOL, Item
from kbtui.records.kind_names import WORDS
from kbtui.records.relating import RelationAnswer, Step
from kbtui.records.vocabulary import Vocabulary
from kbtui.records.wording import asks_count, remove_interrogatives, things_asked
from kbtui.text.tokenise import content_words, stem

_MIN_SHARED_WORDS: Final = 2
"""Fewest words that a question and the heading of a list must share."""
_MAX_QUESTION: Final = 300
"""Most characters of a question."""
_OF_KIND: Final = 0.8
"""Share of the listed documents that must be of the kind asked for."""
_NEGATION: Final = word_set(WORDS["roles"]["negation"])
_WORD = re.compile(r"\w[\w.]*\w|\w")


class Listing(Struct, frozen=True, kw_only=True):
    """A list of documents on a page, with its heading.

    Attributes:
        path: Path of the page.
        line: Number of the line on which the heading begins.
        words: The heading, or the sentence above the list.
        members: Path of each listed document with the relation that lists it.
    """

    path: str
    line: int
    words: str
    members: tuple[tuple[str, Relation], ...]


class Listings:
    """The lists of documents of one folder.

    Args:
        collection: The things of the folder.
        words: The words for its kinds.
    """

    def __init__(self, collection: Collection, words: Vocabulary) -> None:
        self._collection = collection
        self._words = words

    @cached_property
    def _all(self) -> list[Listing]:
        links = self._collection.links
        members_by_heading: dict[tuple[str, str], list[tuple[str, Relation]]] = defaultdict(list)
        for relation in links.relations:
            if relation.relation.startswith(LISTS) and (path := links.resolve(relation)):
                members_by_heading[relation.source_path, relation.relation].append((path, relation))
        headings = (
            (path, name.removeprefix(LISTS).partition(":"), rows) for (path, name), rows in members_by_heading.items()
        )
        return [
            Listing(path=path, line=int(line), words=words, members=tuple(rows))
            for path, (line, _, words), rows in headings
        ]

    def read(self, question: str) -> RelationAnswer | None:
        """Answer a question from the list that fits it best; None if no list fits, or several do equally."""
        kinds = self._words.kinds_in(question)
        asks_for_things = bool(things_asked(question)) or asks_count(question)
        if not kinds or not asks_for_things or len(question) > _MAX_QUESTION or _stems(question) & _NEGATION:
            return None
        question_stems = self._distinctive(remove_interrogatives(question))
        by_extra_words: dict[int, list[Listing]] = defaultdict(list)
        for listing in self._all if len(question_stems) >= _MIN_SHARED_WORDS else ():
            heading_stems, title_stems = (
                _stems(listing.words),
                _stems(self._collection.links.records[listing.path].title),
            )
            if (
                len(question_stems & heading_stems) >= _MIN_SHARED_WORDS
                and question_stems <= heading_stems | title_stems
            ):
                by_extra_words[len(self._distinctive(listing.words) - question_stems)].append(listing)
        best = by_extra_words[min(by_extra_words)] if by_extra_words else []
        if len(best) != 1:
            return None
        keys = {thing.key for kind in kinds for thing in kind.things}
        count_of_kind = sum(_key(self._collection, path) in keys for path, _ in best[0].members)
        return _answer_from(self._collection, best[0]) if count_of_kind >= _OF_KIND * len(best[0].members) else None

    def _distinctive(self, text: str) -> set[str]:
        """Stems of content words that do not name a kind, and of numbers and versions."""
        words = (word for word in _WORD.findall(text) if any(map(str.isdigit, word)) or content_words(word))
        return {stem(word.lower()) for word in words if not self._words.kinds_in(word)}


def _key(collection: Collection, path: str) -> str:
    thing = collection.thing_at(path)
    return thing.key if thing is not None else ""


def _stems(text: str) -> set[str]:
    return {stem(word.lower()) for word in _WORD.findall(text)}


def _answer_from(collection: Collection, listing: Listing) -> RelationAnswer:
    title = collection.links.records[listing.path].title
    entity = f"{title}, “{listing.words.rstrip(':.：。 ')}” ({len(listing.members)}),"
    steps = []
    for index, (path, relation) in enumerate(listing.members):
        first = listing.line if index == 0 else relation.line
        hit = Hit(
            path=listing.path,
            start_line=first,
            end_line=relation.line,
            text=relation.text,
            score=1.0,
            tool=TOOL,
            title=title,
            matched_lines=(relation.line,),
        )
        item = Item(
            label=collection.links.label_of(path),
            path=path,
            title=collection.links.title_of(path),
            relation="lists",
            direction="forward",
            hit=hit,
        )
        steps.append(Step(item=item, via=entity, depth=1))
    return RelationAnswer(entity=entity, steps=tuple(steps), of_document=True)
