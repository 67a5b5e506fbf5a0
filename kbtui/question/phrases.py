"""The phrases of operators, compiled from the word files.

Syntax of a phrase, one a line in the word files:

- English words are apart by blanks; each Chinese character is a token of its own. ``compare*`` matches by stem.
- ``(a|b c)`` is either, ``[a|b]`` the same or nothing.
- ``<x>`` must stand directly before or behind, ``{x}`` anywhere up to 12 tokens away; neither is part of the cue.
  There ``#`` is a number, ``nth`` an ordinal, ``^`` the beginning of the question and ``$`` its end.
- ``@.6`` at the end is a weight of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from kbtui import build_cache
from kbtui.question.adjectives import adjective_phrases
from kbtui.question.tokens import level
from kbtui.question.words import WordFile, word_file
from kbtui.text.inflection import root
from kbtui.text.language import CJK

STEM: Final = "*"
"""Before a stem that a word of a phrase is matched by."""

_SHORTEST_TYPO: Final = 6
_ELEMENT: Final = build_cache.pattern(r"\[([^\]]*)\]|\(([^)]*)\)|<([^>]+)>|\{([^}]*)\}|([^\[\](){}<]+|<)")
_CONDITION: Final = build_cache.pattern(r"<[^>\n]+>|\{[^}\n]*\}")
_SIGNS: Final = frozenset(("<", "<=", "=<", ">", ">=", "=>", "<>"))
_WORD: Final = build_cache.pattern(rf"[{CJK}]|[^\W{CJK}]+\*?|>=|<=|=>|=<|!=|<>|==|[^\w\s]")

Made = TypeVar("Made")
Words = tuple[str, ...]
"""Words in a row; one that begins with `STEM` is a stem."""


class Condition(NamedTuple):
    """What must stand beside a cue: one of the alternatives."""

    alternatives: tuple[Words, ...]
    is_behind: bool
    is_next: bool


class Entry(NamedTuple):
    """What a phrase says."""

    op: str
    args: tuple[tuple[str, Any], ...]
    weight: float
    conditions: tuple[Condition, ...] = ()


class Phrase(NamedTuple):
    """Parts in a row, each with its alternatives; an optional part has an empty one."""

    parts: tuple[tuple[Words, ...], ...]
    entry: Entry


class _Line(NamedTuple):
    """A phrase as the word file has it, in lower case, without its weight."""

    text: str
    op: str
    args: Mapping[str, Any]
    weight: float


_Row = tuple[str, str, Mapping[str, Any], float]
"""A `_Line` as a plain value."""


def phrases(word: str, files: tuple[WordFile, ...]) -> Sequence[Phrase]:
    """The phrases of word files that may begin with ``word``."""
    return _phrases(word, files) if word in _lines_by_word(files) else ()


@cache
def _phrases(word: str, files: tuple[WordFile, ...]) -> Sequence[Phrase]:
    lines = _lines(files)
    return tuple(_phrase(_Line(*lines[number])) for number in _lines_by_word(files)[word])


@cache
def _lines_by_word(files: tuple[WordFile, ...]) -> Mapping[str, list[int]]:
    """Numbers of lines by each word that they may begin with; few of them are ever read further."""

    def indexed() -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, (text, *_) in enumerate(_lines(files)):
            for first in dict.fromkeys(_first_words(text)):
                found.setdefault(first, []).append(number)
        return found

    return _kept("index", files, indexed)


@cache
def _lines(files: tuple[WordFile, ...]) -> Sequence[_Row]:
    return _kept("lines", files, lambda: list(_read_lines(files)))


def _kept(what: str, files: tuple[WordFile, ...], make: Callable[[], Made]) -> Made:
    name = " ".join(("phrases", what, *files))
    return build_cache.kept(name, build_cache.stamp_of("question", "question/words", "text"), make)


def _read_lines(files: tuple[WordFile, ...]) -> Iterator[_Row]:
    for file in files:
        rows = [
            (line, row["op"], row.get("args", {}), row.get("weight", 1.0))
            for row in word_file(file)["cue"]
            for line in filter(None, map(str.strip, row["phrases"].splitlines()))
        ]
        for line, op, args, weight in [*rows, *adjective_phrases(file)]:
            text, _, own = level(line).partition("@")
            yield text, op, args, float(own) if own else weight


def _elements(text: str) -> list[tuple[str, str, str, str, str]]:
    """Parts of a phrase as optional, either, beside, near, plain, of which one is not empty."""
    return [("", "", "", "", text)] if text.strip() in _SIGNS else _ELEMENT.findall(text)


def _phrase(line: _Line) -> Phrase:
    parts: list[tuple[Words, ...]] = []
    conditions: list[Condition] = []
    for optional, either, beside, near, plain in _elements(line.text):
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
    return tuple(map(_word, _WORD.findall(text)))


def _word(word: str) -> str:
    return STEM + root(word[:-1]) if len(word) > 1 and word.endswith("*") else word


def _first_words(text: str) -> Iterator[str]:
    if text[0] not in "[(<{" and (plain_word := _WORD.match(text)):
        yield _word(plain_word[0])
        return
    for optional, either, beside, near, plain in _elements(text):
        if beside or near:
            continue
        for choice in (optional or either or plain).split("|"):
            if first := _WORD.search(choice):
                yield _word(first[0])
        if plain.strip() or either:
            return


@cache
def _known(files: tuple[WordFile, ...]) -> tuple[Mapping[str, list[str]], frozenset[str]]:
    """Words that may be meant by a misspelt one, by their first letter; and all words of cues with their stems."""
    return _kept("words", files, lambda: _read_known(files))


def _read_known(files: tuple[WordFile, ...]) -> tuple[Mapping[str, list[str]], frozenset[str]]:
    text = _CONDITION.sub(" ", "\n".join(text for text, *_ in _lines(files)))
    known = {_word(word).removeprefix(STEM) for word in set(_WORD.findall(text))}
    long: dict[str, list[str]] = {}
    for word in sorted(known):
        if len(word) >= _SHORTEST_TYPO and word.isascii():
            long.setdefault(word[0], []).append(word)
    return long, frozenset(known) | frozenset(map(root, known))


@lru_cache(4096)
def meant(norm: str, files: tuple[WordFile, ...]) -> str:
    """The word of a cue that a word which is none of them is a misspelling of; empty for none."""
    if len(norm) < _SHORTEST_TYPO - 2 or not norm.isascii():
        return ""
    long, known = _known(files)
    if norm in known or root(norm) in known:
        return ""
    likely = long.get(norm[0], [])
    if len(norm) < _SHORTEST_TYPO:
        # Short words are often others that are right, but for doubled letters.
        return next((word for word in likely if _squeezed(word) == _squeezed(norm)), "")
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract_iter

    near = extract_iter(norm, likely, scorer=OSA.distance, score_cutoff=2)
    fits = [(distance, word) for word, distance, _ in near if distance <= (len(word) - 5) // 2]
    return min(fits, default=(0, ""))[1]


def _squeezed(word: str) -> str:
    """Without the second of two equal letters: ``comon`` for ``common``."""
    return "".join(letter for at, letter in enumerate(word) if not at or letter != word[at - 1])
