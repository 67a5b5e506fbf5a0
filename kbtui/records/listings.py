"""Questions for documents that a page lists under certain words: *which designs have been implemented in 2.8*.

A sentence or a heading over a list says something of all that stands below it. It answers a question whose every other
word stands in it or in the title of its page, where no other list fits as well.
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
from kbtui.records.kinds import WORDS
from kbtui.records.relating import Related, Step
from kbtui.records.vocabulary import Vocabulary
from kbtui.records.wording import asking_removed, counts, things_asked
from kbtui.text.tokenise import content_words, stem

_FEWEST: Final = 2
"""Words that a question and the words over a list share."""
_LONGEST: Final = 300
"""Characters of a question."""
_OF_KIND: Final = 0.8
"""Share of what is listed that must be of the kind that is asked for."""
_NEGATION: Final = word_set(WORDS["roles"]["negation"])
_WORD = re.compile(r"\w[\w.]*\w|\w")


class Listing(Struct, frozen=True, kw_only=True):
    """What stands under certain words on a page.

    Attributes:
        line: On which the words begin.
        words: The sentence or the heading.
        members: For each document listed its path and what lists it.
    """

    path: str
    line: int
    words: str
    members: tuple[tuple[str, Relation], ...]


class Listings:
    """The lists of documents of one folder.

    Args:
        collection: What the folder is about.
        words: What its things are called.
    """

    def __init__(self, collection: Collection, words: Vocabulary) -> None:
        self._collection = collection
        self._words = words

    @cached_property
    def _every(self) -> list[Listing]:
        links = self._collection.links
        found: dict[tuple[str, str], list[tuple[str, Relation]]] = defaultdict(list)
        for relation in links.relations:
            if relation.relation.startswith(LISTS) and (path := links.resolve(relation)):
                found[relation.source_path, relation.relation].append((path, relation))
        parted = ((path, name.removeprefix(LISTS).partition(":"), rows) for (path, name), rows in found.items())
        return [
            Listing(path=path, line=int(line), words=words, members=tuple(rows))
            for path, (line, _, words), rows in parted
        ]

    def read(self, question: str) -> Related | None:
        """The documents under the words of which a question asks; None where no list fits, or several do."""
        kinds = self._words.kinds_in(question)
        wanted = bool(things_asked(question)) or counts(question)
        if not kinds or not wanted or len(question) > _LONGEST or _stems(question) & _NEGATION:
            return None
        asked = self._distinctive(asking_removed(question))
        fitting: dict[int, list[Listing]] = defaultdict(list)
        for one in self._every if len(asked) >= _FEWEST else ():
            own, title = _stems(one.words), _stems(self._collection.links.records[one.path].title)
            if len(asked & own) >= _FEWEST and asked <= own | title:
                fitting[len(self._distinctive(one.words) - asked)].append(one)
        best = fitting[min(fitting)] if fitting else []
        if len(best) != 1:
            return None
        keys = {thing.key for kind in kinds for thing in kind.things}
        of_kind = sum(_key(self._collection, path) in keys for path, _ in best[0].members)
        return _told(self._collection, best[0]) if of_kind >= _OF_KIND * len(best[0].members) else None

    def _distinctive(self, text: str) -> set[str]:
        """Stems of the words with content that are no words for things, and of figures and versions as they stand."""
        words = (word for word in _WORD.findall(text) if any(map(str.isdigit, word)) or content_words(word))
        return {stem(word.lower()) for word in words if not self._words.kinds_in(word)}


def _key(collection: Collection, path: str) -> str:
    thing = collection.thing_at(path)
    return thing.key if thing is not None else ""


def _stems(text: str) -> set[str]:
    return {stem(word.lower()) for word in _WORD.findall(text)}


def _told(collection: Collection, found: Listing) -> Related:
    title = collection.links.records[found.path].title
    called = f"{title}, “{found.words.rstrip(':.：。 ')}” ({len(found.members)}),"
    steps = []
    for at, (path, relation) in enumerate(found.members):
        first = found.line if at == 0 else relation.line
        hit = Hit(
            path=found.path,
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
        steps.append(Step(item=item, via=called, depth=1))
    return Related(entity=called, steps=tuple(steps), of_document=True)
