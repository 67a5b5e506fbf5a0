"""What can be seen of a passage next to a question: the numbers the grader turns into one probability.

What is looked for of the question are its terms (`kbtui.question.terms`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kbtui.domain.evidence import Hit
from kbtui.question.normalise import has_han
from kbtui.question.terms import QuestionTerms, Term
from kbtui.text.tokenise import tokens

NAMES = (
    "coverage", "window", "order", "frequency", "characters", "dense", "plain", "title", "cosine", "no_cosine", "both",
    "names_missing", "named", "thin", "length",
)  # fmt: skip
"""Features in the order of a vector; each lies between 0 and 1."""

WINDOW = 40
"""Tokens within which terms of the question count as standing together: about two sentences."""

DENSE = 45
"""The same for Chinese characters, one by one: a sentence that says it in other words still shares many of them."""

_K1 = 1.2
_B = 0.75
_USUAL_LENGTH = 150
"""Of BM25 (Robertson and Zaragoza 2009), and the tokens of a usual passage."""

_ALONE = 0.3
"""What a character says that stands beside others than in the question."""

_LONG = 12
_NEAR, _SAME_SENTENCE, _SAME_PLACE = 3, 12, 40

_NUMBERED = re.compile(r"([a-z]{2,12})[\s_#-]*0*(\d{1,7})(?!\d)", re.I)
_HAN_PAIR = re.compile(r"[\u3400-\u9fff]{2}")
_HAN_ONE = re.compile(r"[\u3400-\u9fff]\Z")


@dataclass(frozen=True, slots=True)
class Passage:
    """A hit prepared for looking at: its tokens in order, and those of its title, headings and path.

    Attributes:
        singles: Of a Chinese one the tokens without pairs of characters: what stands there, once each.
    """

    body: tuple[str, ...]
    around: frozenset[str]
    is_han: bool
    singles: tuple[str, ...] = ()


def prepared(hit: Hit) -> Passage:
    return _prepared(hit.text, hit.path, hit.title, hit.heading_path)


@lru_cache(maxsize=512)
def _prepared(text: str, path: str, title: str, heading_path: tuple[str, ...]) -> Passage:
    body = tuple(tokens(text))
    around = " ".join((title, *heading_path))
    base = path.rsplit("/", 1)[-1]
    stem = base.rsplit(".", 1)[0]
    own = {path.lower(), base.lower(), stem.lower()}
    numbered = {f"{word.lower()}-{int(number)}" for word, number in _NUMBERED.findall(f"{path} {title}")}
    is_han = sum(1 for token in body if _HAN_ONE.match(token)) * 4 > len(body)
    singles = tuple(token for token in body if not _HAN_PAIR.match(token)) if is_han else ()
    beside = frozenset([*tokens(around), *tokens(re.sub(r"[-_]", " ", stem)), *numbered, *own])
    return Passage(body, beside, is_han, singles)


def features(question: QuestionTerms, passage: Passage, cosine: float | None) -> Mapping[str, float]:
    """The features of one passage.

    Args:
        cosine: Of question and passage; None where there is none or it means nothing.
    """
    present = frozenset(passage.body)
    total = sum(term.weight for term in question.terms) or 1.0
    inside = sum(term.weight for term in question.terms if not term.forms.isdisjoint(present))
    beside = sum(
        term.weight
        for term in question.terms
        if term.forms.isdisjoint(present) and not term.forms.isdisjoint(passage.around)
    )
    in_title = sum(term.weight for term in question.terms if not term.forms.isdisjoint(passage.around))
    coverage = (inside + 0.8 * beside) / total
    everything = present | passage.around
    missing = sum(1 for forms in question.named if forms.isdisjoint(everything))
    found_names = len(question.named) - missing
    likeness = min(max(cosine, 0.0), 1.0) if cosine is not None else 0.0
    places = _places(question.terms, passage.body)
    window = _densest(question.terms, places, WINDOW)
    return {
        "coverage": coverage,
        "window": (window + 0.8 * beside) / total,
        "order": _order(question.terms, places),
        "frequency": _frequency(question.terms, places, len(passage.body)) / total,
        "characters": _characters(question, present),
        "dense": _dense(question, passage.singles),
        "plain": _share(question.plain, present),
        "title": in_title / total,
        "cosine": likeness,
        "no_cosine": 1.0 if cosine is None else 0.0,
        "both": coverage * likeness,
        "names_missing": missing / len(question.named) if question.named else 0.0,
        "named": found_names / len(question.named) if question.named else 0.0,
        "thin": 1.0 / len(question.terms) if question.terms else 1.0,
        "length": min(len(question.terms), _LONG) / _LONG,
    }


def _places(terms: Sequence[Term], body: Sequence[str]) -> list[tuple[int, int]]:
    """(place in the body, number of the term) of every find, in order of place."""
    of_token: dict[str, list[int]] = {}
    for number, term in enumerate(terms):
        for form in term.forms:
            of_token.setdefault(form, []).append(number)
    return [(place, number) for place, token in enumerate(body) if token in of_token for number in of_token[token]]


def _densest(terms: Sequence[Term], places: Sequence[tuple[int, int]], width: int) -> float:
    """Weight of the terms inside the best window of so many tokens."""
    best = weight = 0.0
    start = 0
    counts: dict[int, int] = {}
    for place, number in places:
        if counts.get(number, 0) == 0:
            weight += terms[number].weight
        counts[number] = counts.get(number, 0) + 1
        while places[start][0] < place - width:
            gone = places[start][1]
            counts[gone] -= 1
            if counts[gone] == 0:
                weight -= terms[gone].weight
            start += 1
        best = max(best, weight)
    return best


def _order(terms: Sequence[Term], places: Sequence[tuple[int, int]]) -> float:
    """How near neighbours of the question stand to each other, each pair worth what its terms are."""
    if len(terms) < 2:
        return 1.0 if places else 0.0
    found: dict[int, list[int]] = {}
    for place, number in places:
        found.setdefault(number, []).append(place)
    total = near = 0.0
    for number in range(len(terms) - 1):
        worth = terms[number].weight + terms[number + 1].weight
        total += worth
        first, second = found.get(number), found.get(number + 1)
        if first and second:
            apart = min(abs(one - other) for one in first for other in second)
            near += worth * (
                1.0 if apart <= _NEAR else 0.5 if apart <= _SAME_SENTENCE else 0.2 if apart <= _SAME_PLACE else 0.0
            )
    return near / total if total else 0.0


def _frequency(terms: Sequence[Term], places: Sequence[tuple[int, int]], length: int) -> float:
    """The passage's BM25, as a share of the most that any passage could have."""
    counts: dict[int, int] = {}
    for _, number in places:
        counts[number] = counts.get(number, 0) + 1
    norm = _K1 * (1 - _B + _B * length / _USUAL_LENGTH)
    return sum(terms[number].weight * count / (count + norm) for number, count in counts.items())


