"""Reads sentences into statements: what they speak of, what they deny, and which sides they relate.

A statement and a line are compared term by term (`contrast`). A term is a word by its stem, or a matter with two poles
(*keep* and *remove*), and has a sign: -1 for what is denied, and for the second pole. So “is not kept” and “is removed”
are the same, and “is kept” is the opposite of both. A Chinese text gives pairs of characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from kbtui.reasoning.checking.numerals import normal
from kbtui.text.dictionary import words_for
from kbtui.text.inflection import lemma
from kbtui.text.language import CJK
from kbtui.text.patterns import Patterns
from kbtui.text.stop_words import CHINESE, ENGLISH
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

RE: Final = Patterns(__package__, "contrast.toml")

_SCOPE_WORDS: Final = 2
"""Most content words in the scope of a negation."""

_MIN_BASE: Final = 4
_SCOPE_CHARS: Final = 4
_SCOPE_CHARS_OF_OBJECT: Final = 12
_HAN: Final = re.compile(f"[{CJK}]+")

PivotKind = Literal["before", "after", "than", "less_than", "exchange", "replaces", "replaced"]


@dataclass(frozen=True, slots=True)
class Term:
    """A word or matter of a statement.

    Attributes:
        name: Its stem; ``~matter`` for a matter with two poles.
        sign: -1 if it is denied or stands at the second pole, else 1.
        is_denied: It is in the scope of a negation.
        at: Its offset.
    """

    name: str
    sign: int
    is_denied: bool
    at: int


@dataclass(frozen=True, slots=True)
class Relation:
    """Two sides of a statement around a word that relates them; terms by name."""

    kind: PivotKind
    left: frozenset[str]
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as it is compared.

    Attributes:
        terms: Its content words and matters in order.
        signs: The signs of each term.
        poles: The same as if nothing were denied.
        relations: Its relations of order, comparison and exchange.
    """

    text: str
    terms: tuple[Term, ...]
    signs: Mapping[str, frozenset[int]]
    poles: Mapping[str, frozenset[int]]
    relations: tuple[Relation, ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.signs)

    @property
    def denies(self) -> bool:
        return any(term.is_denied for term in self.terms)

    @property
    def denied(self) -> frozenset[str]:
        """The terms that are denied wherever they occur."""
        affirmed = {term.name for term in self.terms if not term.is_denied}
        return frozenset(term.name for term in self.terms if term.is_denied) - affirmed


@lru_cache(maxsize=4096)
def statement(text: str) -> Statement:
    """Read a sentence or a line."""
    plain = _joined(normal(text))
    denied = _denied_spans(plain)
    terms = tuple(
        Term(name, pole * (-1 if is_denied else 1), is_denied, at)
        for name, pole, at in _words(plain)
        for is_denied in (any(start <= at < end for start, end in denied),)
    )
    return Statement(
        text=text,
        terms=terms,
        signs=_by_name((term.name, term.sign) for term in terms),
        poles=_by_name((term.name, -term.sign if term.is_denied else term.sign) for term in terms),
        relations=tuple(_relations(plain, terms)),
    )


def _by_name(signs: Iterable[tuple[str, int]]) -> dict[str, frozenset[int]]:
    values: dict[str, set[int]] = {}
    for name, sign in signs:
        values.setdefault(name, set()).add(sign)
    return {name: frozenset(own) for name, own in values.items()}


def names_of(text: str) -> frozenset[str]:
    """The names of the terms of a text."""
    return statement(text).names


def _words(plain: str) -> Iterator[tuple[str, int, int]]:
    """Name, pole and offset of each content word; numbers as ``#value``."""
    for match in RE.word.finditer(plain):
        word = match[0].lower().replace("’", "'").removesuffix("'s")
        if word[0].isdigit():
            yield f"#{word}", 1, match.start()
        elif matter := _matter_of(word):
            yield *matter, match.start()
        elif "_" in word.strip("_"):
            yield from ((stem(part), 1, match.start()) for part in word.split("_") if len(part) > 1)
        elif word not in ENGLISH and len(word) > 1:
            base = _base(word)
            yield stem(lemma(base or word)), -1 if base else 1, match.start()
    for run in _HAN.finditer(plain):
        yield from _han_words(run[0], run.start())


@lru_cache(maxsize=4096)
def _base(word: str) -> str:
    """The word that a prefix turns into its opposite: *unpaid* is not *paid*; empty for other words."""
    base = word.removeprefix("un").removeprefix("-") if word.startswith("un") else word.removeprefix("non-")
    return base if base != word and len(base) >= _MIN_BASE and words_for(base) else ""


def _han_words(run: str, offset: int) -> Iterator[tuple[str, int, int]]:
    matters, at = _matters(), 0
    while at < len(run):
        size = next((size for size in (4, 3, 2) if run[at : at + size] in matters), 0)
        if size:
            yield *matters[run[at : at + size]], offset + at
            at += size
            continue
        pair = run[at : at + 2]
        if len(pair) == 2 and not CHINESE.intersection((pair, *pair)):
            yield pair, 1, offset + at
        elif run[at] not in CHINESE and not _COMMON.match(run[at]):
            yield run[at], 1, offset + at
        at += 1


