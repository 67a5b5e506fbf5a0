"""Tests and rewrites of the wording of a question, from the patterns in ``words.toml``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date
from functools import cache
from typing import Final

from kbtui.records.kind_names import WORDS
from kbtui.text.days import find_day
from kbtui.text.tokenise import stem

_TAILS: Final = "tails"
_BINDING: Final = "binding"
_IDLE: Final = "idle"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["asking"][name]).replace("\n  ", ""))


def asks(question: str) -> bool:
    """Whether a question has a word that asks for a set of things, a number or a value."""
    return _pattern("pattern").search(question) is not None


def remove_interrogatives(question: str) -> str:
    """The question without interrogatives, counting words and connectives."""
    return _pattern(_IDLE).sub(" ", _pattern(_BINDING).sub(" ", _pattern("pattern").sub(" ", question)))


def wants_telling(question: str) -> bool:
    """Whether a question asks how, why or what about, which no value answers."""
    return _pattern("telling").search(question) is not None


def simplify(question: str) -> str:
    """The question without redundant tails (*and which ones*) and connectives, with usual words for variants."""
    shorter = _pattern(_TAILS).sub("", question.strip())
    if wants_newest(shorter):
        shorter = _pattern("dated").sub("", shorter)
    if asks_for_row(shorter):
        shorter = _pattern("row_tails").sub("", shorter)
    for pattern, usual in _rewriting():
        shorter = pattern.sub(usual, shorter)
    shorter = _pattern(_IDLE).sub(" ", _pattern(_BINDING).sub(" with ", shorter))
    return re.sub(r"\s{2,}", " ", shorter).strip() or question


def asks_for_row(question: str) -> bool:
    """Whether a question for the first or the longest asks for more that its row tells: *and who ran it*."""
    return all(_pattern(name).search(question) is not None for name in ("superlative", "row_tails"))


def says_when(question: str) -> bool:
    """Whether a question names a year, a month or a period."""
    return _name_pattern("period").search(question) is not None


def as_of(question: str) -> tuple[str, date] | None:
    """The question without the day on which something is overdue, and that day; None for other questions."""
    match = _pattern("overdue_on").search(question)
    day = find_day(question[match.end() :]) if match is not None else None
    if match is None or day is None or day.start:
        return None
    return f"{question[: match.end('late')]}{question[match.end() + day.end :]}", day.day


def absence(question: str) -> re.Match[str] | None:
    """What says that somebody took no part: the groups ``by``, ``who`` and ``han`` hold the name; None for others."""
    return _role_pattern("missing").search(question)


def asks_for_period(question: str) -> bool:
    """Whether it asks in which year or month something was so."""
    return _pattern("which_period").search(question) is not None


def everything_as(question: str, kind: str) -> str:
    """The question with ``all KIND`` in the place of a word for all things: *everything with an slo of 99.9*."""
    return _pattern("everything").sub(f"list all {kind}", question, count=1)


def title_condition(question: str) -> tuple[list[str], str] | None:
    """The words that titles are to have (*with lease in the title*) and the question without them; None for none."""
    match = _pattern("titled").search(question)
    if match is None:
        return None
    return (match["words"] or match["others"]).split(), f"{question[: match.start()]} {question[match.end() :]}".strip()


def wants_newest(question: str) -> bool:
    """Whether a question asks for the newest or the oldest."""
    return _pattern("ordered").search(question) is not None


def wants_day(question: str) -> bool:
    """Whether a question asks for a date."""
    return _name_pattern("day").search(question) is not None


def wants_due(question: str) -> bool:
    """Whether a question asks by when something is to be done."""
    return _name_pattern("due").search(question) is not None


def wants_person(question: str) -> bool:
    """Whether a question asks for a person."""
    return _name_pattern("person").search(question) is not None


def coordinates(question: str) -> bool:
    """Whether a question has a coordination: *draft or final*."""
    return _name_pattern("coordination").search(question) is not None


def wants_share(question: str) -> bool:
    """Whether a question asks for a share or percentage."""
    return _name_pattern("share").search(question) is not None


def remove_words(question: str, words: Iterable[str]) -> str:
    """The question without the words, and without the prepositions before them (*about*, *on the*)."""
    for word in words:
        question = re.sub(_pattern("tie").pattern + rf"\b{re.escape(word)}\b", " ", question, flags=re.IGNORECASE)
    return re.sub(r"\s+([?.!,])", r"\1", re.sub(r"\s{2,}", " ", question)).strip()


def may_name(before: str, after: str) -> bool:
    """Whether a number between two texts may identify a thing, rather than count or measure."""
    return _name_pattern("before").search(before) is not None and _name_pattern("after").search(after) is not None


def measures(after: str) -> bool:
    """Whether the text after a number begins with what it counts or measures: *5 days*."""
    return _name_pattern("measured").match(after) is not None


def asks_count(question: str) -> bool:
    """Whether a question asks for a count."""
    return _pattern("counting").search(question) is not None


def wants_truth(question: str) -> bool:
    """Whether a question is a yes-no question."""
    return _name_pattern("truth").search(question) is not None


def things_asked(question: str) -> list[str]:
    """Plural nouns after *which* or *all*."""
    return [match["things"] for match in _pattern("set").finditer(question)]


def ranked_by(question: str) -> list[str]:
    """Nouns that a question ranks by the count of: *by the most designs*."""
    return [match["things"] for match in _pattern("ranking").finditer(question)]


def asks_twice(question: str) -> bool:
    """Whether a question asks for things and then for something else about *them*."""
    return _pattern("second").search(question) is not None


def asks_about_past(question: str) -> bool:
    """Whether a question asks if something was ever true, which the current value does not tell."""
    return _name_pattern("ever").search(question) is not None


def asks_for_procedure(question: str) -> bool:
    """Whether a question asks how something is done, which no single field answers."""
    return _name_pattern("procedure").search(question) is not None


def has_measuring_word(question: str) -> bool:
    """Whether an adjective names the measure to compare (*longest*, not *biggest*)."""
    return _name_pattern("measuring").search(question) is not None


def is_about_state(stems: Collection[str]) -> bool:
    """Whether all stems are words of a life cycle (*accepted*, *merged*), whatever a folder calls its states."""
    return _lifecycle_stems().issuperset(stems)


@cache
def _lifecycle_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in str(WORDS["naming"]["lifecycle"]).split())


@cache
def _rewriting() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of variant wordings, each with the usual word."""
    return tuple((re.compile(pattern, re.IGNORECASE), usual) for usual, pattern in WORDS["rewriting"].items())


@cache
def _role_pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["roles"][name]))


@cache
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["naming"][name]).replace("\n  ", ""))
