"""Puts an answer together from scored candidates: how many, with what belongs to them, in what order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from kbtui.question.terms import Term
from kbtui.reasoning.offline.answering.candidates import Candidate, Found, own_names, states_field
from kbtui.reasoning.offline.answering.scorer import Scored
from kbtui.reasoning.offline.answering.signs import SECTIONS, SIGNS, section_kinds, signs_of
from kbtui.reasoning.offline.quotable import Run, Unit, trimmed
from kbtui.text.tokenise import tokens

_LEANS: Final = SIGNS.index("leans")
_OPENS: Final = SECTIONS.index("opening")
_OPENING_UNITS: Final = 3
_SHORTEST_OPENING: Final = 4
_NEAR_DUPLICATE: Final = 0.7
_FEW_TOKENS: Final = 5
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How much of what an answer may show.

    Attributes:
        words: Of all that is shown; the best candidate is shown whatever its length.
        block: Words up to which a candidate brings its neighbours along, so that a paragraph is read and not a
            sentence torn out of it.
        siblings: Items of the list that a candidate is an item of.
        share: Least score of what is shown, beside the best.
        best_first: The best block stands before all others; else blocks stand in the order of their document.
        as_whole: Weight of a list: each of its items scores what all of them do on average, times this; 0 where items
            count by themselves.
        fields: How many fields of documents may be shown, each with what belongs to it.
    """

    words: int
    block: int = 40
    siblings: int = 0
    share: float = 0.45
    best_first: bool = False
    as_whole: float = 0.0
    fields: int = 5


_FACT: Final = Shape(words=70, best_first=True)
_SHAPES: Final[Mapping[str, Shape]] = {
    "list": Shape(words=160, siblings=24, as_whole=1.6),
    "how_to": Shape(words=150, siblings=14, share=0.2, as_whole=1.2),
    "comparison": Shape(words=140),
    "why": Shape(words=130, siblings=14, as_whole=1.2, fields=1),
    "definition": Shape(words=110, fields=1),
    "overview": Shape(words=130),
    "error": Shape(words=110),
}
"""The shapes that need more than `_FACT`, the widest first."""

_OTHER: Final = Shape(words=130)
_CLEAR: Final = 0.7
_ITEMS_AFTER_COLON: Final = 10
_ANNOUNCED: Final = 6
"""Items of a list that are shown together because a sentence leads up to them, whatever is asked."""

_OVER: Final = 1.15
"""What a last block may be over the words of a shape, and a neighbour over those of a block."""


def shape_of(kinds: Mapping[str, float]) -> Shape:
    """The shape for what is asked for clearly, or for nothing more clearly."""
    clear = min(_CLEAR, max(kinds.values(), default=_CLEAR))
    found = next((shape for kind, shape in _SHAPES.items() if kinds.get(kind, 0.0) >= clear), None)
    return found or (_FACT if kinds else _OTHER)


def asks_for_list(kinds: Mapping[str, float]) -> bool:
    """True where the items of a list are the answer."""
    return shape_of(kinds) is _SHAPES["list"]


def composed(
    scored: Scored,
    every: Sequence[Candidate],
    kinds: Mapping[str, float],
    terms: Sequence[Term],
    sides: Sequence[str] = (),
) -> list[Run]:
    """The runs of an answer: documents by their best unit, units in the order of their document.

    Args:
        every: All candidates, by document and line.
        terms: Of the question; of long blocks of code the lines around them are shown.
        sides: The things that the question compares.
    """
    shape = _SHAPES["comparison"] if sides else shape_of(kinds)
    chosen = {trimmed(unit, terms): score for unit, score in chosen_of(scored, every, shape, sides)}
    best = max(chosen.values(), default=0.0)
    first = [unit for unit, score in chosen.items() if shape.best_first and score == best]
    rest = [unit for unit in chosen if unit not in first]
    runs = [*runs_of(first, chosen), *runs_of(rest, chosen)]
    return _by_side(runs, sides) if sides else runs


