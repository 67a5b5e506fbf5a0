"""The bilingual lexicon of concepts, by which words of questions, names and values may stand for each other.

Its words are in `concepts.toml`, which says how to add more. They are indexed by stems for English phrases, and as
written for Chinese words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from kbtui.text.built_tables import Section, built_table
from kbtui.text.inflection import lemma
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import text_in

Degree = Literal["", "positive", "comparative", "superlative"]

LONGEST_ENGLISH: Final = 6
"""Words of the longest English phrase."""
LONGEST_CHINESE: Final = 8
"""Characters of the longest Chinese word."""
NEAR: Final = 0.6
"""Score of a neighbour without a score in the lexicon."""
FILE: Final = "lexicon.table"
"""File of the lexicon as a built table, see `kbtui.text.built_tables`."""
MIN_TYPO_LENGTH: Final = 4
"""Letters of a word from which misspellings are considered."""

_MIN_CODE_LENGTH: Final = 3
_HUB_SCORE: Final = 0.5
# Concepts of which all concepts of that kind are neighbours: anyone may be a nurse, any place a town.
_HUBS: Final = frozenset(("person", "place", "date", "money"))
_VOWELS: Final = "aeiou"


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
    concepts = text_in("kbtui.nl2sql", "concepts.toml")
    lines = built_table("kbtui.nl2sql", FILE, [concepts], lambda: entries_of(concepts))
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


def entries_of(concepts: str) -> dict[str, object]:
    """The entries of the built table; ``concepts`` is the text of `concepts.toml`."""
    import tomllib

    senses: dict[str, dict[Sense, None]] = defaultdict(dict)
    near: dict[str, dict[str, Neighbour]] = defaultdict(dict)
    kinds: dict[str, list[str]] = {}
    for section in tomllib.loads(concepts).values():
        for concept, entry in section.items():
            kinds[concept] = sorted(entry["is"].split())
            for other, neighbour in _neighbours(entry):
                near[concept][other] = max(neighbour, near[concept].get(other, neighbour))
                near[other][concept] = max(neighbour, near[other].get(concept, neighbour))
            for word, sense in _words(concept, entry):
                if has_cjk(word):
                    senses[f"zh {word}"][sense] = None
                else:
                    senses[f"en {_lemmas(word.split())}"][sense] = None
                    senses[f"stem {key_of(word.split())}"][sense] = None
            for word, _ in _weighted_items(entry.get("code", "")):
                senses[f"code {word}"][Sense(concept)] = None
    for concept, concept_kinds in kinds.items():
        for hub in _HUBS.intersection(concept_kinds) - {concept}:
            near[concept].setdefault(hub, Neighbour(_HUB_SCORE))
            near[hub].setdefault(concept, Neighbour(_HUB_SCORE))
    english = [key.removeprefix("en ") for key in senses if key.startswith("en ")]
    stems = [key.removeprefix("stem ") for key in senses if key.startswith("stem ")]
    return {
        **{key: list(map(_compact, word_senses)) for key, word_senses in senses.items()},
        **{f"near {concept}": others for concept, others in near.items()},
        "all kinds": kinds,
        "words single": [key for key in english if " " not in key and len(key) >= MIN_TYPO_LENGTH],
        "words spelt": sorted(set(" ".join((*english, *stems)).split())),
    }


def _compact(sense: Sense) -> list[Any]:
    """The fields of a sense without trailing defaults."""
    fields, defaults = list(sense), Sense("")
    while fields[-1] == defaults[len(fields) - 1]:
        fields.pop()
    return fields


def _lemmas(words: Sequence[str]) -> str:
    return " ".join(map(lemma, words))


def key_of(words: Sequence[str]) -> str:
    """The key of an English phrase: its stems joined by spaces."""
    return " ".join(map(stem, words))


def senses_of(words: Sequence[str]) -> tuple[Sense, ...]:
    """The senses of a whole phrase: lower-case English words, or one Chinese word."""
    if len(words) == 1 and has_cjk(words[0]):
        return lexicon().chinese.get(words[0], ())
    return lexicon().english.get(_lemmas(words)) or lexicon().stems.get(key_of(words), ())


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


def _neighbours(entry: Mapping[str, Any]) -> Iterator[tuple[str, Neighbour]]:
    for concept, score in _weighted_items(entry.get("near", ""), NEAR):
        yield concept.removeprefix("-"), Neighbour(score, concept.startswith("-"))


def _words(concept: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    for word, weight in (*_weighted_items(entry.get("en", "")), *_weighted_items(entry.get("zh", ""))):
        yield word, Sense(concept, weight=weight)
    for word, weight in _weighted_items(entry.get("said", "")):
        yield word, Sense(concept, weight=weight, in_names=False)
    for key, holds in (("yes", True), ("no", False)):
        for word, weight in _weighted_items(entry.get(key, "")):
            yield word, Sense(concept, holds=holds, weight=weight)
    for key in ("up", "down"):
        for word, weight in _weighted_items(entry.get(key, "")):
            for form, degree in _degrees(word):
                yield form, Sense(concept, "desc" if key == "up" else "asc", degree, weight=weight)


def _degrees(word: str) -> Iterator[tuple[str, Degree]]:
    """The forms of an adjective with their degrees; irregular ones are written ``good/better/best``."""
    if "/" in word:
        # Phrases such as ``well rated/better rated/best rated`` change in the first word only.
        positive, comparative, superlative = word.split("/")
        yield positive, "positive"
        yield comparative, "comparative"
        yield superlative, "superlative"
        return
    yield word, "positive"
    if has_cjk(word):
        return
    first, space, rest = word.partition(" ")
    if len(first) > 8 or first.endswith(("ed", "ing", "ous", "ful", "less", "ive")):
        return
    base = _comparative_stem(first)
    yield f"{base}er{space}{rest}", "comparative"
    yield f"{base}est{space}{rest}", "superlative"


def _comparative_stem(word: str) -> str:
    if word.endswith("e"):
        return word[:-1]
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}i"
    if re.fullmatch(rf"[^{_VOWELS}]*[{_VOWELS}][bdgmnt]", word):
        return word + word[-1]
    return word


def _weighted_items(text: str, weight: float = 1.0) -> Iterator[tuple[str, float]]:
    """The items of a list, each with its own weight after a colon or the default weight."""
    for item in text.split(","):
        word, _, own_weight = item.strip().partition(":")
        if word:
            yield word, float(own_weight or weight)
