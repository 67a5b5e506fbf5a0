"""Parses citation marks in a model's text, in every form models write them: spans and targets.

A mark is removed with the white space before it and reinserted, renumbered, in the same place, so its span and lead are
kept. The caller must blank out code, which may contain text that looks like a mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kbtui.text.patterns import Patterns

MOST_IN_RANGE: Final = 20
"""Most numbers of a range (``[1-3]``); a longer range is not a citation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A source named by path and lines (``[SOURCE:notes/a.md:L3]``).

    Attributes:
        path: Path or URL as written.
        start_line: First line; 0 for none.
        end_line: Last line, inclusive; 0 for none.
    """

    path: str
    start_line: int = 0
    end_line: int = 0


Target = int | Place
"""Target of a mark: a source number or a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A group of adjacent marks.

    Attributes:
        start: Offset of the white space before it.
        end: Offset after it.
        lead: That white space.
        targets: Its distinct targets in order.
    """

    start: int
    end: int
    lead: str
    targets: tuple[Target, ...]


_RE: Final = Patterns(__package__, "marks.toml")
_SPACES: Final = " \t\u00a0\u3000"


def marks(text: str, known: frozenset[int], is_place: Callable[[Place], bool]) -> list[Mark]:
    """Find all marks of ``text`` in order.

    Args:
        text: Cleaned text with code blanked out.
        known: Source numbers that the model was shown; ``(1)`` is a mark only for these, and only if the text uses
            no other form.
        is_place: Whether a named place is one of the sources; outside brackets anything else stays text.
    """
    single_marks = list(_find_single(text, known, is_place))
    if not single_marks:
        round_marks = list(_RE.plain_round.finditer(text))
        if round_marks and all(int(unicodedata.normalize("NFKC", m["number"])) in known for m in round_marks):
            single_marks = [(m.start(), m.end(), numbers(m["number"])) for m in round_marks]
    return _group(text, single_marks)


def numbers(written: str) -> tuple[Target, ...]:
    """Parse a list of numbers: ``1, 3-5`` gives 1, 3, 4, 5. Zero is not a citation."""
    plain = unicodedata.normalize("NFKC", written)
    targets: list[Target] = []
    position = 0
    for match in _RE.range.finditer(plain):
        targets += [int(digits) for digits in _RE.digits.findall(plain[position : match.start()])]
        first, last = int(match[1]), int(match[2])
        if first <= last < first + MOST_IN_RANGE:
            targets += range(first, last + 1)
        else:
            targets += [first, last]
        position = match.end()
    targets += [int(digits) for digits in _RE.digits.findall(plain[position:])]
    return tuple(dict.fromkeys(targets))


def place(label: str) -> Place:
    """Parse a label: ``notes/a.md:L3-L5``, or a path or URL without lines."""
    label = label.strip().strip("<>`*\"'“” ")
    match = _RE.place_lines.search(label)
    if match is None or not match.start():
        return Place(path=label)
    first = int(match[1])
    return Place(path=label[: match.start()].strip(), start_line=first, end_line=max(first, int(match[2] or first)))


def _find_single(
    text: str, known: frozenset[int], is_place: Callable[[Place], bool]
) -> Iterator[tuple[int, int, tuple[Target, ...]]]:
    for match in _RE.any.finditer(text):
        written = match["twice"] or match["square"] or match["lens"] or match["round"]
        loose = match["raised"] or match["spoken"] or match["subject"]
        if written or loose:
            written = written or loose
            targets = numbers(written)
            if 0 in targets or (loose and not known.issuperset(targets)):
                continue
            glued = match["square"] and not match["sup"] and match.start() and text[match.start() - 1].isascii()
            if glued and _RE.indexed.search(text, max(0, match.start() - 60), match.start()):
                continue
            yield match.start(), match.end(), targets
            continue
        target = place(match["labelled"] or match["named"] or match["bare"])
        is_sure = match["labelled"] or (match["named"] and target.start_line)
        if not is_sure and not (is_place(target) and (match["bare"] or _RE.ends.match(text, match.end()))):
            continue
        yield match.start(), match.end(), (target,)


def _group(text: str, single_marks: list[tuple[int, int, tuple[Target, ...]]]) -> list[Mark]:
    """Group adjacent marks, with the brackets around them and the white space before."""
    groups: list[Mark] = []
    index = 0
    while index < len(single_marks):
        start, end, targets = single_marks[index]
        index += 1
        while (
            index < len(single_marks)
            and (separator := _RE.join.match(text, end))
            and separator.end() == single_marks[index][0]
        ):
            targets, end = (*targets, *single_marks[index][2]), single_marks[index][1]
            index += 1
        opening = _RE.said.search(text, max(0, start - 24), start)
        closing = _RE.said_end.match(text, end)
        if opening and closing:
            start, end = opening.start(), closing.end()
        elif announced := _RE.announced.search(text, max(0, start - 24), start):
            start = announced.start()
        mark_start = start
        min_start = groups[-1].end if groups else 0
        while start > min_start and text[start - 1] in _SPACES:
            start -= 1
        unique = tuple(dict.fromkeys(targets))
        groups.append(Mark(start=start, end=end, lead=text[start:mark_start], targets=unique))
    return groups
