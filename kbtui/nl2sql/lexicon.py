"""The bilingual lexicon of concepts: which words may be used for one another in questions, names and values.

Its words are data (`concepts.toml`, which says how to add one); here they become two dictionaries, of English phrases
by the stems of their words and of Chinese words as written.
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
"""Words of the longest English phrase that is looked up."""
LONGEST_CHINESE: Final = 8
"""Characters of the longest Chinese word that is looked up."""
NEAR: Final = 0.6
"""Score of a neighbour where the lexicon gives none."""
FILE: Final = "lexicon.table"
"""The lexicon as `kbtui.text.built_tables` keeps it."""
TYPO_LENGTH: Final = 4
"""Letters of the shortest word that may be a misspelt one."""

_CODE_IN_NAME: Final = 3
_HUB: Final = 0.5
# Concepts that all concepts of that kind are near to: anyone may be a nurse, any place a town.
_HUBS: Final = frozenset(("person", "place", "date", "money"))
_VOWELS: Final = "aeiou"


class Sense(NamedTuple):
    """What a word may mean.

    Attributes:
        order: Of an adjective: ``desc`` where it names much of its concept (expensive), ``asc`` where little (cheap).
        degree: Of an adjective.
        holds: Of the word of a state: whether it names that state or its opposite; else None.
        in_names: Whether the word occurs in names too, not in questions alone.
        weight: Less than 1 where the word usually means something else.
    """

    concept: str
    order: Literal["", "asc", "desc"] = ""
    degree: Degree = ""
    holds: bool | None = None
    weight: float = 1.0
    in_names: bool = True


class Neighbour(NamedTuple):
    """How near two concepts are.

    Attributes:
        score: Of a link through it.
        reverse: More of the one is less of the other.
    """

    score: float
    reverse: bool = False


class NamePart(NamedTuple):
    """A concept that words ``first`` up to, not including, ``last`` of a name stand for; of Chinese, characters."""

    first: int
    last: int
    sense: Sense


class Lexicon(Struct, frozen=True):
    """All concepts.

    Attributes:
        english: Senses by the lemmas of a phrase, joined by spaces.
        stems: The same by the stems.
        chinese: Senses by word.
        codes: Values by the short forms that tables have for them.
        near: Of a concept, its neighbours.
        kinds: What columns or tables of a concept are, as the head of `concepts.toml` lists.
        main: Concepts of the sum of money that rows are about.
        single: English words that are phrases by themselves and may be misspelt: of `TYPO_LENGTH` letters and more.
        spelt: Words and stems of all English phrases, which need no correction.
    """

    english: Mapping[str, tuple[Sense, ...]]
    stems: Mapping[str, tuple[Sense, ...]]
    chinese: Mapping[str, tuple[Sense, ...]]
    codes: Mapping[str, tuple[Sense, ...]]
    near: Mapping[str, Mapping[str, Neighbour]]
    kinds: Mapping[str, frozenset[str]]
    main: tuple[str, ...]
    single: tuple[str, ...]
    spelt: frozenset[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon."""
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
        main=tuple(concept for concept, own in kinds.items() if "main" in own),
        single=words["single"],
        spelt=frozenset(words["spelt"]),
    )


def entries_of(concepts: str) -> dict[str, object]:
    """The lexicon as entries of a table; ``concepts`` is the text of `concepts.toml`."""
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
            for word, _ in _listed(entry.get("code", "")):
                senses[f"code {word}"][Sense(concept)] = None
    for concept, own in kinds.items():
        for hub in _HUBS.intersection(own) - {concept}:
            near[concept].setdefault(hub, Neighbour(_HUB))
            near[hub].setdefault(concept, Neighbour(_HUB))
    english = [key.removeprefix("en ") for key in senses if key.startswith("en ")]
    stems = [key.removeprefix("stem ") for key in senses if key.startswith("stem ")]
    return {
        **{key: list(map(_short, found)) for key, found in senses.items()},
        **{f"near {concept}": others for concept, others in near.items()},
        "all kinds": kinds,
        "words single": [key for key in english if " " not in key and len(key) >= TYPO_LENGTH],
        "words spelt": sorted(set(" ".join((*english, *stems)).split())),
    }


def _short(sense: Sense) -> list[Any]:
    """A sense without the attributes at its end that are the usual ones."""
    fields, usual = list(sense), Sense("")
    while fields[-1] == usual[len(fields) - 1]:
        fields.pop()
    return fields


def _lemmas(words: Sequence[str]) -> str:
    return " ".join(map(lemma, words))


