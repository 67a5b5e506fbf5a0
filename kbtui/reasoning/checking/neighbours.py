"""Whether a fact stands among the same words in the lines as in the sentence.

A wrong answer often takes its number or name from the right passage: the lines hold it, next to something else. So the
words around each fact are compared with those around it in the lines, and around other facts of its kind there: a
*rival* that fits its place better, and that the sentence does not mention, is what ought to stand there.
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
"""Content words on either side of a fact that say what it is about."""

_NEAR_THERE: Final = 9
_NEAR_RIVAL: Final = 5
_MOST_FACTS: Final = 24
_FADING: Final = 0.15
_BESIDE: Final = 3
_OF_ONE_DATE: Final = 2
_SMALL_DIGITS: Final = 2
_YEAR_DIGITS: Final = 4
_SMALL: Final = "small"
_TIME: Final = "time"
_YEAR: Final = "year"
_LARGE: Final = "large"
_NAMED_AROUND: Final = 0.6
"""How well a fact fits that only the title or the path holds: the lines speak of it as “it”."""

_WORD: Final = re.compile(rf"[{CJK}]|\d+(?:[.,:]\d+)*|[^\W\d_{CJK}]+(?:['’][^\W\d_{CJK}]+)?")
_HAN: Final = re.compile(f"[{CJK}]")


Span = tuple[tuple[str, ...], int, int]
"""Words of a line, and between which of them something stands there: from the first on, up to the second."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A fact, and between which words it stands: ``first`` to ``last``, exclusive.

    Attributes:
        shape: Of the fact (`shape_of`).
        parts: What tells it from another of its kind: its words, or its value.
        stems: Of its words.
    """

    fact: Fact
    first: int
    last: int
    shape: str
    parts: frozenset[str]
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    """The content words of a text in order, where each stands, and its facts among them.

    Attributes:
        spans: Where facts stand, by kind and by each of what tells them apart.
    """

    words: tuple[str, ...]
    where: Mapping[str, Sequence[int]]
    placed: tuple[Placed, ...]
    spans: Mapping[tuple[FactKind, str], Sequence[tuple[int, int]]]


@lru_cache(maxsize=2048)
def line(text: str) -> Line:
    """A text laid out."""
    plain = without_labels(normal(text))
    words: list[str] = []
    starts: list[int] = []
    for match in _WORD.finditer(plain):
        word = match[0].lower().replace("’", "'")
        if _HAN.match(word):
            # A pair says more than a character.
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
        own = frozenset([fact.value]) if fact.kind == "number" else parts
        # “Month 5” is how a month is compared, and nothing that is written.
        stems = frozenset() if shape == MONTH else frozenset(map(stem, parts))
        placed.append(Placed(fact, first, last, shape, own, stems))
    where: dict[str, list[int]] = {}
    for at, word in enumerate(words):
        where.setdefault(word, []).append(at)
    spans: dict[tuple[FactKind, str], list[tuple[int, int]]] = {}
    for one in placed:
        for part in one.parts:
            spans.setdefault((one.fact.kind, part), []).append((one.first, one.last))
    return Line(tuple(words), where, tuple(placed), spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """How a fact of a sentence fits where it stands; all but ``told`` are shares of what stands around it, 0 to 1.

    Attributes:
        told: How much is said around it at all: a fact among stop words could stand anywhere.
        fit: Of it the share that stands around it in the lines.
        rival: The share that stands, on the same sides, around another fact of its kind, which the sentence lacks.
        anywhere: The share that one line holds, whatever stands there.
        apart: Share of the two words right beside it that the lines have, but never beside it.
    """

    told: float = 0.0
    fit: float = 0.0
    rival: float = 0.0
    anywhere: float = 0.0
    apart: float = 0.0


def neighbourhoods(
    sentence: str, lines: Sequence[str], around: frozenset[str], worth: Mapping[str, float]
) -> dict[int, Neighbourhood]:
    """What stands around each fact, by the offset of the fact.

    Args:
        sentence: As Markdown without marks.
        lines: The units it rests on.
        around: Tokens of title, headings and path.
        worth: What a word is worth; those that are not there are worth 1.
    """
    own = line(sentence)
    there = [line(text) for text in lines]
    held = frozenset().union(*(other.where for other in there))
    found = {}
    rivals: dict[str, list[tuple[Line, Placed]]] = {}
    for other in there:
        for rival in other.placed:
            if not any((rival.fact.kind, part) in own.spans for part in rival.parts):
                rivals.setdefault(rival.shape, []).append((other, rival))
    for placed in own.placed[:_MOST_FACTS]:
        fact, places = placed.fact, _spans(placed, there)
        context = dict(_context(own.words, placed.first, placed.last, worth))
        whole = sum(context.values())
        if not whole:
            found[fact.start] = Neighbourhood()
            continue
        fits = _fit_of(context, places)
        if fact.kind == "name" and placed.parts & around:
            fits = max(fits, _NAMED_AROUND * whole)
        best = max(
            (
                _sided(own.words, placed, other.words, rival, worth)
                for other, rival in rivals.get(placed.shape, ())
                if fact.weak or not rival.fact.weak
            ),
            default=0.0,
        )
        anywhere = max(
            (sum(worth for word, worth in context.items() if word in other.where) for other in there), default=0.0
        )
        found[fact.start] = Neighbourhood(
            told=whole,
            fit=fits / whole,
            rival=min(1.0, best / whole),
            anywhere=anywhere / whole,
            apart=_apart(own.words, placed, places, held),
        )
    return found


def shape_of(fact: Fact) -> str:
    """What can stand in the place of what: a month, a year, a time, a small number of days or goals, a name."""
    if fact.kind != "number":
        return fact.kind
    if fact.value.startswith(MONTH):
        return MONTH
    if ":" in fact.value:
        return _TIME
    digits = len(fact.value)
    return _SMALL if digits <= _SMALL_DIGITS else _YEAR if digits == _YEAR_DIGITS and fact.value.isdigit() else _LARGE


def beside_it(text: str, number: Fact) -> list[Fact]:
    """The numbers that stand right beside one in a text, wherever it stands there: the parts of a date or a score."""
    placed = [one for one in line(text).placed if one.fact.kind == "number"]
    where = [one for one in placed if one.fact.value == number.value]
    return [
        other.fact
        for other in placed
        for one in where
        if other is not one and abs(other.first - one.first) <= _OF_ONE_DATE
    ]


def _fit_of(context: Mapping[str, float], places: Iterable[Span]) -> float:
    """How well the words around a fact fit, where the lines hold it."""
    return max((_overlap(context, words, first, last) for words, first, last in places), default=0.0)


def _apart(words: Sequence[str], own: Placed, places: Iterable[Span], held: frozenset[str]) -> float:
    """Share of the words on either side of a fact that the lines hold, but not on that side of it."""
    left = words[own.first - 1] if own.first and words[own.first - 1] in held else None
    right = words[own.last] if own.last < len(words) and words[own.last] in held else None
    sides = (left is not None) + (right is not None)
    if not sides:
        return 0.0
    found_left = found_right = False
    for there, first, last in places:
        found_left = found_left or (left in there[max(0, first - _BESIDE) : first])
        found_right = found_right or (right in there[last : last + _BESIDE])
    return ((left is not None and not found_left) + (right is not None and not found_right)) / sides


def _spans(own: Placed, there: Iterable[Line]) -> list[Span]:
    found: list[Span] = []
    for other in there:
        for part in own.parts:
            found += [(other.words, first, last) for first, last in other.spans.get((own.fact.kind, part), ())]
        for word in own.stems:
            found += [(other.words, at, at + 1) for at in other.where.get(word, ())]
    return found


def _overlap(context: Mapping[str, float], words: Sequence[str], first: int, last: int) -> float:
    beside = {*words[max(0, first - _NEAR_THERE) : first], *words[last : last + _NEAR_THERE]}
    return sum(weight for word, weight in context.items() if word in beside)


def _sided(
    words: Sequence[str], own: Placed, others: Sequence[str], rival: Placed, worth: Mapping[str, float]
) -> float:
    """How well a rival fits: what stands before the fact has to stand before it, what stands after it, after it."""
    before = set(others[max(0, rival.first - _NEAR_RIVAL) : rival.first])
    after = set(others[rival.last : rival.last + _NEAR_RIVAL])
    total = 0.0
    for distance in range(1, NEAR + 1):
        weight = 1.0 - _FADING * (distance - 1)
        left, right = own.first - distance, own.last + distance - 1
        if left >= 0 and words[left] in before:
            total += weight * worth.get(words[left], 1.0)
        if right < len(words) and words[right] in after:
            total += weight * worth.get(words[right], 1.0)
    return total


def _context(words: Sequence[str], first: int, last: int, worth: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Words on both sides with what each says, the farther the less."""
    for distance in range(NEAR, 0, -1):
        weight = 1.0 - _FADING * (distance - 1)
        if first - distance >= 0:
            yield words[first - distance], weight * worth.get(words[first - distance], 1.0)
        if last + distance - 1 < len(words):
            yield words[last + distance - 1], weight * worth.get(words[last + distance - 1], 1.0)


def _parts(fact: Fact) -> frozenset[str]:
    parts = [part for part in re.split(r"[ .'’-]", fact.value) if len(part) > 1 and part not in ENGLISH]
    # U.S. and US.
    return frozenset(parts or [re.sub(r"\W", "", fact.value)])
