"""What the wording of a question asks for, and small changes to it before it is read over tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import Final

from kbtui.records.kinds import WORDS
from kbtui.text.tokenise import stem

_TAILS: Final = "tails"
_BINDING: Final = "binding"
_IDLE: Final = "idle"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["asking"][name]).replace("\n  ", ""))


def asks(question: str) -> bool:
    """Whether it has a word that asks for a set of things, a figure or a value."""
    return _pattern("pattern").search(question) is not None


def asking_removed(question: str) -> str:
    """The question without the words that ask, count or tie."""
    return _pattern(_IDLE).sub(" ", _pattern(_BINDING).sub(" ", _pattern("pattern").sub(" ", question)))


def wants_telling(question: str) -> bool:
    """Whether it asks how, why or what something is about: no value answers that."""
    return _pattern("telling").search(question) is not None


def plain(question: str) -> str:
    """The question without what every answer gives anyway (*and which ones*) and without words that only bind."""
    shorter = _pattern(_TAILS).sub("", question.strip())
    if wants_newest(shorter):
        shorter = _pattern("dated").sub("", shorter)
    for pattern, usual in _rewriting():
        shorter = pattern.sub(usual, shorter)
    shorter = _pattern(_IDLE).sub(" ", _pattern(_BINDING).sub(" with ", shorter))
    return re.sub(r"\s{2,}", " ", shorter).strip() or question


def says_when(question: str) -> bool:
    """Whether it names a year, a month or a stretch of time."""
    return _naming("period").search(question) is not None


def title_condition(question: str) -> tuple[list[str], str] | None:
    """The words that titles are to have (*with lease in the title*) and the question without them; None for none."""
    match = _pattern("titled").search(question)
    if match is None:
        return None
    return (match["words"] or match["others"]).split(), f"{question[: match.start()]} {question[match.end() :]}".strip()


def wants_newest(question: str) -> bool:
    """Whether it asks for what is newest or oldest."""
    return _pattern("ordered").search(question) is not None


def wants_day(question: str) -> bool:
    """Whether it asks when something was."""
    return _naming("day").search(question) is not None


def wants_person(question: str) -> bool:
    """Whether it asks who somebody is."""
    return _naming("person").search(question) is not None


def coordinates(question: str) -> bool:
    """Whether it has several things beside one another: *draft or final*."""
    return _naming("coordination").search(question) is not None


def wants_share(question: str) -> bool:
    """Whether it asks for a part of a whole."""
    return _naming("share").search(question) is not None


def without(question: str, words: Iterable[str]) -> str:
    """The question without these words, and without what tied them to it (*about*, *on the*)."""
    for word in words:
        question = re.sub(_pattern("tie").pattern + rf"\b{re.escape(word)}\b", " ", question, flags=re.IGNORECASE)
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s{2,}", " ", question)).strip()


def may_name(before: str, after: str) -> bool:
    """Whether a number between these names a thing, and counts or measures none."""
    return _naming("before").search(before) is not None and _naming("after").search(after) is not None


def counts(question: str) -> bool:
    """Whether it asks how many there are."""
    return _pattern("counting").search(question) is not None


def wants_truth(question: str) -> bool:
    """Whether it asks whether something is so."""
    return _naming("truth").search(question) is not None


def things_asked(question: str) -> list[str]:
    """Words in the plural behind *which* or *all*: what a question may ask for several of."""
    return [match["things"] for match in _pattern("set").finditer(question)]


def ranked_by(question: str) -> list[str]:
    """Words of which a question asks for the most or the fewest: *by the most designs*."""
    return [match["things"] for match in _pattern("ranking").finditer(question)]


def asks_twice(question: str) -> bool:
    """Whether it asks for things, and then for something else of *them*."""
    return _pattern("second").search(question) is not None


def of_the_past(question: str) -> bool:
    """Whether it asks whether something ever was so, which what is stated now need not tell."""
    return _naming("ever").search(question) is not None


def asks_for_procedure(question: str) -> bool:
    """Whether it asks how something is done, which no single field tells."""
    return _naming("procedure").search(question) is not None


def has_measuring_word(question: str) -> bool:
    """Whether an adjective says which figure is compared: *longest* and not *biggest*."""
    return _naming("measuring").search(question) is not None


def is_about_state(stems: Collection[str]) -> bool:
    """Whether all stems are words of a life cycle (*accepted*, *merged*), whatever a folder calls its states."""
    return _lifecycle_stems().issuperset(stems)


@cache
def _lifecycle_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in str(WORDS["naming"]["lifecycle"]).split())


@cache
def _rewriting() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What people say in many ways, each with the usual way."""
    return tuple((re.compile(pattern, re.IGNORECASE), usual) for usual, pattern in WORDS["rewriting"].items())


@cache
def _naming(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["naming"][name]).replace("\n  ", ""))
