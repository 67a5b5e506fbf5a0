"""Things that a question names by a number or a label and that the folder does not have: *note 555*, ``HR-009``."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kbtui.knowledge.relations.labels import find_labels, label_key, series_of
from kbtui.records.collection import Collection
from kbtui.records.wording import measures

if TYPE_CHECKING:
    from kbtui.records.vocabulary import Vocabulary

_MIN_LABELLED: Final = 3
"""Fewest things with labels of one series for another label of it to be that of a thing."""
_NOUN_AND_NUMBER: Final = re.compile(r"\b(?P<noun>[A-Za-z]{3,20})\s+#?0*(?P<number>\d{1,6})(?![\w%/-]|[.,]\d)")
_CODE: Final = re.compile(r"(?<![\w-])(?P<letters>[A-Z]{1,6})(?:-\d{1,6}){2,3}(?![\w-])")
"""A code with several numbers: ``HT-2026-19``."""


class MissingThings(Struct, frozen=True, kw_only=True):
    """Names in a question of things that the folder neither has nor mentions.

    Attributes:
        names: The names as the question writes them.
    """

    names: tuple[str, ...]


class MissingThingReader:
    """Finds missing things by the labels and numbers that the things of a folder have.

    Args:
        collection: The things of the folder.
        vocabulary: The words for them.
    """

    def __init__(self, collection: Collection, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        links = collection.links
        counts = Counter(filter(None, map(series_of, links.labels.values())))
        names = [match for record in links.files if (match := _CODE.match(posixpath.basename(record.path)))]
        codes = Counter(match["letters"] for match in names)
        self._letters = frozenset(letters for letters, count in codes.items() if count >= _MIN_LABELLED)
        self._series = frozenset(series for series, count in counts.items() if count >= _MIN_LABELLED)
        self._known = frozenset((*links.aliases, *(label_key(relation.target) for relation in links.relations)))

    def read(self, question: str) -> MissingThings | None:
        """The missing things of a question; None where it names none, or another thing that the folder has."""
        names = dict(self._names(question))
        if not names or any(names.values()):
            return None
        return MissingThings(names=tuple(names))

    def _names(self, question: str) -> Iterator[tuple[str, bool]]:
        """Each name of a thing in the question, and whether the folder has or mentions it."""
        for _, label in find_labels(question):
            if series_of(label) in self._series:
                yield label, label_key(label) in self._known
        for match in _CODE.finditer(question):
            if match["letters"] in self._letters:
                yield match[0], label_key(match[0]) in self._known
        for match in _NOUN_AND_NUMBER.finditer(question):
            is_known = self._vocabulary.numbered.has_number(match["noun"], int(match["number"]))
            if is_known is not None and not measures(question[match.end() :]):
                yield match[0], is_known