def _by_side(runs: Sequence[Run], sides: Sequence[str]) -> list[Run]:
    """The runs about several sides of a comparison, then those of each; as they are where one has none for itself."""
    found: dict[str, list[Run]] = {side: [] for side in ("", *sides)}
    path = own = ""
    for run in runs:
        names = spoken_of(sides, run.units)
        if names or run.excerpt.path != path:
            own = names[0] if len(names) == 1 else ""
        path = run.excerpt.path
        found[own].append(run)
    if not all(found[side] for side in sides):
        return list(runs)
    return [replace(run, about=side) for side, own in found.items() for run in own]


def chosen_of(
    scored: Scored, every: Sequence[Candidate], shape: Shape, sides: Sequence[str] = ()
) -> list[tuple[Unit, float]]:
    """The units that are shown, with the score of the one that brought them.

    Args:
        sides: The things that the question compares; the best about each is shown, however far behind the other.
    """
    places = {_key(candidate): at for at, candidate in enumerate(every)}
    own = {places[_key(candidate)]: score for candidate, score in zip(scored.candidates, scored.scores, strict=True)}
    if shape.as_whole:
        own = _as_wholes(own, every, shape.as_whole)
    least = shape.share * max(own.values(), default=0.0)
    firsts = _best_of_each(own, every, sides)
    kept: dict[int, float] = {}
    room, fields = shape.words, 0
    for at in sorted(own, key=lambda at: at not in firsts):
        score = own[at]
        if kept and at not in firsts and (room <= 0 or score < least):
            break
        is_said = any(near_duplicate(every[at].unit.text, every[other].unit.text) for other in kept)
        is_field = states_field(every[at].unit)
        if at in kept or (is_said and at not in firsts) or (is_field and fields >= shape.fields):
            continue
        most = shape.words // len(firsts) if at in firsts else room if kept else shape.words
        added = [other for other in _block(at, every, shape, most, own) if other not in kept]
        if kept and _cost(added, every) > room * _OVER:
            added = [at]
        cost = _cost(added, every)
        if kept and cost > room * _OVER:
            continue
        room -= cost
        fields += is_field
        kept.update(dict.fromkeys(added, score))
    best = next(iter(own), -1)
    # What is announced and not shown leaves a reader waiting.
    leads = [at for at in kept if at != best and announces(every[at].unit)]
    hanging = [at for at in leads if at + 1 not in kept or not _together(at, at + 1, every)]
    shown = ((every[at], score) for at, score in kept.items() if at not in hanging)
    return [(unit, score) for one, score in shown for unit in one.items or (one.unit,)]


def spoken_of(sides: Sequence[str], units: Iterable[Unit]) -> list[str]:
    """The sides of a comparison whose own words stand in the units, or in what these stand under."""
    words = {side: frozenset(tokens(side)) for side in sides}
    own = {side: words[side].difference(*(words[other] for other in sides if other != side)) for side in sides}
    said = frozenset(token for unit in units for token in tokens(f"{unit.excerpt.path} {unit.heading} {unit.text}"))
    return [side for side in sides if not said.isdisjoint(own[side] or words[side])]


def _best_of_each(scores: Mapping[int, float], every: Sequence[Candidate], sides: Sequence[str]) -> list[int]:
    """For each side of a comparison the best candidate that speaks of it and of no other; left out where none does."""
    found: dict[str, int] = {}
    for at in scores if sides else ():
        if len(names := spoken_of(sides, (every[at].unit,))) == 1:
            found.setdefault(names[0], at)
    return list(found.values())


