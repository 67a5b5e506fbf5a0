"""English pronouns: whether one points out of its question, and what it means then."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.reasoning.offline.followup.meant import Meant, meaning
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_en import (
    Token,
    things_of,
    tokens_of,
)
from kbtui.reasoning.offline.followup.topics import happening_of, plural_of, subject_of
from kbtui.reasoning.offline.followup.words import base_of, word_set
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "pronouns_en.toml")


_THINGS_BACK = frozenset({"it", "they", "them", "its", "their", "theirs", "that", "this", "those", "these"})


_PEOPLE_BACK = frozenset({"he", "she", "him", "her", "his", "hers"})


_POSSESSIVE = {"its": "it", "their": "they", "his": "he", "her": "she", "theirs": "they", "hers": "she"}


def pronoun(text: str, said: Said) -> Meant | None:
    """The first pronoun of a question in full, if it points out of it."""
    words = tokens_of(text)
    for at, word in enumerate(words):
        if word.text == "IT" or word.role == "mention":
            continue
        lower = word.lower.replace("’", "'")
        owner = _POSSESSIVE.get(lower, lower)
        if lower == "it's":
            owner = "it"
        if lower not in _THINGS_BACK and lower not in _PEOPLE_BACK and lower != "it's":
            continue
        if not _points_back(text, words, at):
            return None
        means = _antecedent(owner, words, said)
        if not means:
            return None
        is_possessive = lower in _POSSESSIVE and (lower != "her" or _owns(words, at))
        return _replaced(text, word, means, possessive=is_possessive, contracted=lower == "it's")
    return None


def _owns(words: Sequence[Token], at: int) -> bool:
    return at + 1 < len(words) and words[at + 1].role in ("noun", "mention", "verb")


def _replaced(text: str, word: Token, means: str, *, possessive: bool, contracted: bool) -> Meant:
    if possessive:
        means_here = f"{means}'" if means.endswith("s") else f"{means}'s"
    else:
        means_here = f"{means} is" if contracted else means
    return meaning(text[: word.start] + means_here + text[word.end :] + "?", word.text, means)


def _points_back(text: str, words: Sequence[Token], at: int) -> bool:
    """True where the pronoun at ``at`` can mean nothing in the question itself."""
    word = words[at]
    lower = word.lower
    if lower in ("it", "it's") and (_is_expletive(text, word)):
        return False
    if lower in ("that", "this", "those", "these") and not _stands_alone(words, at):
        return False
    front = words[:at]
    things = [thing for thing in things_of(text[: word.start], front) if not thing.asked]
    asked = [thing for thing in things_of(text[: word.start], front) if thing.asked]
    another_clause = is_split(text[: word.start], front)
    if lower in _POSSESSIVE and (things or (asked and not _compared(text))):
        return False
    if another_clause and (things or asked):
        return False
    if front and front[0].lower in ("if", "when", "once", "after", "before", "while") and at <= 2:
        # "If it fails, does the gateway restart?" says itself what fails.
        later = [thing for thing in things_of(text) if thing.start > word.end and thing.determiner]
        return not later
    return True


def is_split(before: str, front: Sequence[Token]) -> bool:
    """True where another clause or sentence begins in front of a pronoun."""
    clauses = any(token.lower in word_set("en", "clauses") or token.role == "mark" for token in front[1:])
    return clauses or re.search(r"[.!?]\s", before) is not None


def speaks_before(text: str, start: int) -> bool:
    """True where an earlier clause of the question names something itself."""
    front = [word for word in tokens_of(text) if word.end <= start]
    return is_split(text[:start], front) and bool(things_of(text[:start], front))


def _compared(text: str) -> bool:
    return bool(re.match(r"^(?:which|what)\s+(?:is|are|was|were|does|do|did)\b", text, re.I))


def _is_expletive(text: str, word: Token) -> bool:
    for pattern in (_RE.expletive, _RE.long_to):
        for match in pattern.finditer(text):
            if match.start() <= word.start < match.end() or match.start() <= word.end + 1 <= match.end():
                return True
    return False


def _stands_alone(words: Sequence[Token], at: int) -> bool:
    """True where "that" is a pronoun of its own: "why is that", "when was this decided"."""
    before = words[at - 1] if at else None
    follows = words[at + 1] if at + 1 < len(words) else None
    lower = words[at].lower
    if lower == "this" and follows is not None and follows.lower in word_set("en", "surroundings"):
        return False
    if follows is not None and follows.role in ("noun", "mention", "determiner", "pronoun"):
        return False
    if before is None:
        return follows is not None and follows.role in ("auxiliary", "verb")
    if before.role in ("noun", "mention", "pronoun", "determiner"):
        return False
    if before.role == "verb":
        return follows is None or follows.role in ("preposition", "adverb", "mark")
    if before.role in ("auxiliary", "preposition"):
        return follows is None or follows.role != "question"
    return follows is not None and follows.role in ("auxiliary", "verb")


def _antecedent(pronoun: str, words: Sequence[Token], said: Said) -> str:
    """What a pronoun means: what was last spoken of and agrees with it in number and kind."""
    if pronoun in ("he", "she", "him", "her"):
        people = said.people()
        return people[0] if people else ""
    if pronoun in ("they", "them", "those", "these"):
        return plural_of(said)
    verbs = [base_of(word.lower) for word in words if word.role == "verb"]
    if pronoun in ("that", "this"):
        return happening_of(said)
    return subject_of(said, takes_place=any(verb in word_set("en", "events") for verb in verbs if verb))
