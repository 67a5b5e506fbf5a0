"""Which kinds of things a question may be about, by the words that it has in common with their fields and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from kbtui.records.collection import Collection
from kbtui.records.kinds import Kind
from kbtui.records.wording import is_about_state, remove_interrogatives
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem

_MAX_KINDS: Final = 2
"""Most kinds over which a question is read for having its words."""


class Coverage:
    """The words of each kind of one collection.

    Args:
        collection: The things of the folder.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    def kinds(self, question: str) -> list[Kind]:
        """The kinds whose names, fields and values have all words of a question that those of any kind have.

        Words for states aside, which mean something of nearly all kinds.
        """
        words = {re.sub(r"['’]s$", "", word).lower() for word in content_words(remove_interrogatives(question))}
        # A number alone may be part of any value.
        named = (stem(word) for word in words if word.isascii() and re.search("[a-z]", word))
        stems = {word for word in named if not is_about_state([word])}
        covered: dict[str, set[str]] = {}
        for kind, own_stems, own_texts in self._words_by_kind:
            texts = [text for text in own_texts if text in question] if has_cjk(question) else []
            covered[kind.name] = {*(stems & own_stems), *_longest(texts)}
        every = set(_longest(list(set().union(*covered.values()))))
        return [kind for kind, _, _ in self._words_by_kind if every and covered[kind.name] >= every][:_MAX_KINDS]

    @cached_property
    def _words_by_kind(self) -> tuple[tuple[Kind, frozenset[str], frozenset[str]], ...]:
        """Each kind with the stems of the words in its names, fields and values, and with those in Chinese."""
        return tuple((kind, *_words_of(kind)) for kind in self._collection.kinds)


def _words_of(kind: Kind) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the words for a kind, its fields and values; and those of these texts that are Chinese."""
    facts = (fact for thing in kind.things for name in kind.fields for fact in thing.facts.get(name, ()))
    # A question about a document is not one about whatever stands in it.
    values = {fact.value for fact in facts if not fact.target}
    texts = {kind.name, *kind.words, *kind.fields, *values}
    stems = {stem(word.lower()) for text in texts for word in re.findall(r"\w+(?:['’-]\w+)*", text)}
    parts = {stem(word.lower()) for text in texts for word in re.findall(r"[A-Za-z]+", text)}
    return frozenset(stems | parts), frozenset(text for text in texts if has_cjk(text))


def _longest(texts: Sequence[str]) -> list[str]:
    """The texts that are no part of another of them."""
    return [text for text in texts if not any(text != other and text in other for other in texts)]