def _as_wholes(scores: Mapping[int, float], every: Sequence[Candidate], weight: float) -> dict[int, float]:
    """The scores, best first, with those of the items of a list by what the list and its lead score on average.

    That a list is asked for all of it tells: one item that holds the words of the question among many that have nothing
    to do with it is no answer, and items that hold none of them under a heading that does are.
    """
    found = dict(scores)
    read: set[int] = set()
    for at in scores:
        if at in read or every[at].unit.kind not in ("list_item", "table_row"):
            continue
        items = list(_list_around(at, every, len(every)))
        read.update(items)
        lead = items[0] - 1
        members = [*items, *([lead] if lead >= 0 and _together(lead, at, every) else [])]
        whole = weight * sum(scores.get(one, 0.0) for one in members) / len(members)
        found.update({one: whole for one in items if one in scores and (len(items) > 1 or every[one].items)})
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def _block(at: int, every: Sequence[Candidate], shape: Shape, most: int, scores: Mapping[int, float]) -> list[int]:
    """A candidate with what belongs to it, and with its neighbours up to the words of a block, the best ones first.

    Args:
        most: Words of a list; of a longer one the items around the candidate are left.
        scores: Of the candidates that have one.
    """
    found = sorted(_with_company(at, every, shape.siblings, most))
    first, last = found[0], found[-1]
    cost = _cost(found, every)
    while cost < shape.block:
        beside = [
            other
            for other in (first - 1, last + 1)
            if 0 <= other < len(every)
            and _one_text(every[other].unit, every[first].unit, every[last].unit)
            and _together(at, other, every)
            and cost + length(every[other].unit) <= shape.block * _OVER
        ]
        if not beside:
            break
        best = max(beside, key=lambda other: scores.get(other, 0.0))
        found.append(best)
        cost += length(every[best].unit)
        first, last = min(first, best), max(last, best)
    return sorted(found)


def _cost(places: Iterable[int], every: Sequence[Candidate]) -> int:
    return sum(length(every[place].unit) for place in places)


def _key(candidate: Candidate) -> tuple[int, int, int, str]:
    unit = candidate.unit
    return candidate.document, unit.start_line, unit.index, unit.text


def length(unit: Unit) -> int:
    """Words of a unit; a Chinese character counts as one."""
    return len(_HAN.findall(unit.text)) + len(unit.text.split())


def _with_company(at: int, every: Sequence[Candidate], siblings: int, most: int) -> Iterable[int]:
    """A candidate with what it cannot stand without: what announces it, what it announces, what it leans on.

    Args:
        most: Words of its list.
    """
    found = {at}
    unit = every[at].unit
    if announces(unit):
        found.update(_announced(at, every))
    if unit.kind == "list_item" or (siblings and unit.kind == "table_row"):
        items = _within(most, at, list(_list_around(at, every, max(siblings, _ANNOUNCED))), every)
        lead = min(items) - 1
        if siblings or (lead >= 0 and _together(lead, at, every) and announces(every[lead].unit)):
            found.update(items)
    elif unit.kind == "sentence" and signs_of(unit.text)[_LEANS] and _follows(at - 1, at, every):
        found.add(at - 1)
    first = min(found)
    if every[first].unit.kind != "sentence" and _follows(first - 1, first, every) and announces(every[first - 1].unit):
        found.add(first - 1)
    return sorted(found)


def _announced(at: int, every: Sequence[Candidate]) -> Iterable[int]:
    """The list, rows or block of code that a candidate leads up to."""
    for other in range(at + 1, min(at + 1 + _ITEMS_AFTER_COLON, len(every))):
        kind = every[other].unit.kind
        if not _together(at, other, every) or kind not in ("list_item", "code", "table_row"):
            break
        yield other
        if kind == "code":
            break


