"""Compares the context words of a fact in a sentence with its contexts in the lines.

A wrong answer often takes a number or name from the right passage, but from another place in it. So the words around
each fact are compared with those around the same fact in the lines, and around other facts of its type: a *rival* with
a more similar context, which the sentence does not mention, is probably the right value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kbtui.reasoning.checking.facts import Fact, FactKind, facts
from kbtui.reasoning.checking.labels import without_labels
from kbtui.reasoning.checking.numerals import MONTH, normal
from kbtui.text.language import CJK
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import stem

NEAR: Final = 4
"""Number of content words on either side of a fact that form its context."""

_NEAR_THERE: Final = 9
_NEAR_RIVAL: Final = 5
_MAX_FACTS: Final = 24
_DECAY: Final = 0.15
_ADJACENT: Final = 3
_MAX_DATE_DISTANCE: Final = 2
_SMALL_DIGITS: Final = 2
_YEAR_DIGITS: Final = 4
_SMALL: Final = "small"
_TIME: Final = "time"
_YEAR: Final = "year"
_LARGE: Final = "large"
_TITLE_FIT: Final = 0.6
"""Fit of a name that only the title or path contains: the lines refer to it by a pronoun."""

_WORD: Final = re.compile(rf"[{CJK}]|\d+(?:[.,:]\d+)*|[^\W\d_{CJK}]+(?:['’][^\W\d_{CJK}]+)?")
_HAN: Final = re.compile(f"[{CJK}]")


Span = tuple[tuple[str, ...], int, int]
"""Words of a line, and the start (inclusive) and end (exclusive) of a span in them."""


@dataclass(frozen=True, slots=True)
class PlacedFact:
    """A fact with its span of words, ``first`` to ``last``, exclusive.

    Attributes:
        shape: Shape of the fact (`shape_of`).
        parts: The words of a name, or the value of a number.
        stems: Stems of its words.
    """

    fact: Fact
    first: int
    last: int
    shape: str
    parts: frozenset[str]
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """The content words of a text and its facts.

    Attributes:
        words: Stems of the content words in order.
        where: Positions of each word.
        placed: The facts with their spans.
        spans: Spans of the facts, by kind and part (`Placed.parts`).
    """

    words: tuple[str, ...]
    where: Mapping[str, Sequence[int]]
    placed: tuple[PlacedFact, ...]
    spans: Mapping[tuple[FactKind, str], Sequence[tuple[int, int]]]


@lru_cache(maxsize=2048)
def line(text: str) -> Line:
    """Parse a text into content words and facts."""
    plain = without_labels(normal(text))
    words: list[str] = []
    starts: list[int] = []
    for match in _WORD.finditer(plain):
        word = match[0].lower().replace("’", "'")
        if _HAN.match(word):
            # A bigram of characters is more specific than a single character.
            word = plain[match.start() : match.start() + 2]
        elif word in ENGLISH:
            continue
        else:
            word = stem(word.removesuffix("'s"))
        words.append(word)
        starts.append(match.start())
    placed = []
    for fact in facts(plain):
        if fact.kind not in ("number", "name"):
            continue
        first = bisect_left(starts, fact.start)
        last = max(first + 1, bisect_left(starts, fact.start + len(fact.text)))
        shape, parts = shape_of(fact), _parts(fact)
        parts_of_fact = frozenset([fact.value]) if fact.kind == "number" else parts
        # “Month 5” is the normalised form of a month, which does not occur in texts.
        stems = frozenset() if shape == MONTH else frozenset(map(stem, parts))
        placed.append(PlacedFact(fact, first, last, shape, parts_of_fact, stems))
    where: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        where.setdefault(word, []).append(position)
    spans: dict[tuple[FactKind, str], list[tuple[int, int]]] = {}
    for placed_fact in placed:
        for part in placed_fact.parts:
            spans.setdefault((placed_fact.fact.kind, part), []).append((placed_fact.first, placed_fact.last))
    return Line(tuple(words), where, tuple(placed), spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """How the context of a fact in the sentence matches the lines; all but ``weight`` are shares of it, 0 to 1.

    Attributes:
        weight: Total weight of the context words; low for a fact among stop words.
        fit: Share that also surrounds the fact in the lines.
        rival: Share that surrounds, on the same sides, another fact of its shape that the sentence does not mention.
        anywhere: Share that a single line contains in any place.
        apart: Share of the two adjacent words that the lines contain, but never next to the fact.
    """

    weight: float = 0.0
    fit: float = 0.0
    rival: float = 0.0
    anywhere: float = 0.0
    apart: float = 0.0


def neighbourhoods(
    sentence: str, lines: Sequence[str], around: frozenset[str], weights: Mapping[str, float]
) -> dict[int, Neighbourhood]:
    """Compute the neighbourhood of each fact, by its offset.

    Args:
        sentence: Markdown without marks.
        lines: Texts of the units to compare with.
        around: Tokens of title, headings and path.
        weights: Weight of each word; 1 for words that are missing.
    """
    parsed = line(sentence)
    parsed_lines = [line(text) for text in lines]
    words_of_lines = frozenset().union(*(other.where for other in parsed_lines))
    result = {}
    rivals: dict[str, list[tuple[Line, PlacedFact]]] = {}
    for other in parsed_lines:
        for rival in other.placed:
            if not any((rival.fact.kind, part) in parsed.spans for part in rival.parts):
                rivals.setdefault(rival.shape, []).append((other, rival))
    for placed in parsed.placed[:_MAX_FACTS]:
        fact, places = placed.fact, _spans(placed, parsed_lines)
        context = dict(_weighted_context(parsed.words, placed.first, placed.last, weights))
        total = sum(context.values())
        if not total:
            result[fact.start] = Neighbourhood()
            continue
        fit_weight = _best_overlap(context, places)
        if fact.kind == "name" and placed.parts & around:
            fit_weight = max(fit_weight, _TITLE_FIT * total)
        rival_weight = max(
            (
                _rival_overlap(parsed.words, placed, other.words, rival, weights)
                for other, rival in rivals.get(placed.shape, ())
                if fact.weak or not rival.fact.weak
            ),
            default=0.0,
        )
        anywhere = max(
            (sum(weight for word, weight in context.items() if word in other.where) for other in parsed_lines),
            default=0.0,
        )
        result[fact.start] = Neighbourhood(
            weight=total,
            fit=fit_weight / total,
            rival=min(1.0, rival_weight / total),
            anywhere=anywhere / total,
            apart=_apart_share(parsed.words, placed, places, words_of_lines),
        )
    return result


def shape_of(fact: Fact) -> str:
    """The shape of a fact, which a rival must share: month, year, time, small or large number, name."""
    if fact.kind != "number":
        return fact.kind
    if fact.value.startswith(MONTH):
        return MONTH
    if ":" in fact.value:
        return _TIME
    digits = len(fact.value)
    return _SMALL if digits <= _SMALL_DIGITS else _YEAR if digits == _YEAR_DIGITS and fact.value.isdigit() else _LARGE


def adjacent_numbers(text: str, number: Fact) -> list[Fact]:
    """The numbers next to any occurrence of a number in a text: other parts of its date or score."""
    placed = [fact for fact in line(text).placed if fact.fact.kind == "number"]
    occurrences = [fact for fact in placed if fact.fact.value == number.value]
    return [
        other.fact
        for other in placed
        for occurrence in occurrences
        if other is not occurrence and abs(other.first - occurrence.first) <= _MAX_DATE_DISTANCE
    ]


def _best_overlap(context: Mapping[str, float], places: Iterable[Span]) -> float:
    """The greatest context overlap among the occurrences of a fact in the lines."""
    return max((_overlap(context, words, first, last) for words, first, last in places), default=0.0)


def _apart_share(
    words: Sequence[str], placed: PlacedFact, places: Iterable[Span], words_of_lines: frozenset[str]
) -> float:
    """Share of the two adjacent words that the lines contain, but never on that side of the fact."""
    left = words[placed.first - 1] if placed.first and words[placed.first - 1] in words_of_lines else None
    right = words[placed.last] if placed.last < len(words) and words[placed.last] in words_of_lines else None
    sides = (left is not None) + (right is not None)
    if not sides:
        return 0.0
    found_left = found_right = False
    for line_words, first, last in places:
        found_left = found_left or (left in line_words[max(0, first - _ADJACENT) : first])
        found_right = found_right or (right in line_words[last : last + _ADJACENT])
    return ((left is not None and not found_left) + (right is not None and not found_right)) / sides


def _spans(placed: PlacedFact, lines: Iterable[Line]) -> list[Span]:
    spans: list[Span] = []
    for other_line in lines:
        for part in placed.parts:
            spans += [
                (other_line.words, first, last) for first, last in other_line.spans.get((placed.fact.kind, part), ())
            ]
        for word in placed.stems:
            spans += [(other_line.words, position, position + 1) for position in other_line.where.get(word, ())]
    return spans


def _overlap(context: Mapping[str, float], words: Sequence[str], first: int, last: int) -> float:
    beside = {*words[max(0, first - _NEAR_THERE) : first], *words[last : last + _NEAR_THERE]}
    return sum(weight for word, weight in context.items() if word in beside)


def _rival_overlap(
    words: Sequence[str],
    placed: PlacedFact,
    rival_words: Sequence[str],
    rival: PlacedFact,
    weights: Mapping[str, float],
) -> float:
    """Context overlap of a rival, separately for the words before and after it."""
    before = set(rival_words[max(0, rival.first - _NEAR_RIVAL) : rival.first])
    after = set(rival_words[rival.last : rival.last + _NEAR_RIVAL])
    total = 0.0
    for distance in range(1, NEAR + 1):
        weight = 1.0 - _DECAY * (distance - 1)
        left, right = placed.first - distance, placed.last + distance - 1
        if left >= 0 and words[left] in before:
            total += weight * weights.get(words[left], 1.0)
        if right < len(words) and words[right] in after:
            total += weight * weights.get(words[right], 1.0)
    return total


def _weighted_context(
    words: Sequence[str], first: int, last: int, weights: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """Context words with their weights, which decrease with distance."""
    for distance in range(NEAR, 0, -1):
        weight = 1.0 - _DECAY * (distance - 1)
        if first - distance >= 0:
            yield words[first - distance], weight * weights.get(words[first - distance], 1.0)
        if last + distance - 1 < len(words):
            yield words[last + distance - 1], weight * weights.get(words[last + distance - 1], 1.0)


def _parts(fact: Fact) -> frozenset[str]:
    parts = [part for part in re.split(r"[ .'’-]", fact.value) if len(part) > 1 and part not in ENGLISH]
    # U.S. and US.
    return frozenset(parts or [re.sub(r"\W", "", fact.value)])