def key_of(words: Sequence[str]) -> str:
    """Key of an English phrase: the stems of its words."""
    return " ".join(map(stem, words))


def senses_of(words: Sequence[str]) -> tuple[Sense, ...]:
    """What a whole phrase means: lower-case English words, or one Chinese word."""
    if len(words) == 1 and has_cjk(words[0]):
        return lexicon().chinese.get(words[0], ())
    return lexicon().english.get(_lemmas(words)) or lexicon().stems.get(key_of(words), ())


def concepts_of(words: Sequence[str]) -> frozenset[str]:
    """Concepts of a name by its words: of all of them, or of its head, the last one that says what it is.

    The head of ``customer_id`` says little, so the customer is among its concepts too.
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
    """States that a name or value speaks of, each with whether it names the state or its opposite.

    The words of ``is_paid`` give ``("paid", True)``; those of the value ``unpaid`` ``("paid", False)``.
    """
    return tuple(
        dict.fromkeys(
            (part.sense.concept, part.sense.holds)
            for part in name_parts(words, states=True)
            if part.sense.holds is not None
        )
    )


def name_parts(words: Sequence[str], *, states: bool = False) -> list[NamePart]:
    """The concepts of a name, cut into the longest phrases that the lexicon has, in order; none overlap unless equal.

    Args:
        words: Of the name; a Chinese one is cut by its characters.
        states: Words of states instead of all other concepts.
    """
    is_chinese = len(words) == 1 and has_cjk(words[0])
    units: Sequence[str] = words[0] if is_chinese else words
    longest = LONGEST_CHINESE if is_chinese else LONGEST_ENGLISH
    parts: list[NamePart] = []
    start = 0
    while start < len(units):
        for end in range(min(len(units), start + longest), start, -1):
            senses = senses_of(["".join(units[start:end])] if is_chinese else units[start:end])
            if not senses and end == start + 1 and len(units[start]) >= _CODE_IN_NAME:
                senses = lexicon().codes.get(units[start], ())
            wanted = [sense for sense in senses if _names(sense, states=states)]
            if wanted:
                parts += [NamePart(start, end, sense) for sense in wanted]
                start = end
                break
        else:
            start += 1
    return parts


def _names(sense: Sense, *, states: bool) -> bool:
    return sense.in_names and not sense.degree and (sense.holds is not None) == states


def is_kind(concepts: frozenset[str], kind: str) -> bool:
    """Whether one of the concepts is of a kind, for example ``person``."""
    kinds = lexicon().kinds
    return any(kind in kinds.get(concept, ()) for concept in concepts)


def _neighbours(entry: Mapping[str, Any]) -> Iterator[tuple[str, Neighbour]]:
    for concept, score in _listed(entry.get("near", ""), NEAR):
        yield concept.removeprefix("-"), Neighbour(score, concept.startswith("-"))


def _words(concept: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, Sense]]:
    for word, weight in (*_listed(entry.get("en", "")), *_listed(entry.get("zh", ""))):
        yield word, Sense(concept, weight=weight)
    for word, weight in _listed(entry.get("said", "")):
        yield word, Sense(concept, weight=weight, in_names=False)
    for key, holds in (("yes", True), ("no", False)):
        for word, weight in _listed(entry.get(key, "")):
            yield word, Sense(concept, holds=holds, weight=weight)
    for key in ("up", "down"):
        for word, weight in _listed(entry.get(key, "")):
            for form, degree in _degrees(word):
                yield form, Sense(concept, "desc" if key == "up" else "asc", degree, weight=weight)


def _degrees(word: str) -> Iterator[tuple[str, Degree]]:
    """An adjective with its comparative and superlative; irregular ones are written ``good/better/best``."""
    if "/" in word:
        # Only the first word of ``well rated/better rated/best rated`` and the like changes.
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
    base = _before_er(first)
    yield f"{base}er{space}{rest}", "comparative"
    yield f"{base}est{space}{rest}", "superlative"


def _before_er(word: str) -> str:
    if word.endswith("e"):
        return word[:-1]
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}i"
    if re.fullmatch(rf"[^{_VOWELS}]*[{_VOWELS}][bdgmnt]", word):
        return word + word[-1]
    return word


def _listed(text: str, weight: float = 1.0) -> Iterator[tuple[str, float]]:
    """Items of a list, each with the weight behind its colon or the usual one."""
    for item in text.split(","):
        word, _, own = item.strip().partition(":")
        if word:
            yield word, float(own or weight)
