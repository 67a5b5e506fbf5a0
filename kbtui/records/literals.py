"""Quotes the literal values of a question: values with punctuation, and header lines (``Status: Draft``)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Final

from kbtui.records.collection import Collection
from kbtui.records.kind_names import WORDS
from kbtui.records.typed import type_of

_QUOTED: Final = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
_MARKED: Final = re.compile(r"[^\w\s-]|\d")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_MAX_VALUE: Final = 80
_PART_OF_VALUE: Final = re.compile(r"[^\W_]+")
_MIN_SHARING: Final = 3
_SHARING: Final = 0.6
"""Share of the values of a field that begin or end with a part which says nothing of each: ``sig-``."""
_FIELD_NOUNS: Final = "(?:lines?|fields?|headers?|references?|entr(?:y|ies)|values?)"
"""Nouns for a field and its value (*the Status line*), which add nothing to the name of the field."""


class Literals:
    """The values of one collection as documents write them.

    Args:
        collection: The things of the folder.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    @cached_property
    def _values(self) -> dict[str, frozenset[str]]:
        """The text values of each field, in lower case."""
        values_by_field: dict[str, set[str]] = {}
        for kind in self._collection.kinds:
            for name in kind.fields:
                values = [fact.value for thing in kind.things for fact in thing.facts.get(name, ())]
                if type_of(values) == "text":
                    values_by_field.setdefault(name, set()).update(
                        value.casefold() for value in values if len(value) < _MAX_VALUE
                    )
        return {name: frozenset(values) for name, values in values_by_field.items()}

    @cached_property
    def _marked_values(self) -> frozenset[str]:
        """Values with punctuation or digits: ``Platform>macOS``, ``zim 0.6``."""
        values: frozenset[str] = frozenset().union(*self._values.values())
        return frozenset(value for value in values if _MARKED.search(value) and _LETTERS.search(value))

    @cached_property
    def _header_pattern(self) -> re.Pattern[str]:
        """Matches the name of a field and the separator before its value, after an optional quote."""
        names = "|".join(re.sub(r"[-_ ]|\\-|\\ ", "[-_ ]", re.escape(n)) for n in _longest_first(self._values))
        return re.compile(
            rf"(?P<quote>[\"'`]?):?(?<!\w)(?P<field>{names or '(?!)'})(?:\s?(?:::?|=)\s*|(?=[\s\"'`]+{_FIELD_NOUNS}\b))"
            rf"(?P<place>[\"'`]?\s*{_FIELD_NOUNS}\b)?",
            re.IGNORECASE,
        )

    def quote_values(self, question: str) -> str:
        """The question with literal values in double quotes, which later stages match exactly.

        A header line (``Status: Draft``) becomes the field and its quote_values value.
        """
        return self._quote_marked_values(self._quote_group_values(self._quote_header_values(question)))

    def _quote_header_values(self, question: str) -> str:
        parts, at = [], 0
        for match in self._header_pattern.finditer(question):
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
        """The longest value of the field that follows the match; empty if none does."""
        field = re.sub(r"[-_ ]", " ", match["field"]).casefold()
        following = question[match.end() :].casefold()
        values = (v for name, v in self._values.items() if re.sub(r"[-_ ]", " ", name).casefold() == field)
        matching = [value for group in values for value in group if re.match(rf"{re.escape(value)}(?!\w)", following)]
        return max(matching, key=len, default="")

    @cached_property
    def _group_names(self) -> dict[str, str]:
        """Values by what a team is called beside a word for teams: ``storage`` for ``sig-storage``.

        The part that most values of a field begin or end with is left out; a name of two values is left out.
        """
        values_by_name: dict[str, set[str]] = {}
        for values in self._values.values():
            parts_of = {value: _PART_OF_VALUE.findall(value) for value in values}
            several = [parts for parts in parts_of.values() if len(parts) > 1]
            for value, parts in parts_of.items():
                names = [parts]
                for end in (0, -1):
                    sharing = sum(other[end] == parts[end] for other in several) if len(parts) > 1 else 0
                    if sharing >= _MIN_SHARING and sharing >= _SHARING * len(values):
                        names.append(parts[1:] if end == 0 else parts[:-1])
                for name in names:
                    values_by_name.setdefault(" ".join(name), set()).add(value)
        return {name: next(iter(values)) for name, values in values_by_name.items() if name and len(values) == 1}

    def _quote_group_values(self, question: str) -> str:
        """*the storage group* as the value that names it, quoted, unless a value has the word for teams itself."""

        def quoted(match: re.Match[str]) -> str:
            words = _PART_OF_VALUE.findall(match["name"].casefold())
            noun = match["noun"].casefold()
            for start in range(len(words)):
                name = " ".join(words[start:])
                if f"{name} {noun}" in self._group_names:
                    return match[0]
                if (value := self._group_names.get(name)) is not None:
                    return " ".join((*words[:start], f'"{value}"'))
            return match[0]

        return _group_pattern().sub(quoted, question)

    def _quote_marked_values(self, question: str) -> str:
        folded = question.casefold()
        if len(folded) != len(question):
            return question
        quoted_spans = [match.span() for match in _QUOTED.finditer(question)]
        new_spans: list[tuple[int, int]] = []
        for value in _longest_first(value for value in self._marked_values if value in folded):
            for match in re.finditer(rf"(?<![\w>/]){re.escape(value)}(?![\w>/])", folded):
                start, end = match.span()
                if not any(first < end and start < last for first, last in quoted_spans):
                    quoted_spans.append((start, end))
                    new_spans.append((start, end))
        for start, end in sorted(new_spans, reverse=True):
            question = f'{question[:start]}"{question[start:end]}"{question[end:]}'
        return question


@cache
def _group_pattern() -> re.Pattern[str]:
    nouns = "|".join(str(WORDS["asking"]["teams"]).split())
    return re.compile(rf"(?i)(?<!\w)(?:the\s+)?(?P<name>[\w-]+(?:\s+[\w-]+)?)\s+(?P<noun>{nouns})(?!\w)")


def _longest_first(texts: Iterable[str]) -> list[str]:
    return sorted(texts, key=lambda text: (-len(text), text))