_COMMON: Final = re.compile("[可能会得须必不没无未]")


def _joined(plain: str) -> str:
    """The text with fixed expressions of several words joined (``taken_out``), of equal length."""
    return _expressions().sub(lambda match: match[0].replace(" ", "_"), plain)


@cache
def _expressions() -> re.Pattern[str]:
    words = [word for row in toml_in(__package__, "contrast.toml")["opposites"].values() for word in row.split()]
    joined = [re.escape(word.replace("_", " ")) for word in words if "_" in word]
    return re.compile(rf"(?i)\b(?:{'|'.join(joined)})\b")


@cache
def _matters() -> Mapping[str, tuple[str, int]]:
    """Matter and pole of each word that has an opposite, by word and by stem."""
    matters: dict[str, tuple[str, int]] = {}
    for matter, row in toml_in(__package__, "contrast.toml")["opposites"].items():
        for pole, words in zip((1, -1), row.split("|"), strict=True):
            for word in words.split():
                matters[word] = (f"~{matter}", pole)
                matters.setdefault(stem(word), (f"~{matter}", pole))
    return matters


def _matter_of(word: str) -> tuple[str, int] | None:
    return _matters().get(word) or _matters().get(stem(word))


def _denied_spans(plain: str) -> list[tuple[int, int]]:
    """Spans of the words in the scope of a negation."""
    blank = RE.harmless.sub(lambda match: " " * len(match[0]), plain)
    spans = []
    for match in RE.denial.finditer(blank):
        start = max((clause.end() for clause in _PUNCTUATION.finditer(blank, 0, match.start())), default=0)
        if RE.condition.search(blank, start, match.start()) or RE.not_yet.match(blank, match.end()):
            continue
        stop = RE.clause.search(blank, match.end())
        if stop and not blank[match.end() : stop.start()].strip():
            # “not when it is loaded”
            stop = RE.clause.search(blank, stop.end())
        end = stop.start() if stop else len(blank)
        if _HAN.match(match[0]):
            spans.append(_han_scope(blank, match.end(), end))
            continue
        words = [word for word in RE.word.finditer(blank, match.end(), end) if word[0].lower() not in ENGLISH]
        if words:
            # The opposite of a matter takes in the whole denial.
            last = 0 if _matter_of(words[0][0].lower()) else min(len(words), _SCOPE_WORDS) - 1
            spans.append((match.end(), words[last].end()))
    spans += [match.span(1) for match in RE.switched_off.finditer(plain)]
    for match in RE.denial_behind.finditer(blank):
        start = max((clause.end() for clause in RE.clause.finditer(blank, 0, match.start())), default=0)
        spans.append((start, match.start()))
    return spans


def _han_scope(text: str, start: int, end: int) -> tuple[int, int]:
    """The scope of a Chinese negation: the matter with two poles in it, else its first characters; all behind 把."""
    size = _SCOPE_CHARS_OF_OBJECT if text.startswith(("把", "将"), start) else _SCOPE_CHARS
    end = min(end, start + size)
    for at in range(start, end):
        if word := next((text[at : at + n] for n in (4, 3, 2) if text[at : at + n] in _matters()), ""):
            return at, at + len(word)
    return start, end


_PUNCTUATION: Final = re.compile(r"[.,;:!?，。；：！？()（）—]")

_PIVOTS: Final[tuple[PivotKind, ...]] = ("before", "after", "than", "exchange", "replaces", "replaced")
CONVERSE: Final[Mapping[PivotKind, PivotKind]] = {
    "before": "after",
    "after": "before",
    "than": "less_than",
    "less_than": "than",
    "replaces": "replaced",
    "replaced": "replaces",
}
"""Kinds that say the same with the sides exchanged."""


COMPARED: Final = frozenset({"~more", "~late", "~fast", "~cheap", "~easy", "~above"})
"""Matters of comparisons: less than A is what A is more than."""


def _relations(plain: str, terms: tuple[Term, ...]) -> Iterator[Relation]:
    for kind in _PIVOTS:
        for match in getattr(RE, kind).finditer(plain):
            left_start, right_end, comma = 0, len(plain), -1
            if match[0][-1] in "前后":
                left_start = max(plain.rfind(mark, 0, match.start()) for mark in "，。；、：\n") + 1
            if not plain[: match.start()].strip(" -*•"):
                # “After A, B” is “B after A”.
                comma = next((at for at in (plain.find(mark, match.end()) for mark in ",，") if at >= 0), -1)
            if comma >= 0:
                left = _between(terms, comma, right_end)
                right = _between(terms, match.end(), comma)
            else:
                left, right = _between(terms, left_start, match.start()), _between(terms, match.end(), right_end)
            if kind == "before" and comma < 0 and RE.denial.search(plain, left_start, match.start()):
                # “Not A before B” is “B before A”.
                left, right = right, left
            if left and right:
                is_less = kind == "than" and any(
                    term.name in COMPARED and term.sign < 0 and term.at < match.start() for term in terms
                )
                yield Relation("less_than" if is_less else kind, left, right)


def _between(terms: tuple[Term, ...], start: int, end: int) -> frozenset[str]:
    return frozenset(term.name for term in terms if start <= term.at < end)
