"""Enumerates the spans of a question, with the forms of their words that are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import Final, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.lattice import How
from kbtui.nl2sql.lexicon import LONGEST_CHINESE, LONGEST_ENGLISH, MIN_TYPO_LENGTH
from kbtui.nl2sql.names import abbreviations, expansion_of, shortens
from kbtui.nl2sql.value_index import units_of
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import lemma, root

INNER_MARKS: Final = frozenset("-'’&/.+·,#")
"""Punctuation inside names and values: AT&T, first-class, St. John."""

_ASPECT: Final = re.compile("[了过着]")
"""Chinese aspect particles: 收过件 is looked up as 收件, 寄了 as 寄."""

TYPO_SIMILARITY: Final = 84.0
_TYPO_SCORE: Final = 0.85
_NEGATED: Final = 0.96
"""Score of a word for the name that it negates: ``unexcused`` for excused."""
_NEGATION: Final = re.compile(
    r"(?:还|都|尚)?(?:没有|没|未|不是|不|非|无)|un(?=\w{4})|non(?=\w{4})|in(?=active|valid|complete)"
)
_ABBREVIATED: Final = 0.8
"""Score of a word that a name abbreviates: ``clm`` for claim."""


def without_negation(word: str) -> str:
    """What a word negates: ``signed`` for ``unsigned``, 付款 for 未付款; empty if it negates nothing."""
    match = _NEGATION.match(word)
    return word[match.end() :] if match else ""


class Form(NamedTuple):
    """A form of a word: as typed, expanded (``dob`` to ``birth date``), without its negation, or corrected."""

    word: str
    score: float
    how: How


class Span(Struct, frozen=True):
    """Consecutive tokens.

    Attributes:
        at: The span of tokens.
        words: Norms of the tokens without punctuation.
        units: Units by which values are looked up.
        chinese: The characters if all of them are Chinese, else empty.
    """

    at: TokenSpan
    words: tuple[str, ...]
    units: tuple[str, ...]
    chinese: str

    @property
    def english(self) -> bool:
        """Whether it consists of Latin words."""
        return not self.chinese and all(word.isascii() or not "一" <= word[0] <= "鿿" for word in self.words)


def spans_of(question: Question) -> Iterator[Span]:
    """Spans of up to six words or eight Chinese characters, Chinese verbs also without aspect particles; none begins
    or ends with punctuation.
    """
    tokens = question.tokens
    for first, first_token in enumerate(tokens):
        if first_token.kind == "punctuation":
            continue
        words: list[str] = []
        han_count = 0
        for last in range(first + 1, len(tokens) + 1):
            token = tokens[last - 1]
            if token.kind == "punctuation":
                if token.text not in INNER_MARKS:
                    break
                continue
            words.append(token.norm)
            han_count += token.kind == "han"
            if len(words) - han_count > LONGEST_ENGLISH or len(words) > LONGEST_CHINESE:
                break
            units = tuple(unit for word in words for unit in units_of(word))
            chinese = "".join(words) if han_count == len(words) else ""
            yield Span(TokenSpan(first, last), tuple(words), units, chinese)
            without_aspect = chinese[:1] + _ASPECT.sub("", chinese[1:])
            if without_aspect != chinese:
                yield Span(TokenSpan(first, last), tuple(without_aspect), tuple(without_aspect), without_aspect)


class Forms(Struct):
    """The forms of single words; corrections are only tried for unknown words.

    Attributes:
        vocabulary: Words of names and values that corrections are chosen from.
        known: Roots of words that need no correction.
        shorts: Words of names that are in no dictionary and may be abbreviations.
        operators: Words of the question's operators, which need no correction.
        proper: Words of values that the lexicon does not have, which no name abbreviates: Hilde is no helpdesk (hd).
    """

    vocabulary: tuple[str, ...]
    known: frozenset[str]
    shorts: tuple[str, ...] = ()
    operators: frozenset[str] = frozenset()
    proper: Set[str] = frozenset()
    _cache: dict[str, tuple[Form, ...]] = field(default_factory=dict)

    def of(self, word: str, *, content: bool) -> tuple[Form, ...]:
        """The forms of a word, the word itself first."""
        forms = self._cache.get(word)
        if forms is None:
            forms = self._cache[word] = (Form(word, 1.0, "exact"), *self._other_forms(word, content=content))
        return forms

    def _other_forms(self, word: str, *, content: bool) -> Iterator[Form]:
        if expansion := expansion_of(word):
            yield Form(" ".join(expansion), 0.9, "abbreviation")
        if content and len(word) >= MIN_TYPO_LENGTH and word.isascii() and word not in self.proper:
            word_lemma = lemma(word)
            abbreviated = [short for short in self.shorts if shortens(short, word_lemma, least=2)]
            yield from (Form(short, _ABBREVIATED, "abbreviation") for short in abbreviated)
        if not content or len(word) < MIN_TYPO_LENGTH or not word.isalpha() or not word.isascii():
            return
        if word in self.operators or self._is_known(word) or word in abbreviations():
            return
        if (positive := without_negation(word)) and self._is_known(positive):
            yield Form(positive, _NEGATED, "negated")
            return
        from rapidfuzz import fuzz, process

        matches = process.extract(word, self.vocabulary, scorer=fuzz.ratio, score_cutoff=TYPO_SIMILARITY, limit=3)
        for match, similarity, _ in matches:
            yield Form(match, _TYPO_SCORE * similarity / 100, "typo")

    def _is_known(self, word: str) -> bool:
        return word in self.known or root(word) in self.known
