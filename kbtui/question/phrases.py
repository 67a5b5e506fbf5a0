"""The phrases of operators, compiled from the word files.

Syntax of a phrase, one a line in the word files:

- English words are apart by blanks; each Chinese character is a token of its own. ``compare*`` matches by stem.
- ``(a|b c)`` is either, ``[a|b]`` the same or nothing.
- ``<x>`` must stand directly before or behind, ``{x}`` anywhere up to 12 tokens away; neither is part of the cue.
  There ``#`` is a number, ``nth`` an ordinal, ``^`` the beginning of the question and ``$`` its end.
- ``@.6`` at the end is a weight of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from msgspec import Struct

from kbtui import late_patterns
from kbtui.question.words import WordFile
from kbtui.text.built_tables import Section, built_table
from kbtui.text.inflection import root
from kbtui.text.language import CJK

STEM: Final = "*"
"""Prefix of a word that is matched by its stem."""

MIN_TYPO_LENGTH: Final = 6
_ELEMENT: Final = late_patterns.pattern(r"\[([^\]]*)\]|\(([^)]*)\)|<([^>]+)>|\{([^}]*)\}|([^\[\](){}<]+|<)")
_SIGNS: Final = frozenset(("<", "<=", "=<", ">", ">=", "=>", "<>"))
WORD: Final = late_patterns.pattern(rf"[{CJK}]|[^\W{CJK}]+\*?|>=|<=|=>|=<|!=|<>|==|[^\w\s]")

Words = tuple[str, ...]
"""Words in a row; one that begins with `STEM` is a stem."""


class Condition(NamedTuple):
    """A condition on the words near a cue: one of the alternatives is there, before or after it."""

    alternatives: tuple[Words, ...]
    is_after: bool
    is_adjacent: bool


class Entry(NamedTuple):
    """The operator of a phrase, with its conditions."""

    op: str
    args: tuple[tuple[str, Any], ...]
    weight: float
    conditions: tuple[Condition, ...] = ()


class Phrase(NamedTuple):
    """Parts in a row, each with its alternatives; an optional part has an empty one."""

    parts: tuple[tuple[Words, ...], ...]
    entry: Entry


class PhraseLine(NamedTuple):
    """A phrase as the word file has it, in lower case, without its weight."""

    text: str
    op: str
    args: Mapping[str, Any]
    weight: float


class _Table(Struct, frozen=True):
    """The phrases of word files.

    Attributes:
        lines: Phrases by each word that they may begin with, in the order of the files; compiled on first use.
        typo_candidates: Corrections of misspelt words, by first letter.
        known: All words of phrases, with their stems.
    """

    lines: Mapping[str, list[PhraseLine]]
    typo_candidates: Mapping[str, list[str]]
    known: frozenset[str]


def phrases(word: str, files: tuple[WordFile, ...]) -> Sequence[Phrase]:
    """The phrases of word files that may begin with ``word``."""
    return _phrases(word, files) if word in _table(files).lines else ()


@cache
def _phrases(word: str, files: tuple[WordFile, ...]) -> Sequence[Phrase]:
    return tuple(map(_phrase, _table(files).lines[word]))


@cache
def _table(files: tuple[WordFile, ...]) -> _Table:
    lines = built_table("kbtui.question", table_name(files))
    return _Table(
        lines=Section(lines, "phrases ", list[PhraseLine]),
        typo_candidates=Section(lines, "long ", list[str]),
        known=Section(lines, "all ", frozenset[str])["known"],
    )


def table_name(files: tuple[WordFile, ...]) -> str:
    """The table of word files' phrases, as `kbtui.text.built_tables` keeps them."""
    return f"words/{'_'.join(files)}.table"


def elements_of(text: str) -> list[tuple[str, str, str, str, str]]:
    """Parts of a phrase as optional, either, beside, near, plain, of which one is not empty."""
    return [("", "", "", "", text)] if text.strip() in _SIGNS else _ELEMENT.findall(text)


def _phrase(line: PhraseLine) -> Phrase:
    parts: list[tuple[Words, ...]] = []
    conditions: list[Condition] = []
    for optional, either, beside, near, plain in elements_of(line.text):
        if beside or near:
            conditions.append(Condition(_choices(beside or near), bool(parts), bool(beside)))
        elif optional:
            parts.append(((), *_choices(optional)))
        elif either:
            parts.append(_choices(either))
        elif plain.strip():
            parts.append((_words(plain),))
    fixed = tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in line.args.items())
    return Phrase(tuple(parts), Entry(line.op, fixed, line.weight, tuple(conditions)))


def _choices(text: str) -> tuple[Words, ...]:
    return tuple(_words(choice) for choice in text.split("|"))


def _words(text: str) -> Words:
    return tuple(map(normal_word, WORD.findall(text)))


def normal_word(word: str) -> str:
    return STEM + root(word[:-1]) if len(word) > 1 and word.endswith("*") else word


@lru_cache(4096)
def corrected_word(norm: str, files: tuple[WordFile, ...]) -> str:
    """The word of a phrase that ``norm`` is a misspelling of; empty if it is a word itself, or resembles none."""
    if len(norm) < MIN_TYPO_LENGTH - 2 or not norm.isascii():
        return ""
    table = _table(files)
    if norm in table.known or root(norm) in table.known:
        return ""
    likely = table.typo_candidates.get(norm[0], [])
    if len(norm) < MIN_TYPO_LENGTH:
        # Short words are often correct words, except those with doubled letters.
        return next((word for word in likely if _without_doubled_letters(word) == _without_doubled_letters(norm)), "")
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract_iter

    near = extract_iter(norm, likely, scorer=OSA.distance, score_cutoff=2)
    fits = [(distance, word) for word, distance, _ in near if distance <= (len(word) - 5) // 2]
    return min(fits, default=(0, ""))[1]


def _without_doubled_letters(word: str) -> str:
    """Without the second of two equal letters: ``comon`` for ``common``."""
    return "".join(letter for at, letter in enumerate(word) if not at or letter != word[at - 1])