def _characters(question: QuestionTerms, present: frozenset[str]) -> float:
    """Share of a Chinese question's characters that stand beside a neighbour as they do there, and of its other terms.

    Pairs that reach over the border of two words are in no passage; a character needs only one of its two pairs.
    """
    if not question.runs:
        return 0.0
    total = found = 0.0
    for run in question.runs:
        text = "".join(character for character, _ in run)
        for place, (character, weight) in enumerate(run):
            total += weight
            pairs = [text[at : at + 2] for at in (place - 1, place) if at >= 0 and at + 2 <= len(text)]
            if any(pair in present for pair in pairs):
                found += weight
            elif character in present:
                found += weight * (_ALONE if pairs else 1.0)
    for term in question.terms:
        if not any(has_han(form) for form in term.forms):
            total += 2 * term.weight
            found += 0.0 if term.forms.isdisjoint(present) else 2 * term.weight
    return found / total if total else 0.0


def _dense(question: QuestionTerms, singles: Sequence[str]) -> float:
    """Share of the single tokens of a Chinese question, by what they say, inside the best `DENSE` of a passage."""
    terms = [Term(frozenset([token]), weight) for token, weight in question.plain if not _HAN_PAIR.match(token)]
    total = sum(term.weight for term in terms)
    return _densest(terms, _places(terms, singles), DENSE) / total if total else 0.0


def _share(weighed: Sequence[tuple[str, float]], present: frozenset[str]) -> float:
    total = sum(weight for _, weight in weighed)
    return sum(weight for token, weight in weighed if token in present) / total if total else 0.0


def longest_run(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest run of tokens that both have."""
    shared = set(first).intersection(second)
    if not shared:
        return 0
    places: dict[str, list[int]] = {token: [] for token in shared}
    for at, token in enumerate(second):
        if token in shared:
            places[token].append(at)
    best = 0
    before: dict[int, int] = {}
    for token in first:
        before = {at: before.get(at - 1, 0) + 1 for at in places[token]} if token in shared else {}
        if before:
            best = max(best, *before.values())
    return best
