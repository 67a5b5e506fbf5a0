"""Citation marks in a model's text, in every form models write them: where each stands and what it points at.

A mark is removed with the white space before it and put back, renumbered, in the same place; that is why its lead and
its extent are kept. Code was blanked out by the caller, so that nothing in it is taken for a mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kbtui.text.patterns import Patterns

MOST_IN_RANGE: Final = 20
"""Numbers that one range (``[1-3]``) may stand for; a longer one is no citation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A mark that names its lines (``[SOURCE:notes/a.md:L3]``).

    Attributes:
        path: As written.
        start_line: First line; 0 when none was named.
        end_line: Last line, inclusive; 0 when none was named.
    """

    path: str
    start_line: int = 0
    end_line: int = 0


Target = int | Place
"""A number the model was shown, or a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Marks that stand together, as one.

    Attributes:
        start: Offset of the white space before them.
        end: Offset after them.
        lead: That white space.
        targets: What they point at, in order, each once.
    """

    start: int
    end: int
    lead: str
    targets: tuple[Target, ...]


_RE: Final = Patterns(__package__, "marks.toml")
_SPACES: Final = " \t\u00a0\u3000"


def marks(text: str, known: frozenset[int], is_place: Callable[[Place], bool]) -> list[Mark]:
    """All marks of ``text`` in order.

    Args:
        text: Cleaned, code blanked out.
        known: Numbers the model was shown; ``(1)`` without brackets is read as a mark only for these, and only where
            no other form is used.
        is_place: Whether a named place is one of the sources: what is none and stands in no bracket stays text.
    """
    single = list(_single(text, known, is_place))
    if not single:
        rounds = list(_RE.plain_round.finditer(text))
        if rounds and all(int(unicodedata.normalize("NFKC", m["number"])) in known for m in rounds):
            single = [(m.start(), m.end(), numbers(m["number"])) for m in rounds]
    return _grouped(text, single)


def numbers(written: str) -> tuple[Target, ...]:
    """The numbers of a list: ``1, 3-5`` gives 1, 3, 4, 5. Zero is no citation."""
    plain = unicodedata.normalize("NFKC", written)
    found: list[Target] = []
    position = 0
    for match in _RE.range.finditer(plain):
        found += [int(digits) for digits in _RE.digits.findall(plain[position : match.start()])]
        first, last = int(match[1]), int(match[2])
        if first <= last < first + MOST_IN_RANGE:
            found += range(first, last + 1)
        else:
            found += [first, last]
        position = match.end()
    found += [int(digits) for digits in _RE.digits.findall(plain[position:])]
    return tuple(dict.fromkeys(found))


def place(label: str) -> Place:
    """A label (``notes/a.md:L3-L5``, a path or an address alone) taken apart."""
    label = label.strip().strip("<>`*\"'“” ")
    match = _RE.place_lines.search(label)
    if match is None or not match.start():
        return Place(path=label)
    first = int(match[1])
    return Place(path=label[: match.start()].strip(), start_line=first, end_line=max(first, int(match[2] or first)))


def told(target: Target) -> str:
    if isinstance(target, int):
        return f"[{target}]"
    lines = f":L{target.start_line}" if target.start_line else ""
    return f"[{target.path}{lines}]"


def _single(
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


def _grouped(text: str, single: list[tuple[int, int, tuple[Target, ...]]]) -> list[Mark]:
    """Neighbours joined, with the brackets around them and the white space before."""
    found: list[Mark] = []
    at = 0
    while at < len(single):
        start, end, targets = single[at]
        at += 1
        while at < len(single) and (gap := _RE.join.match(text, end)) and gap.end() == single[at][0]:
            targets, end = (*targets, *single[at][2]), single[at][1]
            at += 1
        opening = _RE.said.search(text, max(0, start - 24), start)
        closing = _RE.said_end.match(text, end)
        if opening and closing:
            start, end = opening.start(), closing.end()
        elif announced := _RE.announced.search(text, max(0, start - 24), start):
            start = announced.start()
        body = start
        floor = found[-1].end if found else 0
        while start > floor and text[start - 1] in _SPACES:
            start -= 1
        unique = tuple(dict.fromkeys(targets))
        found.append(Mark(start=start, end=end, lead=text[start:body], targets=unique))
    return found
