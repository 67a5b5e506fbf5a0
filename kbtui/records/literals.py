"""Values that a question writes as documents do: in quotes, and as a line of a header."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final

from kbtui.records.collection import Collection
from kbtui.records.typed import type_of

_QUOTED: Final = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
_MARKED: Final = re.compile(r"[^\w\s-]|\d")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_LONGEST: Final = 80
_PLACES: Final = "(?:lines?|fields?|headers?|references?|entr(?:y|ies)|values?)"
"""What a field with its value is called, which says nothing beside its name."""


class Literals:
    """The values of one collection as documents write them.

    Args:
        collection: What the folder is about.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    @cached_property
    def _values(self) -> dict[str, frozenset[str]]:
        """The text values of each field, in lower case."""
        found: dict[str, set[str]] = {}
        for kind in self._collection.kinds:
            for name in kind.fields:
                values = [fact.value for thing in kind.things for fact in thing.facts.get(name, ())]
                if type_of(values) == "text":
                    found.setdefault(name, set()).update(value.casefold() for value in values if len(value) < _LONGEST)
        return {name: frozenset(values) for name, values in found.items()}

    @cached_property
    def _marked(self) -> frozenset[str]:
        """Values that are more than words: ``Platform>macOS``, ``zim 0.6``."""
        every: frozenset[str] = frozenset().union(*self._values.values())
        return frozenset(value for value in every if _MARKED.search(value) and _LETTERS.search(value))

    @cached_property
    def _headers(self) -> re.Pattern[str]:
        """A field and what parts it from its value, perhaps behind a quote."""
        names = "|".join(re.sub(r"[-_ ]|\\-|\\ ", "[-_ ]", re.escape(n)) for n in _longest_first(self._values))
        return re.compile(
            rf"(?P<quote>[\"'`]?):?(?<!\w)(?P<field>{names or '(?!)'})(?:\s?(?:::?|=)\s*|(?=[\s\"'`]+{_PLACES}\b))"
            rf"(?P<place>[\"'`]?\s*{_PLACES}\b)?",
            re.IGNORECASE,
        )

    def quoted(self, question: str) -> str:
        """The question with these values in double quotes: what is quoted is read to the letter.

        A line of a header (``Status: Draft``) is the field and its quoted value.
        """
        return self._with_marked(self._with_headers(question))

    def _with_headers(self, question: str) -> str:
        parts, at = [], 0
        for match in self._headers.finditer(question):
            value = self._value_at(question, match)
            if match["place"] and match.start() >= at:
                parts += [question[at : match.start()], match["field"]]
                at = match.end()
            elif value and match.start() >= at:
                end = match.end() + len(value)
                parts += [question[at : match.start()], f'{match["field"]} "{question[match.end() : end]}"']
                at = end + (1 if match["quote"] and question[end : end + 1] == match["quote"] else 0)
        return "".join((*parts, question[at:]))

    def _value_at(self, question: str, match: re.Match[str]) -> str:
        """The longest value of the field that stands behind it; empty where none does."""
        field = re.sub(r"[-_ ]", " ", match["field"]).casefold()
        behind = question[match.end() :].casefold()
        values = (v for name, v in self._values.items() if re.sub(r"[-_ ]", " ", name).casefold() == field)
        known = [one for every in values for one in every if re.match(rf"{re.escape(one)}(?!\w)", behind)]
        return max(known, key=len, default="")

    def _with_marked(self, question: str) -> str:
        folded = question.casefold()
        if len(folded) != len(question):
            return question
        taken = [match.span() for match in _QUOTED.finditer(question)]
        added: list[tuple[int, int]] = []
        for value in _longest_first(value for value in self._marked if value in folded):
            for match in re.finditer(rf"(?<![\w>/]){re.escape(value)}(?![\w>/])", folded):
                start, end = match.span()
                if not any(first < end and start < last for first, last in taken):
                    taken.append((start, end))
                    added.append((start, end))
        for start, end in sorted(added, reverse=True):
            question = f'{question[:start]}"{question[start:end]}"{question[end:]}'
        return question


def _longest_first(texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: (-len(text), text))