def _list_around(at: int, every: Sequence[Candidate], most: int) -> Iterable[int]:
    """The items of the list that an item stands in, with the code between them, or the rows of its table."""
    found = [at]
    kinds = ("table_row",) if every[at].unit.kind == "table_row" else ("list_item", "code")
    for step in (-1, 1):
        other = at + step
        while 0 <= other < len(every) and _together(at, other, every):
            if every[other].unit.kind not in kinds:
                break
            found.append(other)
            other += step
    found.sort()
    if len(found) > most:
        start = max(0, min(found.index(at) - most // 3, len(found) - most))
        found = found[start : start + most]
    return found


def _within(most: int, at: int, items: list[int], every: Sequence[Candidate]) -> list[int]:
    """The items around one of them that have at most so many words."""
    while len(items) > 1 and _cost(items, every) > most:
        items = items[1:] if at - items[0] > items[-1] - at else items[:-1]
    return items


_PARAGRAPHS: Final = 2
"""Lines from the end of a paragraph to the one that follows it."""


def _one_text(unit: Unit, first: Unit, last: Unit) -> bool:
    """True when a sentence goes on with a text or leads to it, in its paragraph or the one beside it."""
    if "sentence" not in (first.kind, last.kind) or unit.kind != "sentence":
        return False
    return unit.start_line <= last.end_line + _PARAGRAPHS and first.start_line <= unit.end_line + _PARAGRAPHS


def _together(at: int, other: int, every: Sequence[Candidate]) -> bool:
    one, two = every[at], every[other]
    return (one.document, one.section) == (two.document, two.section)


def _follows(before: int, at: int, every: Sequence[Candidate]) -> bool:
    """True when the candidate before stands right above, in the same section."""
    if before < 0 or not _together(before, at, every) or every[before].unit.kind != "sentence":
        return False
    return every[at].unit.start_line <= every[before].unit.end_line + 2


def opening(documents: Sequence[Found], every: Sequence[Candidate], named: Sequence[frozenset[str]]) -> list[Run]:
    """How the document that the question names begins; empty for none."""
    whose = [one.rank for one in documents if any(not forms.isdisjoint(own_names(one)) for forms in named)]
    return beginning([one for one in every if one.document in whose[:1]])


def beginning(own: Sequence[Candidate]) -> list[Run]:
    """The first sentences of a document, of its introduction where it has one."""
    prose = [one for one in own if one.unit.kind in ("sentence", "list_item")]
    introduced = [one for one in prose if section_kinds(one.unit.heading)[_OPENS]] or prose
    # A signature or a date may stand before what something begins with.
    start = next((at for at, one in enumerate(introduced) if len(one.tokens) >= _SHORTEST_OPENING), 0)
    return runs_of([one.unit for one in introduced[start : start + _OPENING_UNITS]], {})


def announces(unit: Unit) -> bool:
    """True when what follows is what the unit is about: ``Calls are let through when:``."""
    return unit.text.rstrip().endswith((":", "："))


def near_duplicate(text: str, other: str) -> bool:
    """True when two texts say the same in nearly the same words, or one holds the other."""
    first, second = set(tokens(text)), set(tokens(other))
    if not first or not second:
        return text.strip() == other.strip()
    shared, shorter = len(first & second), min(len(first), len(second))
    if shorter < _FEW_TOKENS:
        # A few words are inside of many sentences that say something else.
        return first == second
    return shared / len(first | second) >= _NEAR_DUPLICATE or shared / shorter >= 0.9


def runs_of(units: Sequence[Unit], scores: Mapping[Unit, float]) -> list[Run]:
    """Units as runs: neighbours together, documents by their best unit, units in the order of the document."""
    best: dict[str, float] = {}
    for unit in units:
        best[unit.excerpt.path] = max(best.get(unit.excerpt.path, 0.0), scores.get(unit, 0.0))
    ordered = sorted(units, key=lambda unit: (-best[unit.excerpt.path], unit.excerpt.path, unit.start_line, unit.index))
    runs: list[list[Unit]] = []
    for unit in ordered:
        if runs and _one_paragraph(runs[-1][-1], unit):
            runs[-1].append(unit)
        else:
            runs.append([unit])
    return [Run(tuple(run)) for run in runs]


def _one_paragraph(before: Unit, unit: Unit) -> bool:
    return (
        before.excerpt.path == unit.excerpt.path
        and unit.index == before.index + 1
        and before.kind == unit.kind == "sentence"
        and unit.start_line <= before.end_line + 1
    )
