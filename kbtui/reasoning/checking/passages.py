"""Splits passages into units (sentences, items, rows), indexes their terms and selects windows for a claim."""

from __future__ import annotations

import re
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
"""Most units of a window; support for a sentence rarely needs more in one place."""

_MIN_ADDED_SHARE: Final = 0.1
"""Share of the total weight that a further window must add."""
_CHINESE_FROM: Final = 0.3
_MAX_UNITS: Final = 400
_MAX_CHARS: Final = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One sentence, item, row or block of a passage.

    Attributes:
        text: Its plain text.
        start_line: First line in the document.
        end_line: Last line, inclusive.
        terms: Its tokens, and its numbers as ``#value``.
        order: Its tokens in order.
        counted: Units of each of its numbers (`numerals.measure`).
    """

    text: str
    start_line: int
    end_line: int
    terms: frozenset[str]
    order: tuple[str, ...]
    counted: Mapping[str, frozenset[str]]


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A source split into units.

    Attributes:
        n: Its source number.
        excerpt: Its lines, as they are cited.
        around: Title and headings.
        around_terms: Tokens of title and headings.
        label: Its path, in which names may occur.
        units: Its units in order.
        where: Indexes of the units with each term, in order.
        chinese: The text is Chinese.
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
        """The fact index of the units ``first`` to ``last``, inclusive, with title, headings and path."""
        return ground(self.window_text(first, last), self.around, self.label)

    @cached_property
    def whole(self) -> Ground:
        return ground(self.excerpt.text[:_MAX_CHARS], self.around, self.label)

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

    @property
    def stating(self) -> Window | None:
        """The window without lines at its ends that only name the document; None if no other is left."""
        naming = [_only_names(unit.text, self.passage) for unit in self.passage.units[self.first : self.last + 1]]
        if all(naming):
            return None
        return replace(self, first=self.first + naming.index(False), last=self.last - naming[::-1].index(False))


_NAMING_FIELD: Final = re.compile(
    r"(?:id|pep|rfc|number|title|name|key|proposal|kep-number|slug|编号|标题|名称)\s*[:：]", re.IGNORECASE
)


def _only_names(text: str, passage: Passage) -> bool:
    """Whether a unit only says what its document is called: its title, or a field with its number or title."""
    plain = text.strip().strip("#*= ")
    return _NAMING_FIELD.match(plain) is not None or (bool(passage.title) and plain == passage.title.strip())


def passage(
    n: int, excerpt: Excerpt, around: str, title: str = "", kind: DocumentKind | None = None, label: str = ""
) -> Passage:
    """Split and index a source.

    Args:
        n: Its source number.
        excerpt: Its lines.
        around: Title and headings, on one line.
        title: Title of its document.
        kind: Type of its document; see `sentences`.
        label: Its path.
    """
    text = excerpt.text[:_MAX_CHARS]
    return Passage(
        n=n,
        excerpt=excerpt,
        around=around,
        around_terms=frozenset(tokens(around)),
        units=_units_in_document(text, kind, excerpt.start_line, excerpt.end_line),
        where=_where(text, kind),
        chinese=cjk_share(text[:2000]) >= _CHINESE_FROM,
        title=title,
        label=label,
    )


def terms_of(text: str) -> frozenset[str]:
    """Tokens of a text without paths, its numbers as ``#value``, and the names of its files."""
    written = normal(text)
    plain = without_labels(written)
    return frozenset(
        [
            # A number is one term, by its value.
            *(token for token in (tokens(plain) if plain.strip() else ()) if not token[0].isdigit()),
            *labels(written),
            *(f"#{number.value}" for number in numbers(plain)),
            *(f"#{time}" for time in times(plain)),
        ]
    )


def best_windows(weights: Mapping[str, float], passages: Sequence[Passage], most: int) -> list[Window]:
    """Select windows that together cover most of the terms, best first; each adds terms to those before it.

    Args:
        weights: Weight of each term.
        passages: Passages to search.
        most: Most windows to return.
    """
    total = sum(weights.values()) or 1.0
    remaining = dict(weights)
    windows: list[Window] = []
    while len(windows) < most:
        best: tuple[float, int, int, int] | None = None
        # A passage bounds the weight of its windows, so most passages are skipped; of equal windows the first wins.
        bounds = [
            (-sum(remaining[term] for term in remaining.keys() & passage.where.keys()), index)
            for index, passage in enumerate(passages)
        ]
        for bound, index in sorted(bounds):
            if best is not None and -bound < best[0]:
                break
            for value, first, last in _score_windows(remaining, passages[index]):
                if best is None or value > best[0] or (value == best[0] and index < best[1]):
                    best = (value, index, first, last)
        if best is None or (windows and best[0] < _MIN_ADDED_SHARE * total):
            break
        window = Window(passage=passages[best[1]], first=best[2], last=best[3])
        windows.append(window)
        for unit in window.passage.units[window.first : window.last + 1]:
            for term in unit.terms:
                remaining.pop(term, None)
        if not remaining:
            break
    return windows


def _score_windows(weights: Mapping[str, float], passage: Passage) -> Iterator[tuple[float, int, int]]:
    """Score, first and last unit of each window of a passage with any term; wider windows have a penalty."""
    cost = 0.06 * sum(weights.values())
    terms_by_unit: dict[int, list[str]] = {}
    for term in weights:
        for index in passage.where.get(term, ()):
            terms_by_unit.setdefault(index, []).append(term)
    units_with_terms = sorted(terms_by_unit)
    for place, first in enumerate(units_with_terms):
        window_terms: set[str] = set()
        value = 0.0
        for last in units_with_terms[place : place + WIDEST]:
            if last - first >= WIDEST:
                break
            for term in terms_by_unit[last]:
                if term not in window_terms:
                    value += weights[term]
                    window_terms.add(term)
            # Of windows with the same terms the shorter one wins.
            size = sum(len(passage.units[index].order) for index in range(first, last + 1))
            yield value - cost * (last - first) - 1e-4 * min(size, 500), first, last


@lru_cache(maxsize=256)
def _units_in_document(text: str, kind: DocumentKind | None, start_line: int, end_line: int) -> tuple[Unit, ...]:
    """The units of a text, with line numbers in its document."""
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
        for sentence in sentences(text, 1, kind)[:_MAX_UNITS]
    )


@lru_cache(maxsize=256)
def _where(text: str, kind: DocumentKind | None) -> dict[str, tuple[int, ...]]:
    units_by_term: dict[str, list[int]] = {}
    for index, unit in enumerate(_units(text, kind)):
        for term in unit.terms:
            units_by_term.setdefault(term, []).append(index)
    return {term: tuple(index) for term, index in units_by_term.items()}


def _counted(text: str) -> dict[str, frozenset[str]]:
    plain = without_labels(normal(text))
    units_by_number: dict[str, set[str]] = {}
    for number in numbers(plain):
        units_by_number.setdefault(number.value, set()).add(measure(plain, number.start, number.end))
    return {value: frozenset(measures) for value, measures in units_by_number.items()}
