"""Which words of a question point out of it: "it" in "who wrote it?", but not in "is it possible to …".

A small fitted model (``words/pointing.toml``, made by ``benchmarks/fit_pointing.py``) over what stands around the word:
its own class, the parts its neighbours play, whether anything in front of it can be what it means, whether a clause
behind it says what it stands for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from kbtui.question.normalise import has_han
from kbtui.question.things import Word, is_in, role_at, words_of
from kbtui.text.word_lists import toml_in

_BEING: Final = frozenset(["is", "was", "are", "were", "be", "isn't", "wasn't"])
_NEAR: Final = 5


@cache
def _lists() -> Mapping[str, Mapping[str, str]]:
    """Words by their class, and words that conditions and what is said of "it" begin with."""
    rows: Mapping[str, Mapping[str, str]] = toml_in("kbtui.question", "words/things.toml")["pointing"]
    return {name: {word: kind for kind, words in row.items() for word in words.split()} for name, row in rows.items()}


def class_of(word: Word) -> str:
    """The class of a word that may point back; empty for all others. 这个 and 该 take a noun with them."""
    if word.role == "mention" or word.text == "IT":
        return ""
    if name := _lists()["classes"].get(word.lower):
        return name
    return "this one" if word.role == "pronoun" and word.text[0] in "这那该同" else ""


def features(words: Sequence[Word], at: int) -> frozenset[str]:
    """What speaks for or against a word's pointing out of its question."""
    word, name = words[at], class_of(words[at])
    front, behind = words[:at], words[at + 1 :]
    follows = behind[0] if behind else None
    language = "zh" if has_han(word.text) else "en"
    kinds = {
        kind
        for kind in ("surroundings", "files", "labels", "parts", "attributes", "kinds")
        if follows and is_in(kind, follows.text)
    }
    length = sum(one.role != "mark" for one in words)
    things = sum(one.role in ("noun", "mention") for one in front)
    broken = any(one.role in ("clause", "mark") for one in front[1:])
    found = {
        f"{name}",
        f"{name} < {role_at(words, at - 1)}",
        f"{name} > {role_at(words, at + 1)}",
        f"{language} < {role_at(words, at - 1)}",
        f"{language} > {role_at(words, at + 1)}",
        f"{language} {min(things, 2)} things in front" + (", then a clause" if broken else ""),
        f"{name} {min(things, 1)} things in front",
        f"{language} {'few' if length < 7 else 'some' if length < 12 else 'many'} words",
    }
    found |= {
        f"{'this' if name in ('this', 'this one') else 'that'} {kind}"
        for kind in kinds
        if name in ("that", "this", "these", "this one")
    }
    if front and front[-1].role in ("clause", "preposition"):
        found.add(f"{language} < {front[-1].lower}")
    if front and (front[0].lower in _lists()["begins"]):
        found.add(f"{language} condition{', things' if things else ''}")
    if name == "it" and front and front[-1].role in ("auxiliary", "verb"):
        says = any(one.lower in _lists()["says"] or one.lower.endswith("ing") for one in behind[1:_NEAR])
        found.add(f"{'is' if front[-1].lower in _BEING else 'does'} it {'… to' if says else '…'}")
        found |= {f"be it {behind[0].lower}"} if behind and front[-1].lower in _BEING else set()
        found |= {f"{front[-2].lower} is it"} if len(front) > 1 and not behind else set()
    if name in ("that", "these", "this") and any(one.lower in ("that", "which", "who") for one in behind[:_NEAR]):
        found.add("those … that")
    if name == "that" and front and front[-1].role in ("noun", "verb", "mention"):
        found.add("thing that")
    if any(one.role == "determiner" for one in front):
        found.add(f"{name} behind the …")
    return frozenset(found)


@cache
def _weights() -> Mapping[str, float]:
    weights: Mapping[str, float] = toml_in("kbtui.question", "words/pointing.toml")["weights"]
    return weights


def chance(words: Sequence[Word], at: int) -> float:
    """That the word at ``at`` points out of its question, 0 to 1."""
    weights = _weights()
    odds = weights["bias"] + sum(weights.get(name, 0.0) for name in features(words, at))
    return 1 / (1 + math.exp(-odds))


def pointing(text: str, sure: float = 0.5) -> Iterator[tuple[int, Word]]:
    """Words that point out of a question with at least this chance, with their place among its words."""
    words = words_of(text)
    for at, word in enumerate(words):
        if class_of(word) and chance(words, at) >= sure:
            yield at, word
