"""The lines a sentence may rest on, prepared once for a whole answer: units, their words, and windows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Final

from kbtui.domain.document import DocumentKind
from kbtui.reasoning.checking.facts import Ground, ground
from kbtui.reasoning.checking.labels import labels, without_labels
from kbtui.reasoning.checking.numerals import measure, normal, numbers, times
from kbtui.reasoning.citing import Excerpt
from kbtui.text.language import cjk_share
from kbtui.text.sentences import sentences
from kbtui.text.tokenise import tokens

WIDEST: Final = 3
"""Units of one window: a sentence is rarely borne out by more in one place."""

_ENOUGH: Final = 0.1
"""Share of all weight that a further window has to add."""
_CHINESE_FROM: Final = 0.3
_MOST_UNITS: Final = 400
_MOST_CHARS: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One sentence, item, row or block of a passage.

    Attributes:
        text: As it reads.
        terms: Its tokens, and its numbers as ``#value``.
        order: Its tokens in order.
        counted: Of each of its numbers, what it counts (`measures.measure`).
    """

    text: str
    start_line: int
    end_line: int
    terms: frozenset[str]
    order: tuple[str, ...]
    counted: Mapping[str, frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A source, cut into units.

    Attributes:
        n: The number the model was shown.
        excerpt: Its lines, as they are cited.
        around: Title and headings.
        around_terms: Their tokens.
        label: Its path, by which names may be known.
        units: In order.
        where: For each of their terms, the units that hold it, in order.
        chinese: Its text is Chinese.
        title: Title of its document.
    """

    n: int
    excerpt: Excerpt
    around: str
    around_terms: frozenset[str]
    units: tuple[Unit, ...]
    where: Mapping[str, tuple[int, ...]]
    chinese: bool
    title: str = ""
    label: str = ""

    def ground(self, first: int, last: int) -> Ground:
        """Where facts are looked up: the units ``first`` to ``last``, inclusive, and what stands around."""
        return ground(self.window_text(first, last), self.around, self.label)

    @cached_property
    def whole(self) -> Ground:
        return ground(self.excerpt.text[:_MOST_CHARS], self.around, self.label)

    def window_text(self, first: int, last: int) -> str:
        """The text of the units ``first`` to ``last``, inclusive."""
        return "\n".join(unit.text for unit in self.units[first : last + 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Units of a passage, ``first`` to ``last``, inclusive."""

    passage: Passage
    first: int
    last: int

    @property
    def start_line(self) -> int:
        return self.passage.units[self.first].start_line

    @property
    def end_line(self) -> int:
        return max(unit.end_line for unit in self.passage.units[self.first : self.last + 1])

    @property
    def text(self) -> str:
        return self.passage.window_text(self.first, self.last)

    @property
    def ground(self) -> Ground:
        return self.passage.ground(self.first, self.last)


def passage(
    n: int, excerpt: Excerpt, around: str, title: str = "", kind: DocumentKind | None = None, label: str = ""
) -> Passage:
    """A source prepared.

    Args:
        n: Its number.
        excerpt: Its lines.
        around: Title and headings, on one line.
        title: Title of its document.
        kind: How its document is read; see `sentences`.
        label: Its path.
    """
    text = excerpt.text[:_MOST_CHARS]
    return Passage(
        n=n,
        excerpt=excerpt,
        around=around,
        around_terms=frozenset(tokens(around)),
        units=_placed_units(text, kind, excerpt.start_line, excerpt.end_line),
        where=_where(text, kind),
        chinese=cjk_share(text[:2000]) >= _CHINESE_FROM,
        title=title,
        label=label,
    )


def terms_of(text: str) -> frozenset[str]:
    """Tokens of a text, its numbers as ``#value``, the names of the files it names; words of paths are none."""
    written = normal(text)
    plain = without_labels(written)
    return frozenset(
        [
            # A number counts once, by its value.
            *(token for token in (tokens(plain) if plain.strip() else ()) if not token[0].isdigit()),
            *labels(written),
            *(f"#{number.value}" for number in numbers(plain)),
            *(f"#{time}" for time in times(plain)),
        ]
    )


def best_windows(weights: Mapping[str, float], passages: Sequence[Passage], most: int) -> list[Window]:
    """The windows that together hold most of some terms, the best first; each adds what those before it lack.

    Args:
        weights: What finding each term is worth.
        passages: Where to look.
        most: Windows at most.
    """
    total = sum(weights.values()) or 1.0
    left = dict(weights)
    found: list[Window] = []
    while len(found) < most:
        best: tuple[float, int, int, int] | None = None
        # No window holds more than its passage, so that most passages need no look; of equal windows the first wins.
        bounds = [(-sum(left[term] for term in left.keys() & one.where.keys()), at) for at, one in enumerate(passages)]
        for bound, at in sorted(bounds):
            if best is not None and -bound < best[0]:
                break
            for value, first, last in _scored(left, passages[at]):
                if best is None or value > best[0] or (value == best[0] and at < best[1]):
                    best = (value, at, first, last)
        if best is None or (found and best[0] < _ENOUGH * total):
            break
        window = Window(passage=passages[best[1]], first=best[2], last=best[3])
        found.append(window)
        for unit in window.passage.units[window.first : window.last + 1]:
            for term in unit.terms:
                left.pop(term, None)
        if not left:
            break
    return found


def _scored(weights: Mapping[str, float], one: Passage) -> Iterator[tuple[float, int, int]]:
    """(weight held, first, last) of the windows of a passage that hold something; wide ones pay for their width."""
    cost = 0.06 * sum(weights.values())
    held: dict[int, list[str]] = {}
    for term in weights:
        for at in one.where.get(term, ()):
            held.setdefault(at, []).append(term)
    touched = sorted(held)
    for place, first in enumerate(touched):
        together: set[str] = set()
        value = 0.0
        for last in touched[place : place + WIDEST]:
            if last - first >= WIDEST:
                break
            for term in held[last]:
                if term not in together:
                    value += weights[term]
                    together.add(term)
            # Of windows that hold the same the shorter one wins.
            size = sum(len(one.units[at].order) for at in range(first, last + 1))
            yield value - cost * (last - first) - 1e-4 * min(size, 500), first, last


@lru_cache(maxsize=256)
def _placed_units(text: str, kind: DocumentKind | None, start_line: int, end_line: int) -> tuple[Unit, ...]:
    """The units of a text that stands at some lines of its document."""
    return tuple(
        replace(
            unit,
            start_line=min(unit.start_line + start_line - 1, end_line),
            end_line=min(unit.end_line + start_line - 1, end_line),
        )
        for unit in _units(text, kind)
    )


@lru_cache(maxsize=256)
def _units(text: str, kind: DocumentKind | None) -> tuple[Unit, ...]:
    return tuple(
        Unit(
            text=sentence.text,
            start_line=sentence.start_line,
            end_line=sentence.end_line,
            terms=terms_of(sentence.text),
            order=tuple(tokens(without_labels(normal(sentence.text)))),
            counted=_counted(sentence.text),
        )
        for sentence in sentences(text, 1, kind)[:_MOST_UNITS]
    )


@lru_cache(maxsize=256)
def _where(text: str, kind: DocumentKind | None) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for at, unit in enumerate(_units(text, kind)):
        for term in unit.terms:
            found.setdefault(term, []).append(at)
    return {term: tuple(at) for term, at in found.items()}


def _counted(text: str) -> dict[str, frozenset[str]]:
    plain = without_labels(normal(text))
    found: dict[str, set[str]] = {}
    for number in numbers(plain):
        found.setdefault(number.value, set()).add(measure(plain, number.start, number.end))
    return {value: frozenset(measures) for value, measures in found.items()}
