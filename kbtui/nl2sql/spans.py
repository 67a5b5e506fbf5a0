"""Spans of a question that may stand for something, with the forms of their words that are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.lattice import How
from kbtui.nl2sql.lexicon import LONGEST_CHINESE, LONGEST_ENGLISH, MIN_TYPO_LENGTH
from kbtui.nl2sql.names import abbreviations, expansion_of, shortens
from kbtui.nl2sql.value_index import units_of
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import lemma, root

INNER_MARKS: Final = frozenset("-'’&/.+·,#")
"""Punctuation that may stand inside a name or value: AT&T, first-class, St. John."""

_ASPECT: Final = re.compile("[了过着]")
"""Characters that say when something was done: 收过件 is 收件, 寄了 is 寄."""

TYPO_SIMILARITY: Final = 84.0
_TYPO_SCORE: Final = 0.85
_SHORTENED: Final = 0.8
"""Score of a word that a name only has in a short form: ``clm`` for claim."""


class Form(NamedTuple):
    """One form of a word: as typed, written out (``dob`` as ``birth date``), or as it should be spelt."""

    word: str
    score: float
    how: How


class Span(Struct, frozen=True):
    """Consecutive tokens.

    Attributes:
        words: Norms of the tokens without punctuation.
        units: What values are looked up by.
        chinese: The characters, where all of them are Chinese, else empty.
    """

    at: TokenSpan
    words: tuple[str, ...]
    units: tuple[str, ...]
    chinese: str

    @property
    def english(self) -> bool:
        """Whether it is made of Latin words alone."""
        return not self.chinese and all(word.isascii() or not "一" <= word[0] <= "鿿" for word in self.words)


def spans_of(question: Question) -> Iterator[Span]:
    """Every span of up to six words or eight Chinese characters, of verbs also their bare form; none begins or ends
    with punctuation."""
    tokens = question.tokens
    for first, opening in enumerate(tokens):
        if opening.kind == "punctuation":
            continue
        words: list[str] = []
        han = 0
        for last in range(first + 1, len(tokens) + 1):
            token = tokens[last - 1]
            if token.kind == "punctuation":
                if token.text not in INNER_MARKS:
                    break
                continue
            words.append(token.norm)
            han += token.kind == "han"
            if len(words) - han > LONGEST_ENGLISH or len(words) > LONGEST_CHINESE:
                break
            units = tuple(unit for word in words for unit in units_of(word))
            chinese = "".join(words) if han == len(words) else ""
            yield Span(TokenSpan(first, last), tuple(words), units, chinese)
            plain = chinese[:1] + _ASPECT.sub("", chinese[1:])
            if plain != chinese:
                yield Span(TokenSpan(first, last), tuple(plain), tuple(plain), plain)


class Forms(Struct):
    """Forms of single words; corrections are looked for only where a word is known nowhere.

    Attributes:
        vocabulary: Words of names and values that a misspelt one is compared with.
        known: Words, by root, that need no correction.
        shorts: Words of names that no dictionary has, which may be short for others.
        operators: Words of the question's operators, which need none either.
    """

    vocabulary: tuple[str, ...]
    known: frozenset[str]
    shorts: tuple[str, ...] = ()
    operators: frozenset[str] = frozenset()
    _cache: dict[str, tuple[Form, ...]] = field(default_factory=dict)

    def of(self, word: str, *, content: bool) -> tuple[Form, ...]:
        """The forms of a word, the word itself first."""
        forms = self._cache.get(word)
        if forms is None:
            forms = self._cache[word] = (Form(word, 1.0, "exact"), *self._others(word, content=content))
        return forms

    def _others(self, word: str, *, content: bool) -> Iterator[Form]:
        if expansion := expansion_of(word):
            yield Form(" ".join(expansion), 0.9, "abbreviation")
        if content and len(word) >= MIN_TYPO_LENGTH and word.isascii():
            whole = lemma(word)
            written = [short for short in self.shorts if shortens(short, whole, least=2)]
            yield from (Form(short, _SHORTENED, "abbreviation") for short in written)
        if not content or len(word) < MIN_TYPO_LENGTH or not word.isalpha() or not word.isascii():
            return
        if word in self.operators or word in self.known or root(word) in self.known or word in abbreviations():
            return
        from rapidfuzz import fuzz, process

        matches = process.extract(word, self.vocabulary, scorer=fuzz.ratio, score_cutoff=TYPO_SIMILARITY, limit=3)
        for match, similarity, _ in matches:
            yield Form(match, _TYPO_SCORE * similarity / 100, "typo")
