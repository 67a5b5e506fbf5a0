"""Anaphors: words that refer to the dialogue, as "it" does in "who wrote it?", but not in "is it possible to …".

A small fitted model (``words/anaphora.toml``, made by ``benchmarks/fit_anaphora.py``) over the context of the word:
its class, the roles of its neighbours, whether an antecedent precedes it in the question, and whether a clause after it
says what it stands for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from kbtui.question.normalise import has_han
from kbtui.question.noun_phrases import Word, is_of_kind, role_at, tagged_words
from kbtui.text.word_lists import toml_in

_FORMS_OF_BE: Final = frozenset(["is", "was", "are", "were", "be", "isn't", "wasn't"])
_WINDOW: Final = 5


@cache
def _word_classes() -> Mapping[str, Mapping[str, str]]:
    """Anaphoric words by class, words that begin a condition, and words of a clause that explains "it"."""
    rows: Mapping[str, Mapping[str, str]] = toml_in("kbtui.question", "words/noun_phrases.toml")["anaphors"]
    return {name: {word: kind for kind, words in row.items() for word in words.split()} for name, row in rows.items()}


def anaphor_class(word: Word) -> str:
    """The class of a word that may be an anaphor; empty for all others. 这个 and 该 are followed by a noun."""
    if word.role == "mention" or word.text == "IT":
        return ""
    if name := _word_classes()["classes"].get(word.lower):
        return name
    return "this one" if word.role == "pronoun" and word.text[0] in "这那该同" else ""


def anaphor_features(words: Sequence[Word], at: int) -> frozenset[str]:
    """The features of the word at ``at``: names of the weights in ``words/anaphora.toml``."""
    word, name = words[at], anaphor_class(words[at])
    before, after = words[:at], words[at + 1 :]
    follows = after[0] if after else None
    language = "zh" if has_han(word.text) else "en"
    kinds = {
        kind
        for kind in ("surroundings", "files", "labels", "parts", "attributes", "kinds")
        if follows and is_of_kind(kind, follows.text)
    }
    length = sum(other.role != "mark" for other in words)
    things = sum(other.role in ("noun", "mention") for other in before)
    broken = any(other.role in ("clause", "mark") for other in before[1:])
    features = {
        f"{name}",
        f"{name} < {role_at(words, at - 1)}",
        f"{name} > {role_at(words, at + 1)}",
        f"{language} < {role_at(words, at - 1)}",
        f"{language} > {role_at(words, at + 1)}",
        f"{language} {min(things, 2)} things in front" + (", then a clause" if broken else ""),
        f"{name} {min(things, 1)} things in front",
        f"{language} {'few' if length < 7 else 'some' if length < 12 else 'many'} words",
    }
    features |= {
        f"{'this' if name in ('this', 'this one') else 'that'} {kind}"
        for kind in kinds
        if name in ("that", "this", "these", "this one")
    }
    if before and before[-1].role in ("clause", "preposition"):
        features.add(f"{language} < {before[-1].lower}")
    if before and (before[0].lower in _word_classes()["begins"]):
        features.add(f"{language} condition{', things' if things else ''}")
    if name == "it" and before and before[-1].role in ("auxiliary", "verb"):
        says = any(other.lower in _word_classes()["says"] or other.lower.endswith("ing") for other in after[1:_WINDOW])
        features.add(f"{'is' if before[-1].lower in _FORMS_OF_BE else 'does'} it {'… to' if says else '…'}")
        features |= {f"be it {after[0].lower}"} if after and before[-1].lower in _FORMS_OF_BE else set()
        features |= {f"{before[-2].lower} is it"} if len(before) > 1 and not after else set()
    if name in ("that", "these", "this") and any(other.lower in ("that", "which", "who") for other in after[:_WINDOW]):
        features.add("those … that")
    if name == "that" and before and before[-1].role in ("noun", "verb", "mention"):
        features.add("thing that")
    if any(other.role == "determiner" for other in before):
        features.add(f"{name} behind the …")
    return frozenset(features)


@cache
def _weights() -> Mapping[str, float]:
    weights: Mapping[str, float] = toml_in("kbtui.question", "words/anaphora.toml")["weights"]
    return weights


def anaphor_probability(words: Sequence[Word], at: int) -> float:
    """The probability that the word at ``at`` is an anaphor, 0 to 1."""
    weights = _weights()
    odds = weights["bias"] + sum(weights.get(name, 0.0) for name in anaphor_features(words, at))
    return 1 / (1 + math.exp(-odds))


def find_anaphors(text: str, min_probability: float = 0.5) -> Iterator[tuple[int, Word]]:
    """The anaphors of a question with at least this probability, each with its index among `tagged_words`."""
    words = tagged_words(text)
    for at, word in enumerate(words):
        if anaphor_class(word) and anaphor_probability(words, at) >= min_probability:
            yield at, word
