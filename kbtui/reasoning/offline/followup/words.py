"""What the rules of follow-ups share: word lists (``words.toml``), patterns, and how a question in full is spelled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from kbtui.question.normalise import Language, clean, strip_courtesies
from kbtui.text.numbers import HAN as HAN_NUMERALS
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import toml_in

HAN: Final = "\u3400-\u9fff"


@cache
def listed(language: Language, name: str) -> tuple[str, ...]:
    """A list in the order of the file; ``_`` stands for a space."""
    return tuple(word.replace("_", " ") for word in _tables()[language][name].split())


@cache
def word_set(language: Language, *names: str) -> frozenset[str]:
    """The words of one list or several."""
    return frozenset(word for name in names for word in listed(language, name))


@cache
def either(language: Language, *names: str) -> str:
    """The words of lists as one group of a regular expression, longest first."""
    found = sorted(word_set(language, *names), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, found)) + ")"


@cache
def _tables() -> dict[str, dict[str, str]]:
    return toml_in(__package__, "words.toml")


EN: Final = Patterns(
    __package__,
    "english.toml",
    LEAD=r"(?:(?:and|but|or|so|ok(?:ay)?|then|now|also)\b[\s,]*)*",
    ORDINALS=either("en", "ordinals"),
    PARTS=either("en", "parts"),
    PREPOSITIONS=either("en", "prepositions"),
)
ZH: Final = Patterns(
    __package__,
    "chinese.toml",
    LEAD=r"(?:(?:那么|那|但是|但|可是|所以|然后|另外|还有|而且|再|请问|好的|嗯)[\s,，]*)?",
    END=r"[呢啊呀吧嘛了]?",
    HAN=HAN,
    HAN_NUMERALS=HAN_NUMERALS,
    NOUNS=either("zh", "files", "parts", "attributes", "kinds"),
    **{
        name.upper(): either("zh", name)
        for name in ("asks", "attributes", "cuts", "files", "measures", "parts", "transitive", "verbs")
    },
)
PATTERNS: Final = {"en": EN, "zh": ZH}


def bare(query: str) -> str:
    """A question on one line without courtesies and without the mark at its end."""
    text = clean(query)
    return (strip_courtesies(text) or text).strip().rstrip("?？!！.。 ")


@dataclass(frozen=True, slots=True)
class Meant:
    """A follow-up in full, and what was put in place of what."""

    text: str
    was: str
    means: str


def starters() -> frozenset[str]:
    """English words that a question or an order begins with."""
    return word_set("en", "question_words", "auxiliaries", "commands")


def meaning(text: str, was: str, means: str) -> Meant:
    """An English follow-up in full, spelled as a sentence; a mark at its end may be left out."""
    text = re.sub(r"\s+([?,.])", r"\1", re.sub(r" {2,}", " ", text)).strip()
    text = f"{text.rstrip('?')}?"
    first = text.split(maxsplit=1)[0].lower()
    if first in word_set("en", "commands") and ": " not in text:
        text = text.rstrip("?")
    if re.fullmatch(r"[a-z]+:?", first):
        text = text[0].upper() + text[1:]
    return Meant(text, was, means)


def meaning_zh(text: str, was: str, means: str) -> Meant:
    """A Chinese follow-up in full."""
    text = re.sub(r"\s{2,}", " ", text).strip()
    # Names in Latin letters stand apart from the characters around them.
    text = re.sub(rf"([A-Za-z0-9])(?=[{HAN}])", r"\1 ", re.sub(rf"([{HAN}])(?=[A-Za-z0-9])", r"\1 ", text))
    return Meant(bare(text) + "？", was, means)


def meaning_in(language: Language, text: str, was: str, means: str) -> Meant:
    return (meaning_zh if language == "zh" else meaning)(text, was, means)


def put(text: str, at: re.Match[str], means: str) -> Meant:
    """An English question with ``means`` in place of what was found in it."""
    return meaning(text[: at.start()] + means + text[at.end() :], at[0], means)


def lowered(question: str) -> str:
    """A sentence behind other words: its first letter small, unless it begins a name."""
    first = question.split(maxsplit=1)[0] if question else ""
    return question[0].lower() + question[1:] if first.lower() in starters() else question


_ENDINGS: Final = (
    ("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("d", ""), ("ed", "e"), ("ing", ""), ("ing", "e")
)  # fmt: skip


@cache
def base_of(word: str) -> str:
    """The base form of a known English verb, empty where ``word`` is none: ``stored`` gives ``store``."""
    known = word_set("en", "verbs")
    if word in known:
        return word
    if base := _irregular().get(word):
        return base
    for ending, instead in _ENDINGS:
        if not word.endswith(ending):
            continue
        stem = word.removesuffix(ending)
        if stem + instead in known:
            return stem + instead
        if ending in ("ed", "ing") and len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in known:
            return stem[:-1]
    return ""


def gerund(verb: str) -> str:
    """``deploy`` as ``deploying``, ``run`` as ``running``, ``make`` as ``making``."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    one_syllable = re.fullmatch(r"[^aeiou]*[aeiou][bdgklmnprtz]", verb)
    return verb + (verb[-1] if one_syllable and verb[-2] in "aeiou" else "") + "ing"


@cache
def _irregular() -> dict[str, str]:
    """Forms by themselves: those that precede a base form in the list belong to it."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    known = word_set("en", "verbs") | {"go", "do"}
    for word in listed("en", "irregular"):
        if word in known and waiting:
            found.update(dict.fromkeys(waiting, word))
            waiting = []
        else:
            waiting.append(word)
    return found
