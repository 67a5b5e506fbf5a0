"""The entries of the tables that `make_tables` makes of the package's word files."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

import msgspec

from kbtui.nl2sql.lexicon import MIN_TYPO_LENGTH, Degree, Neighbour, Sense, key_of, lemmas_of
from kbtui.question import phrases
from kbtui.question.phrases import STEM, WORD, PhraseLine, elements_of, normal_word
from kbtui.question.tokens import fold
from kbtui.question.words import WordFile
from kbtui.text.built_tables import WHOLE
from kbtui.text.inflection import root
from kbtui.text.language import has_cjk
from kbtui.text.word_lists import text_in

_NEAR: Final = 0.6
"""Score of a neighbour without a score in the lexicon."""
_HUB_SCORE: Final = 0.5
# Concepts of which all concepts of that kind are neighbours: anyone may be a nurse, any place a town.
_HUBS: Final = frozenset(("person", "place", "date", "money"))
_VOWELS: Final = "aeiou"
_PHRASES: Final = frozenset(("cue", "adjectives", "adjective_frames"))
_CONDITION: Final = re.compile(r"<[^>\n]+>|\{[^}\n]*\}")
_OPPOSITE: Final = {"desc": "asc", "asc": "desc", ">": "<", "<": ">", ">=": "<=", "<=": ">="}


def table_text(entries: Mapping[str, object]) -> bytes:
    """A table as its file has it.

    Args:
        entries: Values that are JSON, by keys without tabs and line breaks.
    """
    lines = [key.encode() + b"\t" + msgspec.json.encode(value) for key, value in entries.items()]
    return b"\n".join(sorted(lines))


def toml_entries(text: str) -> dict[str, object]:
    """The one entry of the table of a TOML file."""
    return {WHOLE: tomllib.loads(text)}


@cache
def word_file(name: WordFile) -> Mapping[str, Any]:
    """A whole word file."""
    return tomllib.loads(text_in("kbtui.question", f"words/{name}.toml"))


def plain_entries() -> dict[str, object]:
    """The entries of the word files without their phrases."""
    return {
        name: {key: value for key, value in word_file(name).items() if key not in _PHRASES}
        for name in get_args(WordFile)
    }


def lexicon_entries(concepts: str) -> dict[str, object]:
    """The entries of the lexicon; ``concepts`` is the text of `concepts.toml`."""
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
                    senses[f"en {lemmas_of(word.split())}"][sense] = None
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


def _neighbours(entry: Mapping[str, Any]) -> Iterator[tuple[str, Neighbour]]:
    for concept, score in _weighted_items(entry.get("near", ""), _NEAR):
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


def phrase_entries(files: tuple[WordFile, ...]) -> dict[str, object]:
    """The entries of the phrases of word files."""
    entries: dict[str, list[Any]] = {}
    texts: list[str] = []
    for line in _read_lines(files):
        texts.append(line.text)
        for first in dict.fromkeys(_first_words(line.text)):
            entries.setdefault(f"phrases {first}", []).append(line)
    known = {normal_word(word).removeprefix(STEM) for word in WORD.findall(_CONDITION.sub(" ", "\n".join(texts)))}
    for word in sorted(known):
        if len(word) >= phrases.MIN_TYPO_LENGTH and word.isascii():
            entries.setdefault(f"long {word[0]}", []).append(word)
    return {**entries, "all known": sorted(known.union(map(root, known)))}


def _read_lines(files: tuple[WordFile, ...]) -> Iterator[PhraseLine]:
    for file in files:
        rows = [
            (line, row["op"], row.get("args", {}), row.get("weight", 1.0))
            for row in word_file(file)["cue"]
            for line in filter(None, map(str.strip, row["phrases"].splitlines()))
        ]
        for line, op, args, weight in [*rows, *adjective_phrases(file)]:
            text, _, own = fold(line).partition("@")
            yield PhraseLine(text, op, args, float(own) if own else weight)


def _first_words(text: str) -> Iterator[str]:
    if text[0] not in "[(<{" and (plain_word := WORD.match(text)):
        yield normal_word(plain_word[0])
        return
    for optional, either, beside, near, plain in elements_of(text):
        if beside or near:
            continue
        for choice in (optional or either or plain).split("|"):
            if first := WORD.search(choice):
                yield normal_word(first[0])
        if plain.strip() or either:
            return


Phrase = tuple[str, str, Mapping[str, Any], float]
"""Phrase in the syntax of `kbtui.question.phrases`, operator, args, weight."""

_VOWELS: Final = "aeiou"
_OPPOSITE: Final = {"desc": "asc", "asc": "desc", ">": "<", "<": ">", ">=": "<=", "<=": ">="}


def adjective_phrases(language: WordFile) -> Iterator[Phrase]:
    """Every phrase of the adjectives of a word file.

    A row of ``[adjectives]`` is a concept (``any`` for none) with the adjectives of much of it (``up``) and of little
    (``down``). A word that ends in ``+`` takes ``more`` and ``most``; ``good/better/best`` gives its forms; others take
    ``-er`` and ``-est``. ``[adjective_frames]`` has the phrases they stand in, by what those say of an adjective of
    much.
    """
    table = word_file(language)
    for concept, row in table.get("adjectives", {}).items():
        for key in ("up", "down"):
            for word in row.get(key, "").split():
                forms = _forms(word) if language == "en" else (word, word, word)
                yield from _filled_frames(table["adjective_frames"], forms, concept, is_up=key == "up")


def _filled_frames(
    frames: Mapping[str, str], forms: tuple[str, str, str], concept: str, *, is_up: bool
) -> Iterator[Phrase]:
    for sense, lines in frames.items():
        effect = sense if is_up else _OPPOSITE.get(sense, sense)
        for line in filter(None, map(str.strip, lines.splitlines())):
            phrase, _, weight = line.partition("@")
            for blank, form in zip(("ADJECTIVE", "MORE", "MOST"), forms, strict=True):
                phrase = phrase.replace(blank, form)
            args = {} if concept == "any" else {"concept": concept}
            if effect in ("desc", "asc"):
                yield phrase, "most", args | {"direction": effect}, float(weight or 1)
            elif effect == "how":
                yield phrase, "how_much", args, float(weight or 1)
            else:
                yield phrase, "compare", args | {"op": effect}, float(weight or 1)


def _forms(word: str) -> tuple[str, str, str]:
    """Positive, comparative and superlative of an English adjective as the word file has it."""
    if word.endswith("+"):
        return word[:-1], f"more {word[:-1]}", f"most {word[:-1]}"
    if "/" in word:
        positive, comparative, superlative = word.split("/")
        return positive, comparative, superlative
    comparative = _comparative(word)
    return word, comparative, f"{comparative[:-1]}st"


def _comparative(word: str) -> str:
    if word.endswith("e"):
        return f"{word}r"
    if word.endswith("y") and word[-2] not in _VOWELS:
        return f"{word[:-1]}ier"
    is_short = word[-1] not in f"{_VOWELS}wxy" and word[-2] in _VOWELS and word[-3] not in _VOWELS and len(word) < 6
    return f"{word}{word[-1]}er" if is_short else f"{word}er"
