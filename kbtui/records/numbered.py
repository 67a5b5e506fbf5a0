"""The things of a folder by their numbers, and questions that name them by number: *proposal 14*, *484*."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from kbtui.records.collection import MAIN, Collection
from kbtui.records.kinds import Kind, Thing
from kbtui.records.wording import may_name

_NUMBERED_NAME: Final = re.compile(r"(?P<letters>[a-z]{1,4})[-_ ]?0*(?P<number>\d{1,6})")
_NEARLY_ALL: Final = 0.95
_NUMBER: Final = re.compile(r"(?<![\w.,#/-])0*(\d{1,6})(?![\w%/-]|[.,]\d)")
_NOUN_AND_NUMBER: Final = re.compile(r"\b([A-Za-z]{3,20})\s+#?0*(\d{1,6})(?![\w%/-]|[.,]\d)")


class NumberedThings:
    """The numbered things of one collection.

    Args:
        collection: What the folder is about.
        documents: The kinds of its documents, largest first.
        kind_of: Returns the kind that a noun stands for; None if it stands for none.
    """

    def __init__(
        self, collection: Collection, documents: Sequence[Kind], kind_of: Callable[[str], Kind | None]
    ) -> None:
        self._collection = collection
        self._kind_of = kind_of
        total = sum(len(kind.things) for kind in documents)
        self._main = documents[0] if documents and len(documents[0].things) >= MAIN * total else None

    def by_name(self, question: str) -> str:
        """The question with numbers of things replaced by their labels: PEP 484 for *484*."""

        def label_after_noun(match: re.Match[str]) -> str:
            return self._label(self._kind_of(match[1]), int(match[2])) or match[0]

        def label_of_number(match: re.Match[str]) -> str:
            alone = may_name(match.string[: match.start()], match.string[match.end() :])
            return (alone and self._label(self._main, int(match[1]))) or match[0]

        return _NUMBER.sub(label_of_number, _NOUN_AND_NUMBER.sub(label_after_noun, question))

    def has_number(self, noun: str, number: int) -> bool | None:
        """Whether a thing of the kind that a noun names has the number; None where its things have no numbers."""
        kind = self._kind_of(noun)
        numbered = {known for name, known in self._by_number if kind is not None and name == kind.name}
        return number in numbered if numbered else None

    def _label(self, kind: Kind | None, number: int) -> str:
        """The label of the thing with a number, quoted if it is a path or a title; empty if there is none."""
        thing = self._by_number.get((kind.name, number)) if kind is not None else None
        if thing is None:
            return ""
        numbered = _NUMBERED_NAME.fullmatch(thing.base)
        return thing.name or (f"`{thing.path}`" if numbered is not None else f'"{thing.title}"')

    @cached_property
    def _by_number(self) -> dict[tuple[str, int], Thing]:
        things = {
            (kind.name, thing.number): thing
            for kind in self._collection.kinds
            if kind.is_mostly_numbered
            for thing in kind.things
            if thing.number is not None
        }
        for kind in self._collection.kinds:
            if not kind.is_mostly_numbered:
                things |= {(kind.name, number): thing for number, thing in _numbered_by_name(kind.things).items()}
        return things


def _numbered_by_name(things: Sequence[Thing]) -> dict[int, Thing]:
    """Things by the number in the names of their files, if nearly all are named by one letter or two and a number."""
    matches = [(match, thing) for thing in things if (match := _NUMBERED_NAME.fullmatch(thing.base)) is not None]
    by_number = {int(match["number"]): thing for match, thing in matches}
    is_series = len({match["letters"] for match, _ in matches}) == 1 and len(by_number) >= _NEARLY_ALL * len(things)
    return by_number if is_series else {}
