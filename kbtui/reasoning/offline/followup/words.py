"""The word lists of the follow-up rules, from ``words.toml``, as sets and as parts of regular expressions."""

from __future__ import annotations

import re
from functools import cache

from kbtui.reasoning.offline.normalise import Language
from kbtui.text.word_lists import toml_in


@cache
def listed(language: Language, name: str) -> tuple[str, ...]:
    """A list in the order of the file; ``_`` stands for a space."""
    return tuple(word.replace("_", " ") for word in _tables()[language][name].split())


@cache
def word_set(language: Language, name: str) -> frozenset[str]:
    return frozenset(listed(language, name))


@cache
def either(language: Language, *names: str) -> str:
    """The words of lists as one group of a regular expression, longest first."""
    found = {word for name in names for word in listed(language, name)}
    return "(?:" + "|".join(re.escape(word) for word in sorted(found, key=lambda word: (-len(word), word))) + ")"


@cache
def base_of(word: str) -> str:
    """The base form of a known English verb, empty where ``word`` is none: ``stored`` gives ``store``."""
    known = word_set("en", "verbs")
    if word in known:
        return word
    if word in _irregular():
        return _irregular()[word]
    for ending, instead in (
        ("ies", "y"),
        ("ied", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("d", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
    ):
        if word.endswith(ending) and (base := word.removesuffix(ending) + instead) in known:
            return base
        if ending in ("ed", "ing") and word.endswith(ending):
            stem = word.removesuffix(ending)
            if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in known:
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


@cache
def _tables() -> dict[str, dict[str, str]]:
    return toml_in(__package__, "words.toml")
