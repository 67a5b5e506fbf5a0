"""The bilingual lexicon of concepts, by which words of questions, names and values may stand for each other.

Its words are in `concepts.toml`, which says how to add more. They are indexed by stems for English phrases, and as
written for Chinese words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from kbtui.text.built_tables import Section, built_table
from kbtui.text.inflection import lemma
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import stem

Degree = Literal["", "positive", "comparative", "superlative"]

LONGEST_ENGLISH: Final = 6
"""Words of the longest English phrase."""
LONGEST_CHINESE: Final = 8
"""Characters of the longest Chinese word."""
FILE: Final = "lexicon.table"
"""File of the lexicon as a built table, see `kbtui.text.built_tables`."""
MIN_TYPO_LENGTH: Final = 4
"""Letters of a word from which misspellings are considered."""

_MIN_CODE_LENGTH: Final = 3


class Sense(NamedTuple):
    """A meaning of a word.

    Attributes:
        order: For adjectives, ``desc`` if they mean much of the concept (expensive), ``asc`` for little (cheap).
        degree: The degree of an adjective.
        holds: For words of states, whether they name the state or its opposite; else None.
        weight: Below 1 if the word usually means something else.
        in_names: Whether the word occurs in names too, not in questions alone.
    """

    concept: str
    order: Literal["", "asc", "desc"] = ""
    degree: Degree = ""
    holds: bool | None = None
    weight: float = 1.0
    in_names: bool = True


class Neighbour(NamedTuple):
    """How similar two concepts are.

    Attributes:
        score: Score of a link by way of the neighbour.
        reverse: Whether more of one is less of the other.
    """

    score: float
    reverse: bool = False


class NamePart(NamedTuple):
    """A concept for the words ``first`` to ``last`` (exclusive) of a name, or for characters of a Chinese one."""

    first: int
    last: int
    sense: Sense


class Lexicon(Struct, frozen=True):
    """All concepts.

    Attributes:
        english: Senses by the lemmas of a phrase, joined by spaces.
        stems: Senses by the stems of a phrase, joined by spaces.
        chinese: Senses by Chinese word.
        codes: Senses by the short forms that tables use for values.
        near: Neighbours by concept.
        kinds: Kinds of columns or tables by concept, as the head of `concepts.toml` lists them.
        main: Concepts of the main amount of a row.
        single: English one-word phrases of at least `MIN_TYPO_LENGTH` letters, for corrections of typos.
        known_words: Words and stems of all English phrases, which are no typos.
    """

    english: Mapping[str, tuple[Sense, ...]]
    stems: Mapping[str, tuple[Sense, ...]]
    chinese: Mapping[str, tuple[Sense, ...]]
    codes: Mapping[str, tuple[Sense, ...]]
    near: Mapping[str, Mapping[str, Neighbour]]
    kinds: Mapping[str, frozenset[str]]
    main: tuple[str, ...]
    single: tuple[str, ...]
    known_words: frozenset[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The shipped lexicon."""
    lines = built_table("kbtui.nl2sql", FILE)
    words = Section(lines, "words ", tuple[str, ...])
    kinds = Section(lines, "all ", dict[str, frozenset[str]])["kinds"]
    return Lexicon(
        english=Section(lines, "en ", tuple[Sense, ...]),
        stems=Section(lines, "stem ", tuple[Sense, ...]),
        chinese=Section(lines, "zh ", tuple[Sense, ...]),
        codes=Section(lines, "code ", tuple[Sense, ...]),
        near=Section(lines, "near ", dict[str, Neighbour]),
        kinds=kinds,
        main=tuple(concept for concept, concept_kinds in kinds.items() if "main" in concept_kinds),
        single=words["single"],
        known_words=frozenset(words["spelt"]),
    )


def lemmas_of(words: Sequence[str]) -> str:
    """The lemmas of an English phrase joined by spaces."""
    return " ".join(map(lemma, words))


def key_of(words: Sequence[str]) -> str:
    """The key of an English phrase: its stems joined by spaces."""
    return " ".join(map(stem, words))


def senses_of(words: Sequence[str]) -> tuple[Sense, ...]:
    """The senses of a whole phrase: lower-case English words, or one Chinese word."""
    if len(words) == 1 and has_cjk(words[0]):
        return lexicon().chinese.get(words[0], ())
    return lexicon().english.get(lemmas_of(words)) or lexicon().stems.get(key_of(words), ())


def concepts_of(words: Sequence[str]) -> frozenset[str]:
    """The concepts of a name: of its head, the last concept that is not generic, and of what follows it.

    The head of ``customer_id`` is the customer, because an id is generic.
    """
    parts = name_parts(words)
    concepts: set[str] = set()
    last = -1
    for part in reversed(parts):
        if (
            last >= 0
            and part.last <= last
            and not all(is_kind(frozenset({concept}), "generic") for concept in concepts)
        ):
            break
        concepts.add(part.sense.concept)
        last = part.first
    return frozenset(concepts)


def states_of(words: Sequence[str]) -> tuple[tuple[str, bool], ...]:
    """The states that a name or value mentions, each with whether it names the state or its opposite.

    The words of ``is_paid`` give ``("paid", True)``; those of the value ``unpaid`` give ``("paid", False)``.
    """
    return tuple(
        dict.fromkeys(
            (part.sense.concept, part.sense.holds)
            for part in name_parts(words, states=True)
            if part.sense.holds is not None
        )
    )


def name_parts(words: Sequence[str], *, states: bool = False) -> list[NamePart]:
    """The concepts of a name, split into the longest phrases of the lexicon, in order; they overlap only if equal.

    Args:
        words: Words of the name; a Chinese name is split by characters.
        states: Whether to return states instead of all other concepts.
    """
    is_chinese = len(words) == 1 and has_cjk(words[0])
    units: Sequence[str] = words[0] if is_chinese else words
    longest = LONGEST_CHINESE if is_chinese else LONGEST_ENGLISH
    parts: list[NamePart] = []
    start = 0
    while start < len(units):
        for end in range(min(len(units), start + longest), start, -1):
            senses = senses_of(["".join(units[start:end])] if is_chinese else units[start:end])
            if not senses and end == start + 1 and len(units[start]) >= _MIN_CODE_LENGTH:
                senses = lexicon().codes.get(units[start], ())
            matching = [sense for sense in senses if _occurs_in_names(sense, states=states)]
            if matching:
                parts += [NamePart(start, end, sense) for sense in matching]
                start = end
                break
        else:
            start += 1
    return parts


def _occurs_in_names(sense: Sense, *, states: bool) -> bool:
    return sense.in_names and not sense.degree and (sense.holds is not None) == states


def is_kind(concepts: frozenset[str], kind: str) -> bool:
    """Whether one of the concepts is of a kind, such as ``person``."""
    kinds = lexicon().kinds
    return any(kind in kinds.get(concept, ()) for concept in concepts)
